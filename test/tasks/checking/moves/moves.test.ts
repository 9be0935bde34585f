import { expect, test } from 'vitest';
import { poseOfTransform } from '../../../../src/core/kinematics/pose.ts';
import type { PathConstraint } from '../../../../src/core/scene/constraints.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { moveExecutionsOf, moveProgramOf } from '../../../../src/tasks/checking/moves/readMoveProgram.ts';
import { verifyMoves } from '../../../../src/tasks/checking/moves/verifyMoves.ts';
import { executionsReport, movesReport } from '../../../../src/tasks/reports/movesReport.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { poseText, START, sceneOf, TCP, world } from './movesAttack.ts';
import { add, dist, elbowOf, type Pose, rotation, rotationVector, solve, toolPose } from './movesOracle.ts';

const loaded = await loadRobot('ur5e');
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
const home = toolPose(START, TCP);
const pose = (x: number, y: number, z = 0) => poseText({ p: add(home.p, [x, y, z]), R: home.R });
const program = (...lines: string[]) =>
  ['def p():', `  set_tcp(p[${TCP.join(', ')}, 0, 0, 0])`, ...lines.map((line) => `  ${line}`), 'end', ''].join('\n');
const corner = (radius: number) => program(`movel(${pose(0.15, 0)}, r=${radius})`, `movel(${pose(0.15, 0.15)})`);
/** A ball beside the diagonal of the corner, outside of both lines, within a blend of 0.12 m. */
const ball = { center: add(home.p, [0.09, 0.06, 0.06]), radius: 0.005 };

function judged(text: string, obstacles: readonly (typeof ball)[] = [], limits: Partial<Scene> = {}) {
  const scene: Scene = { ...sceneOf(robot, START, obstacles), ...limits };
  const model = createSceneRobot({ scene, robot });
  const moves = moveProgramOf(text, 'p.script', model, scene)!;
  return {
    scene,
    arm: model,
    moves,
    ...movesReport(model, scene, moves, { checker: 'growth-distance', place: 'p.script' }),
  };
}

test('a corner beside an obstacle is valid without a blend and not with one that may cut it', () => {
  expect(judged(corner(0), [ball]).report.verdict).toBe('valid');
  expect(judged(corner(0.01), [ball]).report.verdict).toBe('valid');
  const { report } = judged(corner(0.12), [ball]);
  expect(report.valid).toBe(false);
  expect(report.moves.map(({ line, kind, verdict, pair }) => ({ line, kind, verdict, pair }))).toEqual([
    { line: 3, kind: 'movel', verdict: 'undecided', pair: ['tool', 'obstacle0'] },
    { line: 4, kind: 'movel', verdict: 'valid', pair: undefined },
  ]);
});

test('a certificate is no proof for joint limits that a move exceeds', () => {
  const { certify, arm, scene, moves } = judged(corner(0), [ball]);
  const certificate = certify()!;
  const limited = (range: number) => ({
    ...arm,
    variables: arm.variables.map((joint, j) =>
      j === 0 ? { ...joint, limits: { ...joint.limits, lower: START[0] - range, upper: START[0] + range } } : joint,
    ),
  });
  expect(verifyMoves(certificate, limited(1), scene, moves)).toMatchObject({ proved: true });
  const { proved, problems } = verifyMoves(certificate, limited(0.05), scene, moves);
  expect(proved).toBe(false);
  expect(problems).toEqual([expect.stringContaining('not proved to be within its limits')]);
  expect(movesReport(limited(0.05), scene, moves, { checker: 'gjk', place: 'p' }).report.verdict).not.toBe('valid');
});

/** The states along a line of 0.15 m, at 0.25 m/s. */
const along: (readonly number[])[] = [START];
for (let k = 1; k <= 300; k++)
  along.push(solve(along[k - 1], { p: add(home.p, [(0.15 * k) / 300, 0, 0]), R: home.R }, TCP)!);
const fastest = (sizeOf: (from: readonly number[], to: readonly number[]) => number) =>
  Math.max(...along.slice(1).map((q, k) => sizeOf(along[k], q) * 300 * (0.25 / 0.15)));
