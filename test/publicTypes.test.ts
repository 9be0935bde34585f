import ts from 'typescript';
import { expect, test } from 'vitest';

const ENTRIES = ['index', 'node'];

/** Loads the declarations of a folder as a program that installs the package sees them. */
const declarationsIn = (folder: string): ts.Program =>
  ts.createProgram(
    ENTRIES.map((entry) => `${folder}/${entry}.d.ts`),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, noEmit: true, types: ['node'] },
  );

/**
 * Reads the declarations that the package ships (`npm run build` writes them). Returns each type of this package that a
 * declaration of an entry point mentions and no entry point exports, as `NAME (mentioned by EXPORT)`.
 * @param folder folder of `index.d.ts` and `node.d.ts`
 */
function mentionedButNotExported(folder: string): string[] {
  const program = declarationsIn(folder);
  const checker = program.getTypeChecker();
  const root = ts.sys.resolvePath(folder);
  const original = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const exported = new Set(
    ENTRIES.flatMap((entry) => {
      const file = program.getSourceFile(`${folder}/${entry}.d.ts`)!;
      return checker.getExportsOfModule(checker.getSymbolAtLocation(file)!).map(original);
    }),
  );
  const missing = new Set<string>();
  const isOurs = ({ declarations = [] }: ts.Symbol) =>
    declarations.some((declaration) => declaration.getSourceFile().fileName.startsWith(root));
  const isParameter = ({ flags }: ts.Symbol) => (flags & ts.SymbolFlags.TypeParameter) !== 0;
  const require = (name: ts.Node, by: string): void => {
    const symbol = checker.getSymbolAtLocation(name);
    const target = symbol && original(symbol);
    if (!target || isParameter(target) || !isOurs(target) || exported.has(target)) return;
    missing.add(`${target.name} (mentioned by ${by})`);
  };
  const visit = (node: ts.Node, by: string): void => {
    if (ts.isClassElement(node) && ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) return;
    if (ts.isTypeReferenceNode(node)) require(node.typeName, by);
    if (ts.isTypeQueryNode(node)) require(node.exprName, by);
    if (ts.isImportTypeNode(node) && node.qualifier) require(node.qualifier, by);
    if (ts.isExpressionWithTypeArguments(node)) require(node.expression, by);
    ts.forEachChild(node, (child) => visit(child, by));
  };
  for (const symbol of exported) for (const declaration of symbol.declarations ?? []) visit(declaration, symbol.name);
  return [...missing].sort();
}

test('the check of exported types finds types that are mentioned only', () => {
  expect(mentionedButNotExported('test/fixtures/publicTypes')).toEqual([
    'Base (mentioned by Child)',
    'Hidden (mentioned by Child)',
    'Options (mentioned by run)',
    'defaults (mentioned by run)',
  ]);
});

test('every type that an export of the package mentions is exported', () => {
  expect(mentionedButNotExported('dist')).toEqual([]);
});

test('the declarations of the package have no errors, although they omit members marked @internal', () => {
  const program = declarationsIn('dist');
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(ts.sys.resolvePath('dist')));
  expect(ours.length).toBeGreaterThan(50);
  const errors = ours.flatMap((file) => program.getSemanticDiagnostics(file));
  expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});
