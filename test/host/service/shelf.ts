import { expect } from 'vitest';
import type { Random } from '../../../src/core/math/random.ts';
import { serviceMessages } from '../../../src/formats/schemas/serviceMessages.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { Service, type ServiceOptions } from '../../../src/host/service/service.ts';
import { serviceLimits } from '../../../src/host/service/serviceLimits.ts';
import { Sessions } from '../../../src/host/service/session/sessions.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';

export const { scene, robot } = await loadScene('scenes/shelf.yaml');
export const model = createSceneRobot({ scene, robot });
/** Reference for the results of the service. */
export const checker = new StateValidityChecker(model, scene);
export const free = [-0.558, -0.925, 1.257, -0.314, 1.012, 1.571];
export const hit = [0, 0, 0, 0, 0, 0];

export const serviceWith = (limits = {}) => new Service({ robot: model, scene, version: '0', limits });
/** The sessions of a service, in this thread. */
export const sessionsOf = ({ checker = 'growth-distance', limits = {}, ...options }: ServiceOptions) =>
  new Sessions({ ...options, checker, limits: { ...serviceLimits, ...limits } });
export const sessionsWith = (limits = {}) => sessionsOf({ robot: model, scene, version: '0', limits });
/** Default sessions of the tests. */
export const sessions = sessionsWith();
export const open = (of = sessions) => of.open();

export interface Answer {
  readonly id?: unknown;
  // `call` validates results against their schema.
  readonly result?: Record<string, never>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly note: string } };
}

/** A session, on any side. */
export interface Answering {
  answer(message: string): string | Promise<string>;
}

export async function ask(session: Answering, message: unknown): Promise<Answer & Answer[]> {
  return JSON.parse(await session.answer(typeof message === 'string' ? message : JSON.stringify(message)));
}

/** Sends one request and validates its result against the schema. */
export async function call(
  session: Answering,
  method: keyof typeof serviceMessages,
  params: object = {},
): Promise<Answer> {
  const answer = await ask(session, { jsonrpc: '2.0', id: 7, method, params });
  expect(answer.id).toBe(7);
  if (answer.result) serviceMessages[method].result.parse(answer.result);
  return answer;
}

/** A state within the limits. */
export function drawn(random: Random): number[] {
  return Array.from(checker.lower, (low, i) => random.between(low, checker.upper[i]));
}
