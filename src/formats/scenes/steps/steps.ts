import { PI } from '../../../core/math/trigonometry.ts';
import type { LineTarget, Step, StepDefaults, StepRules, WorldTarget } from '../../../core/scene/program.ts';
import type { Goal } from '../../../core/scene/scene.ts';
import type { Path } from '../../text/sourceText.ts';
import type { RawConstraint } from '../constraintSchema.ts';
import { readDuration } from '../obstacleMotion.ts';
import { readAngleLimit, readConstraints } from '../readConstraints.ts';
import { readGoal, readTcpSpeed } from '../sceneGoals.ts';
import type { SceneReader } from '../sceneReader.ts';
import type { RawGoal, RawPose, RawStep, RawStepDefaults } from '../sceneSchema.ts';
import { readPathStep } from './pathStep.ts';

type Triple = readonly [number, number, number];
type RawNumber = number | string;
type RawRules = RawStepDefaults;
type RawWorldTarget = { readonly xyz: readonly RawNumber[] } & Pick<NonNullable<RawPose>, 'rpy' | 'quat_wxyz'>;

/** Deviation of lines and arcs that is allowed by default: metres, radians. */
const DEFAULT_TOLERANCE = { position: 1e-4, angle: 0.1 * (PI / 180) };

/** Reads the steps of a program whose structure has been checked. */
export function readSteps(reader: SceneReader, steps: readonly RawStep[], defaults: RawStepDefaults = {}): Step[] {
  return steps.map((step, index) => readStep(reader, step, index, defaults));
}

/** Reports steps that set a payload, in scenes that limit torque, momentum or power. */
export function reportSetPayloads(reader: SceneReader, steps: readonly RawStep[]): void {
  for (const [i, step] of steps.entries())
    if ('set' in step && typeof step.set === 'object' && step.set !== null && Object.hasOwn(step.set, 'payload'))
      reader.report(
        ['steps', i, 'set', 'payload'],
        'it changes the load, which limits of torque, momentum and power do not follow',
        'Attach an object with a mass instead.',
      );
}

/** Reads the rules of steps that do not state their own. */
export function readStepDefaults(reader: SceneReader, given: RawStepDefaults): StepDefaults {
  const rules: StepDefaults = readRules(reader, {}, given, []);
  const { tcp_speed, ...others } = given;
  const isGiven = (key: string) => (key === 'tcpSpeed' ? tcp_speed !== undefined : Object.hasOwn(others, key));
  return Object.fromEntries(Object.entries(rules).filter(([key]) => isGiven(key)));
}

/** Returns step defaults as a scene file states them. */
export const rawStepDefaults = ({ tcpSpeed, ...others }: StepDefaults): RawStepDefaults =>
  tcpSpeed === undefined ? others : { ...others, tcp_speed: tcpSpeed };

function readStep(reader: SceneReader, step: RawStep, index: number, defaults: RawStepDefaults): Step {
  const path: Path = ['steps', index];
  const base = { index, ...(step.name === undefined ? {} : { name: step.name }) };
  const rules = (given: RawRules & { readonly constraints?: readonly RawConstraint[] | undefined }) => ({
    ...readRules(reader, given, defaults, path),
    constraints: readConstraints(reader, given.constraints ?? [], [...path, 'constraints']),
  });
  if ('move' in step) return { kind: 'move', ...base, ...rules(step), goals: readGoals(reader, step.move, path) };
  if ('line' in step) {
    const targets = readLine(reader, step.line as RawLine, [...path, 'line']);
    return { kind: 'line', ...base, ...rules(step), targets };
  }
  if ('arc' in step) {
    const place = [...path, 'arc'];
    const via = readTriple(reader, step.arc.via.xyz, [...place, 'via', 'xyz']);
    const to = worldTarget(reader, step.arc.to as RawWorldTarget, [...place, 'to']);
    return { kind: 'arc', ...base, ...rules(step), via, to };
  }
  if ('path' in step) return readPathStep(reader, step, base, (given) => rules(given), path);
  if ('wait' in step) {
    const duration = readDuration(reader, step.wait, [...path, 'wait']);
    if (!(duration >= 0 && duration <= MAX_WAIT))
      reader.report([...path, 'wait'], `it is ${JSON.stringify(step.wait)}, must be from 0 to ${MAX_WAIT} seconds`);
    return { kind: 'wait', ...base, duration };
  }
  if ('attach' in step) {
    const link = step.link === undefined ? {} : { link: step.link };
    return { kind: 'attach', ...base, object: step.attach, touches: step.touches ?? [], ...link };
  }
  if ('detach' in step) return { kind: 'detach', ...base, object: step.detach };
  if ('set' in step) {
    requireStorable(reader, step.set, [...path, 'set']);
    if (Object.hasOwn(step.set, 'joints')) return readJointMove(reader, step.set, base, [...path, 'set']);
    return { kind: 'set', ...base, values: step.set };
  }
  const kind = 'allow' in step ? 'allow' : 'forbid';
  const pairs = ('allow' in step ? step.allow : step.forbid) as unknown as readonly (readonly [string, string])[];
  return { kind, ...base, pairs };
}

