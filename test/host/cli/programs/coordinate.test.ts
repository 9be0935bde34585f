import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { fixtures, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

type Points = [number, number][];
interface Answer {
  readonly format: string;
  readonly robots: string[];
  readonly free?: number[][];
  readonly undecided?: number[][];
  readonly pairs?: { a: string; b: string; free: number[][]; undecided: number[][] }[];
  readonly schedule: { robot: string; points: Points }[];
  readonly makespan: number | null;
  readonly delay: { robot: string; points: Points }[];
}

const folder = temporaryFolder();
const write = (name: string, value: unknown) => {
  const file = join(folder, name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};
/** Bases of planar arms of 1 m reach whose workspaces overlap: position and direction. */
const bases = [
  [0, 0, 0],
  [1.5, 0, Math.PI],
  [0.75, 1.3, -Math.PI / 2],
] as const;
const robotAt = ([x, y, yaw]: readonly [number, number, number]) => ({
  robot: { urdf: join(fixtures, 'arm.urdf') },
  pose: { xyz: [x, y, 0], rpy: [0, 0, yaw] },
});
const sceneOf = (count: number, more: object = {}) => ({
  format: 'elbowroom-scene/1',
  name: 'arms',
  robot: { urdf: join(fixtures, 'arm.urdf') },
  robots: bases.slice(1, count).map((base, i) => ({ name: ['right', 'top'][i], ...robotAt(base) })),
  ...more,
});
/** From rest to rest with stops in between, 3 s per segment. */
const motion = (...states: [number, number][]) => ({
  format: 'elbowroom-trajectory/1',
  joint_names: ['shoulder', 'elbow'],
  points: states.map((positions, k) => ({ time_from_start: 3 * k, positions, velocities: [0, 0] })),
  interpolation: 'cubic',
});
const sweep = write('sweep.json', motion([-1, 0.2], [1, 0], [-1, -0.2]));
const back = write('back.json', motion([1, 0], [-1, 0.1]));

let outputs = 0;
async function coordinate(scene: object, files: readonly string[], ...more: string[]) {
  const out = join(folder, `out-${outputs++}.json`);
  writeFileSync(out, '');
  const run = await elbowroom(['coordinate', write('scene.json', scene), ...files, '-o', out, ...more]);
  const text = readFileSync(out, 'utf8');
  return { ...run, text, answer: (text === '' ? undefined : JSON.parse(text)) as Answer };
}

/** Own time at a time of the schedule: linear between points, at rest outside. */
function at(points: Points, time: number): number {
  const i = points.findIndex(([t]) => t > time);
  if (i < 0) return points.at(-1)![1];
  if (i === 0) return points[0][1];
  const [[t0, s0], [t1, s1]] = [points[i - 1], points[i]];
  return s0 + ((s1 - s0) * (time - t0)) / (t1 - t0);
}

type Bar = readonly [x: number, y: number, angle: number];
/** The bars of an arm: middle and direction; positions by the cubic 3 u² − 2 u³ of a motion from rest to rest. */
function barsAt(file: string, [x, y, yaw]: readonly [number, number, number], own: number): Bar[] {
  const { points } = JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof motion>;
  const k = Math.min(points.length - 2, Math.floor(own / 3));
  const u = own / 3 - k;
  const [shoulder, elbow] = [0, 1].map((j) => {
    const [from, to] = [points[k].positions[j], points[k + 1].positions[j]];
    return from + (to - from) * u * u * (3 - 2 * u);
  });
  const one = yaw + shoulder;
  const two = one + elbow;
  const [ex, ey] = [x + 0.5 * Math.cos(one), y + 0.5 * Math.sin(one)];
  return [
    [x + 0.25 * Math.cos(one), y + 0.25 * Math.sin(one), one],
    [ex + 0.25 * Math.cos(two), ey + 0.25 * Math.sin(two), two],
  ];
}
/** Whether two bars of 0.5 m by 0.04 m overlap: no side of one separates them. */
function overlap([x, y, a]: Bar, [u, v, b]: Bar): boolean {
  return [a, a + Math.PI / 2, b, b + Math.PI / 2].every((angle) => {
    const half = (direction: number) =>
      0.25 * Math.abs(Math.cos(direction - angle)) + 0.02 * Math.abs(Math.sin(direction - angle));
    return Math.abs((u - x) * Math.cos(angle) + (v - y) * Math.sin(angle)) < half(a) + half(b);
  });
}
const collide = (one: readonly Bar[], other: readonly Bar[]) => one.some((a) => other.some((b) => overlap(a, b)));

function expectSchedules(
  { schedule, makespan, robots }: Answer,
  files: readonly string[],
  durations: readonly number[],
) {
  expect(schedule.map(({ robot }) => robot)).toEqual(robots);
  for (const [i, { points }] of schedule.entries()) {
    expect(points[0]).toEqual([0, 0]);
    expect(points.at(-1)![1]).toBe(durations[i]);
    for (let k = 1; k < points.length; k++) {
      const [dt, own] = [points[k][0] - points[k - 1][0], points[k][1] - points[k - 1][1]];
      expect(dt > 0 && own >= 0 && own <= dt * (1 + 1e-9)).toBe(true);
    }
  }
  expect(makespan).toBe(Math.max(...schedule.map(({ points }) => points.at(-1)![0])));
  for (let time = 0; time <= makespan!; time += 0.001) {
    const bars = files.map((file, i) => barsAt(file, bases[i], at(schedule[i].points, time)));
    for (let a = 0; a < bars.length; a++)
      for (let b = a + 1; b < bars.length; b++)
        if (collide(bars[a], bars[b])) expect.fail(`${robots[a]} and ${robots[b]} collide at ${time} s`);
  }
}

test('two arms get schedules that keep them apart, and delays within the tolerance do, too', async () => {
  const svg = join(folder, 'diagram.svg');
  const { code, stdout, stderr, answer } = await coordinate(sceneOf(2), [sweep, back], '--svg', svg);
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(
    /\narm and right: \d.* % free, .* % in collision, .* % undecided \(\d+ cells\)\nmakespan .* s; no/,
  );
  expect(answer.format).toBe('elbowroom-coordination/1');
  expect(answer.robots).toEqual(['arm', 'right']);
  expectSchedules(answer, [sweep, back], [6, 3]);
  expect(answer.schedule[1].points.at(-1)![0]).toBeGreaterThan(3.05); // it has to wait
  expect(readFileSync(svg, 'utf8')).toContain('class="path"');

  const random = new Random(1);
  const files = [sweep, back];
  let late = 0;
  for (let k = 0; k < 20_000; k++) {
    const robot = random.below(2);
    const time = random.between(0, answer.makespan! + 0.5);
    const delay = random.next() * at(answer.delay[robot].points, time);
    if (delay > 0.05) late++;
    const bars = files.map((file, i) =>
      barsAt(file, bases[i], at(answer.schedule[i].points, Math.max(0, time - (i === robot ? delay : 0)))),
    );
    if (collide(bars[0], bars[1])) expect.fail(`${answer.robots[robot]} is ${delay} s late at ${time} s`);
  }
  expect(late).toBeGreaterThan(1000);
});

test('free rectangles hold no collision, what is neither free nor undecided holds nothing else', async () => {
  const { answer } = await coordinate(sceneOf(2), [sweep, back]);
  const random = new Random(2);
  const within = (list: number[][], s: number, t: number) =>
    list.some(([a0, a1, b0, b1]) => a0 <= s && s <= a1 && b0 <= t && t <= b1);
  const seen = [0, 0, 0];
  for (let k = 0; k < 20_000; k++) {
    const [s, t] = [random.between(0, 6), random.between(0, 3)];
    const hits = collide(barsAt(sweep, bases[0], s), barsAt(back, bases[1], t));
    const kind = within(answer.free!, s, t) ? 0 : within(answer.undecided!, s, t) ? 1 : 2;
    seen[kind]++;
    if (kind !== 1 && hits !== (kind === 2)) expect.fail(`wrong at ${s}, ${t}`);
  }
  expect(seen[0]).toBeGreaterThan(5000);
  expect(seen[2]).toBeGreaterThan(500);
  expect(seen[1]).toBeLessThan(600);
});

test('three arms get one diagram for each pair, and schedules that keep all apart', async () => {
  const files = [sweep, back, write('third.json', motion([0.9, 0.3], [-0.9, 0]))];
  const { code, answer } = await coordinate(sceneOf(3), files);
  expect(code).toBe(0);
  expect(answer.pairs!.map(({ a, b }) => [a, b])).toEqual([
    ['arm', 'right'],
    ['arm', 'top'],
    ['right', 'top'],
  ]);
  expect(answer.free).toBeUndefined();
  expectSchedules(answer, files, [6, 3, 3]);
});

test('--delay sets the least tolerance, and equal inputs give equal bytes', async () => {
  const runs = [1, 2].map(() => coordinate(sceneOf(2), [sweep, back], '--delay', '0.2', '--cells', '2000'));
  const [one, other] = [await runs[0], await runs[1]];
  for (const { points } of one.answer.delay) expect(points[0][1]).toBeGreaterThanOrEqual(0.2 - 1e-9);
  expectSchedules(one.answer, [sweep, back], [6, 3]);
  expect(one.text).toBe(other.text);
});

test('without a schedule the diagram is written all the same, and the exit code is 1', async () => {
  const ends = write('ends.json', motion([1, 0], [0, 0]));
  const { code, stderr, answer } = await coordinate(sceneOf(2), [ends, ends]);
  expect(code).toBe(1);
  expect(stderr).toContain('every schedule collides');
  expect([answer.schedule, answer.makespan, answer.delay]).toEqual([[], null, []]);
  expect(answer.free!.length).toBeGreaterThan(0);
});

test('a trajectory that collides by itself is named, and nothing is written', async () => {
  const post = { name: 'pole', type: 'sphere', radius: 0.1, pose: { xyz: [1.5, 0.8, 0.1] } };
  const { code, stderr, text } = await coordinate(sceneOf(2, { obstacles: [post] }), [
    sweep,
    write('hit.json', motion([-1, 0], [-2, 0])),
  ]);
  expect([code, text]).toEqual([1, '']);
  expect(stderr).toMatch(/hit\.json: right\/(upper|fore) and pole collide, first at .* s, until .* deep\n/);
});

test.each([
  ['violates a constraint', { constraints: [{ type: 'joint', joint: 'elbow', range: [-1, 0.1] }] }, [0.5, 0.2]],
  ['leaves its position limits', {}, [0.5, 3]],
] as const)('a trajectory that %s by itself is refused, and nothing is written', async (_, more, end) => {
  const proof = join(folder, 'refused.json');
  const given = [write('own.json', motion([0, 0], [...end])), back];
  const { code, stderr, text } = await coordinate(sceneOf(2, more), given, '--certificate', proof);
  expect(stderr).toMatch(/own\.json: (constraint "joint" is violated by |elbow: position 3 rad at 3 s, its limit is )/);
  expect([code, text, existsSync(proof)]).toEqual([1, '', false]);
});

test('robots whose start the scene does not state are named in a warning', async () => {
  const [right] = sceneOf(2).robots;
  const unknown = (names: string) => `no start of ${names}: the motion of a robot to its first point is not judged`;
  const known = { start: [-1, 0.2], robots: [{ ...right, q: [1, 0] }] };
  expect((await coordinate(sceneOf(2), [sweep, back])).stderr).toContain(unknown('"arm", "right"'));
  const halfKnown = await coordinate(sceneOf(2, { start: known.start }), [sweep, back]);
  expect(halfKnown.stderr).toContain(unknown('"right"'));
  expect((await coordinate(sceneOf(2, known), [sweep, back])).stderr).not.toContain('no start of');
});

test('other commands name the place of a robot that has neither trajectory nor state', async () => {
  const scene = write('standing.json', JSON.stringify({ ...sceneOf(2), start: [0, 0], goal: [1, 0] }, undefined, 1));
  const { code, stderr } = await elbowroom(['plan', scene]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/standing\.json:\d+: robots\[0\]: robot "right": it has neither a trajectory nor a state q/);
});

test.each<[string, string[], RegExp]>([
  ['-', ['-', sweep], /-: there is no such file\n {2}note: To read stdin, give \/dev\/stdin\./],
  ['stdin given twice', ['/dev/stdin', '/dev/stdin'], /stdin is already the input of another argument/],
])('%s as a trajectory is bad input', async (_, files, message) => {
  const run = await elbowroom(['coordinate', write('scene.json', sceneOf(2)), ...files], {
    input: readFileSync(sweep, 'utf8'),
  });
  expect(run.stderr).toMatch(message);
  expect(run.code).toBe(2);
});

test.each<[string, object, string[], RegExp]>([
  [
    'a missing trajectory',
    sceneOf(2),
    [sweep],
    /2 robots need 2 trajectories, not 1\n {2}note: Give one each for arm, right/,
  ],
  ['a scene of one robot', sceneOf(1), [sweep, back], /it has one robot only/],
  ['a path', sceneOf(2), [sweep, 'path'], /path\.json: points\[0\] has no time/],
  ['joints of another robot', sceneOf(2), [sweep, 'other'], /other\.json: joint_names\[1\]: no planned joint "wrist"/],
  [
    'a moving obstacle',
    sceneOf(2, { obstacles: [{ name: 'door', type: 'sphere', radius: 0.1, motion: { times: [0], poses: [{}] } }] }),
    [sweep, back],
    /obstacle "door" has a motion/,
  ], // prettier-ignore
  [
    'the name of the own robot',
    sceneOf(2, { robots: [{ name: 'arm', ...robotAt(bases[1]) }] }),
    [sweep, back],
    /robots\[0\]\.name is "arm"/,
  ], // prettier-ignore
])('%s is bad input', async (_, scene, files, message) => {
  write('path.json', { joint_names: ['shoulder', 'elbow'], points: [{ positions: [0, 0] }, { positions: [0, 1] }] });
  write('other.json', { ...motion([0, 0], [0, 1]), joint_names: ['shoulder', 'wrist'] });
  const named = files.map((file) => (file.includes('/') ? file : join(folder, `${file}.json`)));
  const { code, stderr, text } = await coordinate(scene, named);
  expect(stderr).toMatch(message);
  expect([code, text]).toEqual([2, '']);
});

test('the certificate of a coordination is verified with its result and its trajectories, and only with them', async () => {
  const proof = join(folder, 'proof.json');
  const { text, code } = await coordinate(sceneOf(2), [sweep, back], '--certificate', proof);
  expect(code).toBe(0);
  const [scene, result] = [write('scene.json', sceneOf(2)), write('result.json', text)];
  const verify = async (...operands: string[]) => elbowroom(['verify', proof, scene, ...operands]);
  const good = await verify(result, sweep, back);
  expect(good.code, good.stderr).toBe(0);
  expect(JSON.parse(good.stdout)).toMatchObject({ proved: true, problems: [] });
  const another = write('another.json', motion([-1, 0.2], [1, 0.001], [-1, -0.2]));
  expect((await verify(result, another, back)).stderr).toMatch('the hashes differ');
  const fast = JSON.parse(text);
  const atOnce = (duration: number) => [0, duration].map((time) => [time, time]);
  fast.schedule[0].points = atOnce(6);
  fast.schedule[1].points = atOnce(3);
  fast.makespan = 6;
  const wrong = await verify(write('fast.json', fast), sweep, back);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch('leave the free cells');
  const few = await verify(result, sweep);
  expect(few.code).toBe(2);
  expect(few.stderr).toMatch('needs its result and 2 trajectories, not 1');
  const swapped = await verify(sweep, result, back);
  expect(swapped.code).toBe(2);
  expect(swapped.stderr).toMatch('is not elbowroom-coordination/1');
  const unknown = await verify(write('unknown.json', { ...fast, margin: 1 }), sweep, back);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch('margin: unknown key');
});

test('without a schedule there is no certificate', async () => {
  const proof = join(folder, 'none.json');
  const ends = write('ends.json', motion([1, 0], [0, 0]));
  const { code, stderr } = await coordinate(sceneOf(2), [ends, ends], '--certificate', proof);
  expect(code).toBe(1);
  expect(stderr).toMatch('no certificate: ');
  expect(existsSync(proof)).toBe(false);
});
