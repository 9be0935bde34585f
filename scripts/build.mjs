// Fills dist/: the library and the command line as bundles (esbuild) that are split at their dynamic imports and load
// several times faster than hundreds of small files would, the page (vite), the declarations of the library (tsc), and
// the licences of the packages in the bundles. The same sources give the same bytes, except for dist/cli/whole.*, which
// depend on the machine and are not in the package. `npm ci` runs it through `prepare`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { precompile } from './precompile.mjs';
import { bundlePlugins, entries, LicenceList, pruneDeclarations, unbundled } from './vendor.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

// A project that depends on this clone (`file:`) installs it as it is: npm runs `prepare` there, too.
const { npm_lifecycle_event: script, INIT_CWD: from } = process.env;
const isLinked = script === 'prepare' && from !== undefined && !`${from}/`.startsWith(root);
if (isLinked && existsSync(`${root}dist/cli/main.js`)) process.exit(0);

const tools = await import('esbuild').then(
  (esbuild) => ({ esbuild, tsc: fileURLToPath(import.meta.resolve('typescript/bin/tsc')) }),
  () => undefined,
);
if (!tools) {
  // `npm ci --omit=dev` in a clone ends here; a package from the registry brings its dist/ along.
  console.error(
    'dist/ is not built: esbuild and typescript are not installed. `npm ci` without --omit=dev installs them.',
  );
  process.exit(0);
}

const bundleOnly = process.argv.includes('--bundle'); // what tests of the command line need, in half a second
if (!bundleOnly) rmSync(`${root}dist`, { recursive: true, force: true });
/**
 * Threads start from files of their own: src/host/node/workers/NAME.ts and src/host/service/workers/NAME.ts become
 * dist/cli/workers/NAME.js (see src/host/node/workers.ts).
 */
const workers = ['src/host/node', 'src/host/service'].flatMap((folder) =>
  readdirSync(`${root}${folder}/workers`)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ in: `${folder}/workers/${file}`, out: `workers/${file.slice(0, -'.ts'.length)}` })),
);

/** Hash of all sources and of the versions of all packages: what the program computes depends on nothing else. */
const sources = createHash('sha256');
const sourceFiles = readdirSync(`${root}src`, { recursive: true }).filter((file) => file.endsWith('.ts'));
for (const file of ['package-lock.json', ...sourceFiles.sort().map((name) => `src/${name}`)])
  sources.update(`${file.replaceAll('\\', '/')}\n`).update(readFileSync(root + file));

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  legalComments: 'none', // dist/LICENCES.txt has the licences
  logLevel: 'warning',
  metafile: true,
  minifySyntax: true,
  minifyWhitespace: true, // a fifth of the package; names stay
  plugins: bundlePlugins,
  external: unbundled,
  define: { ELBOWROOM_SOURCES: JSON.stringify(sources.digest('hex')) },
};

/** The public API, for browsers, too: only what dist/node.js loads imports modules of Node. */
const library = {
  ...shared,
  entryPoints: entries.map((entry) => `src/${entry}.ts`),
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2023',
  external: [...unbundled, 'node:*'],
};

const commandLine = {
  ...shared,
  entryPoints: [{ in: 'src/host/cli/main.ts', out: 'main' }, ...workers],
  outdir: 'dist/cli',
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  // CommonJS packages load Node's modules with `require`.
  banner: {
    js: "import { createRequire as elbowroomRequire } from 'node:module';\nconst require = elbowroomRequire(import.meta.url);",
  },
};

/**
 * Removes the imports of chunks for their side effects alone: no module of the library has any (`sideEffects` of
 * package.json), and bundlers warn of each.
 */
function removeBareImports(files) {
  for (const file of files) {
    const text = readFileSync(`${root}${file}`, 'utf8');
    const without = text.replaceAll(/import"\.\/(?:chunks\/)?[\w-]+-[A-Z0-9]{8}\.js";/g, '');
    if (without !== text) writeFileSync(`${root}${file}`, without);
  }
}

const licences = new LicenceList(root);
const written = new Set();
const built = [];
for (const options of [library, commandLine]) {
  const { metafile } = await tools.esbuild.build(options);
  licences.add(Object.keys(metafile.inputs));
  for (const file of Object.keys(metafile.outputs)) written.add(file);
  built.push(metafile.outputs);
}
removeBareImports(Object.keys(built[0]));
for (const file of await precompile(tools.esbuild, commandLine, built[1])) written.add(file);
// Modules of earlier builds; removed last, so that a command that runs meanwhile finds its own.
for (const folder of ['dist/chunks', 'dist/cli'])
  for (const file of readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`))
    if (/\.(js|cjs|code|map)$/.test(file) && !written.has(file)) rmSync(`${root}${file}`);

if (bundleOnly) process.exit(0);
/** The page of viewer/, one file: dist/viewer/index.html. */
const { build } = await import('vite');
const record = {
  name: 'record the packages of the page',
  buildEnd() {
    licences.add(this.getModuleIds());
  },
};
await build({ configFile: `${root}viewer/vite.config.ts`, logLevel: 'warn', plugins: [record] });
/** The playground of the narrow phase, one file: dist/viewer/playground.html. */
const playground = await tools.esbuild.build({
  ...shared,
  entryPoints: ['viewer/src/playground/main.ts'],
  alias: { elbowroom: `${root}src/index.ts`, 'elbowroom/collision': `${root}src/collision.ts` },
  sourcemap: false,
  write: false,
  minify: true,
  format: 'iife',
  target: 'es2023',
  platform: 'browser',
});
const code = playground.outputFiles[0].text.replaceAll('</script', '<\\/script');
const frame = readFileSync(`${root}viewer/playground.html`, 'utf8');
writeFileSync(
  `${root}dist/viewer/playground.html`,
  frame.replace('<script></script>', () => `<script>${code}</script>`),
);
licences.add(Object.keys(playground.metafile.inputs));
const declared = spawnSync(process.execPath, [tools.tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
if (declared.status !== 0) process.exit(declared.status ?? 1);
licences.add(await pruneDeclarations(root));
licences.write('dist/LICENCES.txt');
