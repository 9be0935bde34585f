// Checks the package as it would be published: its files, the links of its pages and its types in a consumer's
// compiler; installs it with npm and prints sizes. node scripts/check-package.mjs [--offline] [--twice]: without the
// installation; builds twice and compares the bytes.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Each file of the package matches one of these, and each of these matches a file. */
const EXPECTED = [
  /^(package\.json|(README|CHANGELOG|CONTRIBUTING|bench\/README)\.md|LICENSE)$/,
  /^bin\/elbowroom\.js$/,
  /^bin\/package\.json$/,
  /^dist\/(index|node|collision|client|types)\.(js|d\.ts)$/,
  /^dist\/LICENCES\.txt$/,
  /^dist\/chunks\/[\w-]+\.js$/,
  /^dist\/cli\/(workers\/)?[\w-]+\.js$/,
  /^dist\/cli\/start\.cjs$/,
  /^dist\/viewer\/(index|playground)\.html$/,
  /^dist\/([\w-]+\/)*\w+\.d\.ts$/,
  /^dist\/vendor\/(@xmldom\/xmldom|zod)\/([\w-]+\/)*[\w-]+\.d\.ts$/,
  /^docs\/([\w-]+\/)*[\w-]+\.(md|svg|png)$/,
  /^clients\/(python|cpp|ros2)\/[\w./-]+\.(py|pyi|toml|md|typed|hpp|cpp|txt|xml)$/,
  /^proof\/(\w+\.(v|gappa)|Makefile|certificate\.py|README\.md)$/,
  /^examples\/[\w./-]+\.(mjs|ts|py|cpp|md|yaml|urdf|json|csv|sh)$/,
  /^robots\/(\w+\/([\w-]+\/)*)?[\w.-]+\.(urdf|srdf|stl|obj|md|svg)$/,
  /^scenes\/[\w-]+\.(yaml|md)$/,
  /^scenes\/toolpaths\/[\w-]+\.(csv|urdf)$/,
];

/** What no file of the package may contain: paths of the machine that built it. */
const OWN_PATHS = root.slice(0, -1);

/** Packs the working copy, which has been built, into `folder`. Returns the tarball, its files and its sizes. */
export function pack(folder) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename, files, size, unpackedSize }] = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return { tarball: join(folder, filename), files: files.map(({ path }) => path).sort(), size, unpackedSize };
}

/**
 * Unpacks a tarball as `node_modules/elbowroom` of `folder`, beside links to the packages that it requires and those
 * named: what `npm install --omit=optional` does, without a registry.
 */
export function install(tarball, folder, beside = []) {
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'elbowroom');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), ...beside]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../elbowroom/bin/elbowroom.js', join(modules, '.bin', 'elbowroom'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  return own;
}

/** Files that are not expected, expectations that no file meets, and files that contain paths of this machine. */
export function fileProblems(files, folder) {
  const unexpected = files.filter((file) => !EXPECTED.some((pattern) => pattern.test(file)));
  const missing = EXPECTED.filter((pattern) => !files.some((file) => pattern.test(file)));
  const local = files.filter((file) => readFileSync(join(folder, file)).includes(OWN_PATHS));
  return [
    ...unexpected.map((file) => `${file}: not expected`),
    ...missing.map((pattern) => `no file matches ${pattern}`),
    ...local.map((file) => `${file}: contains ${OWN_PATHS}`),
  ];
}

