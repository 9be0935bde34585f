import { expect, test } from 'vitest';
import { boundStates } from '../../../../src/core/certificate/moves/stateBounds.ts';
import { boxOf, IkBranch, type PoseChart } from '../../../../src/core/kinematics/branches/ikBranch.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { START, sceneOf, TCP } from '../../../tasks/checking/moves/movesAttack.ts';
import {
  add,
  type Pose,
  rotation,
  rotationVector,
  solve,
  toolPose,
} from '../../../tasks/checking/moves/movesOracle.ts';

const loaded = await loadRobot('ur5e');
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
const model = createSceneRobot({ scene: sceneOf(robot, START, []), robot });
const T_link_frame = Float64Array.of(1, 0, 0, TCP[0], 0, 1, 0, TCP[1], 0, 0, 1, TCP[2]);
const link = model.links.findIndex(({ name }) => name === 'tool0');
const branch = IkBranch.of(model, { link, T_link_frame })!;
const COUNT = Number(process.env.ELBOWROOM_BRANCHES ?? 150);
const STEPS = 12;
/** Part of a rate that is followed to measure it. */
const SHORT = 1e-3;

const random = new Random(Number(process.env.ELBOWROOM_SEED ?? 1));
const vector = (size: number) => [0, 1, 2].map(() => random.between(-size, size));

/** Pose that a twist in the world reaches; the base of the oracle is turned by half a turn. */
const moved = ({ p, R }: Pose, twist: readonly number[], s: number): Pose => {
  const [dx, dy, dz, rx, ry, rz] = twist.map((value) => s * value);
  const turn = rotation([-rx, -ry, rz]);
  return {
    p: add(p, [-dx, -dy, dz]),
    R: turn.map((row) => [0, 1, 2].map((k) => row.reduce((sum, x, i) => sum + x * R[i][k], 0))),
  };
};

/** Returns the twist to a pose that is within these distances of that which a twist reaches. */
function beside(twist: readonly number[], position: number, angle: number): number[] {
  const direction = () => {
    const d = vector(1);
    return d.map((value) => value / Math.hypot(...d));
  };
  const [shift, turn, own] = [
    direction(),
    rotation(direction().map((value) => angle * value)),
    rotation(twist.slice(3)),
  ];
  const R = turn.map((row) => [0, 1, 2].map((k) => row.reduce((total, x, i) => total + x * own[i][k], 0)));
  return [...add(twist.slice(0, 3), shift, position), ...(angle > 0 ? rotationVector(R) : twist.slice(3))];
}

/** Follows a twist from a state by kinematics of its own; undefined where they fail. */
function followed(q: readonly number[], twist: readonly number[]): number[] | undefined {
  let at: number[] | undefined = [...q];
  for (let k = 1; k <= STEPS && at; k++) at = solve(at, moved(toolPose(q, TCP), twist, k / STEPS), TCP);
  return at;
}

const BOUNDS = {
  check: (q: Float64Array, chart: PoseChart) => branch.enclose(q, chart),
  verify: (q: Float64Array, chart: PoseChart) => boundStates(model, branch.frame, q, chart),
};

test.each(Object.entries(BOUNDS))(
  'states and rates with which the arm follows twists of a chart are within its enclosure by %s',
  (_, enclose) => {
    let [enclosed, continued, tightest, fastest] = [0, 0, 0, 0];
    for (let n = 0; n < COUNT; n++) {
      const q = START.map((_, j) => (j === 2 ? random.between(-2.8, 2.8) : random.between(-3, 3)));
      const scale = 10 ** random.between(-3, -0.7);
      const twists = [
        [...vector(scale), 0, 0, 0],
        [0, 0, 0, ...vector(2 * scale)],
      ];
      if (random.below(2) === 0) twists.splice(0, 2, [...vector(scale), ...vector(scale)]);
      if (random.below(2) === 0) twists.push([...vector(scale), 0, 0, 0], [0, 0, 0, ...vector(scale)]);
      const center = new Float64Array(12);
      branch.pose(center, Float64Array.from(q));
      const [position, angle] = random.below(2) === 0 ? [0, 0] : [0.1, 0.2].map((share) => share * scale);
      const chart = { center, twists: twists.map((one) => Float64Array.from(one)), position, angle };
      const cell = enclose(Float64Array.from(q), chart);
      if (cell === undefined) continue;
      enclosed++;
      for (let k = 0; k < 6; k++) {
        const c = twists.map(() => (k < 4 ? (random.below(2) === 0 ? 1 : -1) : random.between(-1, 1)));
        const sum = twists[0].map((_, i) => twists.reduce((total, one, t) => total + c[t] * one[i], 0));
        const twist = beside(sum, position, angle);
        const at = followed(q, twist);
        expect(at, `q ${q}`).toBeDefined();
        for (let j = 0; j < q.length; j++) {
          const middle = cell.generators.reduce((sum, one, t) => sum + c[t] * one[j], q[j]);
          const off = Math.abs(at![j] - middle) / (cell.error[j] + 1e-9);
          expect(off, `q ${q}, twist ${twist}, joint ${j}`).toBeLessThanOrEqual(1);
          tightest = Math.max(tightest, off);
        }
        const d = twists.map(() => random.between(-1, 1));
        const rate = twists[0].map((_, i) => twists.reduce((sum, one, t) => sum + d[t] * one[i], 0));
        const after = solve(at!, moved(toolPose(at!, TCP), rate, SHORT), TCP)!;
        const before = solve(at!, moved(toolPose(at!, TCP), rate, -SHORT), TCP)!;
        for (let j = 0; j < q.length; j++) {
          const speed = (after[j] - before[j]) / (2 * SHORT);
          const off = Math.abs(speed - cell.generators.reduce((sum, one, t) => sum + d[t] * one[j], 0));
          expect(off / (cell.rateError![j] + 1e-7), `q ${q}, rate ${rate}, joint ${j}`).toBeLessThanOrEqual(1);
          fastest = Math.max(fastest, off / (cell.rateError![j] + 1e-7));
        }
        const target = Float64Array.from(center);
        const { p, R } = moved(toolPose(q, TCP), twist, 1);
        for (let i = 0; i < 3; i++) {
          for (let m = 0; m < 3; m++) target[4 * i + m] = (i < 2 ? -1 : 1) * R[i][m];
          target[4 * i + 3] = (i < 2 ? -1 : 1) * p[i];
        }
        const next = branch.continued(Float64Array.from(q), chart, target);
        if (next === undefined) continue;
        continued++;
        for (let j = 0; j < q.length; j++) expect(Math.abs(next[j] - at![j]), `q ${q}`).toBeLessThan(1e-7);
      }
      expect(boxOf(cell).every(Number.isFinite)).toBe(true);
    }
    if (process.env.ELBOWROOM_BRANCHES) console.log({ COUNT, enclosed, continued, tightest, fastest });
    expect(enclosed).toBeGreaterThan(COUNT / 10);
    expect(continued).toBeGreaterThan(enclosed);
  },
);
