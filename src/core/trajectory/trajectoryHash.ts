import { sha256OfTexts } from '../math/sha256.ts';
import type { Trajectory } from './trajectory.ts';

/**
 * Returns the hex SHA-256 of the UTF-8 bytes of `JSON.stringify([joint_names, points])`, by which a certificate
 * identifies its motion.
 */
export function trajectoryHash({ jointNames, points }: Pick<Trajectory, 'jointNames' | 'points'>): string {
  return hashOfPoints(jointNames, texts(points));
}

function* texts(points: Trajectory['points']): Generator<string> {
  for (const point of points) yield JSON.stringify(point);
}

/** As `trajectoryHash`. @param points JSON text of each point */
export function hashOfPoints(jointNames: readonly string[], points: Iterable<string>): string {
  return sha256OfTexts(listText(jointNames, points));
}

function* listText(jointNames: readonly string[], points: Iterable<string>): Generator<string> {
  let before = `[${JSON.stringify(jointNames)},[`;
  for (const point of points) {
    yield before + point;
    before = ',';
  }
  yield `${before === ',' ? '' : before}]]`;
}
