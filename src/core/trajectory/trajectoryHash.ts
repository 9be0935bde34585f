import { sha256 } from '../math/sha256.ts';
import type { Trajectory } from './trajectory.ts';

/**
 * Returns the hex SHA-256 of the UTF-8 bytes of `JSON.stringify([joint_names, points])`, by which a certificate
 * identifies its motion.
 */
export function trajectoryHash({ jointNames, points }: Pick<Trajectory, 'jointNames' | 'points'>): string {
  return hashOfPoints(
    jointNames,
    points.map((point) => JSON.stringify(point)),
  );
}

/** As `trajectoryHash`. @param points JSON text of each point */
export function hashOfPoints(jointNames: readonly string[], points: readonly string[]): string {
  return sha256(`[${JSON.stringify(jointNames)},[${points.join(',')}]]`);
}
