import { expect, test } from 'vitest';
import { loadScene } from '../../../src/host/node/files.ts';
import { describeProgramExplanation } from '../../../src/tasks/programs/failures/describeProgramExplanation.ts';
import { explainProgram } from '../../../src/tasks/programs/failures/explainProgram.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { scratchFolder } from '../../host/node/scratch.ts';

const { put } = scratchFolder();
const iterations = 500;

/** An arm between two boards under a lid: it folds to neither side. */
const cell = (steps: string, board = 1.17) =>
  loadScene(
    put(
      'cell.yaml',
      `format: elbowroom-scene/1
name: cell
robot: ur5e
start: [-60 deg, -90 deg, 90 deg, -90 deg, -90 deg, 0]
tcp: {link: tool0, xyz: [0, 0, 0.14]}
obstacles:
  - {name: board_1, type: box, size: [2, 20 mm, 3], pose: {xyz: [${board}, 0, 0]}}
  - {name: board_2, type: box, size: [2, 20 mm, 3], pose: {xyz: [-1.17, 0, 0]}}
  - {name: lid, type: box, size: [2, 2, 20 mm], pose: {xyz: [0, 0, 0.75]}}
  - {name: post, type: box, size: [50 mm, 50 mm, 0.4], pose: {xyz: [0.62, 0.45, 0.2]}}
steps:
  - {move: {xyz: [0.45, 0.45, 0.35], rpy: [pi, 0, 0]}, name: above}
${steps}`,
    ),
  );
const INSERT = '  - {line: {by: [0, 0, -0.2]}, name: insert}';

test('the message names the farthest branch, and what blocks the way to another one that could be carried out', async () => {
  const { status, stats, reason } = planProgram(await cell(INSERT), { iterations });
  expect([status, stats.failed_step, reason]).toEqual([
    'step-failed',
    1,
    'step 1 (line "insert"): ends at 23.6 %: shoulder_lift_joint at its limit; branch 1 of 2 reaches 100 % but step 0 has no path to it: board_1 blocks',
  ]);
});

test('without lines after it, the free motion fails, with what blocks it', async () => {
  const { stats, reason } = planProgram(await cell('  - {wait: 1}'), { iterations });
  expect(stats.failed_step).toBe(0);
  expect(reason).toMatch(/^step 0 \(move "above"\): board_1 blocks: no path found in 500 iterations; /);
});

test('the explanation lists the branches, the free motion, and what would open the way', async () => {
  const problem = await cell(INSERT);
  const made = explainProgram(problem, { iterations })!;
  expect(made).toMatchObject({
    status: 'step-failed',
    failed_step: 1,
    ends: [],
    branches: [{ step: 1, branch: 2, of: 2 }],
    move: { step: 0, branch: 1, of: 2, explanation: { status: 'no-path' } },
    without: [{ kind: 'obstacle', names: ['board_1'], status: 'solved', failed_step: null }],
  });
  expect(describeProgramExplanation(made)).toEqual([
    'branch 2 of 2: step 1 (line "insert"): ends at 23.6 %: shoulder_lift_joint at its limit',
    expect.stringMatching(/^branch 1 of 2: step 0 \(move "above"\): no path found in 500 iterations; /),
    expect.stringMatching(/^ {2}search trees: /),
    expect.any(String),
    expect.any(String),
    expect.stringMatching(/^ {2}pairs that blocked /),
    expect.stringMatching(/^ {2}without board_1 a path exists /),
    ...made.move!.explanation.without.slice(1).map(() => expect.stringMatching(/no path is found either/)),
    expect.stringMatching(/^without board_1 the program is planned \([\d.]+ s of motion\)$/),
  ]);
  // the statement is true
  const { scene } = problem;
  const open = { ...scene, obstacles: scene.obstacles.filter(({ name }) => name !== 'board_1') };
  expect(planProgram({ ...problem, scene: open }, { iterations }).status).toBe('solved');
});

test('the explanation of a line names the constraint or obstacle that stops it, also constraints of the step', async () => {
  const line = (more: string) => `  - {line: {by: [0, 0, -0.2]}, name: insert${more}}`;
  const narrow = ', constraints: [{type: joint, name: narrow, joint: elbow_joint, range: [0, 1 deg]}]';
  const { scene, robot } = await cell(line(narrow));
  const free = { scene: { ...scene, obstacles: [] }, robot };
  const made = explainProgram(free, { iterations })!;
  expect(made.without).toEqual([expect.objectContaining({ kind: 'constraint', names: ['narrow'], status: 'solved' })]);
  const blocked = explainProgram(await belowTool(line(''), 0.15), { iterations })!;
  expect(blocked.failed_step).toBe(1);
  expect(blocked.branches.some(({ reason }) => /wrist_3_link and post collide$/.test(reason))).toBe(true);
  expect(blocked.without).toMatchObject([{ kind: 'obstacle', names: ['post'], status: 'solved' }]);
  // one line per reason, with all of its branches
  const lines = describeProgramExplanation(blocked).filter((line) => /^branch/.test(line));
  expect(lines).toEqual([
    'branches 1, 2, 3, 4 of 4: step 1 (line "insert"): ends at 69.7 %: wrist_3_link and post collide',
  ]);
});

/** The cell with the post alone, below the tool. */
async function belowTool(steps: string, z: number) {
  const { scene, robot } = await cell(steps);
  const [, , , post] = scene.obstacles;
  const pose = { ...post.pose, xyz: [0.45, 0.45, z] as const };
  return { scene: { ...scene, obstacles: [{ ...post, pose }] }, robot };
}

test('an object that the steps handle stays: its pair is allowed to touch instead', async () => {
  const made = explainProgram(await belowTool('  - {attach: post}\n  - {wait: 1}', 0.3), { iterations })!;
  expect(made.ends.length).toBe(1);
  expect(made.without.map(({ kind }) => kind)).not.toContain('obstacle');
  expect(made.without).toContainEqual(expect.objectContaining({ kind: 'pair', names: ['wrist_3_link', 'post'] }));
});

test('of a program that is planned there is nothing to explain', async () => {
  const { scene, robot } = await cell('  - {wait: 1}');
  expect(explainProgram({ scene: { ...scene, obstacles: [] }, robot }, { iterations })).toBe(undefined);
});
