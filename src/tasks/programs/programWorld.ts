import { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { linkNamed } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Transform } from '../../core/math/transform.ts';
import { changedScene } from '../../core/scene/changedScene.ts';
import type { EventStep } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { createSceneWorld, type SceneWorld } from '../../core/world/sceneWorld.ts';
import { stillScene } from '../../core/world/snapshot.ts';
import type { PlanOptions } from '../planning/planOptions.ts';
import { PreparedScene } from '../planning/preparedScene.ts';

/** The scene of a program between two events that change it, with its collision managers, created on first use. */
export class ProgramWorld {
  private createdTree: SceneWorld<Scene> | undefined;
  private created: CollisionManager | undefined;
  private createdStill: CollisionManager | undefined;
  private createdMoves: PreparedScene | undefined;

  constructor(
    /** Robot of the scene. */
    readonly robot: RobotModel,
    /** Scene with the objects attached and the pairs allowed in the interval. */
    readonly scene: Scene,
    private readonly checker: PlanOptions['checker'],
    private readonly before?: ProgramWorld,
  ) {}

  /** The scene as one kinematic tree: moving obstacles and other robots are links. */
  get tree(): SceneWorld<Scene> {
    this.createdTree ??= createSceneWorld(this.robot, this.scene, this.before?.createdTree);
    return this.createdTree;
  }

  /** Collision manager of the whole kinematic tree, for proofs. */
  get manager(): CollisionManager {
    this.created ??= this.managerOf(this.tree.robot, this.tree.scene);
    return this.created;
  }

  /**
   * Collision manager of the planned robot and the static obstacles. Only for planning: it ignores moving obstacles and
   * other robots. The same as `manager` if there are none.
   */
  get still(): CollisionManager {
    if (this.tree.robot === this.robot) return this.manager;
    this.createdStill ??= this.managerOf(this.robot, stillScene(this.tree));
    return this.createdStill;
  }

  /** The planned robot and the static obstacles, prepared for queries of free motions. @internal */
  get moves(): PreparedScene {
    this.createdMoves ??= new PreparedScene(this.still.model);
    return this.createdMoves;
  }

  /** Returns the world after an event that happens at q. Throws `InputError` as `changedScene`. */
  after(step: EventStep, linkOfTcp: string, q: Configuration): ProgramWorld {
    if (step.kind === 'set') return this;
    const scene = changedScene(this.scene, step, linkOfTcp, linkPoses(this.robot, q));
    return new ProgramWorld(this.robot, scene, this.checker, this);
  }

  private managerOf(robot: RobotModel, scene: Scene): CollisionManager {
    return new CollisionManager(new CollisionModel(robot, scene), { checker: this.checker });
  }
}

/** Returns a function from the name of a link to its pose in the world at q, which is not to change before its use. */
export function linkPoses(robot: RobotModel, q: Configuration): (link: string) => Transform {
  let state: RobotState | undefined;
  return (link) => {
    if (!state) {
      state = new RobotState(robot);
      forwardKinematics(state, q);
    }
    return state.T_world_link[linkNamed(robot, link)].slice();
  };
}
