import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseJson } from '../../errors.ts';
import { packageFolder } from './packageFolder.ts';
import { packageVersion } from './packageVersion.ts';

/** Fields of a package.json that make `npm install` install the elbowroom that runs. */
export interface OwnDependency {
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
