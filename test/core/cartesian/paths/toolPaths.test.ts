import { assert, beforeAll, test } from 'vitest';
import { curveNodes, leastJerkDuration } from '../../../../bench/leastJerkDuration.ts';
import { idealPath } from '../../../../src/core/cartesian/paths/idealPath.ts';
import { PathProver } from '../../../../src/core/cartesian/paths/pathProver.ts';
import { smoothSections } from '../../../../src/core/cartesian/paths/smoothPath.ts';
import { ToolTracker } from '../../../../src/core/cartesian/toolTracker.ts';
import { chainInFrame } from '../../../../src/core/kinematics/composition/chainInFrame.ts';
import { forwardKinematics, RobotState } from '../../../../src/core/kinematics/forwardKinematics.ts';
import { linkNamed } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { compose, create, invert } from '../../../../src/core/math/transform.ts';
import type { PathStep } from '../../../../src/core/scene/program.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../../src/core/trajectory/trajectoryCurve.ts';
import { motionLimitsOf } from '../../../../src/tasks/sceneRobot.ts';
import { ChainOracle } from '../chainOracle.ts';
import { fastestDuration } from '../fastestDuration.ts';
import { ladderCase } from './pathLadder.ts';
import { attackToolPath, isPathProved, type PathRobot, pathRobot, pathStep, plannedPath } from './toolPathAttack.ts';
import { brokenLimit, leavesPath } from './toolPathOracle.ts';

let ur5e: PathRobot;
beforeAll(async () => {
  ur5e = await pathRobot('ur5e');
});

/** A path in the plane of the tool through corners, from where the tool is at home. */
const through = (corners: readonly (readonly [number, number])[], given: Partial<PathStep> = {}): PathStep =>
  pathStep(
    ur5e,
    ({ xyz, quat_wxyz }) => corners.map(([x, y]) => ({ xyz: [xyz[0] + x, xyz[1] + y, xyz[2]], quat_wxyz })),
    given,
  );

function planned(step: PathStep): Trajectory {
  const motion = plannedPath(ur5e, step);
  assert(motion);
  return motion;
}

const isProved = (step: PathStep, motion: Trajectory) => isPathProved(ur5e, step, motion);
const leaves = (step: PathStep, motion: Trajectory, samples: number, factor: number) =>
  leavesPath(ur5e.model, ur5e.tcp, step, motion, samples, factor);

const ZIGZAG: [number, number][] = [
  [0, 0],
  [0.02, 0],
  [0.04, 0],
  [0.04, 0.005],
  [0.02, 0.006],
  [0, 0.005],
  [0, 0.01],
  [0.03, 0.01],
];

test('a planned motion follows its tool path at every sample, through sharp and slight corners and back again', () => {
  const there: [number, number][] = [...ZIGZAG, [0.01, 0.01], [0.01, 0.02]];
  const step = through(there);
  const motion = planned(step);
  assert(isProved(step, motion));
  assert.equal(leaves(step, motion, 2000, 1.01), undefined);
});

test('no disturbed motion that leaves its tool path at a sample is proved to follow it', () => {
  const random = new Random(4);
  let [proved, refused, left] = [0, 0, 0];
  for (const isYawFree of [false, true]) {
    const step = through(ZIGZAG, { isYawFree, ...(isYawFree && { tilt: 0.02 }) });
    const motion = planned(step);
    for (let i = 0; i < 24; i++) {
      const size = 10 ** random.between(-5, -2.3);
      const first = random.below(motion.points.length);
      const count = 1 + random.below(6);
      const points = motion.points.map((point, k) => {
        const isHit = k >= first && k < first + count;
        return isHit ? { ...point, positions: point.positions.map((x) => x + size * random.between(-1, 1)) } : point;
      });
      const disturbed = { ...motion, points };
      if (isProved(step, disturbed)) {
        proved++;
        assert.equal(leaves(step, disturbed, 800, 1.02), undefined, `case ${i}`);
      } else {
        refused++;
        if (i % 4 === 0 && leaves(step, disturbed, 800, 1) !== undefined) left++;
      }
    }
  }
  assert(proved > 5 && refused > 5 && left > 1, `${proved} proved, ${refused} refused, ${left} of a quarter leave it`);
});

test('a motion that leaves way points out, or passes them in another order, is not proved to follow the tool path', () => {
  const step = through(ZIGZAG);
  for (const order of [
    [0, 1, 2, 3, 6, 7],
    [0, 1, 2, 5, 4, 3, 6, 7],
    [0, 1, 2, 3, 4, 5, 6],
    [0, 1, 2, 3, 4, 5, 4, 5, 6, 7],
  ]) {
    const other = through(order.map((k) => ZIGZAG[k]));
    const motion = planned(other);
    assert(isProved(other, motion));
    assert(!isProved(step, motion), order.join());
  }
});

