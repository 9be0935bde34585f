import * as z from 'zod';
import type { InfeasibilityCertificate } from '../../core/certificate/cells/infeasibility.ts';
import type { Certificate } from '../../core/certificate/certificate.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import { keys, sceneSchema } from '../scenes/sceneSchema.ts';
import { type MessageDefinition, number, pair, startTolerance, typed } from './messageParts.ts';

/** A trajectory in the JSON format: the content of a file that `plan` writes. */
export interface ServiceTrajectory {
  /** Names of the joints in the order of the positions. */
  readonly joint_names: readonly string[];
  /** Points: `time_from_start` (absent in paths), `positions`, `velocities`. */
  readonly points: readonly {
    readonly time_from_start?: number;
    readonly positions: readonly number[];
    readonly velocities?: readonly number[];
  }[];
  /** Hash of joint names and points. */
  readonly hash?: string;
  /** Further fields of the file. */
  readonly [field: string]: unknown;
}

const { start, goal, goals, steps, speed } = sceneSchema.shape;
const seed = z.int().min(0).optional().describe('seed of all random numbers; default 1');
const timeLimit = number.positive().optional().describe('seconds; default 10; at most the time limit of the service');
const trajectory = z
  .record(z.string(), z.unknown())
  .describe(
    'elbowroom-trajectory/1 or a message of ROS: {"joint_names", "points"}; or {"text", "format": csv, ros-yaml, …}',
  );
const certificate = z.record(z.string(), z.unknown()).describe('elbowroom-certificate/1');
const flag = (meaning: string) => z.boolean().optional().describe(meaning);
const anyStart = flag('the robot is at the first point, wherever that is: the start of the scene is not considered');
const object = z.record(z.string(), z.unknown());
const motion = typed<ServiceTrajectory>(object);
const proof = typed<Certificate>(object);
const lines = z.array(z.string());
const unchecked = typed<UncheckedPairs>(
  z.object({
    pairs: number,
    reasons: z.record(z.string(), number),
    on_arms: z.array(pair).optional().describe('allowed pairs of links on two arms, not Never'),
  }),
).describe('pairs of links and objects that are not checked, by reason');
const watchFaults = lines.optional().describe('violated limits and constraints, with which nothing is certified');
const watch = number.describe('id of the watch');
const until = number
  .nullable()
  .describe('proved collision-free until then, seconds of the motion; null: all of the rest of the motion');

const contact = z
  .object({ pair, from: number, until: number, depth: number })
  .describe('first contact: seconds (waypoints for a path), and the greatest depth found, metres');

/**
 * Messages of the methods that run on worker threads. One request of a session runs at a time; `$/progress` reports its
 * phase, `$/cancelRequest` ends it.
 */
