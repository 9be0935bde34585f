import { expect, test } from 'vitest';
import { ProgramSets } from '../../../../src/core/cartesian/moves/programSets.ts';
import { moveCertificateOf, moveCertificateText } from '../../../../src/core/certificate/moves/moveCertificate.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { startStateOf } from '../../../../src/core/scene/configurationOf.ts';
import type { Step } from '../../../../src/core/scene/program.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import { loadScene } from '../../../../src/host/node/scenes.ts';
import { moveProgramOf } from '../../../../src/tasks/checking/moves/readMoveProgram.ts';
import { verifyMoves } from '../../../../src/tasks/checking/moves/verifyMoves.ts';
import { planMotion } from '../../../../src/tasks/planning/planMotion.ts';
import { planProgram } from '../../../../src/tasks/programs/planProgram.ts';
import { movesReport } from '../../../../src/tasks/reports/movesReport.ts';
import { provedMoveProgram } from '../../../../src/tasks/reports/provedMoveProgram.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { World } from '../../../../src/tasks/world.ts';

const problem = await loadScene('pick-and-place');
const { scene } = problem;
const robot = createSceneRobot(problem);
const { trajectory } = planProgram(problem);
const made = provedMoveProgram(robot, scene, trajectory!, 'growth-distance');
const text = 'text' in made ? made.text : made.reason;

function checked(script: string, where: Scene = scene) {
  const program = moveProgramOf(script, 'p.script', robot, where)!;
  return movesReport(robot, where, program, { checker: 'growth-distance', place: 'p.script' });
}

const judged = (script: string, where: Scene = scene) => checked(script, where).report;

/** False if the program is refused, too. */
function isValid(script: string): boolean {
  try {
    return judged(script).valid;
  } catch (error) {
    expect(String(error)).toContain('p.script');
    return false;
  }
}

test('a pick and place is written as moves that are proved, in less than 60 lines and 10 % more time', () => {
  expect(judged(text)).toMatchObject({ valid: true, faults: [] });
  expect(text.split('\n').length).toBeLessThan(60);
  expect(text).toMatch(/movej\(q_1, a=[\d.]+, v=[\d.]+, r=0\)/);
  const planned = trajectory!.points.at(-1)!.time_from_start!;
  expect('duration' in made && made.duration).toBeLessThan(1.1 * planned);
});

