import type { Span } from '../../src/certificate/certificate.ts';
import { verifyCertificate } from '../../src/certificate/verify.ts';
import type { TrajectoryPoint } from '../../src/trajectory/trajectory.ts';
import type { World } from './worlds.ts';

/** What verify says of it. */
export const judge = ({ certificate, robot, scene, trajectory }: World) =>
  verifyCertificate(certificate, robot, scene, trajectory);

/** A path through these configurations. */
export const path = (...rows: number[][]): TrajectoryPoint[] => rows.map((positions) => ({ positions }));

/** One pair whose spans are these, judged. */
export const withSpans = (world: World, ...spans: Span[]) =>
  judge({ ...world, certificate: { ...world.certificate, pairs: [{ ...world.certificate.pairs[0], spans }] } });
