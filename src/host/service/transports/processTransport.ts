import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PendingResponses, type Transport } from '../../client/transport.ts';
import { packageFolder } from '../../node/packageFolder.ts';
import { streamTransport } from './streamTransport.ts';

/** Options of `startService`. */
export interface StartOptions {
  /** Options of `elbowroom serve`, such as `--jobs`, `2`. */
  readonly options?: readonly string[];
  /** Command that starts elbowroom; default: this package in this version of Node. */
  readonly command?: readonly [string, ...string[]];
}

/** Characters of the diagnostics of the service that are kept, for errors. */
const MAX_DIAGNOSTICS = 10_000;
/** Time after its last response within which the service has to end, ms. */
const END_MS = 10_000;

const ownCommand = (): [string, string] => [process.execPath, join(packageFolder('bin') ?? '.', 'elbowroom.js')];

/** Starts a service and returns the transport over its standard streams. */
export function startProcess(scene: string, { options = [], command = ownCommand() }: StartOptions): Transport {
  const [program, ...given] = command;
  const child = spawn(program, [...given, 'serve', scene, '--stdio', ...options]);
  const pending = new PendingResponses();
  let diagnostics = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    diagnostics = (diagnostics + text).slice(-MAX_DIAGNOSTICS);
  });
  const ended = new Promise<void>((resolve) => {
    const end = (what: string) => {
      pending.fail(new Error(`${scene}: ${what}${diagnostics && `: ${diagnostics.trim()}`}`));
      resolve();
    };
    child.on('error', ({ message }) => end(`the service cannot be started: ${message}`));
    child.on('close', (code, signal) => end(`the service has ended (${signal ?? `exit code ${code}`})`));
  });
  const close = async () => {
    child.stdin.end();
    const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(late);
  };
  return streamTransport({ input: child.stdout, output: child.stdin, close }, pending);
}
