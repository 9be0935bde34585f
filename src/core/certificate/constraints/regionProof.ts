import { transformOfPose } from '../../kinematics/pose.ts';
import { UNIT_ROUNDOFF } from '../../kinematics/poseRounding.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import { rotateBack } from '../../math/transform.ts';
import { norm, create as vec3 } from '../../math/vec3.ts';
import { constraintLabel, type RegionConstraint } from '../../scene/constraints.ts';
import { createShape } from '../../shapes/index.ts';
import { FixedVector } from './fixedVector.ts';
import { POSE_TOLERANCE, type ProvedConstraint } from './provedConstraint.ts';
import { signedDistance } from './signedDistance.ts';

/** Roundings of a signed distance, relative to the coordinates of the point and the shape. */
const ROUNDINGS = 256 * UNIT_ROUNDOFF;

/**
 * Creates the evaluator of a region: the origin of a frame stays inside a convex shape. With τ the time from the
 * middle, it differs by at most D₂ h²/2 from x + τ ẋ, whose signed distance from the shape is largest at an end,
 * because that distance is convex.
 */
export function region(given: RegionConstraint, robot: RobotModel, frame: LinkFrame): ProvedConstraint {
  const shape = createShape(given.shape);
  const distanceOf = signedDistance(shape);
  const extent = Number.isFinite(shape.extent) ? shape.extent : shape.margin;
  const T_world_region = transformOfPose(given.pose);
  const place = Float64Array.from(given.pose.xyz);
  const origin = new FixedVector(robot, frame);
  const x = vec3();
  const distanceAt = (time: number) => {
    for (let i = 0; i < 3; i++) x[i] = origin.value[i] + time * origin.velocity[i] - place[i];
    rotateBack(x, T_world_region, x);
    return distanceOf(x);
  };
  return {
    label: constraintLabel(given),
    tolerance: POSE_TOLERANCE,
    excess(moment) {
      origin.evaluate(moment);
      const { half } = moment;
      const size = norm(origin.value) + norm(place) + half * origin.speed + extent;
      const away = half * (origin.velocityError + 0.5 * half * origin.bend) + origin.valueError + ROUNDINGS * size;
      return { now: distanceAt(0), upperBound: Math.max(distanceAt(half), distanceAt(-half)) + away };
    },
  };
}