const elbow = { isElbow: true, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } } as const;
/** Plane in the world that positions in the frame of programs do not pass along its x axis. */
const plane = (x: number) => ({
  type: 'region' as const,
  shape: { type: 'halfspace' as const, normal: [-1, 0, 0] as const },
  pose: { xyz: [-x, 0, 0] as const, quat_wxyz: [1, 0, 0, 0] as const },
});
const LIMITS: [string, (slack: number) => PathConstraint][] = [
  ['plane of the tool', (slack) => plane(home.p[0] + 0.15 + slack)],
  ['plane of the elbow', (slack) => ({ ...plane(Math.max(...along.map((q) => elbowOf(q)[0])) + slack), frame: elbow })],
  [
    'range',
    (slack) => ({ type: 'joint', joint: 'elbow_joint', range: [-7, Math.max(...along.map((q) => q[2])) + slack] }),
  ],
  [
    'speed of the elbow',
    (slack) => ({
      type: 'speed',
      frame: elbow,
      most: fastest((from, to) => dist(elbowOf(from), elbowOf(to))) * (1 + 10 * slack),
    }),
  ],
  ['speed of the tool', (slack) => ({ type: 'speed', most: 0.25 + slack })],
  [
    'speed of a joint',
    (slack) => ({
      type: 'joint_speed',
      joint: 'elbow_joint',
      most: fastest((from, to) => Math.abs(to[2] - from[2])) * (1 + 10 * slack),
    }),
  ],
];

test.each(LIMITS)('a %s that a line keeps is proved and verified, and one that it exceeds is not', (_, limitOf) => {
  const text = program(`movel(${pose(0.15, 0)}, v=0.25)`);
  const kept = judged(text, [], { constraints: [limitOf(1e-3)] });
  expect(kept.report).toMatchObject({ verdict: 'valid' });
  const certificate = kept.certify()!;
  const broken = judged(text, [], { constraints: [limitOf(-1e-4)] });
  expect(broken.report.verdict).not.toBe('valid');
  expect(broken.report.constraints).toHaveLength(1);
  expect(verifyMoves(certificate, broken.arm, broken.scene, broken.moves)).toMatchObject({ proved: false });
});

test('the direction of the tool is judged along joint moves, at every state', () => {
  const [a, b] = [0.3, 0.3].map((turn, k) => START.map((x, j) => (j === 3 ? x + (1 - 2 * k) * turn : x)));
  const text = program(`movej([${a}])`, `movej([${b}])`);
  const axis = world(home.R.map((row) => row[2])) as [number, number, number];
  const verdictOf = (within: number) =>
    judged(text, [], { constraints: [{ type: 'tilt', axis: [0, 0, 1], towards: axis, within }] }).report.verdict;
  expect([0.301, 0.299].map(verdictOf)).toEqual(['valid', 'invalid']);
});

test('a plane within a blend is not proved, and outside of it is', () => {
  const text = program(`movel(${pose(0.15, 0)}, r=0.05)`, `movel(${pose(0.15, 0.15)})`);
  const across = (x: number) => ({
    ...plane(home.p[0] + x),
    shape: { type: 'halfspace' as const, normal: [-Math.SQRT1_2, Math.SQRT1_2, 0] as const },
    pose: { xyz: [-home.p[0] - x, -home.p[1], 0] as const, quat_wxyz: [1, 0, 0, 0] as const },
  });
  const verdictOf = (x: number) => judged(text, [], { constraints: [across(x)] }).report.verdict;
  expect([0.151, 0.149, 0.099].map(verdictOf)).toEqual(['valid', 'undecided', 'invalid']);
});

test('speeds within blends of lines are not known', () => {
  const limits = { constraints: [{ type: 'speed', most: 2 }] } as const;
  expect(judged(corner(0.02), [], limits).report.verdict).toBe('undecided');
  expect(judged(corner(0), [], limits).report.verdict).toBe('valid');
});

test('a clearance of a pair is proved along lines, and one that is not kept is found', () => {
  const text = program(`movel(${pose(0.15, 0)})`);
  const beside = { center: add(home.p, [0.08, 0.08, 0.06]), radius: 0.005 };
  const verdictOf = (distance: number) =>
    judged(text, [beside], { clearances: [{ a: 'tool', b: 'obstacle0', distance }] }).report.verdict;
  expect([0.02, 0.04].map(verdictOf)).toEqual(['valid', 'invalid']);
});

test('a line through an obstacle is invalid, at any law of its orientation', () => {
  const hit = { center: add(home.p, [0.08, 0, 0.06]), radius: 0.02 };
  expect(judged(program(`movel(${pose(0.15, 0)})`), [hit]).report.moves[0]).toEqual({
    line: 3,
    kind: 'movel',
    verdict: 'invalid',
    pair: ['tool', 'obstacle0'],
  });
});

