import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../core/kinematics/pose.ts';
import type { Link, RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { configurationOf, goalConfiguration } from '../../core/scene/configurationOf.ts';
import { InputError, requireOneOf, suggestion } from '../../errors.ts';
import { type Params, type SessionMethodName, serviceMessages } from '../../formats/schemas/serviceMessages.ts';
import { readPair, ShapeCache } from '../../formats/streams/pairs.ts';
import { createStateDynamics, type MotionState, sceneArm } from '../../tasks/forces/sceneArm.ts';
import { createPairQuery, writtenResult } from '../../tasks/queries/queryPairs.ts';
import { type Quantity, quantities } from '../../tasks/queries/querySolver.ts';
import { querySolvers } from '../../tasks/queries/querySolvers.ts';
import type { StateValidityChecker } from '../../tasks/validation/stateValidityChecker.ts';
import { goalsOf, ikText, startOf } from './ikMethod.ts';
import { validateStates } from './manyStates.ts';
import { bodiesText, clearanceText, motionText, stateText } from './resultTexts.ts';
import { addObject, attachObject, detachObject } from './session/addObject.ts';
import { gateMethods } from './session/gates.ts';
import {
  answerEach,
  answerStates,
  type Context,
  requireCount,
  requireLength,
  requireStates,
} from './session/methodContext.ts';
import { changesScene, isGateMethod } from './session/rpcErrors.ts';
import { requireParameter, within } from './threadMethods/context.ts';

/** Returns the result as JSON text; other requests may run before a promise is resolved. */
type Method<M extends SessionMethodName> = (context: Context, params: Params<M>) => string | Promise<string>;

/** The methods of the service. `serviceMessages` defines their parameters and results. */
export const methods: { readonly [M in SessionMethodName]: Method<M> } = {
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

  validate(context, { q, states, details = false, start_tolerance: tolerance = 0 }) {
    const checker = context.checker().withTolerance(tolerance);
    if (states && !details) return validityOfEach(context, checker, requireStates(context, checker, q, states));
    return answerStates(context, checker, { q, states }, (state) =>
      details ? stateText(checker, state) : validityText(checker, state),
    );
  },

  validate_motion(context, { from, to, motions, details = false, start_tolerance: tolerance = 0 }) {
    const checker = context.checker().withTolerance(tolerance);
    type Ends = readonly (readonly number[])[];
    const judge = ([qFrom, qTo]: Ends) =>
      details ? motionText(checker.judgeMotion(qFrom, qTo)) : String(checker.isValidMotion(qFrom, qTo));
    if (from && to && !motions) {
      requireLength(checker, from, 'from');
      requireLength(checker, to, 'to');
      context.count(1);
      return details ? judge([from, to]) : `{"valid":${judge([from, to])}}`;
    }
    if (!motions || from || to) throw new InputError('params: no motion', 'Give `from` and `to`, or `motions`.');
    requireCount(context, motions.length, 'motions');
    for (const [i, ends] of motions.entries())
      for (const [k, end] of ends.entries()) requireLength(checker, end, `motions[${i}][${k}]`);
    return answerEach(context, details ? 'answers' : 'valid', motions, judge);
  },

  clearance(context, { q, states, gradient = false }) {
    const checker = context.checker();
    return answerStates(context, checker, { q, states }, (state) =>
      clearanceText(gradient ? checker.clearance(state, { gradient }) : checker.clearance(state)),
    );
  },

  fk(context, { q, states, links }) {
    const checker = context.checker();
    return answerStates(context, checker, { q, states }, linkPoses(checker.robot, links));
  },

  ik(context, params) {
    return ikText(context.checker(), context.scene.current, params, context.turn.check);
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

  dynamics,
  query,
  ...gateMethods,
};

/** Returns true if a method checks collisions, so that the checker of the current scene is created before it runs. */
export const usesChecker = (method: SessionMethodName) =>
  !(['describe', 'dynamics', 'query'] as SessionMethodName[]).includes(method) &&
  !changesScene(method) &&
  !isGateMethod(method);

/** Writes the validity of a state. */
export const validityText = (checker: StateValidityChecker, q: readonly number[]): string =>
  `{"valid":${checker.isValid(q)}}`;

/** Returns a function that writes the poses of links for a state. Throws `InputError` for unknown names. */
export function linkPoses(robot: RobotModel, names?: readonly string[]): (q: readonly number[]) => string {
  const links = requestedLinks(robot, names);
  const state = new RobotState(robot);
  return (q) => {
    forwardKinematics(state, Float64Array.from(q));
    const poses = links.map(({ name, index }) => [name, poseOfTransform(state.T_world_link[index])]);
    return `{"links":${JSON.stringify(Object.fromEntries(poses))}}`;
  };
}

/** Writes the validity of each state as a JSON array. */
async function validityOfEach(
  context: Context,
  checker: StateValidityChecker,
  states: readonly (readonly number[])[],
): Promise<string> {
  const valid = new Float64Array(states.length);
  await validateStates(checker, valid, (i) => states[i], 0, context.turn);
  const texts = Array.from(valid, (value) => (value === 1 ? 'true' : 'false'));
  return answerEach(context, 'valid', texts, (text) => text);
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

/** Computes torques, momentum and energy of states, with the loads of the scene of the session. */
function dynamics(context: Context, params: Params<'dynamics'>): string | Promise<string> {
  const { q, v, a, states, mass_matrix } = params;
  const { base, scene } = context;
  const dynamicsOf = createStateDynamics(sceneArm(base.robot, scene.current), mass_matrix);
  const answer = (state: MotionState) => JSON.stringify(dynamicsOf(state));
  if (states) {
    if (q || v || a) throw new InputError('params: q and states are both given', 'Give one of them.');
    requireCount(context, states.length, 'states');
    for (const [i, state] of states.entries()) requireState(context, state, `states[${i}].`);
    return answerEach(context, 'answers', states, answer);
  }
  if (!q) throw new InputError('params: no state', 'Give `q`, or `states`.');
  requireState(context, { q, v, a }, '');
  context.count(1);
  return answer({ q, v, a });
}

function requireState(
  { base }: Context,
  state: Readonly<Record<string, readonly number[] | undefined>>,
  place: string,
) {
  for (const [key, values] of Object.entries(state)) if (values) requireLength(base, values, `${place}${key}`);
}

/** Computes quantities of pairs of shapes; a pair that cannot be read has an error in its place. */
function query(context: Context, params: Params<'query'>): Promise<string> {
  const { pairs, gap, absolute_gap: absoluteGap, iterations: maxIterations, guess, warm = false } = params;
  requireCount(context, pairs.length, 'pairs');
  const solver = params.solver === undefined ? undefined : requireParameter(querySolvers, 'solver', params.solver);
  const what = params.what as Quantity | undefined;
  if (what !== undefined)
    within('params.what', () =>
      requireOneOf(Object.fromEntries(quantities.map((one) => [one, one])), 'quantity', what),
    );
  const queryPair = within('params', () =>
    createPairQuery({ solver, what, gap, absoluteGap, maxIterations, guess, warm }),
  );
  const cache = new ShapeCache();
  return answerEach(context, 'answers', [...pairs.entries()], ([i, given]) => {
    const { id = i + 1 } = given;
    try {
      return JSON.stringify({ id, ...writtenResult(queryPair, readPair(given, cache)) });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return JSON.stringify({ id, error: error.message });
    }
  });
}
