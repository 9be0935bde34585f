// Writes dist/cli/whole.*: the modules of the command line in a few scripts, and the code that V8 has compiled of each
// by the end of a plan. A command then starts without finding and compiling fifty modules, and loads only the scripts
// that it needs. dist/cli/start.cjs uses the code if it was written by the same version of V8.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';

const self = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist/cli');

/**
 * The entry points of the modules in each script, with all that they import: what plans and validation load if scenes
 * and robots are cached; what reads these from their files, and short commands. A last script has all other modules.
 */
const GROUPS = [
  [/cli\/(main|parse)\.ts$/, /cli\/commands\/(plan|validate)\.ts$/],
  [
    /text\/(yamlParser|xmlParser)\.ts$/,
    /scenes\/sceneSchema\.ts$/,
    /URDFLoader\.js$/,
    /threeGeometry\.ts$/,
    /cli\/commands\/(check|fk|robot|verify)\.ts$/,
  ],
  [/^(?!.*\/(workers\/\w+|start)\.ts$)/],
];

/**
 * @param options of esbuild, as for the modules
 * @param outputs the modules, as esbuild's metafile lists them
 * @returns the names of the files that were written
 */
export async function precompile(esbuild, options, outputs) {
  const bodies = await scriptsOf(esbuild, groupsOf(outputs));
  const hash = createHash('sha256').update(bodies.join('\n')).digest('hex');
  // Latin-1 is the fastest to read. esbuild escapes all other characters, except in patterns and raw templates.
  const beyond = bodies.map((body) => /[^\0-\xff]/.exec(body)).find((found) => found !== null);
  if (beyond) report(`a pattern or raw template contains "${beyond[0]}"`);
  for (const [k, body] of bodies.entries()) writeFileSync(`${scriptName(hash, k)}.cjs`, `${body}\n//${hash}`, 'latin1');
  const names = bodies.flatMap((_, k) => ['cjs', 'code'].map((ending) => basename(`${scriptName(hash, k)}.${ending}`)));
  await writeStart(esbuild, options, beyond ? '' : hash);
  if (!beyond) compileAll();
  return ['start.cjs', ...names].map((name) => `dist/cli/${name}`);
}

const scriptName = (hash, k) => join(folder, `whole.${hash.slice(0, 16)}.${k}`);

const report = (why) => console.error(`dist/cli/whole.*.code is not written, commands start more slowly: ${why}`);

/** Returns the modules of each script by their file names. */
function groupsOf(outputs) {
  const taken = new Set();
  return GROUPS.map((entries) => {
    const found = [];
    const add = (file) => {
      if (taken.has(file)) return;
      taken.add(file);
      found.push(basename(file));
      for (const { path, kind } of outputs[file].imports) if (kind === 'import-statement' && path in outputs) add(path);
    };
    for (const [file, { entryPoint }] of Object.entries(outputs))
      if (entryPoint !== undefined && entries.some((entry) => entry.test(entryPoint))) add(file);
    return found.sort();
  });
}

/**
 * Bundles the modules of each group as CommonJS, because V8 does not export the code of modules. Each script exports a
 * function for each of its modules that evaluates it at the first call. Modules of other scripts are required by name.
 */
async function scriptsOf(esbuild, groups) {
  return Promise.all(
    groups.map(async (names) => {
      const own = new Set(names);
      const modules = {
        name: 'modules of this script',
        setup(build) {
          build.onResolve({ filter: /^\.\// }, ({ path, kind }) =>
            kind === 'dynamic-import' || !own.has(path.slice(2)) ? { path, external: true } : undefined,
          );
          build.onLoad({ filter: /\.js$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replace(/^.*elbowroomRequire.*\n.*elbowroomRequire.*\n/, ''),
          }));
        },
      };
      const table = names.map((name) => `${JSON.stringify(`./${name}`)}:()=>require(${JSON.stringify(`./${name}`)})`);
      const { outputFiles } = await esbuild.build({
        absWorkingDir: root,
        stdin: { contents: `exports.modules={${table}}`, resolveDir: folder },
        bundle: true,
        format: 'cjs',
        platform: 'node',
        target: 'node20.19',
        packages: 'external',
        legalComments: 'none',
        logLevel: 'warning',
        minifySyntax: true,
        minifyWhitespace: true,
        define: { 'import.meta.url': 'elbowroomUrl' },
        plugins: [modules],
        write: false,
      });
      // Code from a cache has no handler of import(): start.cjs passes a function instead.
      const text = outputFiles[0].text.replace(/(?<![\w$."'`])import\(/g, 'elbowroomImport(');
      return `(function(exports,require,elbowroomImport,elbowroomUrl){${text}\n})`;
    }),
  );
}

/** Writes the script that loads the others. Without a hash, it loads the modules. */
async function writeStart(esbuild, options, hash) {
  await esbuild.build({
    ...options,
    entryPoints: ['src/host/cli/start.ts'],
    outdir: undefined,
    outfile: join(folder, 'start.cjs'),
    splitting: false,
    format: 'cjs',
    define: { 'import.meta.url': 'elbowroomUrl', ELBOWROOM_SCRIPTS: JSON.stringify(hash) },
    banner: { js: "const elbowroomUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [
      {
        name: 'modules beside the start',
        setup: (build) => build.onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './main.js', external: true })),
      },
    ],
  });
}

/**
 * Plans twice, with an empty cache of scenes and robots and with a filled one, so that V8 compiles what each needs, and
 * writes the compiled code: of the first script what the second plan needs.
 */
function compileAll() {
  const home = mkdtempSync(join(tmpdir(), 'elbowroom-code-'));
  const env = { ...process.env, ELBOWROOM_CACHE: join(home, 'cache'), XDG_DATA_HOME: home };
  for (const [run, which] of ['rest', 'first'].entries()) {
    const args = [self, which, join(home, `motion-${run}.json`)];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    if (status !== 0) report(stderr);
  }
  rmSync(home, { recursive: true, force: true });
}

/** Plans, and writes the compiled code of the first script or of the others. */
function keepCode(which, motion) {
  const { Scripts, SCRIPTS } = createRequire(self)(join(folder, 'start.cjs'));
  const scripts = new Scripts(SCRIPTS, false);
  const budget = 67_584; // src/host/cli/v8Flags.ts changes it, and V8 rejects code of other flags
  process.on('exit', (status) => {
    if (status !== 0) return;
    if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString(`--interrupt-budget=${budget}`);
    for (let k = 0; k < GROUPS.length; k++) {
      if ((k === 0) !== (which === 'first')) continue;
      const file = `${scriptName(SCRIPTS, k)}.code`;
      const head = `${SCRIPTS} ${String(cachedDataVersionTag()).padStart(15)}`;
      writeFileSync(`${file}.part`, Buffer.concat([Buffer.from(head, 'latin1'), scripts.script(k).createCachedData()]));
      renameSync(`${file}.part`, file);
    }
  });
  scripts.require('./main.js').main(['plan', join(root, 'scenes/table-top.yaml'), '-o', motion]);
}

if (process.argv[1] === self) keepCode(...process.argv.slice(2));
