import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import { withWiderLimits } from '../planning/startTolerance.ts';
import { World, type WorldOptions } from '../world.ts';
import { type ClearanceGradient, clearanceGradient } from './clearanceGradient.ts';
import { type StateValidator, type StateVerdict, stateValidatorOf } from './validateStates.ts';

/**
 * State validity among moving obstacles and other robots: each query states the time at which their poses are computed.
 * Results of one time are never reused at another: every query poses the whole scene, and the filter of static scenes
 * is disabled. Contains scratch memory and caches, so each thread needs its own.
 */
export class TimedValidity {
  /** The collision manager of the whole scene. */
  readonly manager: CollisionManager;
  private readonly world: World;
  private readonly whole: Configuration;
  private readonly check: StateValidator;

  /** @param known of a scene with the same robot: what moves alike in both is not built again */
  constructor(
    /** The planned robot alone. */
    readonly robot: RobotModel,
    private readonly scene: Scene,
    /** Options of the checks. */
    readonly options: WorldOptions = {},
    known?: TimedValidity,
  ) {
    this.world = new World(robot, scene, options, known?.world.tree);
    this.manager = this.world.manager;
    this.whole = new Float64Array(this.manager.model.robot.dof);
    this.check = stateValidatorOf(this.world);
  }

  /** As `StateValidityChecker.withTolerance`. */
  withTolerance(tolerance: number): TimedValidity {
    if (tolerance === 0) return this;
    return new TimedValidity(withWiderLimits(this.robot, tolerance), this.scene, this.options);
  }

  /** Checks a state at a time, seconds: limits, constraints, and the first colliding pair. */
  judge(q: ArrayLike<number>, t: number): StateVerdict {
    return this.check(this.poseAt(q, t).slice(0, this.robot.dof), t);
  }

  /** Computes the clearance of a state at a time, with its gradient with respect to q. */
  clearance(q: ArrayLike<number>, t: number): ClearanceGradient {
    const found = clearanceGradient(this.manager, this.poseAt(q, t));
    return { ...found, gradient: found.gradient.slice(0, this.robot.dof) };
  }

  /** Returns the values of all joints of the scene. Throws `InputError` for a wrong length and for times like NaN. */
  private poseAt(q: ArrayLike<number>, t: number): Configuration {
    const { whole, robot } = this;
    if (q.length !== robot.dof)
      throw new InputError(`q has ${q.length} values, "${robot.name}" has ${robot.dof} planned joints`);
    if (!Number.isFinite(t)) throw new InputError(`t is ${t}`, 'It is the time in seconds.');
    return this.world.stateAt(q, t, whole);
  }
}