export const threadMessages = {
  plan: {
    summary:
      'plans a motion, or a program, in the scene of the session: the result of the command plan; a failure is a ' +
      'result',
    params: keys({
      start,
      goal,
      goals,
      steps,
      planner: z.string().optional().describe('search algorithm; default rrt-connect'),
      planner_options: z.record(z.string(), number).optional().describe('options of the planner by name'),
      checker: z.string().optional().describe('narrow-phase algorithm; default: that of the service'),
      edges: z.string().optional().describe('edge validation: certified (default) or sampled'),
      seed,
      time_limit: timeLimit,
      iterations: z.int().min(1).optional().describe('iteration limit; default: that of the planner'),
      speed,
      start_tolerance: startTolerance,
      certificate: flag('also returns the certificate of the motion'),
      optimize: flag('optimizes the motion: faster, with no less clearance, if one is proved'),
      explain: flag('explains a failure: which objects block the motion'),
      infeasible: flag('attempts to prove that no motion exists: status infeasible'),
    }),
    result: z.object({
      status: z.string().describe('solved, or why there is no motion'),
      reason: z.string(),
      trajectory: motion.optional().describe('if and only if the status is solved; valid at every instant'),
      certificate: typed<Certificate | InfeasibilityCertificate>(object)
        .optional()
        .describe('on request; of status infeasible: the proof that no motion exists'),
      explanation: object.optional(),
      warnings: lines.optional(),
      stats: object,
    }),
  },
  check: {
    summary: 'checks a trajectory as a controller executes it: collisions over continuous time, and limits',
    params: keys({
      trajectory,
      start_tolerance: startTolerance,
      certificate: flag('also returns the certificate of a valid motion'),
      any_start: anyStart,
      stopping: flag('also returns the worst stops of a valid motion along its path'),
    }),
    result: z.object({
      valid: z.boolean(),
      points: number,
      duration: number.optional().describe('seconds; absent for a path'),
      limit_ratios: z
        .record(z.string(), number.nullable())
        .optional()
        .describe('maximum of value / limit; absent for a path'),
      lead_in: z
        .object({ valid: z.boolean(), pair: pair.optional(), time: number.optional() })
        .optional()
        .describe('the motion from the start of the scene to the first point'),
      contacts: z.array(contact).optional().describe('the first contact'),
      stopping: z
        .record(z.enum(['time', 'at', 'tcp_distance', 'tcp_at', 'elbow_distance', 'elbow_at']), number)
        .nullable()
        .optional()
        .describe('seconds and metres; null: not proved'),
      constraints: lines.optional().describe('violated constraints, limits of the cell and clearances'),
      margins: z
        .record(z.string(), number)
        .optional()
        .describe('least margin of each constraint, limit of the cell and clearance, in the unit of its limit'),
      faults: lines,
      unchecked,
      certificate: proof.optional(),
      warnings: lines.optional(),
    }),
  },
  verify: {
    summary:
      'verifies a certificate, by code that shares nothing with planner and narrow phase, or a proof that no motion ' +
      'exists',
    params: keys({
      trajectory: trajectory.optional().describe('as of check; a proof that no motion exists has none'),
      certificate: certificate.describe('elbowroom-certificate/1 or elbowroom-infeasibility/1'),
      any_start: anyStart,
    }),
    result: z.object({
      proved: z.boolean(),
      pairs: number,
      spans: number,
      least_gap: number.nullable().describe('proved lower bound on all distances, metres'),
      problems: lines.describe('why it is no proof'),
      reason: z.string().optional().describe('that of a proof that no motion exists'),
      cells: number.optional().describe('of such a proof: cells that are proved in collision'),
      unchecked,
      warnings: lines.optional(),
    }),
  },
  repair: {
    summary:
      'changes a trajectory that check refuses as little as possible, so that it is valid; a failure is a result',
    params: keys({
      trajectory,
      keep_times: flag('only the geometry may change: all times remain'),
      limits_only: flag('only the times may change: a motion in collision is not repaired'),
      seed,
      time_limit: timeLimit,
      any_start: anyStart,
    }),
    result: z.object({
      status: z.enum(['good', 'repaired', 'failed']),
      reason: z.string(),
      changed: z
        .array(typed<readonly [number, number]>(z.array(number).length(2)))
        .describe('times of the given trajectory; waypoints for a path'),
      trajectory: motion.optional().describe('unless it failed; the given one if it is good'),
      unchecked,
      warnings: lines.optional(),
    }),
  },
  recertify: {
    summary:
      'is a motion still proved in the scene of the session? Only pairs whose planes do not hold are proved again',
    params: keys({ trajectory, certificate }),
    result: z.object({
      status: z.enum(['proved', 'collision', 'unresolved', 'out-of-limits']),
      pairs: z.record(z.string(), number).describe('number of pairs by result: unchanged, kept, renewed, lost'),
      collision: contact.optional(),
      lost: z.array(object).optional(),
      faults: lines.optional(),
      room: object.optional(),
      unchecked,
      warnings: lines.optional(),
    }),
  },
} satisfies Readonly<Record<string, MessageDefinition>>;

/** Messages about motions that are being executed. */
export const watchMessages = {
  watch: {
    summary:
      'watches a motion that is being executed: after each change of the scene of the session, `$/watch` reports ' +
      'until when it is still proved. Needs a connection that carries notifications',
    params: keys({
      trajectory,
      certificate: certificate.optional().describe('its certificate; otherwise the motion is proved'),
      time: number.min(0).optional().describe('seconds of the motion that have been executed; default 0'),
      replan: flag('plans a new motion from the proved rest of the old one if that is no longer proved to its end'),
      any_start: anyStart,
    }),
    result: z.object({
      watch,
      certified_until: until,
      pair: pair.optional(),
      faults: watchFaults,
      unchecked,
      warnings: lines.optional(),
    }),
  },
  'watch.advance': {
    summary: 'reports how far a motion has been executed: what is behind no longer counts',
    params: keys({ watch, time: number.min(0).describe('seconds of the motion') }),
    result: z.object({ certified_until: until, pair: pair.optional(), faults: watchFaults, unchecked }),
  },
  'watch.end': { summary: 'ends a watch', params: keys({ watch }), result: z.object({}) },
} satisfies Readonly<Record<string, MessageDefinition>>;
