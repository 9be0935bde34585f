import { offsetOf } from '../../kinematics/poseRounding.ts';
import { create, norm, type Vec3 } from '../../math/vec3.ts';
import { contactUncertainty } from '../../narrowphase/iterationLimits.ts';
import type { PairCache } from '../../narrowphase/solver.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { boxReach } from './floatErrors.ts';
import { LANES, POSE_SIZE } from './layout.ts';
import type { RobotRecords } from './robotRecords.ts';

/** Numbers of a row of a pose in the memory of the kernel: four columns of four lanes. */
const ROW = LANES;
/** Numbers from one column to the next. */
const COLUMN = LANES / 4;

/**
 * Tests the cached separating planes of pairs at the single-precision poses of the kernel, so that most pairs that
 * boxes leave open need no pose in double precision. The support points are those of `cachedPlaneSeparates`, in double
 * precision.
 *
 * Errors: a pose with errors E of the rotation and e of the position moves the point x of a link by at most E |x| + e.
 * The plane of an obstacle is fixed. That of a robot part B turns with the error of its own pose, E_B, at points of A
 * as far as A and B reach from the root, and is displaced by e_B. The margin of a part in the kernel (`partMargin`)
 * covers e + E |x| for the points of its box and its share of E_B, with terms of second order. To these margins the
 * uncertainty of `cachedPlaneSeparates` is added, so that the exact check finds the pair separated, too.
 */
export class LanePlanes {
  /** By part: its margin (metres). */
  private readonly margins: Float64Array;
  /** By robot part: index of the first number of the pose of its link. */
  private readonly poseStart: Int32Array;
  private readonly d: Vec3 = create();

  constructor(
    private readonly posed: PosedParts,
    robot: RobotRecords,
  ) {
    const { model, state, shapes, T_world_part } = posed;
    const { robotParts } = model;
    const root = state.T_world_link[0];
    const { poseOfPart } = robot;
    this.poseStart = poseOfPart.map((pose) => (robot.poses + POSE_SIZE * pose) / 4);
    this.margins = Float64Array.from(shapes, ({ extent }, part) => {
      if (part < robotParts.length) {
        const reach = boxReach(robot.errors[poseOfPart[part]], offsetOf(robotParts[part].T_link_part), 3 * extent);
        return robot.margins[part] + contactUncertainty * (extent + 2 * reach);
      }
      const T = T_world_part[part];
      const offset = create(T[3] - root[3], T[7] - root[7], T[11] - root[11]);
      return contactUncertainty * (extent + 2 * norm(offset));
    });
  }

  /**
   * Returns true if the cached plane proves that the pair is farther apart than `minDistance` metres in a lane.
   * @param floats memory of the kernel
   */
  separates(floats: Float32Array, lane: number, pair: number, cache: PairCache, minDistance: number): boolean {
    const { posed, poseStart, margins, d } = this;
    const { model, shapes, T_world_part } = posed;
    const { axis, planeSupportB } = cache;
    const indexA = model.pairA[pair];
    const indexB = model.pairB[pair];
    const a = shapes[indexA];
    const b = shapes[indexB];
    if (!cache.hasAxis || cache.planeShapeB !== b) return false;
    const mx = axis[0],
      my = axis[1],
      mz = axis[2];
    if (planeSupportB[0] !== mx || planeSupportB[1] !== my || planeSupportB[2] !== mz) return false;

    // The plane of B about the root, in the axes of the world: its normal n, and its height n·y.
    const isSelfPair = indexB < poseStart.length;
    const B = isSelfPair ? model.robotParts[indexB].T_link_part : T_world_part[indexB];
    let nx = B[0] * mx + B[1] * my + B[2] * mz;
    let ny = B[4] * mx + B[5] * my + B[6] * mz;
    let nz = B[8] * mx + B[9] * my + B[10] * mz;
    let gap = planeSupportB[3];
    if (isSelfPair) {
      gap += nx * B[3] + ny * B[7] + nz * B[11];
      const at = poseStart[indexB] + lane;
      const kx = nx,
        ky = ny,
        kz = nz;
      nx = floats[at] * kx + floats[at + COLUMN] * ky + floats[at + 2 * COLUMN] * kz;
      ny = floats[at + ROW] * kx + floats[at + ROW + COLUMN] * ky + floats[at + ROW + 2 * COLUMN] * kz;
      nz = floats[at + 2 * ROW] * kx + floats[at + 2 * ROW + COLUMN] * ky + floats[at + 2 * ROW + 2 * COLUMN] * kz;
      const p = at + 3 * COLUMN;
      gap += nx * floats[p] + ny * floats[p + ROW] + nz * floats[p + 2 * ROW];
    } else {
      const root = posed.state.T_world_link[0];
      gap += nx * (B[3] - root[3]) + ny * (B[7] - root[7]) + nz * (B[11] - root[11]);
    }

    // Minus the support of A along n, in the frames of its link and of the part.
    const at = poseStart[indexA] + lane;
    const p = at + 3 * COLUMN;
    gap -= nx * floats[p] + ny * floats[p + ROW] + nz * floats[p + 2 * ROW];
    const u = floats[at] * nx + floats[at + ROW] * ny + floats[at + 2 * ROW] * nz;
    const v = floats[at + COLUMN] * nx + floats[at + ROW + COLUMN] * ny + floats[at + 2 * ROW + COLUMN] * nz;
    const w =
      floats[at + 2 * COLUMN] * nx + floats[at + ROW + 2 * COLUMN] * ny + floats[at + 2 * ROW + 2 * COLUMN] * nz;
    const A = model.robotParts[indexA].T_link_part;
    gap -= u * A[3] + v * A[7] + w * A[11];
    const lx = A[0] * u + A[4] * v + A[8] * w;
    const ly = A[1] * u + A[5] * v + A[9] * w;
    const lz = A[2] * u + A[6] * v + A[10] * w;
    d[0] = lx;
    d[1] = ly;
    d[2] = lz;
    supportInPlace(d, a, cache.hintA);
    gap -= lx * d[0] + ly * d[1] + lz * d[2];
    return gap - a.margin - b.margin > minDistance + margins[indexA] + margins[indexB];
  }
}
