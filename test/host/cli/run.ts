import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The program by the name that it has on PATH, with which hints begin. */
export const bin = join(root, 'test/host/cli/fixtures/elbowroom');
/** A two-joint arm and a scene that its straight line fails. */
export const fixtures = join(root, 'test/host/cli/fixtures');
export const posts = join(fixtures, 'posts.yaml');

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** All of stdin; or what to do with it. */
  readonly input?: string | ((child: ChildProcess) => void);
  readonly onStdout?: (text: string, child: ChildProcess) => void;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the command line as a shell would. */
export function elbowroom(
  args: readonly string[],
  { input = '', onStdout, cwd, env }: RunOptions = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { ...process.env, ...env } });
  const out = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out.stdout += text;
    onStdout?.(text, child);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    out.stderr += text;
  });
  child.stdin.on('error', () => {}); // a command may end before it has read everything
  if (typeof input === 'string') child.stdin.end(input);
  else input(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...out }));
  });
}

/** A folder of its own for files that a test writes. */
export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'elbowroom-test-'));
