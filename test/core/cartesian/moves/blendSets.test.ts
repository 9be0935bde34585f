import { expect, test } from 'vitest';
import { type MoveSet, walk } from '../../../../src/core/cartesian/moves/moveSet.ts';
import { ProgramSets } from '../../../../src/core/cartesian/moves/programSets.ts';
import { boundStates } from '../../../../src/core/certificate/moves/stateBounds.ts';
import { boxOf } from '../../../../src/core/kinematics/branches/ikBranch.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { moveProgramOf } from '../../../../src/tasks/checking/moves/readMoveProgram.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { cases } from '../../../cases.ts';
import { legsOf } from '../../../tasks/checking/moves/moveMembers.ts';
import { poseText, START, sceneOf, TCP } from '../../../tasks/checking/moves/movesAttack.ts';
import {
  add,
  dist,
  mix,
  mulTransposed,
  type Pose,
  rotation,
  rotationVector,
  slerp,
  solve,
  toolPose,
  ur5e,
} from '../../../tasks/checking/moves/movesOracle.ts';

const loaded = await loadRobot('ur5e');
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
const scene = sceneOf(robot, START, []);
const model = createSceneRobot({ scene, robot });
const sets = new ProgramSets(model);
const COUNT = Number(process.env.ELBOWROOM_BLENDS ?? cases(12));
const random = new Random(Number(process.env.ELBOWROOM_SEED ?? 1));
const STEPS = 20;

const vector = (size: number) => [0, 1, 2].map(() => random.between(-size, size));
const turnedBy = (R: Pose['R'], w: readonly number[]): Pose['R'] =>
  rotation(w).map((row) => [0, 1, 2].map((k) => row.reduce((sum, x, i) => sum + x * R[i][k], 0)));
const placed = ({ p, R }: Pose, far: number, turn: number): Pose => ({
  p: add(p, vector(far)),
  R: turnedBy(R, vector(turn)),
});

/** Rodrigues vector of the rotation from one orientation to another. */
function rodrigues(to: Pose['R'], from: Pose['R']): number[] {
  const w = rotationVector(mulTransposed(to, from));
  const angle = Math.hypot(...w);
  return w.map((x) => (angle > 0 ? (x * Math.tan(angle / 2)) / angle : 0));
}

const ofRodrigues = (rho: readonly number[]) => {
  const size = Math.hypot(...rho);
  return rho.map((x) => (size > 0 ? (2 * Math.atan(size) * x) / size : 0));
};

/** Follows the straight way from the tool's pose at q to another one; undefined where the oracle fails. */
function followed(q: readonly number[], target: Pose): number[] | undefined {
  const from = toolPose(q, TCP);
  let at: number[] | undefined = [...q];
  for (let k = 1; k <= STEPS && at; k++)
    at = solve(at, { p: mix(from.p, target.p, k / STEPS), R: slerp(from.R, target.R, k / STEPS) }, TCP);
  return at;
}

/** The blend of a program of two moves, whose poses are written with nine decimals. */
function blendOf(lines: readonly string[]) {
  const text = ['def p():', `  set_tcp(p[${TCP.join(', ')}, 0, 0, 0])`, ...lines, 'end', ''].join('\n');
  try {
    const { moves } = moveProgramOf(text, 'p.script', model, scene)!;
    return sets.parts(Float64Array.from(START), moves).find(({ isBlend }) => isBlend);
  } catch {
    return undefined; // out of reach
  }
}

/** Expects the states at random places of random cells of a set to be within its enclosures. */
function expectEnclosed(set: MoveSet, q: ArrayLike<number>, stateAt: (at: readonly number[]) => number[] | undefined) {
  let enclosed = 0;
  for (let k = 0; k < 6; k++) {
    const half = set.root.half.map((value) => value * 10 ** random.between(-2, -0.3));
    const at = set.root.at.map((value, i) => value + random.between(-1, 1) * (set.root.half[i] - half[i]));
    const middle = walk(set, Float64Array.from(q), set.origin, at);
    if (middle === undefined) continue;
    const cells = [set.enclose({ at, half }, middle)];
    cells.push(set.enclose({ at, half }, middle, (...given) => boundStates(model, ...given)));
    for (let n = 0; n < 4; n++) {
      const place = at.map((value, i) => value + half[i] * (n < 2 ? 2 * random.below(2) - 1 : random.between(-1, 1)));
      const state = stateAt(place);
      if (state === undefined) continue;
      for (const cell of cells) {
        if (cell === undefined) continue;
        enclosed++;
        for (const [j, most] of boxOf(cell).entries())
          expect(Math.abs(state[j] - middle[j]), `joint ${j} at ${place} of ${at} ± ${half}`).toBeLessThan(most + 1e-7);
      }
    }
  }
  return enclosed;
}

