import { cos, PI, sin } from '../../../core/math/trigonometry.ts';
import type { Arguments, Builtin } from './callArguments.ts';
import { controllerSettings } from './controllerSettings.ts';
import { poseFunctions, ratesOf, recordMovej, setTcp } from './poseFunctions.ts';
import { ScriptProblem } from './tokens.ts';
import { applied, callOf, MESSAGE, NOTHING, type NumberValue, squareRoot, stepped, type Value } from './values.ts';

/** Seconds. Default duration t and lookahead time of servoj. */
const [CYCLE, LOOKAHEAD] = [0.002, 0.1];
/**
 * Seconds. Limits of durations. servoj blocks for one control cycle at least, 0.002 s, less rounding: shorter ones are
 * executed more slowly than stated.
 */
const [MIN_TIME, MAX_TIME] = [CYCLE - 1e-9, 86_400];
/** rad. Positions whose single-precision rounding error may be larger are rejected. */
const MAX_ERROR = 1e-5;

/** Functions whose truth value is not known before the program runs, with their parameters. */
const TRUTHS: Readonly<Record<string, string>> = {
  get_digital_in: 'n',
  get_standard_digital_in: 'n',
  get_configurable_digital_in: 'n',
  get_tool_digital_in: 'n',
  get_digital_out: 'n',
  get_standard_digital_out: 'n',
  get_configurable_digital_out: 'n',
  get_tool_digital_out: 'n',
  get_flag: 'n',
  is_steady: '',
  is_within_safety_limits: 'pose',
};

/** Functions whose number is not known before. */
const NUMBERS = ['get_analog_in', 'get_standard_analog_in', 'get_tool_analog_in'];

/** Functions that read inputs and outputs, by name. They have no effect. */
export const inputFunctions: readonly (readonly [string, Builtin])[] = [
  ...Object.entries(TRUTHS).map(
    ([name, parameters]) => [name, reading(parameters, (given) => truth(name, given))] as const,
  ),
  ...NUMBERS.map((name) => [name, reading('n', (given) => measured(name, given))] as const),
];

/**
 * Built-in functions that are executed; calls of all others are rejected. Besides movej, servoj and functions of
 * numbers and lists these are statements that cannot change the path of the arm: settings, outputs, messages and waits;
 * tool center point and payload, which joint-space motions do not depend on; stops at rest.
 */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['movej', statement('q a v t r', 1, movej)],
  ['servoj', statement('q a v t lookahead_time gain', 1, servoj)],
  ...['stopj', 'stopl'].map((name) => [name, statement('a', 0, (given) => stop(name, given))] as const),
  ['sleep', statement('t', 1, sleep)],
  ['sync', statement('', 0, (given) => pause('sync', given))],
  ['popup', statement('s title warning error blocking', 1, (given) => pause('popup', given))],
  ['textmsg', statement('s1 s2', 1, () => NOTHING)],
  ...['set_digital_out', 'set_standard_digital_out', 'set_configurable_digital_out', 'set_tool_digital_out'].map(
    (name) => [name, statement('n b', 2, (given) => output(name, given))] as const,
  ),
  ...['set_standard_analog_out', 'set_analog_out'].map(
    (name) => [name, statement('n f', 2, (given) => output(name, given))] as const,
  ),
  ['set_tool_voltage', statement('voltage', 1, (given) => output('set_tool_voltage', given))],
  ['set_tcp', statement('pose', 1, setTcp)],
  ...poseFunctions,
  ...inputFunctions,
  ...controllerSettings,
  ['to_str', { parameters: ['val'], required: 1, isStatement: false, run: () => MESSAGE }],
  ['str_cat', { parameters: ['op1', 'op2'], required: 2, isStatement: false, run: () => MESSAGE }],
  ['set_payload', statement('m cog', 1, () => NOTHING)],
  ['set_payload_mass', statement('m', 1, () => NOTHING)],
  ['set_payload_cog', statement('CoG', 1, () => NOTHING)],
  ['d2r', ofNumber((x, line) => applied((degrees) => (degrees * PI) / 180, 1, x, line))],
  ['r2d', ofNumber((x, line) => applied((radians) => (radians * 180) / PI, 60, x, line))],
  ['sin', ofNumber((x, line) => applied(sin, 1, x, line))],
  ['cos', ofNumber((x, line) => applied(cos, 1, x, line))],
  ['sqrt', ofNumber(squareRoot)],
  ['floor', ofNumber((x, line) => stepped(Math.floor, x, line))],
  ['ceil', ofNumber((x, line) => stepped(Math.ceil, x, line))],
  ['length', { parameters: ['v'], required: 1, isStatement: false, run: length }],
  ['get_list_length', { parameters: ['v'], required: 1, isStatement: false, run: length }],
]);

function statement(parameters: string, required: number, run: (given: Arguments) => Value): Builtin {
  return { parameters: parameters.split(' ').filter((name) => name !== ''), required, isStatement: true, run };
}

function ofNumber(f: (x: NumberValue, line: number) => NumberValue): Builtin {
  const run = (given: Arguments) => f(numberOf(given, 'x')!, given.line);
  return { parameters: ['x'], required: 1, isStatement: false, run };
}

