import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import type { CheckerName } from '../../../core/narrowphase/index.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { errorCodes } from '../../../formats/schemas/serviceSchema.ts';
import type { SentScene } from './sentScenes.ts';

/** Data that each thread receives at its start. */
export interface ThreadData {
  readonly robot: RobotDescription;
  /** Scene of the service. */
  readonly scene: Scene;
  readonly checker: CheckerName;
  /** Shared memory: id of the last request that was cancelled. */
  readonly cancelled: Int32Array;
}

/** A request, as sent to a thread. */
export interface ThreadRequest {
  /** Number of the request in this pool, from 1. */
  readonly id: number;
  /** Key of the methods of the thread. */
  readonly method: string;
  /** JSON text of the parameters, or of a whole message with them. */
  readonly text: string;
  readonly isMessage: boolean;
  /** Scene of the session; undefined: the scene of the service. */
  readonly scene: SentScene | undefined;
  /** Seconds until the deadline. */
  readonly timeLimit: number;
}

/** Progress of a request. */
export interface Progress {
  readonly phase: string;
  /** From 0 to 1. */
  readonly fraction?: number;
  readonly message?: string;
}

/** Result of a request: JSON text, or an error. */
export type Outcome =
  | { readonly text: string }
  | { readonly code: keyof typeof errorCodes; readonly message: string; readonly note: string };

/** A message of a thread. */
export type ThreadReply =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly outcome: Outcome };
