import {
  executedPoints,
  isStraight,
  type SegmentKind,
  segmentKinds,
  type Trajectory,
} from '../../core/trajectory/trajectory.ts';
import { hashOfPoints } from '../../core/trajectory/trajectoryHash.ts';
import type { TrajectoryFormat } from './trajectoryFormat.ts';
import { FORMAT, readRecord } from './trajectoryRecord.ts';

/** The project's own format: all fields of the trajectory, with its hash. */
export const json: TrajectoryFormat = {
  summary: 'elbowroom-trajectory/1: the whole motion, with its hash',
  ending: '.json',
  write,
  recognises: (text) => text.startsWith('{') || text.startsWith('['),
  read: readRecord,
};

/**
 * Writes one line per field and one per point, so that two files whose trajectories differ in a point differ in one
 * line. Each point has only the values that its curve depends on. The interpolation is stated if it is the same for all
 * segments.
 */
function write(trajectory: Trajectory): string {
  const { jointNames, robot, calibration, scene, planner, seed, edges, cutShort } = trajectory;
  const { segments, events, signals } = trajectory;
  const points = executedPoints(trajectory).map((point) => JSON.stringify(point));
  const field = (key: string, value: unknown) =>
    value === undefined ? [] : [`  ${JSON.stringify(key)}: ${spaced(value)}`];
  const lines = (key: string, list: readonly unknown[] | undefined) =>
    list === undefined ? [] : [`  "${key}": [\n${list.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]`];
  const fields = [
    ...field('format', FORMAT),
    ...field('robot', robot),
    ...field('calibration', calibration),
    ...field('scene', scene),
    ...field('joint_names', jointNames),
    ...field('interpolation', interpolationOf(trajectory)),
    `  "points": [\n${points.map((point) => `    ${point}`).join(',\n')}\n  ]`,
    ...lines('segments', segments),
    ...lines('events', events),
    ...lines('signals', signals),
    ...field('planner', planner),
    ...field('seed', seed),
    ...field('edges', edges),
    ...field('cut_short', cutShort ? true : undefined),
    ...field('hash', hashOfPoints(jointNames, points)),
  ];
  return `{\n${fields.join(',\n')}\n}\n`;
}

/**
 * Returns the kind of all segments, undefined if they differ. For a single point it follows from the values that the
 * point has.
 */
function interpolationOf(trajectory: Trajectory): SegmentKind | undefined {
  const [first, ...others] = segmentKinds(trajectory);
  if (first === undefined) return isStraight(trajectory) ? 'linear' : 'cubic';
  return others.every((kind) => kind === first) ? first : undefined;
}

const spaced = (value: unknown) =>
  Array.isArray(value) ? `[${value.map((entry) => JSON.stringify(entry)).join(', ')}]` : JSON.stringify(value);
