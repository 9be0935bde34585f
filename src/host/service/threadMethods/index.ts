import type { ThreadMethodName } from '../../../formats/schemas/serviceMessages.ts';
import type { ThreadMethod } from './context.ts';
import { check, recertify, verify } from './judge.ts';
import { plan } from './plan.ts';
import { repair } from './repair.ts';
import { judgeWatch, replan } from './watch.ts';

/** The methods of the service that run on threads, and those that sessions use for watches. */
export const threadMethods: Readonly<Record<ThreadMethodName | 'judgeWatch' | 'replan', ThreadMethod>> = {
  plan,
  check,
  verify,
  repair,
  recertify,
  judgeWatch,
  replan,
};
