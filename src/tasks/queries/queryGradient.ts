import { rotatePlanar } from '../../core/math/planar.ts';
import { rotate, rotateBack } from '../../core/math/transform.ts';
import type { ContactJacobian } from '../../core/narrowphase/growth/contactJacobian.ts';
import type { ShapePair } from '../../formats/streams/shapePair.ts';
import type { QueryResult } from './querySolver.ts';

/**
 * Gradient of the growth distance, or of the proximity of pills, m²: for each shape with respect to the world-frame
 * velocity of its growth centre, then to its angular velocity: six derivatives, three of planar pairs.
 */
export interface QueryGradient {
  /** Derivatives with respect to the motion of A: velocity of its growth centre, then angular velocity. */
  readonly a: readonly number[];
  /** Derivatives with respect to the motion of B, likewise. */
  readonly b: readonly number[];
  /** Whether the growth distance is differentiable here. */
  readonly differentiable: boolean;
  /** One-sided derivatives at a kink; undefined if the growth distance is differentiable, or if they are unknown. */
  readonly oneSided?: OneSidedGradient;
  /** One-sided derivative for the velocities of the pair; undefined if it gives none, or if it is unknown. */
  readonly directional?: number;
  /** Jacobians of normal and witness points; undefined if there are none. */
  readonly jacobian?: QueryJacobian;
}

/** One-sided derivatives of the growth distance for unit velocities along, and against, the axes of `QueryGradient`. */
export interface OneSidedGradient {
  /** Derivatives for motions of A. */
  readonly a: OneSidedDerivatives;
  /** Derivatives for motions of B. */
  readonly b: OneSidedDerivatives;
}

/** One-sided derivatives by the six coordinates of the motion of one shape; three of planar pairs. */
export interface OneSidedDerivatives {
  /** Rates of change if the coordinate increases. */
  readonly increasing: readonly number[];
  /** Rates of change if the coordinate decreases: at a smooth point the negative of `increasing`. */
  readonly decreasing: readonly number[];
}

/**
 * Jacobians in the world frame: a row for each component of the vector, with columns as in `QueryGradient`. Witness
 * points are those of `PairResult`; pairs with a half-space have none.
 */
export interface QueryJacobian {
  /** Jacobian of the unit normal. */
  readonly normal: QueryVectorJacobian;
  /** Jacobian of the witness point on A. */
  readonly witnessA?: QueryVectorJacobian;
  /** Jacobian of the witness point on B. */
  readonly witnessB?: QueryVectorJacobian;
}

/** Jacobian of a vector by the motions of both shapes. */
export interface QueryVectorJacobian {
  /** Rows of derivatives with respect to the motion of A. */
  readonly a: readonly (readonly number[])[];
  /** Rows of derivatives with respect to the motion of B. */
  readonly b: readonly (readonly number[])[];
}

/** Gradient of a pair, and why parts of it are missing. */
export interface GradientResult {
  readonly gradient: QueryGradient;
  readonly warnings: readonly string[];
}

const unknownNormals = 'the normals at the tip of a cone, or of a support function, are unknown';
/** Why there is no Jacobian although the growth distance is differentiable. */
const missingJacobians = {
  'boundary of a face': 'the contact is on the boundary of a face or an edge',
  'unknown shape': 'the curvature of a shape given by a support function is unknown',
  singular: 'a radius of curvature at the contact is 0 or infinite',
};

/** Converts the derivatives of a result from the frame of B to the world frame, as plain data. */
export function gradientInWorld(pair: ShapePair, { gradient, sensitivity, hasWitnesses }: QueryResult): GradientResult {
  const warnings: string[] = [];
  const { differentiable } = gradient;
  const size = pair.dimension === 2 ? 3 : 6;
  const rate = (motion: readonly number[]) =>
    sensitivity!.derivative(motionInB(pair, motion.slice(0, size)), motionInB(pair, motion.slice(size)));
  const directional = pair.velocities && rate([...pair.velocities.a, ...pair.velocities.b]);
  const oneSided = differentiable ? undefined : oneSidedGradient(size, rate);
  const isUnknown = directional === undefined && pair.velocities !== undefined;
  if (isUnknown || (!differentiable && oneSided === undefined)) {
    warnings.push(`no one-sided derivative: ${sensitivity!.unknownDerivative ?? unknownNormals}`);
  }
  const jacobian = sensitivity!.jacobian();
  if (typeof jacobian === 'string' && jacobian !== 'kink') warnings.push(`no jacobian: ${missingJacobians[jacobian]}`);
  return {
    gradient: {
      a: rotatedMotion(axesOf(pair), gradient.a, 0),
      b: rotatedMotion(axesOf(pair), gradient.b, 0),
      differentiable,
      ...(oneSided && { oneSided: oneSided }),
      ...(directional !== undefined && { directional }),
      ...(typeof jacobian !== 'string' && { jacobian: jacobianInWorld(pair, jacobian, hasWitnesses) }),
    },
    warnings,
  };
}

