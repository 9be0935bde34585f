import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from '../host/cli/run.ts';

// clients/cpp/elbowroom/service.hpp against a service that is written here: a response must never be taken for that of
// another request.

const run = promisify(execFile);
const folder = temporaryFolder();
const path = join(folder, 'service.sock');

const source = `
#include <elbowroom/service.hpp>
int main(int, char** arguments) {
  elbowroom::Service service(arguments[1]);
  for (int i = 2; arguments[i]; i++) {
    try {
      std::puts(elbowroom::isTrue(service.call("validate", arguments[i]), "valid") ? "valid" : "not valid");
    } catch (const std::exception& error) {
      std::puts(error.what());
    }
  }
}
`;

function hasCompiler(): boolean {
  try {
    execFileSync('g++', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs the program with parameters for each call. @param answer returns the lines that answer a line */
async function outputOf(parameters: readonly string[], answer: (line: string) => string): Promise<string[]> {
  const server = net.createServer((socket) => {
    let rest = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop()!;
      for (const line of lines) socket.write(answer(line));
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  try {
    const { stdout } = await run(join(folder, 'session'), [path, ...parameters], { timeout: 10_000 });
    return stdout.trim().split('\n');
  } finally {
    server.close();
  }
}

const resultOf = (id: unknown, valid: boolean) => `${JSON.stringify({ jsonrpc: '2.0', id, result: { valid } })}\n`;

test.skipIf(!hasCompiler())('a response is that of its request, or an error', async () => {
  writeFileSync(join(folder, 'session.cpp'), source);
  const include = join(root, 'clients/cpp');
  await run('g++', ['-std=c++17', '-I', include, join(folder, 'session.cpp'), '-o', join(folder, 'session')]);
  const byParams = (line: string) => {
    const { id, params } = JSON.parse(line);
    return resultOf(id, params.q === 1);
  };
  expect(await outputOf(['"q":1', '"q":2'], byParams)).toEqual(['valid', 'not valid']);

  // Parameters of several lines are one request: otherwise the second response would be that of the first state.
  const lines: string[] = [];
  const counted = (line: string) => {
    lines.push(line);
    return byParams(line);
  };
  expect(await outputOf(['"q":\n1', '"q":2'], counted)).toEqual(['valid', 'not valid']);
  expect(lines).toHaveLength(2);

  // The response to another request is an error, and so is each further call.
  const late = await outputOf(['"q":2', '"q":2'], () => resultOf(0, true));
  expect(late[0]).toContain('the response is that of another request');
  expect(late[1]).toContain('the session has ended with an earlier request');
});
