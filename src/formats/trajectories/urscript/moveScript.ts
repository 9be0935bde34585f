import { poseError } from '../../../core/kinematics/pose.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { create, relative, type Transform } from '../../../core/math/transform.ts';
import type { TrajectoryEvent } from '../../../core/trajectory/trajectory.ts';
import { definitions } from './programScript.ts';
import { decimal, eventCalls, stepCall } from './stepCalls.ts';

/** A move of a program that is written. */
export interface WrittenMove {
  /** Target of `movej`. */
  readonly joints?: Configuration;
  /** Target of `movel` and `movec`, world. */
  readonly pose?: Transform;
  /** Of `movec`: a pose whose origin is a point of the arc, world. */
  readonly via?: Transform;
  /** Acceleration and speed: of the leading axis for `movej`, else of the tool. */
  readonly acceleration: number;
  readonly speed: number;
  /** Blend radius at the target, metres; default: 0, a stop. */
  readonly radius?: number;
}

/** Steps of a program: motions with their moves, rests, and events. */
export type WrittenStep =
  | {
      readonly step: number | undefined;
      readonly label: string;
      readonly moves: readonly WrittenMove[];
      readonly wait: number;
    }
  | TrajectoryEvent;

/** What is written at the beginning of a program. */
export interface ScriptHead {
  /** Comments, one line each. */
  readonly comments: readonly string[];
  /** Statements for tool center point and payload. */
  readonly statements: readonly string[];
  /** Pose of the controller's base in the world. */
  readonly T_world_base: Transform;
}

/** Writes a program of moves: named targets, then for each step a comment, its call and its moves. */
export function moveScript(head: ScriptHead, steps: readonly WrittenStep[]): string {
  const targets: string[] = [];
  const named = (prefix: string, value: string) => {
    targets.push(`${prefix}_${targets.length + 1} = ${value}`);
    return `${prefix}_${targets.length}`;
  };
  const poseOf = (T: Transform) => named('pose', `p[${poseNumbers(head.T_world_base, T).map(decimal).join(', ')}]`);
  const moveText = (move: WrittenMove) => {
    const { joints, pose, via } = move;
    if (joints) return `movej(${named('q', jointsText(joints))}, ${ratesText(move)})`;
    const target = `${poseOf(pose!)}, ${ratesText(move)})`;
    return via ? `movec(${poseOf(via)}, ${target}` : `movel(${target}`;
  };
  const body = steps.flatMap((one) => {
    if ('time' in one) return eventCalls(one);
    const rest = one.wait > 0 ? [`sleep(${decimal(one.wait)})`] : [];
    const call = one.step === undefined ? [] : [`# ${one.label}`, stepCall(one.step)];
    return [...call, ...one.moves.map(moveText), ...rest];
  });
  const events = steps.flatMap((one) => ('time' in one ? [one] : []));
  const isProgram = steps.some((one) => 'time' in one || one.step !== undefined);
  return [
    'def elbowroom_moves():',
    ...head.comments.map((comment) => `  # ${comment}`),
    ...[...head.statements, ...targets, ...(isProgram ? definitions(events) : []), ...body].map((line) => `  ${line}`),
    'end',
    'elbowroom_moves()',
    '',
  ].join('\n');
}

/** Returns the list of joint positions, and the rates and blend radius of a move. */
export const jointsText = (q: Configuration): string => `[${Array.from(q, decimal).join(', ')}]`;
export const ratesText = ({ acceleration, speed, radius = 0 }: WrittenMove): string =>
  `a=${decimal(acceleration)}, v=${decimal(speed)}, r=${decimal(radius)}`;

function poseNumbers(T_world_base: Transform, T_world: Transform): number[] {
  const T = create();
  relative(T, T_world_base, T_world);
  const numbers = new Float64Array(6);
  poseError(numbers, create(), T);
  return Array.from(numbers);
}
