import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Main from '../../../src/host/cli/main.ts';
import type * as Start from '../../../src/host/cli/start.ts';
import { restoreJit } from '../../../src/host/cli/v8Flags.ts';
import { bin, elbowroom as inProcess, type Outcome, type RunOptions, root } from './run.ts';

/** What `process.exit` throws here. */
class Exit {
  constructor(readonly code: number) {}
}

const { SCRIPTS, Scripts } = createRequire(import.meta.url)(join(root, 'dist/cli/start.cjs')) as typeof Start;
const scripts = new Scripts(SCRIPTS, true);
/** The modules are loaded once, and stay warm. */
const loadMain = async () =>
  scripts.isCompiled(0)
    ? scripts.require('./main.js')
    : ((await import(/* @vite-ignore */ join(root, 'dist/cli/main.js'))) as typeof Main);
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the built command line in this process, in a tenth of the time of a new one: for tests of output and exit codes,
 * not of the process. Runs wait for each other. Those with input or an environment have a process.
 */
export function elbowroom(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { input, onStdout, env, cwd } = options;
  if (input !== undefined || onStdout !== undefined || env !== undefined) return inProcess(args, options);
  const run = last.then(() => runHere(args, cwd));
  last = run.catch(() => {});
  return run.then(({ printed: _, ...outcome }) => outcome);
}

/** As `elbowroom`, one run at a time. `printed`: stdout and stderr in their order. */
export async function runHere(
  args: readonly string[],
  cwd = process.cwd(),
): Promise<Outcome & { readonly printed: string }> {
  const out = { stdout: '', stderr: '', printed: '' };
  const { argv, exit, stdout, stderr } = process;
  const [writeOut, writeErr, folder] = [stdout.write, stderr.write, process.cwd()];
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = signals.map((signal) => process.listeners(signal));
  const streamsBefore = [stdout, stderr].map((stream) => stream.listeners('error'));

  process.exit = (code) => {
    throw new Exit(Number(code));
  };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array, ...rest: unknown[]) => {
      const part = typeof text === 'string' ? text : Buffer.from(text).toString();
      out[name] += part;
      out.printed += part;
      const written = rest.at(-1);
      if (typeof written === 'function') written();
      return true;
    };
  }
  try {
    process.chdir(cwd);
    process.argv = [process.execPath, bin, ...args];
    return await (await loadMain()).main(args);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { code: error.code, signal: null, ...out };
  } finally {
    process.chdir(folder);
    Object.assign(process, { argv, exit });
    Object.assign(stdout, { write: writeOut });
    Object.assign(stderr, { write: writeErr });
    for (const [i, signal] of signals.entries())
      for (const added of process.listeners(signal)) if (!before[i].includes(added)) process.off(signal, added);
    for (const [i, stream] of [stdout, stderr].entries())
      for (const added of stream.listeners('error'))
        if (!streamsBefore[i].includes(added)) stream.off('error', added as () => void);
    restoreJit(); // `plan` sets flags of V8
  }
}
