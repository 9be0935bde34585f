import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { isLong } from './cases.ts';

const PUBLIC = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).exports)
  .filter((entry) => !entry.endsWith('.json'))
  .map((entry) => (entry === '.' ? 'index' : entry.slice('./'.length)));

/** Not exported on purpose: the schemas of the messages; `schema` returns them as JSON Schema. */
const HIDDEN = 'serviceMessages';

/** Loads the declarations of a folder as a program that installs the package sees them. */
const declarationsIn = (folder: string, entries: readonly string[]): ts.Program =>
  ts.createProgram(
    entries.map((entry) => `${folder}/${entry}.d.ts`),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, noEmit: true, types: ['node'] },
  );

interface PublicApi {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The symbols that the entry points export, aliases resolved. */
  readonly exported: ReadonlySet<ts.Symbol>;
}

const resolved = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Reads the declarations of the entry points in `folder`; `npm run build` writes those that the package ships. */
function publicApiOf(folder: string, entries = ['index', 'node']): PublicApi {
  const program = declarationsIn(folder, entries);
  const checker = program.getTypeChecker();
  const exportsOf = (entry: string) => {
    const file = program.getSourceFile(`${folder}/${entry}.d.ts`)!;
    return checker.getExportsOfModule(checker.getSymbolAtLocation(file)!).map((symbol) => resolved(checker, symbol));
  };
  return { program, checker, exported: new Set(entries.flatMap(exportsOf)) };
}

const isPrivate = (node: ts.Node) =>
  ts.isClassElement(node) && (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;

/**
 * Returns each type of this package that a declaration of an entry point mentions and no entry point exports, as
 * `NAME (mentioned by EXPORT)`.
 */
function mentionedButNotExported({ checker, exported }: PublicApi, folder: string): string[] {
  const root = ts.sys.resolvePath(folder);
  const isOurs = ({ declarations = [] }: ts.Symbol) =>
    declarations
      .map((declaration) => declaration.getSourceFile().fileName)
      .every((file) => file.startsWith(root) && !file.startsWith(`${root}/vendor/`)); // globals have others, too
  const isParameter = ({ flags }: ts.Symbol) => (flags & ts.SymbolFlags.TypeParameter) !== 0;
  const missing = new Set<string>();
  const require = (name: ts.Node, by: string): void => {
    const symbol = checker.getSymbolAtLocation(name);
    const target = symbol && resolved(checker, symbol);
    if (!target || target.name === HIDDEN || isParameter(target) || !isOurs(target) || exported.has(target)) return;
    missing.add(`${target.name} (mentioned by ${by})`);
  };
  const visit = (node: ts.Node, by: string): void => {
    if (isPrivate(node)) return;
    if (ts.isTypeReferenceNode(node)) require(node.typeName, by);
    if (ts.isTypeQueryNode(node)) require(node.exprName, by);
    if (ts.isImportTypeNode(node) && node.qualifier) require(node.qualifier, by);
    if (ts.isExpressionWithTypeArguments(node)) require(node.expression, by);
    ts.forEachChild(node, (child) => visit(child, by));
  };
  for (const symbol of exported) for (const declaration of symbol.declarations ?? []) visit(declaration, symbol.name);
  return [...missing].sort();
}

/** Returns the exports, and the members of exported classes and interfaces, that have no doc comment. */
function undocumented({ checker, exported }: PublicApi): string[] {
  const hasComment = (symbol: ts.Symbol | undefined) =>
    (symbol?.getDocumentationComment(checker).length ?? 0) > 0 || (symbol?.getJsDocTags(checker).length ?? 0) > 0;
  const found = new Set<string>();
  for (const symbol of exported) {
    if (!hasComment(symbol)) found.add(symbol.name);
    for (const declaration of symbol.declarations ?? []) {
      if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassDeclaration(declaration)) continue;
      for (const member of declaration.members) {
        if (isPrivate(member) || !member.name) continue;
        if (!hasComment(checker.getSymbolAtLocation(member.name))) found.add(`${symbol.name}.${member.name.getText()}`);
      }
    }
  }
  return [...found].sort();
}

const EXAMPLE = 'test/fixtures/publicTypes';
const api = publicApiOf('dist', PUBLIC);

test('the check of exported types finds types that are mentioned only', () => {
  expect(mentionedButNotExported(publicApiOf(EXAMPLE), EXAMPLE)).toEqual([
    'Base (mentioned by Child)',
    'Hidden (mentioned by Child)',
    'Options (mentioned by run)',
    'defaults (mentioned by run)',
  ]);
});

test('the check of doc comments finds exports and members without one', () => {
  expect(undocumented(publicApiOf(EXAMPLE))).toEqual(['Child.find', 'Child.own', 'Shown', 'run']);
});

test('every export of the package, and every member of its classes and interfaces, has a doc comment', () => {
  expect(undocumented(api)).toEqual([]);
});

test('every type that an export of the package mentions is exported', () => {
  expect(mentionedButNotExported(api, 'dist')).toEqual([]);
});

// Half of the time of this file. `package.test.ts` compiles programs against the declarations as well.
test.runIf(isLong)(
  'the declarations of the package have no errors, although they omit members marked @internal',
  () => {
    const { program } = api;
    // Copied types of packages are declared a second time where the packages are installed;
    // test/host/cli/pages/package.test.ts compiles against them without.
    const isOurs = (name: string) =>
      name.startsWith(ts.sys.resolvePath('dist')) && !name.startsWith(ts.sys.resolvePath('dist/vendor'));
    const ours = program.getSourceFiles().filter(({ fileName }) => isOurs(fileName));
    expect(ours.length).toBeGreaterThan(50);
    const errors = ours.flatMap((file) => program.getSemanticDiagnostics(file));
    expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  },
);

test('the main entry point has at most 150 names, and no two entry points export the same value', () => {
  const { program, checker } = api;
  const namesOf = (entry: string) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(`dist/${entry}.d.ts`)!)!);
  expect(namesOf('index').length).toBeLessThanOrEqual(150);
  const all = PUBLIC.flatMap(namesOf).map((symbol) => resolved(checker, symbol));
  const twice = all.filter(({ flags }, at) => flags & ts.SymbolFlags.Value && all.indexOf(all[at]!) !== at);
  expect(twice.map(({ name }) => name)).toEqual([]);
});

test('docs/library.md names every function, class and table that the entry points export', async () => {
  const page = readFileSync('docs/library.md', 'utf8');
  const modules = await Promise.all(PUBLIC.map((entry) => import(`../dist/${entry}.js`)));
  const names = modules.flatMap((module) => Object.keys(module));
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
