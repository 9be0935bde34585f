import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { InputError, parseJson } from '../../../errors.ts';
import { packageFolder } from '../../node/packageFolder.ts';
import { packageVersion } from '../../node/packageVersion.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';

const ROBOT = 'ur5e';

export const init = defineCommand({
  summary: 'starter: a folder with a robot, a scene, a program and scripts, to be changed',
  operands: [{ name: 'DIR', meaning: 'folder, which is created if it does not exist; none of its files is replaced' }],
  options: {},
  details: `Writes scene.yaml (a motion), program.yaml (a pick-and-place cycle), robot/ (the ${ROBOT}: URDF, SRDF and
meshes) and
package.json, whose scripts plan, verify and show them. It depends on the elbowroom that ran \`init\`: the clone, the
tarball or the version of the registry.`,
  examples: [
    ['elbowroom init cell && cd cell && npm install && npm run plan', 'from nothing to a certified trajectory'],
  ],

  async run(io, [folder]) {
    const files = starterFiles();
    const existing = [...files.keys()].find((name) => existsSync(join(folder!, name)));
    if (existing !== undefined)
      throw new InputError(`${join(folder!, existing)}: it exists already`, 'Give another folder, or remove the file.');
    for (const [name, content] of files) io.save(join(folder!, name), content);
    io.say(`${files.size} files in ${folder}: scene.yaml, program.yaml, package.json and robot/`);
    io.say(`Next: cd ${folder} && npm install && npm run plan`);
    return ExitCode.Ok;
  },
});

/** Returns the content of the files by path, relative to the folder. */
function starterFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [from, to] of [
    [join(requiredFolder('examples'), 'starter'), ''],
    [join(requiredFolder('robots'), ROBOT), 'robot'],
  ] as const)
    for (const path of filesBelow(from)) files.set(join(to, relative(from, path)), readFileSync(path, 'utf8'));
  const settings = JSON.parse(files.get('package.json')!);
  return files.set('package.json', `${JSON.stringify({ ...settings, ...ownDependency() }, null, 2)}\n`);
}

function requiredFolder(name: string): string {
  const folder = packageFolder(name);
  if (folder === undefined)
    throw new InputError(`the ${name} of the package are missing`, 'Install the package again.');
  return folder;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]));

/** Fields of a package.json that make `npm install` install the elbowroom that runs. */
interface OwnDependency {
  readonly dependencies?: { readonly elbowroom: string };
  readonly allowScripts?: Readonly<Record<string, false>>;
}

/**
 * Returns how a project depends on the elbowroom that runs: on its clone, on the tarball from which npm has installed
 * it, or on its version if it comes from a registry. Nothing for an installation without a record (a global one), whose
 * command is on PATH.
 */
export function ownDependency(root = dirname(packageFolder('bin')!)): OwnDependency {
  const modules = dirname(root);
  // A clone that is linked needs no build; npm runs its script `prepare` unless it is denied.
  if (basename(modules) !== 'node_modules')
    return { dependencies: { elbowroom: `file:${root}` }, allowScripts: { [`file:${root}`]: false } };
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return {};
  const { packages = {} } = parseJson(readFileSync(record, 'utf8'), record) as {
    readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
  };
  const { resolved = '' } = packages['node_modules/elbowroom'] ?? {};
  const isFile = resolved.startsWith('file:');
  const from = isFile ? `file:${resolve(dirname(modules), resolved.slice('file:'.length))}` : `^${packageVersion()}`;
  return { dependencies: { elbowroom: from } };
}
