import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { linkNamed } from '../../../core/kinematics/toolCenterPoint.ts';
import { changedScene } from '../../../core/scene/changedScene.ts';
import type { EventStep } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { robotAt } from '../../../core/scene/steps/robotAt.ts';
import type { Trajectory, TrajectoryEvent } from '../../../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { attachUpdate, detachUpdate, stampOf } from './mcapMessages.ts';

/** A message about the segments and events of a program. */
export interface ProgramMessage {
  /** Name of its topic, without the slash. */
  readonly topic: 'segments' | 'events' | 'scene';
  /** Seconds. */
  readonly time: number;
  readonly message: object;
}

const STAMP = { type: 'object', properties: { sec: { type: 'integer' }, nsec: { type: 'integer' } } };

/** JSON Schemas of the messages: segments and events as in trajectory files, with a time stamp. */
export const PROGRAM_SCHEMAS = {
  segments: {
    title: 'elbowroom.ProgramSegment',
    type: 'object',
    properties: {
      timestamp: STAMP,
      step: { type: 'integer' },
      name: { type: 'string' },
      kind: { type: 'string' },
      from: { type: 'number' },
      to: { type: 'number' },
    },
    required: ['timestamp', 'step', 'kind', 'from', 'to'],
  },
  events: {
    title: 'elbowroom.ProgramEvent',
    type: 'object',
    properties: {
      timestamp: STAMP,
      step: { type: 'integer' },
      time: { type: 'number' },
      attach: { type: 'string' },
      link: { type: 'string' },
      detach: { type: 'string' },
      set: {},
      allow: { type: 'array' },
      forbid: { type: 'array' },
    },
    required: ['timestamp', 'step', 'time'],
  },
} as const;

/**
 * Returns the messages of a program in the order of time: one for each segment at its start, one for each event, and
 * one that moves an object between world and link where it is attached or detached.
 */
export async function programMessages(
  trajectory: Trajectory,
  curve: TrajectoryCurve,
  robot: RobotModel,
  initial: Scene,
): Promise<ProgramMessage[]> {
  const { segments = [], events = [] } = trajectory;
  const messages: ProgramMessage[] = segments.map((segment) => ({
    topic: 'segments',
    time: segment.from,
    message: { timestamp: stampOf(segment.from), ...segment },
  }));
  const q = new Float64Array(curve.dof);
  let scene = initial;
  for (const event of events) {
    const { time } = event;
    messages.push({ topic: 'events', time, message: { timestamp: stampOf(time), ...event } });
    const step = sceneStep(event);
    if (step === undefined) continue;
    curve.position(q, time);
    const state = new RobotState(robotAt(robot, trajectory, time));
    forwardKinematics(state, q);
    scene = changedScene(scene, step, event.link ?? '', (link) => state.T_world_link[linkNamed(robot, link)].slice());
    const attached = step.kind === 'attach' && scene.attached.find(({ name }) => name === step.object);
    const detached = step.kind === 'detach' && scene.obstacles.find(({ name }) => name === step.object);
    if (attached) messages.push({ topic: 'scene', time, message: await attachUpdate(attached, time) });
    if (detached) messages.push({ topic: 'scene', time, message: await detachUpdate(detached, time) });
  }
  return messages.sort((one, other) => one.time - other.time);
}

/** Returns the step of an event that moves an object between world and link; undefined for the others. */
function sceneStep({ step: index, attach, link, detach }: TrajectoryEvent): EventStep | undefined {
  if (attach !== undefined && link !== undefined) return { kind: 'attach', index, object: attach, link, touches: [] };
  return detach === undefined ? undefined : { kind: 'detach', index, object: detach };
}
