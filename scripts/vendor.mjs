// Packages that the bundles of dist/ contain, so that installing elbowroom does not install them: what is left out of
// them, their declarations as far as the public types mention them, and their licences.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The entry points of the package: src/NAME.ts becomes dist/NAME.js and dist/NAME.d.ts. */
export const entries = Object.values(JSON.parse(readFileSync(new URL('../package.json', import.meta.url))).exports)
  .filter(({ types }) => types !== undefined)
  .map(({ types }) => basename(types, '.d.ts'));

/** Loaded on use, from node_modules: threads and sockets, and what is optional. */
export const unbundled = [
  'piscina',
  'ws',
  '@mcap/*',
  '@modelcontextprotocol/*',
  '@foxglove/*',
  'vega',
  'vega-lite',
  'bullmq',
  'ioredis',
  'esbuild',
];

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

export const bundlePlugins = [leaveOutUnused, leaveOutUnasked];

/** Collects the packages that the bundles contain and writes their licences. */
export class LicenceList {
  #folders = new Set();

  constructor(root) {
    this.root = root;
  }

  /** @param files of a bundle: those in packages are counted, at most with a query or a prefix of a bundler */
  add(files) {
    for (const file of files) {
      const [folder] = /^[^\0]*node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(file.replace(/^\0/, '')) ?? [];
      if (folder !== undefined) this.#folders.add(relative(this.root, join(this.root, relative(this.root, folder))));
    }
  }

  /** Throws if a package states no licence. */
  write(file) {
    const texts = new Set([...this.#folders].map((folder) => licenceOf(join(this.root, folder))));
    const head = 'Packages that the bundles of this folder contain, with their licences.\n';
    writeFileSync(join(this.root, file), [head, ...[...texts].sort()].join(`\n${'-'.repeat(80)}\n\n`));
  }
}

function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!license) throw new Error(`${name} ${version} states no licence`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) texts.push(`By ${author?.name ?? author}; the package has no licence file.`);
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

/** Declarations that name their module themselves; the copy has a name that no installed package declares. */
const AMBIENT = /^declare module '([^']+)'/;
const OWN = 'elbowroom:';

/**
 * Removes the declarations that the entry points do not reach, and copies those of bundled packages that they mention
 * into dist/vendor/, so that the types need no package that is not installed. Returns the files that were copied.
 */
export async function pruneDeclarations(root) {
  const { default: ts } = await import('typescript');
  const dist = join(root, 'dist');
  const settings = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
  const isBundled = (name) => /^[^.]/.test(name) && !name.startsWith('node:') && !unbundled.includes(name);
  const targets = new Map(); // declarations that are kept, and where they are written
  const texts = new Map();
  const queue = entries.map((entry) => join(dist, `${entry}.d.ts`));
  const targetOf = (file) => {
    const inPackage = file.split(`${sep}node_modules${sep}`).at(-1);
    return file.startsWith(dist + sep) ? file : join(dist, 'vendor', inPackage.replace(/\.d\.[cm]ts$/, '.d.ts'));
  };
  for (const file of queue) targets.set(file, file);
  for (const file of queue) {
    const text = readFileSync(file, 'utf8').replace(AMBIENT, `declare module '${OWN}$1'`);
    const edits = [];
    const ambient = [];
    for (const { text: name, start } of specifiersIn(ts, file, text)) {
      if (!name.startsWith('.') && !isBundled(name)) continue;
      const { resolvedModule } = ts.resolveModuleName(name, file, settings, ts.sys);
      if (!resolvedModule) throw new Error(`${file} mentions ${name}, which has no declarations`);
      // Some packages state their CommonJS declarations for both kinds of modules.
      const source = join(resolvedModule.resolvedFileName).replace(/\.d\.cts$/, '.d.ts');
      if (!targets.has(source)) {
        targets.set(source, targetOf(source));
        queue.push(source);
      }
      const path = relative(dirname(targets.get(file)), targets.get(source)).replaceAll(sep, '/');
      if (AMBIENT.test(readFileSync(source, 'utf8'))) {
        ambient.push(`/// <reference path="${path}" />\n`);
        edits.push([start, 0, OWN]);
      } else edits.push([start, name.length, (path.startsWith('.') ? path : `./${path}`).replace(/\.d\.ts$/, '.js')]);
    }
    let edited = text;
    for (const [start, length, by] of edits.sort(([x], [y]) => y - x))
      edited = edited.slice(0, start) + by + edited.slice(start + length);
    texts.set(file, ambient.join('') + edited);
  }
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts') && !targets.has(join(dist, file))) rmSync(join(dist, file));
  }
  removeEmptyFolders(dist);
  for (const [file, text] of texts) {
    const target = targets.get(file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  declareGlobals(dist);
  return [...targets.keys()].filter((file) => !file.startsWith(dist + sep));
}

/** Types that the declarations mention and that neither ECMAScript nor the package declares. */
const GLOBALS = ['AbortSignal', 'URL'];

/** Declares the global types without members, so that programs without the types of Node or of browsers compile. */
function declareGlobals(dist) {
  const lines = GLOBALS.map((name) => `  interface ${name} {}`);
  writeFileSync(join(dist, 'globals.d.ts'), `declare global {\n${lines.join('\n')}\n}\nexport {};\n`);
  for (const file of entries.map((entry) => join(dist, `${entry}.d.ts`)))
    writeFileSync(file, `import './globals.js';\n${readFileSync(file, 'utf8')}`);
}

/** The specifiers of all imports, exports and import types of a file, with their positions. */
function specifiersIn(ts, file, text) {
  const found = [];
  const visit = (node) => {
    const at = ts.isImportTypeNode(node) ? node.argument.literal : node.moduleSpecifier;
    if (at && ts.isStringLiteral(at)) found.push({ text: at.text, start: at.getStart() + 1 });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    removeEmptyFolders(join(folder, entry.name));
    if (readdirSync(join(folder, entry.name)).length === 0) rmSync(join(folder, entry.name), { recursive: true });
  }
}
