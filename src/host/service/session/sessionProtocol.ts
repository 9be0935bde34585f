import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import type { CheckerName } from '../../../core/narrowphase/index.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { ServiceLimits } from '../serviceLimits.ts';
import type { Counts } from '../serviceMetrics.ts';
import type { SentScene } from '../threads/sentScenes.ts';
import type { Lane } from '../turns.ts';

/** Data that a thread of sessions receives at its start. */
export interface SessionThreadData {
  readonly robot: RobotDescription;
  readonly scene: Scene;
  readonly version: string;
  readonly checker: CheckerName;
  readonly jobs: number | undefined;
  readonly limits: ServiceLimits;
  /** Shared memory: bytes that all sessions keep, and the number of requests on further threads. */
  readonly usage: Float64Array;
}

/** A session, as named to the thread; it is opened with its first message. */
export interface SessionName {
  readonly id: number;
  readonly lane: Lane;
  readonly isOwn: boolean;
  /** Whether its client receives notifications. */
  readonly notifies: boolean;
}

/** A message to a thread of sessions. */
export type ToSessions =
  | {
      readonly session: SessionName;
      readonly id: number;
      /** Text, or a binary frame. */
      readonly message: string | Uint8Array;
      /** Arrival, clock of `monotonicMs`. */
      readonly arrival: number;
    }
  /** A message that waits and may be a cancellation. */
  | { readonly session: SessionName; readonly notice: string }
  | { readonly session: SessionName; readonly end: 'request' | 'session' }
  | { readonly stop: true };

/** A message of a thread of sessions. */
export type FromSessions =
  | {
      readonly id: number;
      readonly answer: string | Uint8Array;
      /** No cancellation waits for its request. */
      readonly isFree: boolean;
      /** The session is as it was opened. */
      readonly isFresh: boolean;
      /** The scene of the session if it has changed since the last answer; its data only if it is small. */
      readonly scene: 'original' | 'large' | SentScene | undefined;
      readonly counts: Counts;
    }
  | { readonly session: number; readonly notification: string; readonly isUrgent: boolean }
  | { readonly stopped: true };

/** Monotonic clock that is the same in all threads, ms. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
