import { setRotationFromQuaternion } from '../../math/quaternion.ts';
import { compose, create, type Transform } from '../../math/transform.ts';
import { cos, PI, sin } from '../../math/trigonometry.ts';
import { create as createVec3, cross, norm } from '../../math/vec3.ts';
import type { ProgramMove } from '../../scene/moves/moveProgram.ts';
import { arcLeg, type CartesianLeg, lineLeg } from '../cartesianLeg.ts';

/**
 * rad: rotations that are nearer to a half turn have two shortest ways, between which rounding errors and the
 * calibration of the arm decide.
 */
const HALF_TURN = 1e-3;
/** Ratio of the distances of the points of a circle below which rounding errors determine its plane and center. */
const NEAR = 0.01;

/** Returns the leg of a move from a pose; undefined if its points do not determine the way it goes. */
export function legOf(begin: Transform, { pose, via, isTangential }: ProgramMove): CartesianLeg | undefined {
  if (via !== undefined && !areApart(begin, via, pose!)) return undefined;
  const leg = via === undefined ? lineLeg(begin, pose!) : arcLeg(begin, via, pose!);
  if (leg && isTangential) return tangentialArc(leg);
  return leg && leg.angle <= PI - HALF_TURN ? leg : undefined;
}

function areApart(begin: Transform, via: ArrayLike<number>, end: Transform): boolean {
  const points = [[begin[3], begin[7], begin[11]], Array.from(via), [end[3], end[7], end[11]]];
  const sides = points.map((p, i) => norm(Float64Array.from(p, (x, k) => x - points[(i + 1) % 3][k])));
  return Math.min(...sides) >= NEAR * Math.max(...sides);
}

/** Returns an arc along which the orientation is kept relative to the tangent. */
function tangentialArc(arc: CartesianLeg): CartesianLeg {
  const [first, later] = [new Float64Array(6), new Float64Array(6)];
  arc.twistAt(first, 0);
  arc.twistAt(later, 0.25);
  const normal = createVec3();
  cross(normal, first.subarray(0, 3), later.subarray(0, 3));
  const length = norm(normal);
  const total = arc.curvature / arc.length;
  const axis = normal.map((value) => value / length);
  const turn = create();
  const poseAt = (out: Transform, s: number) => {
    arc.poseAt(out, s);
    const origin = [out[3], out[7], out[11]];
    const half = sin(0.5 * total * s);
    setRotationFromQuaternion(turn, [cos(0.5 * total * s), half * axis[0], half * axis[1], half * axis[2]]);
    compose(out, turn, arc.start);
    for (const [i, k] of [3, 7, 11].entries()) out[k] = origin[i];
  };
  const end = create();
  poseAt(end, 1);
  return {
    ...arc,
    end,
    angle: total,
    poseAt,
    twistAt(out, s) {
      arc.twistAt(out, s);
      for (let k = 0; k < 3; k++) out[3 + k] = total * axis[k];
    },
  };
}