test('a program of moves that differs from the steps of its scene is not valid', () => {
  const changes: [string | RegExp, string][] = [
    ['  on_attach("part", "tool0")\n', ''],
    ['on_attach("part", "tool0")', 'on_attach("part", "wrist_3_link")'],
    ['  on_step(1)\n', ''],
    ['sleep(0.3)', 'sleep(0.2)'],
    [/movel\(pose_2(.*)r=0\)/, 'movel(pose_2$1r=0)\n  movel(pose_2$1r=0)'],
    [/movel\(pose_3.*\n/, ''],
    [/movel\(pose_3, .*\)/, 'movej(pose_3)'],
    ['pose_3 = p[-0.5', 'pose_3 = p[-0.500001'],
    [/pose_6 = p\[(.*), 0\]/, 'pose_6 = p[$1, 0.00001]'],
    ['q_4 = [-0.77', 'q_4 = [-0.78'],
    ['set_tcp(p[0, 0, 0.14', 'set_tcp(p[0, 0, 0.15'],
    [/sleep\(0\.3\)/, 'sleep(0.3)\n  movel(pose_2)'],
  ];
  for (const [from, to] of changes) {
    const changed = text.replace(from, to);
    expect(changed, String(from)).not.toBe(text);
    expect(isValid(changed), String(from)).toBe(false);
  }
});

test('moves outside of steps, blends into events, and motions of event functions are refused', () => {
  const errors: [string | RegExp, string, string][] = [
    ['  # step 0', '  movej(q_1)\n  # step 0', 'movej outside of the steps'],
    [/movel\(pose_2(.*)r=0\)/, 'movel(pose_2$1r=0.01)', 'on_attach after a move with a blend'],
    ['textmsg("attach ", object)', 'movej([0, 0, 0, 0, 0, 0])', 'movej within on_attach'],
  ];
  for (const [from, to, message] of errors) expect(() => judged(text.replace(from, to)), message).toThrow(message);
});

test('the speed of the tool is proved by the stated speeds, and by nothing else', () => {
  expect(judged(text.replace(/(movel\(pose_3, a=[\d.]+), v=[\d.]+/, '$1, v=1'))).toMatchObject({ valid: true });
  for (const [from, to] of [
    [/(movel\(pose_3, a=[\d.]+), v=[\d.]+/, '$1, v=1.01'],
    [/(movel\(pose_3, a=[\d.]+), v=[\d.]+/, '$1, v=0.5, t=0.1'],
    [/(movej\(q_4, a=5), v=[\d.]+/, '$1, v=3'],
  ] as const)
    expect(judged(text.replace(from, to))).toMatchObject({ verdict: 'undecided' });
});

test('the constraints of a step are judged for its moves, and for no others', () => {
  const limited = (index: number, lower: number) => {
    const constraint = { type: 'joint', name: 'elbow', joint: 'elbow_joint', range: [lower, 7] } as const;
    const steps = scene.steps!.map((step) => (step.index === index ? { ...step, constraints: [constraint] } : step));
    return judged(text, { ...scene, steps: steps as Scene['steps'] & object });
  };
  expect(limited(0, -7).verdict).toBe('valid');
  const { moves, constraints } = limited(0, 6);
  expect(constraints).toEqual(['elbow']);
  expect(moves.map(({ constraint }) => constraint)).toEqual(['elbow', ...moves.slice(1).map(() => undefined)]);
});

test('a certificate proves the moves and rests of its program in the scenes between events, and nothing else', () => {
  const certificate = checked(text).certify()!;
  expect(certificate.segments).toHaveLength(5); // before allow, until attach, until forbid, until detach, after it
  const problemsOf = (where: Scene, script = text) =>
    verifyMoves(certificate, robot, where, moveProgramOf(script, 'p.script', robot, where)!).problems;
  const written = moveCertificateOf(JSON.parse(moveCertificateText(certificate)), 'c.json');
  expect(JSON.stringify(written.segments)).toBe(JSON.stringify(certificate.segments));
  expect(problemsOf(scene)).toEqual([]);
  const { steps = [], start: _, ...unknown } = scene;
  const withSteps = (change: (step: Step) => Step) => ({ ...scene, steps: steps.map(change) });
  const range = (index: number, lower: number) => {
    const constraint = { type: 'joint', name: 'elbow', joint: 'elbow_joint', range: [lower, 7] } as const;
    return withSteps((step) => (step.index === index ? ({ ...step, constraints: [constraint] } as Step) : step));
  };
  expect(problemsOf(range(0, -7))).toEqual([]);
  expect(problemsOf(range(0, 6))).toEqual([expect.stringMatching(/^line 24: constraint "elbow" is not proved/)]);
  expect(problemsOf(range(12, 6))).toEqual([expect.stringMatching(/^line 46: /)]);
  const slow = withSteps((step) => (step.index === 6 ? ({ ...step, tcpSpeed: 0.1 } as Step) : step));
  expect(problemsOf(slow)).toEqual([expect.stringMatching(/^line 35: constraint "tcp_speed"/)]);
  expect(problemsOf({ ...unknown, steps: undefined } as unknown as Scene)).toEqual([
    'the program calls steps, but the scene has none',
  ]);
  const linked = withSteps((step) => (step.kind === 'attach' ? { ...step, link: 'wrist_3_link' } : step));
  expect(problemsOf(linked)).toEqual(['the calls of the program are not those of the steps and events of the scene']);
  expect(problemsOf(scene, text.replace(/( {2}set_digital_out.*)\n/, '$1\n$1\n'))).toHaveLength(1);
  expect(problemsOf(scene, text.replace('q_4 = [-0.77', 'q_4 = [-0.78'))).toEqual([
    'it is the certificate of another program',
  ]);
  const late = text.replace(/( {2}movel\(pose_2.*\n)( {2}on_attach.*\n {2}set_digital.*\n)/, '$2$1');
  expect(() => problemsOf(scene, late)).toThrow('movel outside of the steps');
});

test('what is attached is part of the arm until it is detached', () => {
  // 2 mm more: the part touches the pallet before it is put down, the gripper does not
  const obstacles = scene.obstacles.map((one) =>
    one.name === 'pallet' ? { ...one, pose: { ...one.pose, xyz: [0.5, -0.3, 0.052] as const } } : one,
  );
  const report = judged(text, { ...scene, obstacles });
  expect(report.verdict).toBe('invalid');
  expect(report.moves.find(({ verdict }) => verdict !== 'valid')).toMatchObject({
    kind: 'movel',
    pair: ['part', 'pallet'],
  });
});

test('a state at rest after the last event is proved', () => {
  const forbid = { kind: 'forbid', index: 99, pairs: [['table', 'base_link_inertia']] } as const;
  const cut = text.slice(0, text.indexOf('  # step 12'));
  const script = `${cut}end\nelbowroom_moves()\n`;
  const steps = scene.steps!.slice(0, -1);
  const { report, certify } = checked(script, { ...scene, steps });
  expect(report.valid).toBe(true);
  const forbidden = { ...scene, steps: [...steps, forbid] };
  expect(judged(script, forbidden).valid).toBe(false);
  const program = moveProgramOf(script, 'p.script', robot, forbidden)!;
  const { problems } = verifyMoves(certify()!, robot, forbidden, program);
  expect(problems).toEqual(['it has pairs of 5 scenes, the program has 6']);
});

test('scenes whose steps move joints that are not planned are refused', () => {
  const moving = { kind: 'wait', index: 99, duration: 1, moves: { joints: { door: 1 }, values: {} } } as const;
  expect(() => judged(text, { ...scene, steps: [...scene.steps!, moving] })).toThrow(
    'step 99 moves joints that are not planned',
  );
});

test('a single motion is written through way points with blends, none of whose motions collides', async () => {
  const shelf = await loadScene('table-top');
  const arm = createSceneRobot(shelf);
  const { trajectory: motion } = planMotion(shelf, { seed: 1 });
  const written = provedMoveProgram(arm, shelf.scene, motion!, 'growth-distance');
  const script = 'text' in written ? written.text : written.reason;
  expect(script.match(/r=0\.\d+/g)?.length).toBeGreaterThan(1);
  const { moves } = moveProgramOf(script, 'p.script', arm, shelf.scene)!;
  const sets = new ProgramSets(arm);
  const start = startStateOf(arm, shelf.scene)!.q;
  const { manager } = new World(arm, shelf.scene);
  const random = new Random(5);
  for (const { set, q } of sets.parts(start, moves).filter(({ isBlend }) => isBlend))
    for (let k = 0; k < 300; k++) {
      const at = set!.step(q, [0, 0], [random.between(0, 1), random.between(0, 1)])!;
      expect(manager.firstCollidingPair(at)).toBe(-1);
    }
  const larger = script.replace(/r=(0\.\d+)/g, (_, radius) => `r=${(1.42 * Number(radius)).toFixed(4)}`);
  const wide = moveProgramOf(larger, 'p.script', arm, shelf.scene)!;
  const { report } = movesReport(arm, shelf.scene, wide, { checker: 'growth-distance', place: 'p.script' });
  expect(report.verdict).toBe('undecided');
});

test('single motions are written with at most 10 % more time, and no joint moves faster than its limit', async () => {
  for (const name of ['table-top', 'machine-tending']) {
    const shelf = await loadScene(name);
    const arm = createSceneRobot(shelf);
    const { trajectory: motion } = planMotion(shelf, { seed: 1 });
    const written = provedMoveProgram(arm, shelf.scene, motion!, 'growth-distance') as {
      text: string;
      duration: number;
    };
    expect(written.duration, name).toBeLessThan(1.1 * motion!.points.at(-1)!.time_from_start!);
    const { moves } = moveProgramOf(written.text, 'p.script', arm, shelf.scene)!;
    const states = [startStateOf(arm, shelf.scene)!.q, ...moves.map(({ joints }) => joints!)];
    for (const [j, { limits }] of arm.variables.entries()) {
      const way = Math.abs(states[states.length - 1][j] - states[0][j]);
      const peak = Math.min(limits.velocity, Math.sqrt(limits.acceleration * way));
      expect(written.duration, name).toBeGreaterThan(way > 0 ? way / peak + peak / limits.acceleration - 1e-3 : 0);
    }
  }
});

test('an object that is attached before the first move is not proved if the scene has no start', () => {
  const [, above] = /q_1 = (\[.*\])/.exec(text)!;
  const head = text.slice(0, text.indexOf('  # step 0'));
  const script = `${head}  on_attach("part", "tool0")\n  on_step(1)\n  movej(${above})\nend\nelbowroom_moves()\n`;
  const attach = scene.steps!.find(({ kind }) => kind === 'attach')!;
  const steps = [attach, scene.steps![0]].map((step, index) => ({ ...step, index }));
  const { start: _, ...unknown } = { ...scene, steps, allow: [...scene.allow, ['part', 'table']] as Scene['allow'] };
  expect(judged(script, unknown)).toMatchObject({ verdict: 'undecided' });
  const start = JSON.parse(above) as number[];
  const { report, certify } = checked(script, { ...unknown, start });
  expect(report).toMatchObject({ verdict: 'valid' });
  const program = moveProgramOf(script, 'p.script', robot, unknown)!;
  expect(verifyMoves(certify()!, robot, unknown, program).problems).toEqual([
    'step 0 (attach): the state of the arm is not known, since the scene has no start',
  ]);
});

test('a program that only waits is refused', () => {
  const waiting: Scene = { ...scene, steps: [{ kind: 'wait', index: 0, duration: 1 }] };
  const planned = planProgram({ ...problem, scene: waiting });
  expect(() => provedMoveProgram(robot, waiting, planned.trajectory!, 'growth-distance')).toThrow(
    /moves the arm nowhere/,
  );
});
