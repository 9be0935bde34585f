import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Slices } from '../../../core/math/slices.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { ConvexShape, ShapeSpec } from '../../../core/shapes/shape.ts';
import type { StateValidityChecker } from '../../../tasks/validation/stateValidityChecker.ts';
import type { TimedValidity } from '../../../tasks/validation/timedValidity.ts';
import type { LongHost } from '../longRequests.ts';
import type { MemoryBudget } from '../memoryBudget.ts';
import type { Lane, Scheduler } from '../scheduler.ts';
import type { Metrics } from '../serviceMetrics.ts';
import type { SessionScene } from '../sessionScene.ts';

/** The part of a session that its service reads. */
export interface HostedSession {
  readonly lane: Lane;
  readonly scene: SessionScene;
}

/** The service of a session, with the resources that all sessions share. */
export interface SessionHost extends LongHost {
  readonly options: { readonly robot: RobotModel; readonly scene: Scene; readonly version: string };
  readonly scheduler: Scheduler;
  readonly metrics: Metrics;
  /** Returns the memory budget of the objects that sessions of a lane add. */
  objectsOf(lane: Lane): MemoryBudget;
  /** Limit of the pairs of parts in a changed scene. */
  readonly maxPairs: number;
  /** Returns the shape of a spec. */
  shapeOf(spec: ShapeSpec): ConvexShape;
  /** Checker of the loaded scene, without its moving obstacles and other robots. */
  readonly base: StateValidityChecker;
  /** State validity at a time in the loaded scene; undefined if nothing moves. */
  readonly timed: TimedValidity | undefined;
  /** Returns the checker of the current scene of a session; creates it in slices if the scene has changed. */
  checkerOf(session: HostedSession): Slices<StateValidityChecker>;
  /** Returns the state validity at a time in the current scene of a session; undefined if nothing moves. */
  timedOf(session: HostedSession): Slices<TimedValidity | undefined>;
  /** Drops the cached checker of a session whose scene has changed. */
  forget(session: HostedSession): void;
  /** Called once when a session with a scene of its own is closed. */
  closed(session: HostedSession): void;
}
