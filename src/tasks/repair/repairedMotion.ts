import type { Trajectory } from '../../core/trajectory/trajectory.ts';

/** Returns what describes the given trajectory, without what described its points only. */
export function metadataOf(given: Trajectory): Trajectory {
  const { interpolation: _, setPoints: __, statedHash: ___, remarks: ____, ...rest } = given;
  return rest;
}

/** What a repair changed. */
export interface RepairSummary {
  /** Number of intervals that were pushed away, and that were replaced by a detour. */
  readonly pushed: number;
  readonly searched: number;
  /** True if the pace was changed. */
  readonly isSlower: boolean;
  readonly before: Trajectory;
  readonly after: Trajectory;
}

/** Describes what a repair changed: `1 interval pushed away, slowed down, 1.600 s became 1.862 s`. */
export function changesText({ pushed, searched, isSlower, before, after }: RepairSummary): string {
  const parts = [
    ...(pushed > 0 ? [`${intervals(pushed)} pushed away`] : []),
    ...(searched > 0 ? [`${intervals(searched)} replaced by a detour`] : []),
    ...(isSlower ? [`slowed down, ${durationsOf(before, after)}`] : []),
  ];
  return parts.join(', ') || 'corners blended';
}

const intervals = (count: number) => `${count} ${count === 1 ? 'interval' : 'intervals'}`;

function durationsOf({ points: before }: Trajectory, { points: after }: Trajectory): string {
  const seconds = (points: Trajectory['points']) =>
    `${(points[points.length - 1].time_from_start! - points[0].time_from_start!).toFixed(3)} s`;
  return `${seconds(before)} became ${seconds(after)}`;
}