/** A line along the axis of the tool, which is turned about it on the way. */
const [WAY, TURN] = [0.15, 0.8];
const turnedPose = (s: number) => {
  const axis = home.R.map((row) => row[2]);
  const turn = rotation(axis.map((x) => x * TURN * s));
  const R = turn.map((row) => [0, 1, 2].map((k) => row.reduce((sum, x, i) => sum + x * home.R[i][k], 0)));
  return { p: add(home.p, axis, WAY * s), R };
};
/** A pose of the tool, moved within its frame, in the world. */
function within({ p, R }: Pose, shift: readonly number[]) {
  const at = world(R.map((row, i) => row.reduce((sum, x, k) => sum + x * shift[k], p[i])));
  const [a, b, c] = R;
  const rows = [a.map((x) => -x), b.map((x) => -x), c]; // the controller's base is turned by half a turn
  return poseOfTransform(Float64Array.from(rows.flatMap((row, i) => [...row, at[i]])));
}

test('a line that turns a rod is not invalid if the rod fits through a slot at one orientation', () => {
  const place = 17 / 32;
  const wall = [-1, 1].map((side, k) => ({
    name: `wall${k}`,
    parts: [{ shape: { type: 'box', size: [0.25, 0.2, 0.0006] } }],
    pose: within(turnedPose(place), [0.175, side * 0.104, 0]),
  }));
  const rod = {
    name: 'rod',
    link: 'tool0',
    touches: [],
    parts: [{ shape: { type: 'box', size: [0.15, 0.006, 0.001] } }],
    pose: { xyz: [TCP[0] + 0.075, TCP[1], TCP[2]], quat_wxyz: [1, 0, 0, 0] },
  };
  // turned in step, the rod is in the wall for less than 0.0009 m, its corner within 0.004 m of the middle of the slot
  expect(0.15 * Math.sin((TURN * 0.0009) / WAY) + 0.003).toBeLessThan(0.004);
  const limits = { attached: [rod], obstacles: wall, allow: [] } as unknown as Partial<Scene>;
  const text = program(`movel(${poseText(turnedPose(1))})`);
  expect(judged(text, [], limits).report.verdict).toBe('undecided');
});

test('a line that turns the tool is invalid if a ball blocks it at every orientation', () => {
  const hit = { center: add(turnedPose(0.5).p, [0, 0, 0.06]), radius: 0.02 };
  expect(judged(program(`movel(${poseText(turnedPose(1))})`), [hit]).report.verdict).toBe('invalid');
});

