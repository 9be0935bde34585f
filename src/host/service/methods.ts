import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../core/kinematics/pose.ts';
import type { Link, RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { configurationOf } from '../../core/scene/configurationOf.ts';
import { InputError, suggestion } from '../../errors.ts';
import { type Params, type SlicedMethodName, serviceMessages } from '../../formats/schemas/serviceMessages.ts';
import { goalConfiguration } from '../../tasks/sceneRobot.ts';
import type { StateValidityChecker } from '../../tasks/validation/stateValidityChecker.ts';
import { goalsOf, ikText, startOf } from './ikMethod.ts';
import { FEW_PAIRS, STATES_PER_PAUSE, validatingStates } from './manyStates.ts';
import { bodiesText, clearanceText, motionText, stateText, validityText } from './resultTexts.ts';
import type { Work } from './scheduler.ts';
import { type AddingContext, addObject } from './session/addObject.ts';
import { attachObject, detachObject } from './session/carryObject.ts';
import { within } from './threadMethods/context.ts';

/** Context of a method: the data that it reads and changes. */
export interface Context extends AddingContext {
  readonly version: string;
  /** Checker of the loaded scene, for data of the robot and its joints only. */
  readonly base: StateValidityChecker;
  /** Returns the checker of the current scene of the session; only for methods with `usesChecker`. */
  readonly checker: () => StateValidityChecker;
  /** Counts states or motions, for the metrics. */
  readonly count: (judged: number) => void;
  /** Sets the bytes that the running request reserves. Throws `RpcError` if the memory budget is exhausted. */
  readonly hold: (bytes: number) => void;
}

/** Returns the result as JSON text: synchronously, or as sliced work if it may take long. */
type Method<M extends SlicedMethodName> = (context: Context, params: Params<M>) => string | Work<string>;

/** Pair checks of a motion between two pauses: about 100 µs, a few milliseconds for the largest convex shapes. */
export const CHECKS_PER_SLICE = 64;
/** Texts joined between two pauses. */
const TEXTS_PER_PAUSE = 4096;
/** Link poses written between two pauses. */
export const LINKS_PER_PAUSE = 100;

/** The methods of the service. `serviceMessages` defines their parameters and results. */
export const methods: { readonly [M in SlicedMethodName]: Method<M> } = {
  describe({ version, limits, scene: { current }, base: { robot } }) {
    const goal = current.goals.find((one) => one.kind === 'joints');
    const listOf = (q: Configuration | undefined) => (q ? [...q] : null);
    return JSON.stringify({
      service: 'elbowroom-service/1',
      version,
      scene: current.name,
      robot: robot.name,
      joints: robot.variables.map(({ name, type, limits: { lower, upper } }) => ({ name, type, lower, upper })),
      links: robot.links.map((link) => link.name),
      obstacles: current.obstacles.map(({ name, pose, motion }) => ({ name, pose, motion })),
      robots: current.robots?.map((other) => other.name),
      attached: current.attached.map(({ name, link, pose }) => ({ name, link, pose })),
      padding: current.padding,
      start: listOf(current.start === undefined ? undefined : configurationOf(robot, current.start, 'start')),
      goals: goalsOf(robot, current),
      goal: listOf(goal && goalConfiguration(robot, goal.joints, startOf(robot, current), 'goal')),
      methods: Object.keys(serviceMessages),
      limits,
    });
  },

  validate(context, { q, states, details = false }) {
    const checker = context.checker();
    const judge = details
      ? (state: readonly number[]) => stateText(checker, state)
      : (state: readonly number[]) => validityText(checker.validating(state));
    if (q && !states) {
      requireLength(checker, q, 'q');
      context.count(1);
      if (details) return judge(q);
      return statesPerPause(checker) > 1 ? `{"valid":${checker.isValid(q)}}` : wrapped('valid', judge(q));
    }
    const given = requireStates(context, checker, q, states);
    if (details) return wrapped('answers', answerEach(context, given, statesPerPause(checker), judge));
    return wrapped('valid', validityOfEach(context, checker, given));
  },

  validate_motion(context, { from, to, motions, details = false }) {
    const checker = context.checker();
    type Ends = readonly (readonly number[])[];
    const slicing = { checks: CHECKS_PER_SLICE, hold: context.hold };
    const judge = details
      ? ([qFrom, qTo]: Ends) => motionText(checker.judgingMotion(qFrom, qTo, slicing))
      : ([qFrom, qTo]: Ends) => validityText(checker.validatingMotion(qFrom, qTo, slicing));
    if (from && to && !motions) {
      requireLength(checker, from, 'from');
      requireLength(checker, to, 'to');
      context.count(1);
      return details ? judge([from, to]) : wrapped('valid', judge([from, to]));
    }
    if (!motions || from || to) throw new InputError('params: no motion', 'Give `from` and `to`, or `motions`.');
    requireCount(context, motions.length, 'motions');
    for (const [i, ends] of motions.entries())
      for (const [k, end] of ends.entries()) requireLength(checker, end, `motions[${i}][${k}]`);
    return wrapped(details ? 'answers' : 'valid', answerEach(context, motions, 1, judge));
  },

  clearance(context, { q, states, gradient = false }) {
    const checker = context.checker();
    const judge = (state: readonly number[]) => clearanceText(checker.findingClearance(state, gradient));
    if (q && !states) {
      requireLength(checker, q, 'q');
      context.count(1);
      return judge(q);
    }
    return wrapped('answers', answerEach(context, requireStates(context, checker, q, states), 1, judge));
  },

  fk(context, { q, states, links }) {
    const checker = context.checker();
    const { robot } = checker;
    const wanted = requestedLinks(robot, links);
    const pauses = Math.max(1, Math.floor(LINKS_PER_PAUSE / robot.links.length));
    const state = new RobotState(robot);
    const place = (values: readonly number[]) => {
      forwardKinematics(state, Float64Array.from(values));
      const poses = wanted.map(({ name, index }) => [name, poseOfTransform(state.T_world_link[index])]);
      return `{"links":${JSON.stringify(Object.fromEntries(poses))}}`;
    };
    if (q && !states) {
      requireLength(checker, q, 'q');
      context.count(1);
      return place(q);
    }
    return wrapped('answers', answerEach(context, requireStates(context, checker, q, states), pauses, place));
  },

  ik(context, params) {
    return ikText(context.checker(), context.scene.current, params);
  },

  'scene.move'({ scene }, { name, pose }) {
    within('params', () => scene.move(name, pose));
    return bodiesText(scene, { pose });
  },

  'scene.add'(context, { body, replace = false }) {
    return addObject(context, body, replace);
  },

  'scene.remove'({ scene, keep }, { name }) {
    within('params', () => scene.remove(name));
    keep(scene.addedBytes());
    return bodiesText(scene);
  },

  'scene.attach'(context, { name, link, pose, q, touches }) {
    return attachObject(context, name, { link, pose, q: requirePlace(context.base, pose, q), touches });
  },

  'scene.detach'(context, { name, pose, q }) {
    return detachObject(context, name, { pose, q: requirePlace(context.base, pose, q) });
  },

  'scene.reset'({ scene, keep }) {
    scene.reset();
    keep(scene.addedBytes());
    return bodiesText(scene);
  },
};

/** Returns true if a method checks collisions, so that the checker of the current scene is created before it runs. */
export const usesChecker = (method: SlicedMethodName) => method !== 'describe' && !method.startsWith('scene.');

function* wrapped(key: string, value: string | Work<string>): Work<string> {
  return `{"${key}":${typeof value === 'string' ? value : yield* value}}`;
}

/**
 * Writes the results of all items as a JSON array; pauses after every `run` items. Throws `InputError` if the text
 * exceeds the limit.
 */
export function* answerEach<T>(
  { limits, count }: Context,
  items: readonly T[],
  run: number,
  answer: (item: T) => string | Work<string>,
): Work<string> {
  let text = '[';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ',';
    const next = answer(items[i]);
    text += typeof next === 'string' ? next : yield* next;
    if (text.length > limits.answer)
      throw new InputError(
        `the response is longer than ${limits.answer} characters`,
        `Request ${Math.max(1, Math.floor(i / 2))} at a time.`,
      );
    if ((i + 1) % run === 0) yield;
  }
  count(items.length);
  return `${text}]`;
}

