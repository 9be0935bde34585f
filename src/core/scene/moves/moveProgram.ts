import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';

/** Kinds of moves of a robot program: straight in joint space, line, arc, and line of a process. */
export type MoveKind = 'movej' | 'movel' | 'movec' | 'movep';

/** A move of a program from the state before it to a target, where it stops or blends into the next move. */
export interface ProgramMove {
  readonly kind: MoveKind;
  /** Line of the program. */
  readonly line: number;
  /** The tool center point that the move refers to. */
  readonly frame: LinkFrame;
  /** Of `movej`: the target. */
  readonly joints?: Configuration;
  /** Of the other kinds: the target in the world. */
  readonly pose?: Transform;
  /** Of `movec`: a point of the arc in the world. */
  readonly via?: Vec3;
  /** Of `movec`: the orientation is kept relative to the tangent of the arc, whatever that of the target. */
  readonly isTangential?: boolean;
  /** Blend radius at the target, metres; 0: a stop. */
  readonly radius: number;
  /** True if the program waits after the move: where within the blend the arm is then is not known. */
  readonly waits?: boolean;
  /** Acceleration and speed as stated: of the leading axis for `movej` (rad), else of the tool (m). */
  readonly acceleration: number;
  readonly speed: number;
  /** Duration that replaces them, seconds; 0: none. */
  readonly time: number;
  /** Of a program of steps: index of the step that it belongs to. */
  readonly step?: number;
}

/** The moves of a program in the order of execution. */
export interface MoveProgram {
  readonly moves: readonly ProgramMove[];
  /** Of a program of steps: the calls that begin its steps and belong to its events, in the order of execution. */
  readonly stepCalls?: readonly string[];
  /** Its rests. */
  readonly waits?: readonly ProgramWait[];
}

/** A rest of a program. */
export interface ProgramWait {
  /** Number of moves before it. */
  readonly after: number;
  /** Line of the statement, and its name. */
  readonly line: number;
  readonly name: string;
  /** Seconds; undefined: not known. */
  readonly duration: number | undefined;
  /** Of a program of steps: index of the step that it belongs to; undefined within functions of events. */
  readonly step?: number;
}
