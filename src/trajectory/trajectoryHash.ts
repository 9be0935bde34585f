import { sha256 } from '../math/sha256.ts';
import type { Trajectory } from './trajectory.ts';

/** Hex SHA-256 of the UTF-8 bytes of `JSON.stringify([joint_names, points])`: what a certificate names its motion by. */
export function trajectoryHash(trajectory: Trajectory): string {
  return sha256(JSON.stringify([trajectory.jointNames, trajectory.points]));
}
