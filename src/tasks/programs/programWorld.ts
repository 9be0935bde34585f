import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { forwardKinematics, RobotState } from '../../kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { linkNamed } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { Transform } from '../../math/transform.ts';
import { changedScene } from '../../scene/changedScene.ts';
import type { EventStep } from '../../scene/program.ts';
import type { Scene } from '../../scene/scene.ts';
import type { PlanOptions } from '../planning/planOptions.ts';

/** The scene of a program between two events that change it, with its collision manager, created on first use. */
export class ProgramWorld {
  private created: CollisionManager | undefined;

  constructor(
    /** Robot of the scene. */
    readonly robot: RobotModel,
    /** Scene with what is attached and may touch in the interval. */
    readonly scene: Scene,
    private readonly checker: PlanOptions['checker'],
  ) {}

  /** Collision manager of the scene. */
  get manager(): CollisionManager {
    this.created ??= new CollisionManager(new CollisionModel(this.robot, this.scene), { checker: this.checker });
    return this.created;
  }

  /** Returns the world after an event that happens at q. Throws `InputError` as `changedScene`. */
  after(step: EventStep, linkOfTcp: string, q: Configuration): ProgramWorld {
    if (step.kind === 'set') return this;
    return new ProgramWorld(
      this.robot,
      changedScene(this.scene, step, linkOfTcp, linkPoses(this.robot, q)),
      this.checker,
    );
  }
}

/** Returns a function from the name of a link to its pose in the world at q. */
export function linkPoses(robot: RobotModel, q: Configuration): (link: string) => Transform {
  const state = new RobotState(robot);
  forwardKinematics(state, q);
  return (link) => state.T_world_link[linkNamed(robot, link)].slice();
}
