import type { CartesianLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import { withFullTurns } from '../../../src/core/kinematics/fullTurns.ts';
import type { InverseKinematics } from '../../../src/core/kinematics/inverseKinematics.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { create } from '../../../src/core/math/transform.ts';

/** Metres of the line between two steps, and radians of its rotation. */
const STEP = { length: 1e-3, angle: 5e-3 };
/** A joint that moves by more between two steps jumps to another IK branch, rad. */
const MAX_JUMP = 0.1;

/** Search for a joint path along a line over all inverse-kinematics solutions at small steps, for closed-form arms. */
export class BruteForce {
  constructor(
    private readonly model: RobotModel,
    private readonly ik: InverseKinematics,
  ) {}

  /** Returns true if neighbouring solutions lead from the start of the line to its end, within limits. */
  isFeasible(leg: CartesianLeg, near: Float64Array): boolean {
    const steps = Math.ceil(Math.max(leg.length / STEP.length, leg.angle / STEP.angle));
    let reached = this.solutions(leg, 0, near).flatMap((q) => withFullTurns(this.model, q, near, { most: 32 }));
    for (let k = 1; k <= steps && reached.length > 0; k++) {
      const next = this.solutions(leg, k / steps, near);
      reached = reached.flatMap((q) => this.neighbours(q, next));
    }
    return reached.length > 0;
  }

  private solutions(leg: CartesianLeg, s: number, near: Float64Array): readonly Float64Array[] {
    const T = create();
    leg.poseAt(T, s);
    const options = { solutions: 16, starts: 0 };
    return this.ik.solve(T, near, new Random(1), options).solutions.map(({ q }) => q as Float64Array);
  }

  /** The nearest solution within limits, up to full turns, if it is near enough. */
  private neighbours(q: Float64Array, solutions: readonly Float64Array[]): Float64Array[] {
    const { variables } = this.model;
    let best: Float64Array | undefined;
    let least = MAX_JUMP;
    for (const one of solutions) {
      const moved = one.map((value, j) => value + 2 * Math.PI * Math.round((q[j] - value) / (2 * Math.PI)));
      const jump = moved.reduce((most, value, j) => Math.max(most, Math.abs(value - q[j])), 0);
      const isWithin = moved.every(
        (value, j) => value >= variables[j].limits.lower - 1e-9 && value <= variables[j].limits.upper + 1e-9,
      );
      if (!isWithin || jump > least) continue;
      least = jump;
      best = moved;
    }
    return best ? [best] : [];
  }
}