/** Reads a step that moves joints which are not planned; other keys of `set` are passed on with its event. */
function readJointMove(
  reader: SceneReader,
  set: Readonly<Record<string, unknown>>,
  base: Pick<Step, 'index' | 'name'>,
  path: Path,
): Step {
  const { joints: given, time } = set;
  const isValue = (value: unknown) => typeof value === 'number' || typeof value === 'string';
  const isMapping = typeof given === 'object' && given !== null && !Array.isArray(given);
  const entries = isMapping ? Object.entries(given) : [];
  if (entries.length === 0 || !entries.every(([, value]) => isValue(value)))
    reader.report(
      [...path, 'joints'],
      `it is ${JSON.stringify(given)}`,
      'Give values: {joints: {grip: 20 mm}, time: 0.5}.',
    );
  const joints = Object.fromEntries(
    entries.map(([joint, value]) => {
      return [joint, isValue(value) ? reader.jointNumber(value as RawNumber, joint, [...path, 'joints', joint]) : 0];
    }),
  );
  const duration = isValue(time) ? readDuration(reader, time as RawNumber, [...path, 'time']) : Number.NaN;
  if (!(duration >= MIN_MOVE && duration <= MAX_WAIT) && !reader.needsExpressions)
    reader.report(
      [...path, 'time'],
      time === undefined
        ? 'it is missing'
        : `it is ${JSON.stringify(time)}, must be from ${MIN_MOVE} to ${MAX_WAIT} seconds`,
      'Joints that are not planned move linearly over this time: give seconds.',
    );
  return { kind: 'wait', ...base, duration, moves: { joints, values: { ...set, joints, time: duration } } };
}

/** Seconds: a shorter motion would be hidden by the tolerance of durations. */
const MIN_MOVE = 1e-3;

/** Reports numbers that are not finite: trajectories, which carry the values of `set`, cannot store them. */
function requireStorable(reader: SceneReader, value: unknown, path: Path): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    reader.report(path, `it is ${value}, which a trajectory cannot store`, 'Write a finite number, or a text.');
  if (typeof value !== 'object' || value === null) return;
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, one] of entries) requireStorable(reader, one, [...path, key]);
}

/** Seconds: a day. */
const MAX_WAIT = 86_400;

type RawLine =
  | { readonly by?: readonly RawNumber[]; readonly rpy?: readonly RawNumber[]; readonly frame?: string }
  | { readonly to: RawWorldTarget | readonly RawWorldTarget[] };

function readLine(reader: SceneReader, line: RawLine, path: Path): LineTarget[] {
  if (!('to' in line)) {
    const by = line.by ? readTriple(reader, line.by, [...path, 'by']) : ([0, 0, 0] as const);
    const { quat_wxyz } = reader.pose({ rpy: line.rpy as RawNumber[] | undefined }, path);
    return [{ kind: 'by', by, quat_wxyz, frame: line.frame ?? 'world' }];
  }
  const place = [...path, 'to'];
  return Array.isArray(line.to)
    ? line.to.map((target, i) => worldTarget(reader, target, [...place, i]))
    : [worldTarget(reader, line.to as RawWorldTarget, place)];
}

function worldTarget(reader: SceneReader, given: RawWorldTarget, path: Path): WorldTarget {
  const { xyz, quat_wxyz } = reader.pose(given as RawPose, path);
  const isOriented = given.rpy !== undefined || given.quat_wxyz !== undefined;
  return { kind: 'to', xyz, ...(isOriented ? { quat_wxyz } : {}) };
}

function readTriple(reader: SceneReader, given: readonly RawNumber[], path: Path): Triple {
  return reader.numbers(given, 'length', path) as unknown as Triple;
}

/** Reads one goal, or a list of alternatives: a list whose entries are not all joint values. */
function readGoals(reader: SceneReader, given: unknown, path: Path): Goal[] {
  const place = [...path, 'move'];
  const isJointValue = (entry: unknown) => typeof entry === 'number' || isQuantity(entry);
  const isList = Array.isArray(given) && !given.every(isJointValue);
  return isList
    ? given.map((goal, i) => readGoal(reader, goal as RawGoal, [...place, i]))
    : [readGoal(reader, given as RawGoal, place)];
}

/** True for a text that begins like a number or an expression; names of states do not. */
const isQuantity = (entry: unknown) => typeof entry === 'string' && /^[\s(+-]*(?:[\d.]|pi\b)/i.test(entry);

function readRules(reader: SceneReader, own: RawRules, defaults: RawRules, path: Path): Omit<StepRules, 'constraints'> {
  const scale = (key: 'speed' | 'acceleration') => {
    const [given, place] = chosen(own, defaults, key, path);
    return given === undefined ? 1 : reader.share(given, place);
  };
  const [tcp, tcpPlace] = chosen(own, defaults, 'tcp_speed', path);
  const [rawBlend, blendPlace] = chosen(own, defaults, 'blend', path);
  const blend = rawBlend === undefined ? 0 : reader.atLeastZero(rawBlend, blendPlace);
  return {
    speed: scale('speed'),
    acceleration: scale('acceleration'),
    ...(tcp === undefined ? {} : { tcpSpeed: readTcpSpeed(reader, tcp, tcpPlace) }),
    blend,
    tolerance: readTolerance(reader, own, defaults, path),
  };
}

function readTolerance(reader: SceneReader, own: RawRules, defaults: RawRules, path: Path): StepRules['tolerance'] {
  const [given, place] = chosen(own, defaults, 'tolerance', path);
  const { position, angle } = given ?? {};
  return {
    position:
      position === undefined ? DEFAULT_TOLERANCE.position : reader.positive(position, 'length', [...place, 'position']),
    angle: angle === undefined ? DEFAULT_TOLERANCE.angle : readAngleLimit(reader, angle, [...place, 'angle']),
  };
}

/** Returns the value of a key of the step, else of the defaults, and its path. */
function chosen<K extends keyof RawRules>(own: RawRules, defaults: RawRules, key: K, path: Path): [RawRules[K], Path] {
  return own[key] !== undefined ? [own[key], [...path, key]] : [defaults[key], ['defaults', key]];
}