/** Writes the validity of each state as a JSON array. */
function* validityOfEach(
  context: Context,
  checker: StateValidityChecker,
  states: readonly (readonly number[])[],
): Work<string> {
  const valid = new Float64Array(states.length);
  yield* validatingStates(checker, valid, (i) => states[i], 0);
  const texts = Array.from(valid, (value) => (value === 1 ? 'true' : 'false'));
  return yield* answerEach(context, texts, TEXTS_PER_PAUSE, (text) => text);
}

/** Returns the number of states that are checked between two pauses; 1: each state is checked in slices. */
function statesPerPause({ manager }: StateValidityChecker): number {
  return manager.model.pairCount <= FEW_PAIRS ? STATES_PER_PAUSE : 1;
}

/** Returns the links of these names in the order of the robot; default: all. Throws `InputError` for unknown names. */
export function requestedLinks(robot: RobotModel, requested: readonly string[] | undefined): readonly Link[] {
  const names = new Set(robot.links.map((link) => link.name));
  const unknown = requested?.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new InputError(`params.links: there is no link "${unknown}"`, suggestion(unknown, [...names]));
  const given = requested && new Set(requested);
  return robot.links.filter(({ name }) => given === undefined || given.has(name));
}

/** Returns the states of a request. Throws `InputError` if there are none, too many, or one of a wrong length. */
export function requireStates(
  context: Context,
  checker: StateValidityChecker,
  q: readonly number[] | undefined,
  states: readonly (readonly number[])[] | undefined,
): readonly (readonly number[])[] {
  if (!states) throw new InputError('params: no state', 'Give `q`, or `states`.');
  if (q) throw new InputError('params: q and states are both given', 'Give one of them.');
  requireCount(context, states.length, 'states');
  for (let i = 0; i < states.length; i++)
    if (states[i].length !== checker.dof) requireLength(checker, states[i], `states[${i}]`);
  return states;
}

function requireCount({ limits }: Context, count: number, what: string): void {
  if (count > limits.states)
    throw new InputError(
      `params.${what}: it has ${count} items, the limit is ${limits.states}`,
      `Send at most ${limits.states} items in a message.`,
    );
}

/** Throws `InputError` if a state of a request has a wrong number of values. */
export function requireLength({ dof, joints }: StateValidityChecker, q: readonly number[], place: string): void {
  if (q.length === dof) return;
  throw new InputError(
    `params.${place}: it has ${q.length} values, the robot has ${dof} planned joints`,
    `In order: ${joints.join(', ')}.`,
  );
}

/**
 * Throws `InputError` unless exactly one of `pose` and `q` is given, which determine the pose of an attached or
 * detached object.
 */
function requirePlace(
  checker: StateValidityChecker,
  pose: unknown,
  q: number[] | undefined,
): Configuration | undefined {
  if ((pose === undefined) === (q === undefined))
    throw new InputError('params: no pose', 'Give `pose`, or `q` of the robot.');
  if (q) requireLength(checker, q, 'q');
  return q && Float64Array.from(q);
}
