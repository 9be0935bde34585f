import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { posts, root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Writes a planner module whose `plan` has the given body. */
function planner(body: string, before = ''): string {
  const file = join(folder, 'mine.mjs');
  writeFileSync(
    file,
    `${before}\nexport default {\n  iterations: 100,\n  plan(problem, options, random, budget) {\n${body}\n  },\n};\n`,
  );
  return file;
}

/** A loop that never ends, and waits most of the time so that other tests have the processor. */
const FOREVER = 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);';

const planPosts = (file: string, ...more: string[]) =>
  elbowroom(['plan', posts, '--planner', file, '-o', join(folder, 'out.json'), ...more]);

const solvedBy = (path: string) => `return { status: 'solved', path: ${path}, iterations: 1, nodes: 2 };`;

test('the example plans, and its path is proved', async () => {
  const file = join(root, 'examples/planners/restarts.mjs');
  const { code, stdout, stderr } = await planPosts(file, '--stats', '-', '--iterations', '300', '--format', 'json');
  expect(code, stderr).toBe(0);
  const { planner: name, improvements, iterations } = JSON.parse(stdout);
  expect({ name, iterations }).toEqual({ name: 'restarts', iterations: 300 });
  expect(improvements.length).toBeGreaterThan(0);
  const again = await planPosts(file, '--stats', '-', '--iterations', '300', '--jobs', '2', '--time-limit', '100');
  expect(again.code, again.stderr).toBe(0);
  const checked = await elbowroom(['check', posts, join(folder, 'out.json')]);
  expect(checked.code, checked.stderr).toBe(0);
});

test.each([
  ['through a post', solvedBy('[problem.start, problem.goals[0]]'), 1, 'every path found fails the final check'],
  ['from elsewhere', solvedBy('[problem.goals[0], problem.goals[0]]'), 2, 'a path that does not begin at the start'],
  ['to elsewhere', solvedBy('[problem.start, problem.start]'), 2, 'a path that does not end at a goal'],
  ['of NaN', solvedBy('[problem.start, [NaN, 0], problem.goals[0]]'), 2, 'path[1], which is not 2 finite numbers'],
  ['of one number', solvedBy('[problem.start, [0], problem.goals[0]]'), 2, 'path[1], which is not 2 finite numbers'],
  ['that is missing', 'return undefined;', 2, 'the planner returned the status undefined'],
  ['that is thrown', 'throw new RangeError("no idea");', 2, 'mine.mjs:5: RangeError: no idea'],
  ['that is a text, thrown', 'throw "no idea";', 2, 'mine.mjs: thrown: no idea'],
])('a path %s is a failure', async (_, body, code, message) => {
  const outcome = await planPosts(planner(body));
  expect(outcome.stderr).toContain(message);
  expect(outcome.code).toBe(code);
  expect(existsSync(join(folder, 'out.json'))).toBe(false);
});

test.each([
  ['in its search', FOREVER, ''],
  ['on import', solvedBy('[]'), FOREVER],
])('a planner that never returns %s is ended after the time limit', async (_, body, before) => {
  const { code, stderr } = await planPosts(planner(body, before), '--time-limit', '0.2');
  expect(stderr).toContain('mine.mjs: it did not return within 5 s after the time limit of 0.2 s');
  expect(code).toBe(2);
  expect(existsSync(join(folder, 'out.json'))).toBe(false);
});

test.each([
  ['export default 3;', 'its default export is not a planner'],
  ['export const plan = 3;', 'its default export is not a planner'],
  ['export default { iterations: 1 };', 'its planner has no function plan'],
  ['export default { plan() {}, iterations: 1.5 };', 'iterations of its planner is not a positive whole number'],
  [
    'export default { plan() {}, iterations: 1, options: { a: {} } };',
    'options.a of its planner has no number as value',
  ],
  ['import "../missing.mjs";', 'mine.mjs: Error: Cannot find module'],
  ['export default {', 'mine.mjs: SyntaxError'],
])('the module %s is refused', async (text, message) => {
  const file = join(folder, 'mine.mjs');
  writeFileSync(file, text);
  const { code, stderr } = await planPosts(file);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test('files that do not exist, TypeScript, and options that need a planner of the table are refused', async () => {
  const file = planner(solvedBy('[]'));
  const wrong: readonly (readonly [string[], string])[] = [
    [[join(folder, 'none.mjs')], 'there is no such file'],
    [[folder], 'this is not a file'],
    [[file, '--explain'], '--explain: not for planners of your own'],
    [[file, '--library', join(folder, 'r.json')], '--library: not for planners of your own'],
    [[file, '--planner-option', 'reach=2'], 'planner "mine" has no option "reach"'],
  ];
  for (const [args, message] of wrong) {
    const { code, stderr } = await planPosts(args[0], ...args.slice(1));
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  }
  writeFileSync(join(folder, 'mine.ts'), '');
  expect((await planPosts(join(folder, 'mine.ts'))).stderr).toContain('planners are loaded as JavaScript');
});
