import { derived } from '../math/derived.ts';
import { norm, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import type { RobotModel } from './robotModel.ts';

/** Half a unit in the last place of 1: what one rounding may cost, relative. */
export const UNIT_ROUNDOFF = Number.EPSILON / 2;

/**
 * Roundings, of half a unit in the last place each, that a joint costs a gap: counted, with room to spare, in
 * docs/proof.md.
 */
const ROUNDINGS = 200;

/** Constants of a robot in `PoseRounding`. */
interface Lengths {
  /** Distance of the robot's base from the world's origin, metres. */
  readonly base: number;
  /** Lengths from joint to joint, metres. */
  readonly offsets: number;
  /**
   * Of each joint that may move, or stays off zero: its variable (−1: none), |multiplier|, |offset|, and whether it
   * slides.
   */
  readonly variables: Int32Array;
  readonly multipliers: Float64Array;
  readonly constants: Float64Array;
  readonly slides: Uint8Array;
}

/** Returns the constants of a robot. */
const lengthsOf = derived(({ joints, T_world_root }: RobotModel): Lengths => {
  const placed = joints.filter(({ variable, offset, type }) => type !== 'fixed' && (variable >= 0 || offset !== 0));
  return {
    base: offsetOf(T_world_root),
    offsets: joints.reduce((sum, { T_parent_joint }) => sum + offsetOf(T_parent_joint), 0),
    variables: Int32Array.from(placed, ({ variable }) => variable),
    multipliers: Float64Array.from(placed, ({ multiplier }) => Math.abs(multiplier)),
    constants: Float64Array.from(placed, ({ offset }) => Math.abs(offset)),
    slides: Uint8Array.from(placed, ({ type }) => (type === 'prismatic' ? 1 : 0)),
  };
});

/**
 * What rounding may cost the gap of a pair along a direction: the one bound of prover and checker (docs/proof.md,
 * "Where rounding goes"):
 *   relative · (still + turned · (chain + extent)),   relative = 200 (n + 4) u,  turned = 1 + Q
 * with n joints, Q the greatest value of a joint that turns, `chain` the lengths along all joints with the travel of
 * those that slide, `extent` what the moving parts of the pair add, and `still` what does not turn with the joints. An
 * error of a joint value is relative to that value: of a turning joint it turns all lengths beyond it (Q times), of a
 * sliding joint it adds up like an offset, so metres of slides count as lengths and never as angles, nor radians as
 * metres.
 */
export class PoseRounding {
  /** Relative rounding of a gap. */
  readonly relative: number;
  /**
   * After `reach`: 1 + the greatest |value| of a turning joint, rad; lengths along the chain, slides included, metres.
   */
  turned = 1;
  chain = 0;
  // see `Lengths`
  private readonly base: number;
  private readonly offsets: number;
  private readonly variables: Int32Array;
  private readonly multipliers: Float64Array;
  private readonly constants: Float64Array;
  private readonly slides: Uint8Array;

  constructor(robot: RobotModel) {
    const { base, offsets, variables, multipliers, constants, slides } = lengthsOf(robot);
    this.relative = ROUNDINGS * (robot.joints.length + 4) * UNIT_ROUNDOFF;
    this.base = base;
    this.offsets = offsets;
    this.variables = variables;
    this.multipliers = multipliers;
    this.constants = constants;
    this.slides = slides;
  }

  /** @param reached greatest |q| of each planned joint, rad or m */
  reach(reached: ArrayLike<number>): void {
    const { variables, multipliers, constants, slides } = this;
    let most = 0;
    let chain = this.offsets;
    for (let i = 0; i < variables.length; i++) {
      const variable = variables[i];
      const value = constants[i] + (variable < 0 ? 0 : multipliers[i] * reached[variable]);
      if (slides[i] === 1) chain += value;
      else most = Math.max(most, value);
    }
    this.turned = 1 + most;
    this.chain = chain;
  }

  /** Metres that an error of each joint value, rad or m, may move a point of parts of that extent; after `reach`. */
  moved(errors: ArrayLike<number>, extent: number): number {
    const { variables, multipliers, slides, chain } = this;
    let sum = 0;
    for (let i = 0; i < variables.length; i++) {
      if (variables[i] < 0) continue;
      sum += multipliers[i] * errors[variables[i]] * (slides[i] === 1 ? 1 : chain + extent);
    }
    return sum;
  }

  /** Metres, after `reach`. @param still extent of an obstacle @param extent of the moving parts, both together */
  size(still: number, extent: number): number {
    return this.base + still + this.turned * (this.chain + extent);
  }
}

/**
 * Lengths that are added up from the origin of a part's parent frame to a point of the part. Of a half-space, which has
 * no end, its margin counts.
 */
export function extentOf({ bounds, margin }: ConvexShape, T_parent_part: Float64Array): number {
  const away = offsetOf(T_parent_part);
  if (!bounds.every(Number.isFinite)) return away + margin;
  const half = (k: number) => 0.5 * (bounds[k + 3] - bounds[k]);
  const middle = (k: number) => 0.5 * (bounds[k + 3] + bounds[k]);
  const lengthOf = (of: (k: number) => number) => norm(Float64Array.of(of(0), of(1), of(2)) as Vec3);
  return away + lengthOf(middle) + lengthOf(half);
}

/** Length of the translation of a transform, metres. */
export const offsetOf = (T: Float64Array): number => norm(Float64Array.of(T[3], T[7], T[11]) as Vec3);
