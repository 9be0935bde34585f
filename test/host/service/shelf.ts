import { expect } from 'vitest';
import type { Random } from '../../../src/core/math/random.ts';
import { serviceMessages } from '../../../src/formats/schemas/serviceMessages.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { Service } from '../../../src/host/service/service.ts';
import type { Session } from '../../../src/host/service/session/session.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';

export const { scene, robot } = await loadScene('scenes/shelf.yaml');
export const model = createSceneRobot({ scene, robot });
/** Reference for the results of the service. */
export const checker = new StateValidityChecker(model, scene);
export const free = [-0.558, -0.925, 1.257, -0.314, 1.012, 1.571];
export const hit = [0, 0, 0, 0, 0, 0];

export const serviceWith = (limits = {}) => new Service({ robot: model, scene, version: '0', limits });
/** Default service of the tests. */
export const service = serviceWith();
export const open = (of = service) => of.openSession()!;

export interface Answer {
  readonly id?: unknown;
  // `call` validates results against their schema.
  readonly result?: Record<string, never>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly note: string } };
}

export async function ask(session: Session, message: unknown): Promise<Answer & Answer[]> {
  return JSON.parse(await session.answer(typeof message === 'string' ? message : JSON.stringify(message)));
}

/** Sends one request and validates its result against the schema. */
export async function call(
  session: Session,
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
