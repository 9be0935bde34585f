import type { RobotModel } from './robotModel.ts';

/** Returns what trajectories state of their robot: its name and the hash of its calibration, if it has one. */
export function robotMetadata({ name, description }: Pick<RobotModel, 'name' | 'description'>): {
  readonly robot: string;
  readonly calibration?: string;
} {
  const { calibration } = description;
  return { robot: name, ...(calibration === undefined ? {} : { calibration }) };
}
