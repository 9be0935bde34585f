import { InputError } from '../../../errors.ts';
import type { StateValidityChecker } from '../../../tasks/validation/stateValidityChecker.ts';
import type { AddingContext } from './addObject.ts';
import type { Gates } from './gates.ts';

/** Context of a method: the data that it reads and changes. */
export interface Context extends AddingContext {
  readonly version: string;
  /** Checker of the loaded scene, for data of the robot and its joints only. */
  readonly base: StateValidityChecker;
  /** Returns the checker of the current scene of the session; only for methods with `usesChecker`. */
  readonly checker: () => StateValidityChecker;
  /** Gates of the session. */
  readonly gates: Gates;
  /** Counts states or motions, for the metrics. */
  readonly count: (judged: number) => void;
}

/**
 * Writes the results of all items as a JSON array under a key; other requests run in between. Throws `InputError` if
 * the text exceeds the limit.
 */
export async function answerEach<T>(
  { limits, count, turn }: Context,
  key: string,
  items: readonly T[],
  answer: (item: T) => string,
): Promise<string> {
  let text = '[';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ',';
    text += answer(items[i]);
    if (text.length > limits.answer)
      throw new InputError(
        `the response is longer than ${limits.answer} characters`,
        `Request ${Math.max(1, Math.floor(i / 2))} at a time.`,
      );
    if (turn.isOver) await turn.next();
  }
  count(items.length);
  return `{"${key}":${text}]}`;
}

/** Writes the result of `q`, or those of all `states` as a JSON array; requests give one of them. */
export function answerStates(
  context: Context,
  checker: StateValidityChecker,
  {
    q,
    states,
  }: { readonly q?: readonly number[] | undefined; readonly states?: readonly (readonly number[])[] | undefined },
  answer: (q: readonly number[]) => string,
): string | Promise<string> {
  if (!q || states) return answerEach(context, 'answers', requireStates(context, checker, q, states), answer);
  requireLength(checker, q, 'q');
  context.count(1);
  return answer(q);
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

/** Throws `InputError` if a request has more items than the limit. */
export function requireCount({ limits }: Context, count: number, what: string): void {
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