test('blends that overlap, or exceed a move, are undecided for both moves', () => {
  const long = program(`movel(${pose(0.05, 0)}, r=0.08)`, `movel(${pose(0.05, 0.15)})`);
  const both = program(
    `movel(${pose(0.1, 0)}, r=0.03)`,
    `movel(${pose(0.1, 0.05)}, r=0.03)`,
    `movel(${pose(0, 0.05)})`,
  );
  expect(judged(long).report.moves.map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided']);
  expect(judged(both).report.verdict).toBe('undecided');
});

test('blends whose regions overlap are undecided, however long the way between them is', () => {
  const turned = (pan: number, lift = 0) => START.map((x, j) => (j === 0 ? pan : j === 1 ? x + lift : x));
  const around = (to: number, radius: number) =>
    program(
      `movej([${turned(-2.9)}], r=${radius})`,
      `movej([${turned(to)}], r=${radius})`,
      `movej([${turned(to, 0.3)}])`,
    );
  const arc = (radius: number) =>
    program(`movec(${pose(0.08, 0)}, ${pose(0.01, 0.02)}, r=${radius})`, `movel(${pose(0.1, 0.1)})`);
  const verdictOf = (text: string) => judged(text).report.verdict;
  expect([0.01, 0.04].map((radius) => verdictOf(around(3.25, radius)))).toEqual(['valid', 'undecided']);
  expect([0.01, 0.025].map((radius) => verdictOf(arc(radius)))).toEqual(['valid', 'undecided']);
});

test('blends of joint moves at very different speeds are undecided', () => {
  const text = (v: number) =>
    program(
      `movej([${START.map((x, j) => x + (j === 0 ? 0.4 : 0))}], v=1, r=0.02)`,
      `movej([${START.map((x, j) => x + (j < 2 ? 0.4 : 0))}], v=${v})`,
    );
  expect(judged(text(0.8)).report.verdict).toBe('valid');
  expect(judged(text(0.1)).report.verdict).toBe('undecided');
});

test('blends of joint moves with times at very different speeds are undecided', () => {
  const text = (t: number) =>
    program(
      `movej([${START.map((x, j) => x + (j === 0 ? 0.4 : 0))}], t=2, r=0.02)`,
      `movej([${START.map((x, j) => x + (j < 2 ? 0.4 : 0))}], t=${t})`,
    );
  expect(judged(text(2)).report.verdict).toBe('valid');
  expect(judged(text(0.2)).report.verdict).toBe('undecided');
});

test.each([0, 1e-8, -1e-8, 1e-5, -1e-5])(
  'a line that turns the tool by %s rad beside half a turn is refused',
  (beside) => {
    const { p, R } = home;
    const back = rotationVector(R);
    const turn = `p[0, 0, 0, 0, 0, ${Math.PI + beside}]`;
    const text = program(`movel(pose_trans(p[${p.join(', ')}, ${back.join(', ')}], ${turn}))`);
    expect(() => judged(text)).toThrow('leave open which way it goes');
  },
);

test.each([
  ['ends where it begins', pose(0.08, 0), pose(0, 1e-5)],
  ['passes its start again', pose(1e-5, 0), pose(0.08, 0)],
  ['has its point at its end', pose(0.08, 1e-5), pose(0.08, 0)],
])('a circle that nearly %s is refused, since rounding errors determine it', (_, via, to) => {
  expect(() => judged(program(`movec(${via}, ${to})`))).toThrow('leave open which way it goes');
});

test.each([
  ['stopl after a move with a blend', `movel(${pose(0.1, 0)}, r=0.02)`, 'stopl(3)', `movel(${pose(0.1, 0.1)})`],
  ['stopj after a move with a blend', `movel(${pose(0.1, 0)}, r=0.02)`, 'stopj(3)'],
  ['get_inverse_kin with maxPositionError', `q = get_inverse_kin(${pose(0.1, 0)}, maxPositionError=0.05)`, 'movej(q)'],
  [
    'get_inverse_kin with maxOrientationError',
    `q = get_inverse_kin(${pose(0.1, 0)}, maxOrientationError=1)`,
    'movej(q)',
  ],
  ['set_tcp after a move with a blend', `movel(${pose(0.1, 0)}, r=0.02)`, 'set_tcp(p[0,0,0.2,0,0,0])'],
  ['the state within a blend is not known', `movel(${pose(0.1, 0)}, r=0.02)`, 'q = get_actual_joint_positions()'],
  ['servoj in a program of moves', `movel(${pose(0.1, 0)})`, 'servoj2()'],
  [
    'the tool cannot follow this movel: no joint positions within limits are found for its target',
    `movel(${pose(2, 0)})`,
  ],
  [
    'two solutions that are about equally near',
    `movej(${pose(0.1, 0)}, r=0)`,
    `q = get_inverse_kin(${pose(0.1, 0)}, [0, 0, 0, 0, 0, 0])`,
  ],
])('%s is refused', (what, ...lines) => {
  if (what.startsWith('servoj')) expect(() => judged(program(...lines))).toThrow('servoj2 is not supported');
  else expect(() => judged(program(...lines))).toThrow(what);
});

test.each(['sleep(0.01)', 'sync()', 'popup("a")'])(
  'after a wait by %s in a blend, the next move begins anywhere',
  (wait) => {
    const moves = [pose(0.1, 0), pose(0.1, 0.1), pose(0.05, 0.1), pose(0.05, 0)].map((one) => `movel(${one}, r=0.01)`);
    const verdicts = (...lines: string[]) => judged(program(...lines)).report.moves.map(({ verdict }) => verdict);
    expect(verdicts(...moves)).toEqual(['valid', 'valid', 'valid', 'valid']);
    expect(verdicts(moves[0], wait, ...moves.slice(1))).toEqual(['undecided', 'undecided', 'undecided', 'valid']);
    expect(verdicts(moves[0].replace('0.01)', '0)'), wait, ...moves.slice(1))).toEqual(verdicts(...moves));
  },
);

test('a pose whose nearest solution exceeds limits of the scene is refused, though another solution keeps them', () => {
  const text = program(`movej(${pose(0.1, 0)})`);
  const { arm, moves, scene } = judged(text);
  const q = moves.moves[0].joints!;
  for (const [j, { name }] of arm.variables.entries())
    for (const side of ['lower', 'upper'] as const) {
      const limit = q[j] + (side === 'lower' ? 1e-3 : -1e-3);
      const limited = { robot: { ...scene.robot, limits: { [name]: { [side]: limit } } } };
      expect(() => judged(text, [], limited), name).toThrow(`nearest exceeds the limits of ${name}`);
    }
});

test('functions of poses and the state of the arm are evaluated', () => {
  const { moves } = judged(
    program(
      'here = get_actual_tcp_pose()',
      'movel(pose_trans(here, p[0, 0, 0.05, 0, 0, 0]))',
      'movel(pose_trans(get_actual_tcp_pose(), pose_inv(p[0, 0, 0.05, 0, 0, 0])))',
      'movel(pose_add(here, p[0.02, 0, 0, 0, 0, 0]))',
      'q = get_inverse_kin(here)',
      'movej(q)',
    ),
  );
  const tool = toolPose(START, TCP);
  expect(moves.moves.map(({ kind }) => kind)).toEqual(['movel', 'movel', 'movel', 'movej']);
  for (const [j, value] of moves.moves[3].joints!.entries()) expect(value).toBeCloseTo(START[j], 6);
  const { pose: second } = moves.moves[1];
  for (const [i, k] of [3, 7, 11].entries()) expect(second![k]).toBeCloseTo(i < 2 ? -tool.p[i] : tool.p[i], 8);
});

test('a certificate proves its program in its scene, and nothing else', () => {
  const { scene, arm, moves, certify } = judged(corner(0.02), [ball]);
  const certificate = certify()!;
  const proves = (given = certificate, other = scene, text = moves) => verifyMoves(given, arm, other, text).proved;
  expect(proves()).toBe(true);
  const changed = (change: (cells: readonly (readonly number[])[]) => readonly (readonly number[])[]) => ({
    ...certificate,
    pairs: certificate.pairs.map((pair, i) => (i === 0 ? { ...pair, cells: change(pair.cells) } : pair)),
  });
  expect(proves(changed((cells) => cells.slice(1)))).toBe(false);
  expect(proves(changed((cells) => cells.map((cell) => cell.map((x, k) => (k < 5 ? x : -x)))))).toBe(false);
  expect(proves({ ...certificate, pairs: certificate.pairs.slice(1) })).toBe(false);
  const moved = sceneOf(robot, START, [{ ...ball, center: add(home.p, [0.08, 0, 0.06]) }]);
  expect(proves(certificate, moved)).toBe(false);
  const other = judged(corner(0.1)).moves;
  expect(proves(certificate, scene, other)).toBe(false);
  expect(proves({ ...certificate, trajectory: 'other' })).toBe(false);
  expect(proves(certificate, { ...scene, tcpSpeed: 0.1 })).toBe(false);
  expect(proves(certificate, { ...scene, torque: { scale: 1 } })).toBe(false);
});

test('motions that executions share are proved once, with the verdicts of each execution by itself', () => {
  const cell = program(
    'while (True):',
    '  radius = 0.01',
    '  if (get_digital_in(0)):',
    '    radius = 0.12',
    '  end',
    `  movel(${pose(0, 0)})`,
    `  movel(${pose(0.15, 0)}, r=radius)`,
    `  movel(${pose(0.15, 0.15)})`,
    '  if (get_digital_in(1)):',
    `    movel(${pose(0.15, 0)}, r=radius)`,
    '  end',
    'end',
  );
  const scene: Scene = sceneOf(robot, START, [ball]);
  const model = createSceneRobot({ scene, robot });
  const executions = moveExecutionsOf(cell, 'p.script', model, scene)!;
  const options = { checker: 'growth-distance', place: 'p.script' } as const;
  const alone = executions.map((one) => movesReport(model, scene, one.program, options).report);
  const all = executionsReport(model, scene, executions, options);
  expect(all.executions).toBeGreaterThan(3);
  expect(new Set(alone.map(({ verdict }) => verdict))).toEqual(new Set(['valid', 'undecided', 'invalid']));
  expect(all.verdict).toBe('invalid');
  expect(new Set(all.moves.map((one) => JSON.stringify(one)))).toEqual(
    new Set(alone.flatMap(({ moves }) => moves.map((one) => JSON.stringify(one)))),
  );
  expect(all.faults.map((fault) => fault.replace(/ \(if .*/, ''))).toEqual([
    ...new Set(alone.flatMap(({ faults }) => faults)),
  ]);
});
