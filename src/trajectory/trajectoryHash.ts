import { sha256 } from '../math/sha256.ts';
import type { Trajectory } from './trajectory.ts';

/**
 * Returns the hex SHA-256 of the UTF-8 bytes of `JSON.stringify([joint_names, points])`, by which a certificate
 * identifies its motion.
 */
export function trajectoryHash(trajectory: Trajectory): string {
  return sha256(JSON.stringify([trajectory.jointNames, trajectory.points]));
}
