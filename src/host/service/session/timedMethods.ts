import { InputError } from '../../../errors.ts';
import {
  type MethodName,
  type Params,
  type SessionMethodName,
  serviceMessages,
} from '../../../formats/schemas/serviceMessages.ts';
import type { TimedValidity } from '../../../tasks/validation/timedValidity.ts';
import { isFrameMethod } from '../frames/frameRequest.ts';
import { answerEach, type Context, requireLength, requireStates } from './methodContext.ts';

const NO_TIMES = 'A motion between two states has no times: check takes a trajectory.';

/**
 * Whether each method takes the times of moving obstacles and other robots into account, or does not depend on them;
 * otherwise the hint of its refusal. A new method needs an entry.
 */
const timeSupport: Readonly<Record<MethodName, true | string>> = {
  describe: true,
  validate: true,
  validate_motion: NO_TIMES,
  clearance: true,
  fk: true,
  ik: true,
  plan: true,
  check: true,
  verify: true,
  repair: true,
  recertify: true,
  watch: true,
  'watch.advance': true,
  'watch.end': true,
  dynamics: true,
  query: true,
  'scene.move': true,
  'scene.add': true,
  'scene.remove': true,
  'scene.attach': true,
  'scene.detach': true,
  'scene.reset': true,
  'gate.open': true,
  'gate.propose': true,
  'gate.tick': true,
  'gate.state': true,
  'gate.close': true,
};

/** Throws `InputError` for methods that would ignore moving obstacles and other robots. */
export function requireTimedMethod(method: string): void {
  const hint = Object.hasOwn(timeSupport, method) ? timeSupport[method as MethodName] : undefined;
  if (typeof hint !== 'string') return; // unknown methods are refused where they are read
  throw new InputError(`${method}: not supported in a scene with moving obstacles or other robots`, hint);
}

/** Throws `InputError` for frames of methods whose JSON messages contain times: frames have none. */
export function requireTimedFrame(method: string): void {
  requireTimedMethod(method);
  if (!isFrameMethod(method)) return; // refused where frames are read
  if (!('times' in serviceMessages[method].params.shape)) return;
  throw new InputError(
    `${method}: binary frames have no times, which a scene with moving obstacles or other robots needs`,
    'Send JSON with t or times.',
  );
}

/**
 * Returns the result of a method in a scene with moving obstacles or other robots; undefined if the method does not
 * depend on them.
 */
export function timedWork(
  context: Context,
  timed: TimedValidity,
  method: SessionMethodName,
  params: unknown,
): string | Promise<string> | undefined {
  if (method === 'validate') return validate(context, timed, params as Params<'validate'>);
  if (method === 'clearance') return clearance(context, timed, params as Params<'clearance'>);
  if (method !== 'ik' || !(params as Params<'ik'>).collision_free) return undefined;
  throw new InputError(
    'params.collision_free: not supported in a scene with moving obstacles or other robots',
    'Validate the solutions at their times.',
  );
}

function validate(context: Context, given: TimedValidity, params: Params<'validate'>): string | Promise<string> {
  const { details = false, start_tolerance: tolerance = 0 } = params;
  const timed = given.withTolerance(tolerance);
  if (details) return eachState(context, params, 'answers', (q, t) => JSON.stringify(timed.judge(q, t)));
  const text = (q: readonly number[], t: number) => String(timed.judge(q, t).valid);
  return params.q && !params.states
    ? eachState(context, params, 'answers', (q, t) => `{"valid":${text(q, t)}}`)
    : eachState(context, params, 'valid', text);
}

function clearance(context: Context, timed: TimedValidity, params: Params<'clearance'>): string | Promise<string> {
  const { gradient: withGradient = false } = params;
  return eachState(context, params, 'answers', (q, t) => {
    const { distance, pair = null, gradient, differentiable } = timed.clearance(q, t);
    return JSON.stringify({ distance, pair, ...(withGradient && { gradient, differentiable }) });
  });
}

/** Computes the result of each state of a request at its time. */
function eachState(
  context: Context,
  { q, states, t, times }: Params<'validate'>,
  key: string,
  answer: (q: readonly number[], t: number) => string,
): string | Promise<string> {
  const checker = context.checker();
  if (t !== undefined && times) throw new InputError('params: t and times are both given', 'Give one of them.');
  if (q && !states) {
    requireLength(checker, q, 'q');
    if (t === undefined) throw missing('t');
    context.count(1);
    return answer(q, t);
  }
  const given = requireStates(context, checker, q, states);
  if (t === undefined && !times) throw missing('times');
  if (times && times.length !== given.length)
    throw new InputError(`params.times: it has ${times.length} values for ${given.length} states`, 'Give one each.');
  const timed = given.map((state, i) => ({ state, time: times ? times[i] : t! }));
  return answerEach(context, key, timed, ({ state, time }) => answer(state, time));
}

const missing = (name: string) =>
  new InputError(
    `params.${name}: missing; the scene has moving obstacles or other robots`,
    'Give the time of the scene in seconds.',
  );
