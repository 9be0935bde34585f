// Prints how large and how entangled the sources are: lines, imports behind the main functions, hidden state.
// usage: node scripts/house.mjs [--json]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { importBundled } from './bundled.mjs';

const LONG = 60; // lines of a function
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.ts'));
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
/** Files that nobody edits: a script writes them, and a test compares them with what it writes. */
const isGenerated = (file) => file.endsWith('.generated.ts');
const linesOf = (chosen) => chosen.reduce((sum, file) => sum + texts.get(file).split('\n').length - 1, 0);
const sources = new Map(
  files.map((file) => [file, ts.createSourceFile(file, texts.get(file), ts.ScriptTarget.Latest, true)]),
);
const all = [...texts.values()].join('\n');
const matches = (pattern) => all.match(pattern)?.length ?? 0;

/** Files that a file loads, itself included; types and imports on first use aside. */
function closureOf(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const node of sources.get(file).statements) {
    const isLoaded = (ts.isImportDeclaration(node) && loads(node.importClause)) || isReExport(node);
    if (!isLoaded || !node.moduleSpecifier.text.startsWith('.')) continue;
    const target = posix.join(posix.dirname(file), node.moduleSpecifier.text);
    if (existsSync(target) && sources.has(target)) closureOf(target, seen);
  }
  return seen;
}

function loads(clause) {
  if (clause === undefined) return true;
  if (clause.isTypeOnly) return false;
  const named = clause.namedBindings;
  return clause.name !== undefined || !named?.elements || named.elements.some((one) => !one.isTypeOnly);
}

function isReExport(node) {
  if (!ts.isExportDeclaration(node) || node.isTypeOnly || !node.moduleSpecifier) return false;
  return !node.exportClause?.elements || node.exportClause.elements.some((one) => !one.isTypeOnly);
}

/** Module-level variables that change: `let`, and collections that begin empty. Typed arrays are scratch memory. */
function moduleState(source) {
  const lists = source.statements.filter(ts.isVariableStatement).map(({ declarationList }) => declarationList);
  return lists.flatMap(({ flags, declarations }) =>
    declarations
      .filter(({ type }) => !/^readonly/i.test(type?.getText() ?? ''))
      .filter(({ initializer }) => (flags & ts.NodeFlags.Let) !== 0 || isEmptyCollection(initializer))
      .map(({ name }) => `${source.fileName}: ${name.getText()}`),
  );
}

const isEmptyCollection = (node) =>
  node !== undefined &&
  ((ts.isNewExpression(node) && /^(Weak)?(Map|Set)$/.test(node.expression.getText()) && !node.arguments?.length) ||
    (ts.isArrayLiteralExpression(node) && node.elements.length === 0));

function longFunctions(source) {
  const found = [];
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const lines = lineOf(node.body.end) - lineOf(node.body.pos) + 1;
      if (lines > LONG) found.push(`${source.fileName}: ${node.name?.getText() ?? 'function'} ${lines}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Names that a file exports; types and values. */
const publicNames = (file) =>
  sources
    .get(file)
    .statements.filter(ts.isExportDeclaration)
    .flatMap(({ exportClause }) => exportClause?.elements ?? [exportClause?.name]);

/** Calls between the loop of RRT-Connect and the narrow-phase checker in a plan of a bundled scene. */
async function frames() {
  const { loadScene } = await importBundled('src/host/node/files.ts');
  const { planMotion } = await importBundled('src/tasks/planning/planMotion.ts');
  const problem = await loadScene('scenes/table-top.yaml');
  let least = Number.POSITIVE_INFINITY;
  Error.stackTraceLimit = 100;
  const wrapChecker = (checker) => ({
    check(...given) {
      const calls = new Error().stack.split('\n').slice(2);
      const loop = calls.findIndex((call) => /\bat (Tree\.|.*\bplan )/.test(call));
      if (loop > 0 && loop < least && calls.some((call) => /PathSearch\.run\b/.test(call))) least = loop;
      return checker.check(...given);
    },
  });
  planMotion(problem, {}, { wrapChecker });
  return least;
}

const state = [...sources.values()].flatMap(moduleState);
const long = [...sources.values()].filter(({ fileName }) => !isGenerated(fileName)).flatMap(longFunctions);
const table = {
  'lines of src': [linesOf(files.filter((file) => !isGenerated(file))), '≤ 110,000'],
  'lines of generated files': [linesOf(files.filter(isGenerated)), 'apart'],
  'files behind plan': [closureOf('src/host/cli/commands/plan.ts').size, '≤ 400'],
  'files behind planMotion': [closureOf('src/tasks/planning/planMotion.ts').size, '≤ 220'],
  'calls from the RRT loop to the checker': [await frames(), '≤ 8'],
  'mutable module state': [state.length, '≤ 5'],
  [`functions over ${LONG} lines`]: [long.length, '≤ 3'],
  'public names of the main entry': [publicNames('src/index.ts').length, '≤ 150'],
  'new CollisionModel(': [matches(/new CollisionModel\(/g), '≤ 5'],
  'new CollisionManager(': [matches(/new CollisionManager\(/g), 'few'],
  'createSceneWorld(': [matches(/createSceneWorld(<[^>]*>)?\(/g), 'few'],
  'createSceneRobot(': [matches(/createSceneRobot\(/g), 'few'],
  'tests of steps and of hasMoving': [matches(/steps (=|!)== undefined|hasMoving\(/g), '≤ 8'],
};
if (process.argv.includes('--json')) {
  const values = Object.fromEntries(Object.entries(table).map(([key, [value]]) => [key, value]));
  console.log(JSON.stringify({ ...values, state, long }, undefined, 2));
} else {
  for (const [key, [value, target]] of Object.entries(table))
    console.log(`${key.padEnd(42)} ${String(value).padStart(8)}   ${target}`);
}
