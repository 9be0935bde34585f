import type { Span } from '../../../src/core/certificate/certificate.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import type { TrajectoryPoint } from '../../../src/core/trajectory/trajectory.ts';
import type { World } from './worlds.ts';

/** Verifies a world; returns the result. */
export const judge = ({ certificate, robot, scene, trajectory }: World) =>
  verifyCertificate(certificate, robot, scene, trajectory);

/** Returns a path through these configurations. */
export const path = (...rows: number[][]): TrajectoryPoint[] => rows.map((positions) => ({ positions }));

/** Verifies a certificate with one pair that has these spans. */
export const withSpans = (world: World, ...spans: Span[]) =>
  judge({ ...world, certificate: { ...world.certificate, pairs: [{ ...world.certificate.pairs[0], spans }] } });
