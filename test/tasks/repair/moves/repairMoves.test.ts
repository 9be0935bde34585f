import { expect, test } from 'vitest';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { repairMoves } from '../../../../src/tasks/repair/moves/repairMoves.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { poseText, START, sceneOf, TCP } from '../../checking/moves/movesAttack.ts';
import { add, toolPose } from '../../checking/moves/movesOracle.ts';

const loaded = await loadRobot('ur5e');
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
/** Center of the ball of the tool, in the frame of the flange. */
const TOOL = [0, 0.01, 0.08];
const home = toolPose(START, TCP);
const pose = (x: number, y: number, z = 0) => poseText({ p: add(home.p, [x, y, z]), R: home.R });
const ball = (x: number, y: number, z: number, radius = 0.005) => ({ center: add(home.p, [x, y, z]), radius });

function repaired(text: string, obstacles: readonly ReturnType<typeof ball>[]) {
  const scene = sceneOf(robot, START, obstacles);
  return repairMoves(text, 'p.script', createSceneRobot({ scene, robot }), scene);
}

const HEAD = ['# picks', 'def p():', `  set_tcp(p[${TCP.join(', ')}, 0, 0, 0])`];
const TAIL = ['  set_digital_out(1, True) # done', 'end', ''];
const program = (...lines: string[]) => [...HEAD, ...lines, ...TAIL].join('\n');

test('a blend that may touch an obstacle is made smaller, and nothing else is changed', () => {
  const text = program(`  movel(${pose(0.15, 0)}, v=0.1, r=0.12)  # corner`, `  movel(${pose(0.15, 0.15)})`);
  const { status, changed, text: out, reason } = repaired(text, [ball(0.09, 0.06, 0.06)]);
  expect(status, reason).toBe('repaired');
  expect(changed).toEqual([4]);
  const radius = Number(/r=(0\.\d+)/.exec(out!)![1]);
  expect(radius).toBeGreaterThan(0.01);
  expect(out).toBe(text.replace('r=0.12', `r=${radius}`));
});

const before = (out: string, line: string) => out.slice(0, out.indexOf(line)).split('\n').slice(3, -1);

test('a blocked line gets joint moves before it, and its last part remains', () => {
  const line = `  movel(${pose(0.15, 0)}, v=0.1, r=0.004)  # corner`;
  const text = program(line, `  movel(${pose(0.15, 0.15)})`);
  const { status, changed, text: out, reason } = repaired(text, [ball(0.065, 0, 0.06, 0.01)]);
  expect(status, reason).toBe('repaired');
  expect(changed).toEqual([4]);
  const added = before(out!, line);
  expect(added.length).toBeGreaterThan(0);
  for (const one of added) expect(one).toMatch(/^ {2}movej\(\[[-\d., ]+\], a=[\d.]+, v=[\d.]+, r=[\d.]+\)$/);
  expect(out!.replace(`${added.join('\n')}\n`, '')).toBe(text);
});

test('a blocked joint move to a variable or a pose keeps its target', () => {
  const there = START.map((x, j) => (j === 0 ? x + 0.6 : x));
  const far = toolPose(there, TCP);
  const middle = toolPose(
    START.map((x, j) => (j === 0 ? x + 0.3 : x)),
    TOOL,
  );
  const obstacle = { center: [...middle.p], radius: 0.02 };
  for (const target of [`[${there.join(', ')}]`, poseText(far)]) {
    const text = program(`  target = ${target}`, '  movej(target, a=1, v=0.5)');
    const { status, text: out, reason } = repaired(text, [obstacle]);
    expect(status, reason).toBe('repaired');
    const kept = text.split('\n').filter((line) => !line.includes('movej('));
    expect(out!.split('\n').filter((line) => !line.includes('movej('))).toEqual(kept);
    expect(out).toContain('v=0.5, r=');
  }
});

test('a blocked arc becomes a joint move, and a loop is repaired in each of its runs', () => {
  const arc = program(`  movec(${pose(0.05, 0.05)}, ${pose(0.1, 0)}, v=0.1)`);
  const bent = repaired(arc, [ball(0.05, 0.05, 0.06, 0.01)]);
  expect(bent.status, bent.reason).toBe('repaired');
  expect(bent.reason).toContain('movej instead of it');
  expect(bent.text).not.toContain('movec');
  const there = pose(0.15, 0);
  const loop = program(
    '  i = 0',
    '  while i < 2:',
    `    movel(${there})`,
    `    movel(${pose(0, 0)})`,
    '    i = i + 1',
    '  end',
  );
  const twice = repaired(loop, [ball(0.065, 0, 0.06, 0.01)]);
  expect(twice.status, twice.reason).toBe('repaired');
  for (const line of loop.split('\n')) expect(twice.text!.split('\n')).toContain(line);
});

test('comments within what is changed remain', () => {
  const arc = program(`  movec(${pose(0.05, 0.05)}, # above`, `    ${pose(0.1, 0)}, # "end"`, '    v=0.1) # slowly');
  const bent = repaired(arc.replaceAll('\n', '\r\n'), [ball(0.05, 0.05, 0.06, 0.01)]);
  expect(bent.status, bent.reason).toBe('repaired');
  expect(bent.text).toMatch(/movej\([^()]*\) {2}# above\r\n {3}# "end"\r\n {2}# slowly\r\n/);
  expect(bent.changed).toEqual([4]);
  const corner = program(
    `  movel(${pose(0.15, 0)}, r=0.06 * # half`,
    '    2, v=0.1)',
    `  movel(${pose(0.15, 0.15)}, r=0.14)`,
    `  movel(${pose(0, 0.15)})`,
  );
  const { status, text, reason, changed } = repaired(corner, [ball(0.09, 0.06, 0.06)]);
  expect(status, reason).toBe('repaired');
  expect(text).toMatch(/r=0\.\d+ {2}# half\n , v=0.1\)\n/);
  expect(changed).toEqual([4, 6]);
});

test('targets in collision are named, and nothing is changed for a speed', () => {
  const text = program(`  movel(${pose(0.15, 0)})`);
  const { status, reason, text: out } = repaired(text, [ball(0.15, 0, 0.06, 0.02)]);
  expect([status, out]).toEqual(['failed', undefined]);
  expect(reason).toContain('line 4: tool and obstacle0 are in collision at an end of the movel');
  const scene = { ...sceneOf(robot, START, []), constraints: [{ type: 'speed' as const, name: 'slow', most: 0.1 }] };
  const slow = repairMoves(text, 'p.script', createSceneRobot({ scene, robot }), scene);
  expect(slow).toMatchObject({ status: 'failed', text: undefined });
  expect(slow.reason).toContain('speeds are not changed');
});