/** Links and pictures of pages that lead to a file which is not in the package, or to a heading that is not there. */
export function linkProblems(files, folder) {
  const problems = [];
  const pages = files.filter((file) => file.endsWith('.md'));
  const read = (page) => readFileSync(join(folder, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  for (const page of pages) {
    for (const [, link] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path, heading] = link.split('#');
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      const isFolder = files.some((file) => file.startsWith(`${target.replace(/\/$/, '')}/`));
      if (!files.includes(target) && !isFolder) problems.push(`${page}: ${link} is not in the package`);
      else if (heading && pages.includes(target) && !headingsOf(read(target)).includes(heading))
        problems.push(`${page}: ${link} is not a heading`);
    }
  }
  return problems;
}

/** Anchors of the headings of a page, as GitHub and markdown-it-anchor make them. */
export const headingsOf = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/\]\([^)]*\)/g, '')
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/**
 * Errors of the compiler in a program that imports every type of all entry points, with the declarations checked:
 * with `lib` or `types`, the library of browsers or the types of Node.
 */
export function typeProblems(folder, { lib = [], types = [], more = '' } = {}) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.keys(exports).filter((entry) => exports[entry].types);
  const lines = entries.map((entry, i) => `export * as entry${i} from '${posix.join('elbowroom', entry)}';`);
  const program = `${lines.join('\n')}\n${more}`;
  writeFileSync(join(folder, 'consumer.ts'), program);
  // the libraries of the compiler itself need no check
  const settings = {
    ...{ strict: true, skipLibCheck: false, skipDefaultLibCheck: true, exactOptionalPropertyTypes: true, noEmit: true },
  };
  const modern = { module: 'nodenext', target: 'es2022', lib: ['es2023', ...lib], types };
  const config = { compilerOptions: { ...settings, ...modern }, files: ['consumer.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Problems that publint and arethetypeswrong (for packages of ES modules alone) find in a tarball. */
export async function publishProblems(tarball) {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { pkg, messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  const { problems } = await checkPackage(createPackageFromTarballData(bytes));
  const modern = problems.filter(({ resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind));
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, pkg)}`),
    ...modern.map((problem) => `arethetypeswrong: ${JSON.stringify(problem)}`),
  ];
}

/** Builds, and returns the hash of the files of the package. */
function builtHash() {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-pack-'));
  try {
    const { tarball, files } = pack(folder);
    const own = install(tarball, folder);
    const hash = createHash('sha256');
    for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(own, file)));
    return hash.digest('hex');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bytes on disk below a folder, in blocks of 4 KiB as `du` counts them. */
function sizeOf(folder) {
  let size = 4096;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) size += sizeOf(path);
    else if (entry.isFile()) size += 4096 * Math.ceil(readFileSync(path).length / 4096);
  }
  return size;
}

/** Installs the tarball with npm into an empty folder and returns the size of its node_modules. */
function installedSize(tarball, args) {
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-install-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...args, tarball], { cwd: folder, stdio: 'ignore' });
    const modules = join(folder, 'node_modules');
    return { size: sizeOf(modules), own: sizeOf(join(modules, 'elbowroom')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-pack-'));
  const problems = [];
  try {
    const { tarball, files, size, unpackedSize } = pack(folder);
    const own = install(tarball, folder);
    problems.push(
      ...fileProblems(files, own),
      ...linkProblems(files, own),
      ...(await publishProblems(tarball)),
      ...typeProblems(folder),
      ...typeProblems(folder, { lib: ['dom'] }),
    );
    symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
    problems.push(...typeProblems(folder, { types: ['node'] }));
    const row = (what, bytes) => console.log(`${what.padEnd(44)} ${(bytes / 1e6).toFixed(1).padStart(6)} MB`);
    console.log(`${files.length} files`);
    row('tarball', size);
    row('unpacked', unpackedSize);
    if (!process.argv.includes('--offline')) {
      const required = installedSize(tarball, ['--omit=optional']);
      row('elbowroom on disk', required.own);
      row('npm install --omit=optional', required.size);
      row('npm install', installedSize(tarball, []).size);
    }
    if (process.argv.includes('--twice')) {
      const [first, second] = [builtHash(), builtHash()];
      console.log(`built twice: ${first === second ? 'same bytes' : 'different bytes'}, SHA-256 ${second}`);
      if (first !== second) problems.push('two builds differ');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (existsSync(process.argv[1]) && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
