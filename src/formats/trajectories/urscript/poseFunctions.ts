import { poseError } from '../../../core/kinematics/pose.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { setRotationFromQuaternion } from '../../../core/math/quaternion.ts';
import { compose, create, invert, relative, type Transform } from '../../../core/math/transform.ts';
import { cos, sin } from '../../../core/math/trigonometry.ts';
import type { MoveKind, ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import type { Arguments, Builtin } from './callArguments.ts';
import { inWorld, type ScriptArm } from './scriptArm.ts';
import { ScriptProblem } from './tokens.ts';
import { createList, NOTHING, type NumberValue, type PoseValue, ROUNDING, type Value } from './values.ts';

/** rad: orientations that differ by more have two shortest rotations, or nearly. */
const MAX_TURN = 3;
/** m, rad: numbers of poses whose rounding error may be larger are rejected. */
const MAX_ERROR = 2e-5;
/** rad: orientations that differ by less are rounded values of the same one. */
const SAME_ORIENTATION = 1e-6;
/** m: blend radii and positions of programs. */
const MAX_LENGTH = 100;

/** Functions of poses and of the state of the arm, and the moves to poses, by name. */
export const poseFunctions: readonly (readonly [string, Builtin])[] = [
  ['movel', move('movel', 'pose a v t r', 1)],
  ['movep', move('movep', 'pose a v r', 1)],
  ['movec', move('movec', 'pose_via pose_to a v r mode', 2)],
  ['pose_trans', value('p_from p_from_to', 2, (given) => combined(given, 'p_from', 'p_from_to', compose))],
  ['pose_add', value('p_1 p_2', 2, (given) => combined(given, 'p_1', 'p_2', added))],
  ['pose_sub', value('p_to p_from', 2, difference)],
  ['pose_inv', value('p_from', 1, inverse)],
  ['interpolate_pose', value('p_from p_to alpha', 3, interpolated)],
  ['get_forward_kin', value('q tcp', 0, forward)],
  ['get_inverse_kin', value('x qnear maxPositionError maxOrientationError tcp', 1, inverseKinematics)],
  ...['get_actual_tcp_pose', 'get_target_tcp_pose'].map((name) => [name, value('', 0, currentPose)] as const),
  ...['get_actual_joint_positions', 'get_target_joint_positions'].map(
    (name) => [name, value('', 0, (given) => jointList(armOf(given).state(given.line)))] as const,
  ),
];

function value(parameters: string, required: number, run: (given: Arguments) => Value): Builtin {
  return { parameters: parameters.split(' ').filter((name) => name !== ''), required, isStatement: false, run };
}

function move(kind: MoveKind, parameters: string, required: number): Builtin {
  const run = (given: Arguments) => {
    const arm = armOf(given);
    const { line, values } = given;
    const radius = radiusOf(kind, given);
    const rates = ratesOf(kind, given);
    const pose = targetOf(arm, kind, given, kind === 'movec' ? 'pose_to' : 'pose');
    const mode = numberOf(given, 'mode') ?? 0;
    if (mode !== 0 && mode !== 1) throw new ScriptProblem(line, `movec with mode=${mode}`, 'Use 0 or 1.');
    const via = values.has('pose_via') ? targetOf(arm, kind, given, 'pose_via') : undefined;
    given.recorder.move({
      kind,
      line,
      pose,
      ...(via && { via: Float64Array.of(via[3], via[7], via[11]) }),
      ...(mode === 1 && { isTangential: true }),
      radius,
      ...rates,
    });
    return NOTHING;
  };
  return { parameters: parameters.split(' '), required, isStatement: true, run };
}

/** Records a movej of a program of moves: to joint positions, or to the nearest solution of a pose. */
export function recordMovej(given: Arguments, joints: readonly number[] | undefined): void {
  const arm = armOf(given);
  const { line } = given;
  const radius = radiusOf('movej', given);
  const q = joints ? Float64Array.from(joints) : arm.nearest(targetOf(arm, 'movej', given, 'q'), arm.last(line), line);
  given.recorder.move({ kind: 'movej', line, joints: q, radius, ...ratesOf('movej', given) });
}

/** Sets the tool center point. */
export function setTcp(given: Arguments): Value {
  const { arm } = given.recorder;
  if (arm !== undefined) arm.setTcp(transformOf(poseOf(given, 'pose'), given.line), given.line);
  return NOTHING;
}

const armOf = ({ recorder }: Arguments): ScriptArm => recorder.arm!; // `checkNames` refuses calls without one

/** Returns the target of a move in the world: a pose, or for lines the pose at joint positions. */
function targetOf(arm: ScriptArm, kind: MoveKind, given: Arguments, name: string): Transform {
  const { line, values, dof } = given;
  const target = values.get(name)!;
  if (target.kind === 'pose') return inWorld(arm.base(line), transformOf(target, line));
  if (kind !== 'movej' && target.kind === 'list' && target.items.length === dof)
    return arm.poseAt(configurationOf(given, name), arm.tcp);
  throw new ScriptProblem(line, `${kind} to a ${target.kind}`, 'Write a pose, p[x, y, z, rx, ry, rz].');
}

function radiusOf(kind: MoveKind, given: Arguments): number {
  const radius = numberOf(given, 'r') ?? 0;
  if (radius >= 0 && radius <= MAX_LENGTH) return radius;
  throw new ScriptProblem(given.line, `${kind} with r=${radius}`, `Give a blend radius of 0 to ${MAX_LENGTH} m.`);
}

/** Acceleration and speed that a move has unless it states them: of the leading axis for `movej`, else of the tool. */
const RATES = { movej: [1.4, 1.05], other: [1.2, 0.25] };

/** Returns the rates and the time of a move. Refuses those that are not positive; a time replaces the rates. */
export function ratesOf(kind: MoveKind, given: Arguments): Pick<ProgramMove, 'acceleration' | 'speed' | 'time'> {
  const { line } = given;
  const [a, v, t] = ['a', 'v', 't'].map((name) => numberOf(given, name));
  if (t !== undefined && !(t >= 0))
    throw new ScriptProblem(line, `${kind} with t=${t}`, 'Give a time of at least 0 s.');
  const isTimed = t !== undefined && t > 0;
  for (const [name, rate] of Object.entries({ a, v }))
    if (rate !== undefined && !(rate > 0 || (isTimed && rate === 0)))
      throw new ScriptProblem(line, `${kind} with ${name}=${rate}`, 'Give a positive value.');
  const [acceleration, speed] = kind === 'movej' ? RATES.movej : RATES.other;
  return { acceleration: a ?? acceleration, speed: v ?? speed, time: t ?? 0 };
}

function numberOf({ values, line }: Arguments, name: string): number | undefined {
  const given = values.get(name);
  if (given === undefined) return undefined;
  if (given.kind === 'number') return given.value;
  throw new ScriptProblem(line, `${name} is a ${given.kind}, not a number`);
}

function poseOf({ values, line }: Arguments, name: string): PoseValue {
  const given = values.get(name)!;
  if (given.kind === 'pose') return given;
  throw new ScriptProblem(line, `${name} is a ${given.kind}, not a pose`, 'Write p[x, y, z, rx, ry, rz].');
}

/** Returns the transform of a pose. */
function transformOf({ items }: PoseValue, line: number): Transform {
  for (const [i, { value: number, error }] of items.entries()) {
    if (!(Math.abs(number) <= MAX_LENGTH)) throw new ScriptProblem(line, `a pose with the value ${number}`);
    if (error > MAX_ERROR)
      throw new ScriptProblem(
        line,
        `a pose whose value ${i} depends on the rounding of the controller`,
        'Write it out.',
      );
  }
  const [x, y, z, rx, ry, rz] = items.map((item) => item.value);
  const angle = Math.sqrt(rx * rx + ry * ry + rz * rz);
  const factor = angle > 0 ? sin(0.5 * angle) / angle : 0;
  const T = create();
  setRotationFromQuaternion(T, [cos(0.5 * angle), factor * rx, factor * ry, factor * rz]);
  [T[3], T[7], T[11]] = [x, y, z];
  return T;
}

/** Returns the pose of a transform, with rounding errors of the size of `error`. */
function poseValue(T: Transform, error: number): PoseValue {
  const numbers = new Float64Array(6);
  poseError(numbers, create(), T);
  return computed(Array.from(numbers, (number) => rounded(number, error)));
}

const computed = (items: readonly NumberValue[]): PoseValue => ({ kind: 'pose', items, isComputed: true });

const rounded = (number: number, error: number): NumberValue => ({
  kind: 'number',
  value: number,
  type: 'float',
  error: error + ROUNDING * (1 + Math.abs(number)),
});

/** Returns a bound on the error of position and rotation of a pose, twice the largest of its numbers. */
const errorOf = ({ items }: PoseValue) => 2 * Math.max(...items.map(({ error }) => error));

function combined(given: Arguments, first: string, second: string, join: typeof compose): PoseValue {
  const [a, b] = [poseOf(given, first), poseOf(given, second)];
  const T = create();
  join(T, transformOf(a, given.line), transformOf(b, given.line));
  const reach = b.items.slice(0, 3).reduce((sum, item) => sum + Math.abs(item.value), 1);
  return poseValue(T, errorOf(a) * reach + errorOf(b));
}

/** Manual: the positions are added, the rotation is that of the first times that of the second. */
function added(out: Transform, a: Transform, b: Transform): void {
  const origin = [3, 7, 11].map((k) => a[k] + b[k]);
  compose(out, a, b);
  for (const [i, k] of [3, 7, 11].entries()) out[k] = origin[i];
}

/**
 * Subtracts poses of the same orientation: the manual states that the positions are subtracted, and not whether the
 * rotation of the first is multiplied by the inverse of the second from the left or from the right.
 */
function difference(given: Arguments): PoseValue {
  const [a, b] = [poseOf(given, 'p_to'), poseOf(given, 'p_from')];
  const [to, from, T] = [transformOf(a, given.line), transformOf(b, given.line), create()];
  relative(T, from, to);
  const angle = Math.hypot(
    ...poseValue(T, 0)
      .items.slice(3)
      .map((item) => item.value),
  );
  if (angle > SAME_ORIENTATION)
    throw new ScriptProblem(
      given.line,
      'pose_sub of poses of different orientations',
      'The order of its rotations is not known: use pose_trans and pose_inv.',
    );
  for (const k of [3, 7, 11]) T[k] = to[k] - from[k];
  return poseValue(T, errorOf(a) + errorOf(b) + 2 * angle);
}

/** Manual: a straight line of the position, and a geodesic of the orientation: a turn about one axis. */
function interpolated(given: Arguments): PoseValue {
  const { line, values } = given;
  const [a, b] = [poseOf(given, 'p_from'), poseOf(given, 'p_to')];
  const alpha = values.get('alpha')!;
  if (alpha.kind !== 'number' || !(alpha.value >= 0 && alpha.value <= 1))
    throw new ScriptProblem(line, 'interpolate_pose with no share of the way', 'Give a number from 0 to 1.');
  const positions = a.items.slice(0, 3).map((from, k) => {
    const way = b.items[k].value - from.value;
    return rounded(
      from.value + alpha.value * way,
      Math.max(from.error, b.items[k].error) + alpha.error * Math.abs(way),
    );
  });
  const [from, to, T] = [transformOf(a, line), transformOf(b, line), create()];
  const difference = new Float64Array(6);
  relative(T, from, to);
  poseError(difference, create(), T);
  const [rx, ry, rz] = difference.slice(3);
  const angle = Math.sqrt(rx * rx + ry * ry + rz * rz);
  if (angle > MAX_TURN)
    throw new ScriptProblem(line, 'interpolate_pose of opposite orientations', 'Which way it turns is not known.');
  if (angle <= SAME_ORIENTATION) {
    const turns = a.items.slice(3).map(({ value: turn, error }) => rounded(turn, error + angle));
    return computed([...positions, ...turns]);
  }
  const half = 0.5 * alpha.value * angle;
  const factor = sin(half) / angle;
  const turn = create();
  setRotationFromQuaternion(turn, [cos(half), factor * rx, factor * ry, factor * rz]);
  compose(T, from, turn);
  // Of turns up to 3 rad, an orientation between them deviates by at most 1.5 times the deviation of the two.
  const turned = poseValue(T, 1.5 * Math.max(errorOf(a), errorOf(b)) + alpha.error * angle);
  return computed([...positions, ...turned.items.slice(3)]);
}

function inverse(given: Arguments): PoseValue {
  const pose = poseOf(given, 'p_from');
  const T = create();
  invert(T, transformOf(pose, given.line));
  return poseValue(T, errorOf(pose) * pose.items.slice(0, 3).reduce((sum, item) => sum + Math.abs(item.value), 1));
}

function configurationOf({ values, line, dof }: Arguments, name: string): Configuration {
  const given = values.get(name)!;
  const items = given.kind === 'list' ? given.items : [];
  const numbers = items.flatMap((item) => (item.kind === 'number' && item.error <= MAX_ERROR ? [item.value] : []));
  if (numbers.length === dof && items.length === dof) return Float64Array.from(numbers);
  throw new ScriptProblem(line, `${name} is no list of ${dof} joint positions`);
}

const jointList = (q: Configuration): Value => createList(Array.from(q, (number) => rounded(number, 0)));

function inBase(arm: ScriptArm, T_world: Transform, line: number): PoseValue {
  const T = create();
  relative(T, arm.base(line), T_world);
  return poseValue(T, 0);
}

function currentPose(given: Arguments): PoseValue {
  const arm = armOf(given);
  return inBase(arm, arm.poseAt(arm.state(given.line), arm.tcp), given.line);
}

function forward(given: Arguments): PoseValue {
  const arm = armOf(given);
  const q = given.values.has('q') ? configurationOf(given, 'q') : arm.state(given.line);
  const T_world = arm.poseAt(q, given.values.has('tcp') ? arm.flange(given.line) : arm.tcp);
  if (!given.values.has('tcp')) return inBase(arm, T_world, given.line);
  const T = create();
  compose(T, T_world, transformOf(poseOf(given, 'tcp'), given.line));
  return inBase(arm, T, given.line);
}

function inverseKinematics(given: Arguments): Value {
  const arm = armOf(given);
  const { line, values } = given;
  if (values.has('tcp')) throw new ScriptProblem(line, 'get_inverse_kin with a tcp', 'Set it with set_tcp.');
  const loose = ['maxPositionError', 'maxOrientationError'].find((name) => values.has(name));
  if (loose !== undefined)
    throw new ScriptProblem(
      line,
      `get_inverse_kin with ${loose}`,
      'Leave it out: how far the result is off is not known.',
    );
  const T = inWorld(arm.base(line), transformOf(poseOf(given, 'x'), line));
  return jointList(arm.nearest(T, values.has('qnear') ? configurationOf(given, 'qnear') : arm.state(line), line));
}
