import { main } from '../../../src/host/cli/main.ts';
import { restoreJit } from '../../../src/host/cli/v8Flags.ts';

class Exit {
  readonly code: number;

  constructor(code: number) {
    this.code = code;
  }
}

/**
 * Runs the command line in this process, in a tenth of the time of a new one: for tests of output and exit codes, not
 * of the process. Commands must not read stdin.
 */
export async function runHere(args: readonly string[]) {
  const out = { stdout: '', stderr: '' };
  const { exit, stdout, stderr } = process;
  const [writeOut, writeErr] = [stdout.write, stderr.write];
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = signals.map((signal) => process.listeners(signal));
  const streamsBefore = [stdout, stderr].map((stream) => stream.listeners('error'));

  process.exit = (code) => {
    throw new Exit(Number(code));
  };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array, ...rest: unknown[]) => {
      out[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      const written = rest.at(-1);
      if (typeof written === 'function') written();
      return true;
    };
  }
  try {
    return await main(args);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { code: error.code, ...out };
  } finally {
    Object.assign(process, { exit });
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