function movej(given: Arguments): Value {
  const { line, recorder, values } = given;
  const isPose = recorder.arm !== undefined && values.get('q')!.kind === 'pose';
  const positions = isPose ? undefined : positionsOf('movej', given);
  if (recorder.arm !== undefined) {
    recordMovej(given, positions);
    return NOTHING;
  }
  ratesOf('movej', given);
  const r = numberOf(given, 'r')?.value;
  if (r !== undefined && r !== 0)
    throw new ScriptProblem(line, `movej with r=${r}`, 'Use r=0: the path of a blend is not known.');
  recorder.movej(positions!, line);
  return NOTHING;
}

function servoj(given: Arguments): Value {
  const { line, recorder } = given;
  const positions = positionsOf('servoj', given);
  const t = numberOf(given, 't')?.value ?? CYCLE;
  if (!(t >= MIN_TIME && t <= MAX_TIME))
    throw new ScriptProblem(
      line,
      `servoj with t=${t}`,
      `Give the time that it takes: from ${CYCLE} s, a control cycle, to ${MAX_TIME} s.`,
    );
  for (const name of ['a', 'v']) numberOf(given, name); // not used by controllers
  requireRange('lookahead_time', 0.03, 0.2, given);
  requireRange('gain', 100, 2000, given);
  recorder.servoj(positions, t, numberOf(given, 'lookahead_time')?.value ?? LOOKAHEAD, line);
  return NOTHING;
}

function requireRange(name: string, min: number, max: number, given: Arguments): void {
  const value = numberOf(given, name)?.value;
  if (value === undefined || (value >= min && value <= max)) return;
  throw new ScriptProblem(given.line, `servoj with ${name}=${value}`, `The script manual allows ${min} to ${max}.`);
}

function stop(name: string, given: Arguments): Value {
  const a = numberOf(given, 'a')?.value ?? 1;
  if (!(a > 0)) throw new ScriptProblem(given.line, `${name} with a=${a}`, 'Give a positive deceleration.');
  given.recorder.pause(name, given.line, 0, true);
  return NOTHING;
}

function sleep(given: Arguments): Value {
  const t = numberOf(given, 't')!.value;
  if (!(t >= 0 && t <= MAX_TIME)) throw new ScriptProblem(given.line, `sleep of ${t} s`, `Give 0 to ${MAX_TIME} s.`);
  given.recorder.sleep(t, given.line);
  return NOTHING;
}

function output(name: string, { values, line, recorder, limits }: Arguments): Value {
  const given = ['n', 'b', 'f', 'voltage'].flatMap((key) => values.get(key) ?? []);
  recorder.output({ name, text: () => callOf(name, given, limits, line), line });
  return NOTHING;
}

function pause(name: string, { line, recorder }: Arguments): Value {
  recorder.pause(name, line);
  return NOTHING;
}

function positionsOf(name: string, { values, line, dof }: Arguments): number[] {
  const q = values.get('q')!;
  if (q.kind === 'pose')
    throw new ScriptProblem(
      line,
      `${name} to a pose`,
      'Which of the joint positions of a pose the controller selects is not known: write joint positions, [q1, q2, …].',
    );
  if (q.kind !== 'list')
    throw new ScriptProblem(line, `${name}: no list of joint positions`, 'Write them out: movej([0, -1.57, …], r=0).');
  if (q.items.length !== dof)
    throw new ScriptProblem(line, `${q.items.length} positions, there are ${dof} joints`, 'A move names every joint.');
  return q.items.map((item) => {
    if (item.kind !== 'number') throw new ScriptProblem(line, `${name}: a joint position is a ${item.kind}`);
    if (item.error > Math.max(MAX_ERROR, Math.abs(item.value) * 2 ** -22))
      throw new ScriptProblem(
        line,
        `${name}: the rounding of the controller may change ${item.value}`,
        'Write it out.',
      );
    return item.value;
  });
}

/** Returns the number given for a parameter, undefined if it is absent. */
function numberOf({ values, line }: Arguments, name: string): NumberValue | undefined {
  const value = values.get(name);
  if (value === undefined || value.kind === 'number') return value;
  throw new ScriptProblem(line, `${name} is a ${value.kind}, not a number`);
}

function length({ values, line }: Arguments): Value {
  const list = values.get('v')!;
  if (list.kind === 'list') return { kind: 'number', value: list.items.length, type: 'integer', error: 0 };
  throw new ScriptProblem(line, `the length of a ${list.kind}`);
}

function reading(parameters: string, run: (given: Arguments) => Value): Builtin {
  const names = parameters.split(' ').filter((name) => name !== '');
  return { parameters: names, required: names.length, isStatement: false, run };
}

/** Either truth value: the program is executed with both. */
function truth(name: string, given: Arguments): Value {
  const text = requireChoices(name, given);
  return { kind: 'boolean', value: given.choices!.choose([`${text} is True`, `${text} is False`], given.line) === 0 };
}

function measured(name: string, given: Arguments): Value {
  return { kind: 'measured', text: requireChoices(name, given) };
}

/** Returns the text of a call whose value is not known. Refuses it in a program that has one execution. */
function requireChoices(name: string, { values, line, limits, choices }: Arguments): string {
  if (choices === undefined)
    throw new ScriptProblem(
      line,
      `the value of ${name} is not known before the program runs`,
      'check judges the program for all values; for one of them, write it out.',
    );
  return callOf(name, [...values.values()], limits, line);
}