const home = toolPose(START, TCP);
const RADIUS = 0.04;

test('the places and orientations of a blend of two lines that turn the tool are enclosed', () => {
  let enclosed = 0;
  for (let round = 0; round < COUNT; round++) {
    const corner = placed(home, 0.15, 0.4);
    const last = placed(corner, 0.15, 0.7);
    const part = blendOf([`  movel(${poseText(corner)}, r=${RADIUS})`, `  movel(${poseText(last)})`]);
    if (part?.set === undefined) continue;
    const [u, v] = [home, last].map(({ p }) => {
      const away = add(p, corner.p, -1);
      return away.map((x) => (x * RADIUS) / Math.hypot(...away));
    });
    const turns = [rodrigues(home.R, corner.R), rodrigues(last.R, corner.R)];
    enclosed += expectEnclosed(part.set, part.q, ([a, b, c, d]) => {
      const R = turnedBy(corner.R, ofRodrigues(mix(turns[0], turns[1], d).map((x) => c * x)));
      return followed(Array.from(part.q), { p: add(corner.p, mix(u, v, b), a), R });
    });
  }
  expect(enclosed).toBeGreaterThan(COUNT);
});

/** A line to a corner and an arc from it, or both backwards: the parts of both within the radius, from the corner. */
function lineAndArc(isBack: boolean) {
  const shift = (p: readonly number[], far: number): Pose => ({ p: add(p, vector(far)), R: home.R });
  const [corner, via, end] = [shift(home.p, 0.15), shift(home.p, 0.12), shift(home.p, 0.15)];
  const arcOf = (from: Pose, to: Pose) => {
    const targets = [
      { kind: 'movel', pose: from, radius: 0 },
      { kind: 'movec', pose: to, via: via.p, radius: 0 },
    ] as const;
    return legsOf({ arm: ur5e, tcp: TCP }, START, targets, [])?.[1];
  };
  const arc = isBack ? arcOf(home, corner) : arcOf(corner, end);
  if (arc?.at === undefined) return undefined;
  const on = (s: number) => arc.at!(isBack ? 1 - s : s, 0).p;
  let [low, high] = [0, 1];
  for (let k = 0; k < 50; k++) {
    const middle = 0.5 * (low + high);
    if (dist(on(middle), corner.p) < RADIUS) low = middle;
    else high = middle;
  }
  const other = isBack ? end : home;
  const line = (s: number) => add(corner.p, add(other.p, corner.p, -1), (s * RADIUS) / dist(other.p, corner.p));
  const way = `movec(${poseText(via)}, ${poseText(isBack ? corner : end)}`;
  const lines = isBack
    ? [`  ${way}, r=${RADIUS})`, `  movel(${poseText(end)})`]
    : [`  movel(${poseText(corner)}, r=${RADIUS})`, `  ${way})`];
  const bulge = add(on(0.5 * low), mix(corner.p, on(low), 0.5), -1);
  const [ofArc, ofLine] = [on(low), line(1)].map((p) => add(p, corner.p, -1));
  return { corner, lines, bulge, line, arc: (s: number) => on(s * low), ofArc, ofLine };
}

test('the places of a blend of a line and an arc are enclosed, moved by any share of the height of the arc', () => {
  let enclosed = 0;
  for (let round = 0; round < 2 * COUNT; round++) {
    const isBack = round % 2 > 0;
    const given = lineAndArc(isBack);
    const part = given && blendOf(given.lines);
    if (part?.set === undefined) continue;
    const { corner, bulge, ofArc, ofLine } = given!;
    const [u, v] = isBack ? [ofArc, ofLine] : [ofLine, ofArc];
    enclosed += expectEnclosed(part.set, part.q, ([a, b]) => {
      const share = random.below(2) > 0 ? random.below(2) : random.between(0, 1);
      return followed(Array.from(part.q), { p: add(add(corner.p, mix(u, v, b), a), bulge, share), R: home.R });
    });
  }
  expect(enclosed).toBeGreaterThan(COUNT);
});