test('in the spheres of a blend the tool leaves the tolerance: sooner at the end, and only proved with that blend', () => {
  const teeth = Array.from({ length: 9 }, (_, k): [number, number] => [0.003 * k, 0.003 * (k % 2)]);
  const rules = { tolerance: { position: 1e-4, angle: 2e-3 }, pathSpeed: Number.POSITIVE_INFINITY };
  const sharp = planned(through(teeth, rules));
  const step = through(teeth, { ...rules, blend: 1e-3 });
  const motion = planned(step);
  const durations = [sharp, motion].map(({ points }) => points.at(-1)!.time_from_start!);
  assert(durations[1] < 0.95 * durations[0], durations.join());
  assert(isProved(step, motion) && isProved(step, sharp));
  assert.equal(leaves(step, motion, 6400, 1), undefined);
  for (const blend of [0, 3e-4]) {
    assert(!isProved({ ...step, blend }, motion));
    assert(leaves({ ...step, blend }, motion, 6400, 1) !== undefined);
  }
  // ends of the path are no corners, and a motion that leaves a tooth out passes outside of its sphere
  assert(!isProved(step, { ...motion, points: motion.points.slice(0, -4) }));
  const cut = planned(through(teeth.toSpliced(3, 1), rules));
  assert(!isProved(step, cut) && leaves(step, cut, 6400, 1) !== undefined);
});

test('no disturbed motion that leaves its path and the spheres of its blends is proved', () => {
  const random = new Random(77);
  const teeth = Array.from({ length: 4 }, (_, k): [number, number] => [0.003 * k, 0.003 * (k % 2)]);
  const step = through(teeth, { tolerance: { position: 1e-4, angle: 2e-3 }, blend: 1e-3 });
  const motion = planned(step);
  const tally = { proved: 0, left: 0 };
  for (let n = 0; n < 24; n++) {
    const [joint, size, from] = [random.below(6), 10 ** random.between(-5, -2.5), random.below(motion.points.length)];
    const count = 1 + random.below(12);
    const points = motion.points.map((point, k) => {
      const bump = k >= from && k < from + count ? Math.sin((Math.PI * (k - from + 1)) / (count + 1)) : 0;
      return { ...point, positions: point.positions.map((x, j) => (j === joint ? x + size * bump : x)) };
    });
    const disturbed = { ...motion, points };
    const isLeft = leaves(step, disturbed, 400, 1) !== undefined;
    if (isProved(step, disturbed)) {
      tally.proved++;
      assert.equal(leaves(step, disturbed, 800, 1.01), undefined, `motion ${n}`);
    }
    if (isLeft) tally.left++;
  }
  assert(tally.proved > 2 && tally.left > 2, JSON.stringify(tally));
});

/** Way points 2 mm apart on a circle, with a weave across it. */
const weaveCorners = (count: number) =>
  Array.from({ length: count }, (_, k): [number, number] => {
    const angle = (k * 2e-3) / 0.12;
    return [0.12 * (Math.cos(angle) - 1) + 1.5e-3 * Math.sin(k / 2), 0.12 * Math.sin(angle)];
  });

const weave = (count: number, given: Partial<PathStep> = {}): PathStep =>
  through(weaveCorners(count), { tolerance: { position: 1e-4, angle: 2e-3 }, ...given });

test('a motion along a smooth weave has fewer than 1.7 points per way point', () => {
  const motion = planned(weave(120, { pathSpeed: Number.POSITIVE_INFINITY }));
  assert(motion.points.length < 1.7 * 120, `${motion.points.length} points`);
});

test('a motion along a weave takes at most 1.05 times as long as the fastest one along the same curve', () => {
  const step = weave(60, { pathSpeed: Number.POSITIVE_INFINITY });
  const { model, tcp, home } = ur5e;
  const { legs } = idealPath(step, new ToolTracker(model, tcp).pose(home).slice());
  const [{ leg }, ...others] = smoothSections(legs, step.tolerance);
  assert.equal(others.length, 0);
  const chain = new ChainOracle(model, tcp.link, tcp.T_link_frame);
  const least = fastestDuration(chain, leg, home, motionLimitsOf(model, {}), 6000)!;
  const duration = planned(step).points.at(-1)!.time_from_start!;
  assert(duration <= 1.05 * least, `${duration} s, the fastest one takes ${least} s`);
});

test('with limits of jerk, points are added only where the motion deviates: twice the path has twice the points', async () => {
  const arm7 = await pathRobot('arm7');
  const points = (count: number) => {
    const step = pathStep(
      arm7,
      ({ xyz, quat_wxyz }) =>
        weaveCorners(count).map(([x, y]) => ({ xyz: [xyz[0] + x, xyz[1] + y, xyz[2]], quat_wxyz })),
      { tolerance: { position: 1e-4, angle: 2e-3 } },
    );
    const motion = plannedPath(arm7, step);
    assert(motion && isPathProved(arm7, step, motion));
    return motion.points.length;
  };
  const [short, long] = [points(300), points(600)];
  assert(long < 2.1 * short, `${short} and ${long} points`);
});