/** Returns the one-sided derivatives along the axes; undefined if they are unknown. */
function oneSidedGradient(
  size: number,
  rate: (motion: readonly number[]) => number | undefined,
): OneSidedGradient | undefined {
  const rates = [1, -1].map((sign) =>
    Array.from({ length: 2 * size }, (_, column) =>
      rate(Array.from({ length: 2 * size }, (_unused, k) => (k === column ? sign : 0))),
    ),
  );
  const isKnown = (list: (number | undefined)[]): list is number[] => !list.includes(undefined);
  const [increasing, decreasing] = rates;
  if (!isKnown(increasing) || !isKnown(decreasing)) return undefined;
  return {
    a: { increasing: increasing.slice(0, size), decreasing: decreasing.slice(0, size) },
    b: { increasing: increasing.slice(size), decreasing: decreasing.slice(size) },
  };
}

function jacobianInWorld(pair: ShapePair, jacobian: ContactJacobian, hasWitnesses: boolean): QueryJacobian {
  const size = pair.dimension === 2 ? 3 : 6;
  const axes = axesOf(pair);
  const inWorld = (matrix: Float64Array): QueryVectorJacobian => {
    // J_world = R J, of which each row is a gradient; typed arrays would cost more than the Jacobian.
    const rows = axes.map((axis) =>
      Array.from({ length: 2 * size }, (_, column) => {
        let sum = 0;
        for (let k = 0; k < axis.length; k++) sum += axis[k] * matrix[2 * size * k + column];
        return sum;
      }),
    );
    return {
      a: rows.map((row) => rotatedMotion(axes, row, 0)),
      b: rows.map((row) => rotatedMotion(axes, row, size)),
    };
  };
  const { normal, witnessA, witnessB } = jacobian;
  return {
    normal: inWorld(normal),
    ...(hasWitnesses && { witnessA: inWorld(witnessA), witnessB: inWorld(witnessB) }),
  };
}

/** Rotates a vector from the frame of B to the world frame. */
export function vectorInWorld(pair: ShapePair, d: Float64Array): number[] {
  const rotated = new Float64Array(pair.dimension);
  if (pair.dimension === 2) rotatePlanar(rotated, pair.T_world_b, d);
  else rotate(rotated, pair.T_world_b, d);
  return Array.from(rotated);
}

/** Returns the rows of the rotation from the frame of B to the world frame. */
function axesOf(pair: ShapePair): readonly (readonly number[])[] {
  const T = pair.T_world_b;
  if (pair.dimension === 2) {
    return [
      [T[0], -T[1]],
      [T[1], T[0]],
    ];
  }
  return [
    [T[0], T[1], T[2]],
    [T[4], T[5], T[6]],
    [T[8], T[9], T[10]],
  ];
}

/** Rotates derivatives by velocity and angular velocity, which start at `from`. */
function rotatedMotion(axes: readonly (readonly number[])[], d: ArrayLike<number>, from: number): number[] {
  if (axes.length === 2) {
    const [x, y] = [d[from], d[from + 1]];
    return [axes[0][0] * x + axes[0][1] * y, axes[1][0] * x + axes[1][1] * y, d[from + 2]];
  }
  const out: number[] = [];
  for (let part = from; part < from + 6; part += 3)
    for (const [x, y, z] of axes) out.push(x * d[part] + y * d[part + 1] + z * d[part + 2]);
  return out;
}

/** Rotates velocity and angular velocity from the world frame to the frame of B. */
function motionInB(pair: ShapePair, motion: readonly number[]): number[] {
  if (pair.dimension === 2) {
    const [cosine, sine] = pair.T_world_b;
    const [x, y, turn] = motion;
    return [cosine * x + sine * y, cosine * y - sine * x, turn];
  }
  const out = Float64Array.from(motion);
  for (const from of [0, 3]) rotateBack(out.subarray(from, from + 3), pair.T_world_b, out.subarray(from, from + 3));
  return Array.from(out);
}
