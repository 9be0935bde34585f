import { assert, beforeAll, test } from 'vitest';
import { FrameSpeed } from '../../../../src/core/cartesian/frameSpeed.ts';
import { timedPath } from '../../../../src/core/cartesian/paths/timedPath.ts';
import { PathTool, toleranceOf } from '../../../../src/core/cartesian/paths/toolPath.ts';
import { ToolTracker } from '../../../../src/core/cartesian/toolTracker.ts';
import { chainInFrame } from '../../../../src/core/kinematics/composition/chainInFrame.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../../src/core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../../../src/core/kinematics/pose.ts';
import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { type LinkFrame, linkNamed } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import { never } from '../../../../src/core/math/interrupt.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { compose, create, invert } from '../../../../src/core/math/transform.ts';
import type { PathStep } from '../../../../src/core/scene/program.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../../src/core/trajectory/trajectoryCurve.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { motionLimitsOf } from '../../../../src/tasks/sceneRobot.ts';
import { leavesPath } from './toolPathOracle.ts';

let ur5e: RobotModel;
beforeAll(async () => {
  ur5e = createRobotModel(await loadRobot('ur5e'));
});

const tcp = (model: RobotModel): LinkFrame => ({ link: linkNamed(model, 'tool0'), T_link_frame: create() });
const HOME = Float64Array.of(0.2, -1.4, 1.7, -1.8, -1.5, 0.3);

/** A path in the plane of the tool through corners, from where the tool is at HOME. */
function pathStep(corners: readonly (readonly [number, number])[], given: Partial<PathStep> = {}): PathStep {
  const tracker = new ToolTracker(ur5e, tcp(ur5e));
  const { xyz, quat_wxyz } = poseOfTransform(tracker.pose(HOME).slice());
  return {
    kind: 'path',
    index: 0,
    speed: 1,
    acceleration: 1,
    blend: 0,
    tolerance: { position: 2e-4, angle: 3e-3 },
    constraints: [],
    points: corners.map(([x, y]) => ({ xyz: [xyz[0] + x, xyz[1] + y, xyz[2]], quat_wxyz })),
    frame: 'world',
    isYawFree: false,
    tilt: 0,
    pathSpeed: 0.1,
    ...given,
  };
}

function planned(step: PathStep): Trajectory {
  const tool = new PathTool(ur5e, tcp(ur5e), create(), step, never);
  const followed = tool.follow(HOME)!;
  assert.equal(followed.fault, undefined);
  const world = { tracker: new ToolTracker(ur5e, tcp(ur5e)), speed: new FrameSpeed(ur5e, tcp(ur5e)) };
  const limits = motionLimitsOf(ur5e, {});
  const rules = { limits, tolerance: toleranceOf(step), tcpSpeed: Number.POSITIVE_INFINITY };
  const points = timedPath({ tool, world, interrupt: never }, followed.ideal, followed.sections, rules);
  assert(!('reached' in points), `no motion after way point ${'reached' in points ? points.reached : 0}`);
  return { jointNames: ur5e.variables.map(({ name }) => name), points, interpolation: 'cubic' };
}

function isProved(step: PathStep, motion: Trajectory): boolean {
  const tool = new PathTool(ur5e, tcp(ur5e), create(), step, never);
  const curve = new TrajectoryCurve(motion);
  const ideal = tool.ideal(Float64Array.from(motion.points[0].positions));
  return tool.prover.prove(curve, ideal, [curve.start, curve.end], toleranceOf(step)).faults.length === 0;
}

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
  const step = pathStep(there);
  const motion = planned(step);
  assert(isProved(step, motion));
  assert.equal(leavesPath(ur5e, tcp(ur5e), step, motion, 2000, 1.01), undefined);
});

test('no disturbed motion that leaves its tool path at a sample is proved to follow it', () => {
  const random = new Random(4);
  let [proved, refused, left] = [0, 0, 0];
  for (const isYawFree of [false, true]) {
    const step = pathStep(ZIGZAG, { isYawFree, ...(isYawFree && { tilt: 0.02 }) });
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
        assert.equal(leavesPath(ur5e, tcp(ur5e), step, disturbed, 800, 1.02), undefined, `case ${i}`);
      } else {
        refused++;
        if (i % 4 === 0 && leavesPath(ur5e, tcp(ur5e), step, disturbed, 800) !== undefined) left++;
      }
    }
  }
  assert(proved > 5 && refused > 5 && left > 3, `${proved} proved, ${refused} refused, ${left} of a quarter leave it`);
});

test('a motion that leaves way points out, or passes them in another order, is not proved to follow the tool path', () => {
  const step = pathStep(ZIGZAG);
  for (const order of [
    [0, 1, 2, 3, 6, 7],
    [0, 1, 2, 5, 4, 3, 6, 7],
    [0, 1, 2, 3, 4, 5, 6],
    [0, 1, 2, 3, 4, 5, 4, 5, 6, 7],
  ]) {
    const other = pathStep(order.map((k) => ZIGZAG[k]));
    const motion = planned(other);
    assert(isProved(other, motion));
    assert(!isProved(step, motion), order.join());
  }
});

test('a motion away from a tool path whose way points are all equal is not proved to follow it', () => {
  const step = pathStep([
    [0, 0],
    [0, 0],
  ]);
  const motion = planned(pathStep(ZIGZAG));
  assert(!isProved(step, motion));
  const [first] = motion.points;
  const still = { ...motion, points: [first, { ...first, time_from_start: 1 }] };
  assert(isProved(step, still));
});

test('way points that differ in the free rotation alone are passed', () => {
  const step = pathStep(ZIGZAG, { isYawFree: true });
  const points = step.points.flatMap((point, k) => {
    const [w, x, y, z] = point.quat_wxyz!;
    const [c, s] = [Math.cos(0.1 * k), Math.sin(0.1 * k)]; // rotated about the z axis of the tool
    const quat_wxyz = [w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s] as const;
    return [point, { ...point, quat_wxyz }];
  });
  const turned = { ...step, points };
  const motion = planned(turned);
  assert(isProved(turned, motion));
  assert.equal(leavesPath(ur5e, tcp(ur5e), turned, motion, 800, 1.02), undefined);
});

test('the chain from a link to the tool has the pose of the tool in the frame of the link', () => {
  const random = new Random(8);
  const state = new RobotState(ur5e);
  const link = linkNamed(ur5e, 'forearm_link');
  for (const frame of [link, linkNamed(ur5e, 'wrist_2_link')]) {
    const { model, tool } = chainInFrame(ur5e, tcp(ur5e), frame);
    const own = new ToolTracker(model, tool);
    for (let i = 0; i < 20; i++) {
      const q = Float64Array.from({ length: 6 }, () => random.between(-3, 3));
      forwardKinematics(state, q);
      const T = create();
      invert(T, state.T_world_link[frame]);
      compose(T, T, state.T_world_link[tcp(ur5e).link]);
      const found = own.pose(q);
      for (let k = 0; k < 12; k++) assert(Math.abs(found[k] - T[k]) < 1e-12, `${frame} ${k}`);
    }
  }
});