test('a motion away from a tool path whose way points are all equal is not proved to follow it', () => {
  const step = through([
    [0, 0],
    [0, 0],
  ]);
  const motion = planned(through(ZIGZAG));
  assert(!isProved(step, motion));
  const [first] = motion.points;
  const still = { ...motion, points: [first, { ...first, time_from_start: 1 }] };
  assert(isProved(step, still));
});

test('a proof that is interrupted after any number of calls does not accept a motion that leaves the tool path', () => {
  const [step, motion] = [through(ZIGZAG), planned(through(ZIGZAG.slice(0, -1)))];
  const curve = new TrajectoryCurve(motion);
  const { model, tool } = chainInFrame(ur5e.model, ur5e.tcp, create());
  const start = new ToolTracker(model, tool).pose(Float64Array.from(motion.points[0].positions)).slice();
  for (let count = 0, isOver = false; !isOver; count++) {
    let left = count;
    isOver = true;
    const interrupt = () => {
      const isInterrupted = --left < 0;
      isOver &&= !isInterrupted;
      return isInterrupted;
    };
    const prover = new PathProver(model, tool, interrupt);
    const { faults } = prover.prove(curve, idealPath(step, start), [curve.start, curve.end], step.tolerance);
    assert(faults.length > 0, `interrupted at call ${count}`);
  }
});

test('way points that differ in the free rotation alone are passed', () => {
  const step = through(ZIGZAG, { isYawFree: true });
  const points = step.points.flatMap((point, k) => {
    const [w, x, y, z] = point.quat_wxyz!;
    const [c, s] = [Math.cos(0.1 * k), Math.sin(0.1 * k)]; // rotated about the z axis of the tool
    const quat_wxyz = [w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s] as const;
    return [point, { ...point, quat_wxyz }];
  });
  const turned = { ...step, points };
  const motion = planned(turned);
  assert(isProved(turned, motion));
  assert.equal(leaves(turned, motion, 800, 1.02), undefined);
});

test('the chain from a link to the tool has the pose of the tool in the frame of the link', () => {
  const random = new Random(8);
  const state = new RobotState(ur5e.model);
  const link = linkNamed(ur5e.model, 'forearm_link');
  for (const frame of [link, linkNamed(ur5e.model, 'wrist_2_link')]) {
    const { model, tool } = chainInFrame(ur5e.model, ur5e.tcp, frame);
    const own = new ToolTracker(model, tool);
    for (let i = 0; i < 20; i++) {
      const q = Float64Array.from({ length: 6 }, () => random.between(-3, 3));
      forwardKinematics(state, q);
      const T = create();
      invert(T, state.T_world_link[frame]);
      compose(T, T, state.T_world_link[ur5e.tcp.link]);
      const found = own.pose(q);
      for (let k = 0; k < 12; k++) assert(Math.abs(found[k] - T[k]) < 1e-12, `${frame} ${k}`);
    }
  }
});

test.for([
  ['ur5e', [1, 3], undefined],
  ['arm7', [2, 4], undefined],
  ['ur5e', [1, 3], 100],
  ['weld-seam', [1, 4], 1000],
] as const)(
  'an independent program finds each proved motion of %s on its path, of changed ones as well; limits of jerk: %s, %s',
  async ([name, seeds, jerk]) => {
    const robot = await pathRobot(name, jerk);
    const tally = seeds.map((seed) => attackToolPath(robot, seed, 300));
    assert.deepEqual(
      tally.flatMap((one) => one?.wrong),
      [],
    );
    assert(tally.every((one) => one && one.proved > 1 && one.refused > 5));
  },
);

test('the independent program finds jerks above a limit', async () => {
  const [robot, stricter] = [await pathRobot('ur5e', 100), await pathRobot('ur5e', 98)];
  const step = weave(20, { pathSpeed: Number.POSITIVE_INFINITY });
  const motion = plannedPath(robot, step);
  assert(motion);
  assert.equal(brokenLimit(robot, step, motion, 2000), undefined);
  assert.match(brokenLimit(stricter, step, motion, 2000) ?? '', /^jerk of/);
});

test('with limits of jerk, a weave takes at most 1.05 times as long as the fastest motion on its curve', async () => {
  const robot = await pathRobot('ur5e', 100);
  const motion = plannedPath(robot, weave(60, { pathSpeed: Number.POSITIVE_INFINITY }));
  assert(motion);
  const curve = new TrajectoryCurve(motion);
  const limits = motionLimitsOf(robot.model, {});
  const least = leastJerkDuration(curveNodes(curve, curve.start, curve.end, 4, limits), limits);
  assert(curve.end <= 1.05 * least, `${curve.end} s, the fastest one takes ${least} s`);
});

test('the search of whole paths follows each small path that brute force follows, one that continuation does not', async () => {
  const robot = await pathRobot('ur5e');
  const cases = [46, 47, 48, 49].map((seed) => ladderCase(robot, seed, 6));
  for (const { greedy, search, bruteForce } of cases) assert(greedy || search || !bruteForce);
  assert.deepEqual(cases[0], { greedy: false, search: true, bruteForce: true });
});
