// Writes dist/cli/whole.cjs, the command line in one file, and dist/cli/whole.code, the code that V8 has compiled by
// the end of a plan: a command then starts without reading and compiling fifty modules. src/cli/start.ts uses both if
// they were written by the same version of V8.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const self = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const [sourceFile, codeFile] = ['whole.cjs', 'whole.code'].map((name) => join(root, 'dist/cli', name));

/** @param options of esbuild, as for the modules; CommonJS, because V8 does not export the code of modules. */
export async function precompile(esbuild, options) {
  rmSync(codeFile, { force: true });
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: ['src/cli/main.ts'],
    outdir: undefined,
    outfile: sourceFile,
    splitting: false,
    format: 'cjs',
    legalComments: 'none', // they are in the modules
    define: { ...options.define, 'import.meta.url': 'elbowroomUrl' },
    banner: { js: "const elbowroomUrl = require('node:url').pathToFileURL(__filename).href;" },
    write: false,
  });
  // Code from a cache has no handler of import(): start.ts passes a function instead.
  const text = outputFiles[0].text.replace(/(?<![\w$."'`])import\(/g, 'elbowroomImport(');
  const body = `(function (exports, require, module, __filename, elbowroomImport) {${text}\n})\n//`;
  // Latin-1 is the fastest to read. esbuild escapes all other characters, except in patterns and raw templates.
  const beyond = /[^\0-\xff]/.exec(body);
  if (beyond) return report(`a pattern or raw template contains "${beyond[0]}"`);
  writeFileSync(sourceFile, body + createHash('sha256').update(body).digest('hex'), 'latin1');
  const env = { ...process.env, ELBOWROOM_CACHE: 'off' }; // the code that computes hulls is compiled, too
  const { status, stderr } = spawnSync(process.execPath, [self], { encoding: 'utf8', env });
  if (status !== 0) report(stderr);
}

const report = (why) => console.error(`dist/cli/whole.code is not written, commands start more slowly: ${why}`);

/** Plans once, so that V8 compiles what a plan needs, and writes the compiled code. */
function keepCode() {
  const source = readFileSync(sourceFile, 'latin1');
  const script = new Script(source, { filename: sourceFile });
  const module = { exports: {} };
  const load = (name) => import(name);
  script.runInThisContext()(module.exports, createRequire(sourceFile), module, sourceFile, load);
  const motion = join(tmpdir(), `elbowroom-${process.pid}.json`);
  const budget = 67_584; // src/cli/v8Flags.ts changes it, and V8 rejects code of other flags
  process.on('exit', (status) => {
    rmSync(motion, { force: true });
    if (status !== 0) return;
    if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString(`--interrupt-budget=${budget}`);
    const head = `${source.slice(-64)} ${String(cachedDataVersionTag()).padStart(15)}`;
    writeFileSync(`${codeFile}.part`, Buffer.concat([Buffer.from(head, 'latin1'), script.createCachedData()]));
    renameSync(`${codeFile}.part`, codeFile);
  });
  module.exports.main(['plan', join(root, 'scenes/table-top.yaml'), '-o', motion]);
}

if (process.argv[1] === self) keepCode();
