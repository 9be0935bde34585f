import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import type { main } from './main.ts';
import { withDefaultFlags } from './v8Flags.ts';

/** Hash of the scripts that scripts/precompile.mjs writes, which the build inserts; empty if there are none. */
declare const ELBOWROOM_SCRIPTS: string;
export const SCRIPTS = ELBOWROOM_SCRIPTS;

/** Length of the header of cached code, bytes: hash of the scripts, a space, V8's version tag in 15 characters. */
const HEAD = 80;

/**
 * Runs the command line and ends the process. Loads scripts with their cached V8 code if that was built by the same V8
 * (startup takes half of the time), else the modules, which behave the same.
 */
export async function start(args: readonly string[]): Promise<never> {
  const scripts = new Scripts(SCRIPTS, true);
  const { main } = scripts.isCompiled(0) ? scripts.require('./main.js') : await import('./main.ts');
  return main(args);
}

interface MainModule {
  readonly main: typeof main;
}

/** Functions that evaluate the modules of a script at their first call, and return what they export. */
type Modules = Readonly<Record<string, () => unknown>>;

const folder = dirname(fileURLToPath(import.meta.url));
const requirePackage = createRequire(import.meta.url);

/** Scripts that contain all modules of the command line. Each is loaded when one of its modules is needed. */
export class Scripts {
  private readonly code: (Buffer | undefined)[] = [];
  private readonly scripts: Script[] = [];
  private readonly modules: Modules[] = [];

  /** @param useCode false: without cached code */
  constructor(
    private readonly hash: string,
    private readonly useCode: boolean,
  ) {}

  /** Returns true if there is cached code of this V8 for a script. */
  isCompiled(k: number): boolean {
    return this.codeOf(k) !== undefined;
  }

  require(name: './main.js'): MainModule;
  require(name: string): unknown;
  require(name: string): unknown {
    if (!name.startsWith('./')) return requirePackage(name);
    for (let k = 0; ; k++) {
      this.modules[k] ??= this.load(k);
      if (Object.hasOwn(this.modules[k], name)) return this.modules[k][name]();
    }
  }

  /** Returns a script, compiled or with its cached code. */
  script(k: number): Script {
    const cachedData = this.codeOf(k)?.subarray(HEAD);
    const filename = this.fileOf(k, 'cjs');
    this.scripts[k] ??= withDefaultFlags(() => new Script(readFileSync(filename, 'latin1'), { filename, cachedData }));
    return this.scripts[k];
  }

  private load(k: number): Modules {
    const exports = {} as { modules: Modules };
    const load = async (name: string) => (/^(\.\/|node:)/.test(name) ? this.require(name) : import(name));
    this.script(k).runInThisContext()(exports, (name: string) => this.require(name), load, import.meta.url);
    return exports.modules;
  }

  private codeOf(k: number): Buffer | undefined {
    const file = this.fileOf(k, 'code');
    if (!this.useCode || this.hash === '' || !existsSync(file)) return undefined;
    this.code[k] ??= readFileSync(file);
    const head = this.code[k].toString('latin1', 0, HEAD);
    const tag = withDefaultFlags(cachedDataVersionTag);
    return head === `${this.hash} ${String(tag).padStart(15)}` ? this.code[k] : undefined;
  }

  private fileOf(k: number, ending: string): string {
    return join(folder, `whole.${this.hash.slice(0, 16)}.${k}.${ending}`);
  }
}
