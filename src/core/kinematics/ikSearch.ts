import { type Configuration, squaredDistance } from '../math/configuration.ts';
import { wrapAngle } from '../math/trigonometry.ts';
import { valuesWithin, withFullTurns } from './fullTurns.ts';
import type { PoseTolerance } from './pose.ts';
import type { Shortfall } from './reach.ts';
import type { RobotModel } from './robotModel.ts';

/**
 * Joint solution of a pose with its residual errors in metres and radians; the angle is without the components about
 * free axes.
 */
export interface IkSolution {
  /** The configuration: rad, m. */
  readonly q: Configuration;
  /** Distance of the position from the target, metres. */
  readonly positionError: number;
  /** Angle of the rotation from the target to the pose, radians. */
  readonly angleError: number;
}

/** Result of a descent. */
export interface Attempt extends IkSolution {
  /** True if the errors are within the tolerance. */
  readonly isWithin: boolean;
}

/** Why no solution was found, as far as it is known. */
export interface IkMiss {
  /** Set if link lengths alone prove that the pose is out of reach. */
  readonly shortfall: Shortfall | undefined;
  /** Joints out of limits in the solution with the fewest such joints; empty if there is none. */
  readonly beyondLimits: readonly string[];
  /** Configuration within limits with the smallest error. */
  readonly nearest: IkSolution;
  /** Number of start configurations tried. */
  readonly starts: number;
  /** True if the search was numerical: solutions may exist that were not found. */
  readonly isSearch: boolean;
}

/** Result of `InverseKinematics.solve`. */
export interface IkAnswer {
  /** Solutions that differ by more than full turns; each is the equivalent nearest to `near`, nearest first. */
  readonly solutions: readonly IkSolution[];
  /** Solutions that `accept` rejected, likewise. */
  readonly refused: readonly IkSolution[];
  /** Set if there are neither solutions nor rejected ones. */
  readonly miss: IkMiss | undefined;
}

/** Options of `InverseKinematics.solve`; see `ikDefaults`. */
export interface IkOptions {
  /** Maximum error of a solution: metres, radians. */
  readonly tolerance: PoseTolerance;
  /** Numerical search: stop after this many solutions. The closed form returns all. */
  readonly solutions: number;
  /** Maximum number of start configurations. */
  readonly starts: number;
  /** Additional condition of a solution, such as collision-free. */
  readonly accept: (q: Configuration) => boolean;
  /** Called before each descent; may throw to end the search. */
  readonly onDescent: () => void;
}

/** Absolute, rad and m: solutions that differ by less than this in each joint are the same. */
const DISTINCT = 1e-3;

/** Results of one search. */
export class IkSearch {
  nearest: IkSolution | undefined;
  beyond: readonly string[] | undefined;
  private readonly accepted: IkSolution[] = [];
  private readonly refused: IkSolution[] = [];

  constructor(
    private readonly model: RobotModel,
    readonly near: Configuration,
    private readonly turnable: readonly boolean[],
    readonly options: IkOptions,
  ) {}

  foundAny(): boolean {
    return this.accepted.length + this.refused.length > 0;
  }

  hasAccepted(): boolean {
    return this.accepted.length > 0;
  }

  isFull(): boolean {
    return this.accepted.length >= this.options.solutions;
  }

  /** Records the result of a descent: a solution, a solution beyond limits, or a miss. Ignores known solutions. */
  add({ isWithin, ...found }: Attempt): void {
    if (!isWithin) {
      if (this.nearest === undefined || missOf(found) < missOf(this.nearest)) this.nearest = found;
      return;
    }
    const [q] = withFullTurns(this.model, found.q, this.near, { perJoint: 1 });
    if (q === undefined) {
      const beyond = this.jointsBeyond(found.q);
      if (this.beyond === undefined || beyond.length < this.beyond.length) this.beyond = beyond;
      return;
    }
    if ([...this.accepted, ...this.refused].some((known) => this.isSame(known.q, q))) return;
    const solution = { ...found, q };
    (this.options.accept(q) ? this.accepted : this.refused).push(solution);
  }

  answer(miss: IkMiss | undefined): IkAnswer {
    const { near } = this;
    const sorted = (list: readonly IkSolution[]) =>
      list
        .map((solution) => ({ solution, distance: squaredDistance(solution.q, near) }))
        .sort((a, b) => a.distance - b.distance)
        .map(({ solution }) => solution);
    return { solutions: sorted(this.accepted), refused: sorted(this.refused), miss };
  }

  private isSame(a: Configuration, b: Configuration): boolean {
    return a.every((value, i) => {
      const difference = this.turnable[i] ? wrapAngle(b[i] - value) : b[i] - value;
      return Math.abs(difference) < DISTINCT;
    });
  }

  private jointsBeyond(q: Configuration): string[] {
    const { near, turnable } = this;
    const { variables } = this.model;
    return variables
      .filter(({ limits }, i) => valuesWithin(q[i], near[i], limits, turnable[i]).length === 0)
      .map((joint) => joint.name);
  }
}

/** Error for comparisons; one radian counts as one metre. */
const missOf = ({ positionError, angleError }: IkSolution) => positionError * positionError + angleError * angleError;
