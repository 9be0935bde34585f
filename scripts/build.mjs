// Fills dist/: the library as modules with their declarations (tsc), the page (vite), and the command line as a bundle
// cut per command (esbuild), which starts several times faster than hundreds of small files would. `npm ci` runs it
// through `prepare`.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { precompile } from './precompile.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

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
 * yargs/helpers imports all of yargs for one of its three functions; esbuild drops the unused part only if it is marked
 * as free of side effects.
 */
const leaveOutUnused = {
  name: 'leave out unused parts of yargs',
  setup(build) {
    build.onResolve({ filter: /platform-shims\/esm\.mjs$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    }));
  },
};

/**
 * What every command that reads a robot waits for, made smaller. Hulls and urdf-loader need a few classes of three:
 * taken from its sources, file by file, they do not bring the rest along. urdf-loader never opens a mesh here, and no
 * URDF has the named characters of HTML.
 */
const leaveOutUnasked = {
  name: 'leave out modules and entities that are never used',
  setup(build) {
    const sources = fileURLToPath(import.meta.resolve('three/src/Three.Core.js'));
    build.onResolve({ filter: /^three$/ }, ({ importer }) =>
      /urdf-loader|ConvexHull\.js$|threeGeometry\.ts$/.test(importer) ? { path: sources, sideEffects: false } : null,
    );
    build.onResolve({ filter: /^three\/examples\/jsm\/loaders\// }, ({ importer, path }) =>
      /urdf-loader/.test(importer) ? { path, namespace: 'unasked', sideEffects: false } : null,
    );
    build.onLoad({ filter: /./, namespace: 'unasked' }, () => ({
      contents: 'export class STLLoader {}\nexport class ColladaLoader {}',
    }));
    build.onLoad({ filter: /xmldom[/\\]lib[/\\]entities\.js$/ }, ({ path }) => {
      const html = /exports\.HTML_ENTITIES = freeze\(\{[\s\S]*?\}\);/;
      return { contents: readFileSync(path, 'utf8').replace(html, 'exports.HTML_ENTITIES = exports.XML_ENTITIES;') };
    });
  },
};

/**
 * Threads start from files of their own: src/node/workers/NAME.ts and src/service/workers/NAME.ts become
 * dist/cli/workers/NAME.js (see src/node/workers.ts).
 */
const workers = ['src/node', 'src/service'].flatMap((folder) =>
  readdirSync(`${root}${folder}/workers`)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ in: `${folder}/workers/${file}`, out: `workers/${file.slice(0, -'.ts'.length)}` })),
);

const options = {
  absWorkingDir: root,
  entryPoints: [{ in: 'src/cli/main.ts', out: 'main' }, { in: 'src/cli/start.ts', out: 'start' }, ...workers],
  outdir: 'dist/cli',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  logLevel: 'warning',
  plugins: [leaveOutUnused, leaveOutUnasked],
  // Loaded on use, from node_modules: threads and sockets, and what is optional.
  external: [
    'piscina',
    'ws',
    '@mcap/*',
    '@foxglove/*',
    'vega',
    'vega-lite',
    'bullmq',
    'ioredis',
    'hyparquet-writer',
    'esbuild',
  ],
  // CommonJS packages load Node's modules with `require`.
  banner: {
    js: "import { createRequire as elbowroomRequire } from 'node:module';\nconst require = elbowroomRequire(import.meta.url);",
  },
};
await tools.esbuild.build(options);
await precompile(tools.esbuild, options);

if (bundleOnly) process.exit(0);
/** The page of viewer/, one file: dist/viewer/index.html. */
const { build } = await import('vite');
await build({ configFile: `${root}viewer/vite.config.ts`, logLevel: 'warn' });
const declared = spawnSync(process.execPath, [tools.tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
if (declared.status !== 0) process.exit(declared.status ?? 1);
