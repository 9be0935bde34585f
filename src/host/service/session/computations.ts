import { InputError, requireOneOf } from '../../../errors.ts';
import type { Params } from '../../../formats/schemas/serviceMessages.ts';
import { readPair, ShapeCache } from '../../../formats/streams/pairs.ts';
import { createStateDynamics, type MotionState, sceneArm } from '../../../tasks/forces/sceneArm.ts';
import { createPairQuery, writtenResult } from '../../../tasks/queries/queryPairs.ts';
import { type Quantity, quantities } from '../../../tasks/queries/querySolver.ts';
import { querySolvers } from '../../../tasks/queries/querySolvers.ts';
import { requireParameter, within } from '../threadMethods/context.ts';
import { answerEach, type Context, requireCount, requireLength } from './methodContext.ts';

/** Computes torques, momentum and energy of states, with the loads of the scene of the session. */
export function dynamics(context: Context, params: Params<'dynamics'>): string | Promise<string> {
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
export function query(context: Context, params: Params<'query'>): Promise<string> {
  const { pairs, gap, warm = false } = params;
  requireCount(context, pairs.length, 'pairs');
  const solver = params.solver === undefined ? undefined : requireParameter(querySolvers, 'solver', params.solver);
  const what = params.what as Quantity | undefined;
  if (what !== undefined)
    within('params.what', () =>
      requireOneOf(Object.fromEntries(quantities.map((one) => [one, one])), 'quantity', what),
    );
  const queryPair = within('params', () => createPairQuery({ solver, what, gap, warm }));
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