test('the convex hull of a line and an arc is in their triangle moved by shares of the height of the arc', () => {
  let count = 0;
  for (let round = 0; round < 40 * COUNT; round++) {
    const given = lineAndArc(round % 2 > 0);
    if (given === undefined) continue;
    const { corner, bulge, line, arc, ofArc, ofLine } = given;
    const points = [line(random.between(0, 1)), ...[0, 1, 2].map(() => arc(random.between(0, 1)))];
    const weights = points.map(() => -Math.log(1 - random.next()));
    const sum = weights.reduce((total, w) => total + w, 0);
    const away = points.reduce((total, p, i) => add(total, add(p, corner.p, -1), weights[i] / sum), [0, 0, 0]);
    const [x, y, z] = solved([ofLine, ofArc, bulge], away);
    expect(Math.min(x, y, z, 1 - z, 1 - x - y), JSON.stringify([x, y, z])).toBeGreaterThan(-1e-6);
    count++;
  }
  expect(count).toBeGreaterThan(10 * COUNT);
});

/** Solves x a + y b + z c = d. */
function solved([a, b, c]: readonly (readonly number[])[], d: readonly number[]): number[] {
  const det = (p: readonly number[], q: readonly number[], r: readonly number[]) =>
    p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
  return [det(d, b, c), det(a, d, c), det(a, b, d)].map((value) => value / det(a, b, c));
}

test('the sums of a joint move and the states of a line that turns the tool are enclosed', () => {
  let enclosed = 0;
  for (let round = 0; round < COUNT; round++) {
    const isFirst = random.below(2) === 0;
    const target = placed(home, 0.15, 0.5);
    const joints = START.map((x) => x + random.between(-0.3, 0.3));
    const line = `  movel(${poseText(target)}, r=${RADIUS})`;
    const move = `  movej([${joints.join(', ')}], r=${RADIUS})`;
    const part = blendOf(isFirst ? [line, move] : [move, line]);
    if (part?.set === undefined) continue;
    const q = Array.from(part.q);
    const [from, to] = isFirst ? [home, target] : [toolPose(joints, TCP), target];
    const u = Array.from(part.set.step(part.q, part.set.origin, [1, ...part.set.origin.slice(1)])!, (x, j) => x - q[j]);
    enclosed += expectEnclosed(part.set, part.q, ([x, z, s, y]) => {
      const L = followed(q, { p: mix(from.p, to.p, s), R: slerp(from.R, to.R, y) });
      return L?.map((value, j) => q[j] + x * u[j] + z * (value - q[j]));
    });
  }
  expect(enclosed).toBeGreaterThan(COUNT);
});

test('interpolations by the shortest way between orientations of two moves are in the triangle of their turns', () => {
  for (let round = 0; round < cases(500); round++) {
    const { R } = home;
    const [w1, w2] = [vector(0.8), vector(0.8)];
    const [u, v] = [w1, w2].map((w) => rodrigues(turnedBy(R, w), R));
    const orientation = (w: readonly number[]) => {
      const share = random.between(0, 1);
      return turnedBy(
        R,
        w.map((x) => share * x),
      );
    };
    let at = slerp(orientation(w1), orientation(w2), random.between(0, 1));
    if (round % 2 > 0) at = slerp(at, orientation(random.below(2) > 0 ? w1 : w2), random.between(0, 1));
    const rho = rodrigues(at, R);
    const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);
    const [uu, uv, vv, ru, rv] = [dot(u, u), dot(u, v), dot(v, v), dot(rho, u), dot(rho, v)];
    const det = uu * vv - uv * uv;
    const [x, y] = [(ru * vv - rv * uv) / det, (rv * uu - ru * uv) / det];
    expect(
      dist(
        rho,
        add(
          u.map((value) => value * x),
          v,
          y,
        ),
      ),
    ).toBeLessThan(1e-9);
    expect(Math.min(x, y, 1 - x - y)).toBeGreaterThan(-1e-9);
  }
});
