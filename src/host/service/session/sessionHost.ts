import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { ConvexShape, ShapeSpec } from '../../../core/shapes/shape.ts';
import type { StateValidityChecker } from '../../../tasks/validation/stateValidityChecker.ts';
import type { TimedValidity } from '../../../tasks/validation/timedValidity.ts';
import type { ServiceLimits } from '../serviceLimits.ts';
import type { Counters } from '../serviceMetrics.ts';
import type { SessionScene } from '../sessionScene.ts';
import type { Turn, Turns } from '../turns.ts';
import type { LongHost } from '../watches.ts';

/** The part of a session that its host reads. */
export interface HostedSession {
  readonly scene: SessionScene;
}

/** The resources that all sessions of a thread share. */
export interface SessionHost extends LongHost {
  readonly options: {
    readonly robot: RobotModel;
    readonly scene: Scene;
    readonly version: string;
    readonly limits: ServiceLimits;
  };
  readonly turns: Turns;
  readonly metrics: Counters;
  /** Limit of the pairs of parts in a changed scene. */
  readonly maxPairs: number;
  /** Returns the shape of a spec. */
  shapeOf(spec: ShapeSpec): ConvexShape;
  /** Checker of the loaded scene, without its moving obstacles and other robots. */
  readonly base: StateValidityChecker;
  /** State validity at a time in the loaded scene; undefined if nothing moves. */
  readonly timed: TimedValidity | undefined;
  /** Returns the checker of the current scene of a session; creates it if the scene has changed. */
  checkerOf(session: HostedSession, turn: Turn): Promise<StateValidityChecker>;
  /** Returns the state validity at a time in the current scene of a session; undefined if nothing moves. */
  timedOf(session: HostedSession, turn: Turn): Promise<TimedValidity | undefined>;
  /** Drops the cached checker of a session whose scene has changed or that is closed. */
  forget(session: HostedSession): void;
}
