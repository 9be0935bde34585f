import { transformOfPose } from '../kinematics/pose.ts';
import { setRotationFromQuaternion } from '../math/quaternion.ts';
import { compose, copy, create, rotate, type Transform } from '../math/transform.ts';
import type { ArcStep, LineStep, LineTarget } from '../scene/program.ts';
import { arcLeg, type CartesianLeg, lineLeg } from './cartesianLeg.ts';

/**
 * Returns the ideal path of a line or arc of a program that begins at a pose of the tool center point; undefined for an
 * arc through collinear points.
 * @param poseOfLink T_world_link of a link at the start of the step
 */
export function stepLegs(
  step: LineStep | ArcStep,
  T_world_tcp: Transform,
  poseOfLink: (link: string) => Transform,
): readonly CartesianLeg[] | undefined {
  const start = T_world_tcp.slice();
  if (step.kind === 'arc') {
    const leg = arcLeg(start, Float64Array.from(step.via), targetPose(step.to, start, poseOfLink));
    return leg && [leg];
  }
  const legs: CartesianLeg[] = [];
  let from: Transform = start;
  for (const target of step.targets) {
    const to = targetPose(target, from, poseOfLink);
    legs.push(lineLeg(from, to));
    from = to;
  }
  return legs;
}

/** Returns T_world_tcp at a target for a step that begins at the pose `start`. */
function targetPose(target: LineTarget, start: Transform, poseOfLink: (link: string) => Transform): Transform {
  const out = create();
  if (target.kind === 'to') {
    const { xyz, quat_wxyz } = target;
    if (quat_wxyz === undefined) copy(out, start);
    else copy(out, transformOfPose({ xyz, quat_wxyz }));
    out[3] = xyz[0];
    out[7] = xyz[1];
    out[11] = xyz[2];
    return out;
  }
  const { by, quat_wxyz, frame } = target;
  const T_world_frame = frame === 'world' ? create() : frame === 'tcp' ? start : poseOfLink(frame);
  // The rotation D in the axes of the frame F is F D Fᵀ in the world.
  const axes = orientationOf(T_world_frame);
  const D = create();
  setRotationFromQuaternion(D, quat_wxyz);
  compose(out, axes, D);
  compose(out, out.slice(), transposed(axes));
  compose(out, out.slice(), orientationOf(start));
  const offset = new Float64Array(3);
  rotate(offset, T_world_frame, Float64Array.from(by));
  out[3] = start[3] + offset[0];
  out[7] = start[7] + offset[1];
  out[11] = start[11] + offset[2];
  return out;
}

/** Returns a transform with the rotation of T and no translation. */
function orientationOf(T: Transform): Transform {
  const R = T.slice();
  R[3] = 0;
  R[7] = 0;
  R[11] = 0;
  return R;
}

function transposed(R: Transform): Transform {
  return Float64Array.of(R[0], R[4], R[8], 0, R[1], R[5], R[9], 0, R[2], R[6], R[10], 0);
}
