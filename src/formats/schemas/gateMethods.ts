import * as z from 'zod';
import { keys } from '../scenes/sceneSchema.ts';
import { MAX_TIME } from '../streams/gateMessages.ts';
import { type MessageDefinition, number, pair } from './messageParts.ts';

/** Limit of the points of one proposal. */
export const MAX_POINTS = 5000;
/** Limit of the pair checks of one message to a gate of the service. */
const MAX_BUDGET = 1_000_000;

/** Id of a gate. */
export const gateId = number.describe('id of the gate');
/** Time of a message to a gate. */
export const now = number.min(0).max(MAX_TIME).describe('time of the message, seconds; never decreases');

const row = z.array(number).describe('one value per planned joint');
const point = z.object({ time: number, positions: row, velocities: row });
const motion = z.object({ from: number, points: z.array(point) }).describe('cubics through points; at rest at its end');

/** Answer of a gate. */
export const gateAnswer = z.object({
  verdict: z.enum(['accepted', 'slowed', 'trimmed', 'refused', 'held', 'stopping', 'unavoidable']),
  until: number.describe('end of the committed motion, at rest'),
  moves_until: number.optional().describe('last instant of the proposal that is kept'),
  pair: pair.optional(),
  reason: z.string().optional(),
  contact: z.object({ pair, time: number, speed: number }).optional().describe('contact that no stop avoids'),
  committed: motion.optional().describe('the committed motion from the first instant on that differs'),
});

/** Messages about gates, which judge proposed motions while the robot moves. */
export const gateMessages = {
  'gate.open': {
    summary:
      'opens a gate: it judges proposed motions in the scene of the session, from the robot at rest at the start of ' +
      'the scene at time 0 on',
    params: keys({
      lead: number.min(0).optional().describe('seconds from a message until its motion begins, at least; default 0.02'),
      budget: z.int().min(1).max(MAX_BUDGET).optional().describe('pair checks of the proofs of a message, about'),
    }),
    result: z.object({ gate: gateId, warnings: z.array(z.string()).optional() }),
  },
  'gate.propose': {
    summary: 'proposes a motion: it replaces the committed one from the time of its first point on, if it is certified',
    params: keys({
      gate: gateId,
      now,
      points: z
        .array(keys({ time: number, positions: row, velocities: row.optional() }))
        .min(1)
        .max(MAX_POINTS)
        .describe('cubics through the points; without velocities: with continuous accelerations'),
    }),
    result: gateAnswer,
  },
  'gate.tick': {
    summary: 'advances the time of a gate',
    params: keys({
      gate: gateId,
      now,
      q: row.optional().describe('measured joint values, if the scene states tracking'),
    }),
    result: gateAnswer,
  },
  'gate.state': {
    summary: 'returns the committed motion',
    params: keys({ gate: gateId }),
    result: z.object({ now: number.describe('time of the last message'), until: number, committed: motion }),
  },
  'gate.close': { summary: 'closes a gate', params: keys({ gate: gateId }), result: z.object({}) },
} satisfies Readonly<Record<string, MessageDefinition>>;
