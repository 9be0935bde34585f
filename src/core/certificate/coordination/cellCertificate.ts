import { type CertificatePair, checkForm, checkPair, isRecord, type ReportError } from '../certificate.ts';

/** Value of `format` in certificates of coordinations. */
export const COORDINATION_CERTIFICATE_FORMAT = 'elbowroom-coordination-certificate/1';

/**
 * Rectangle of the times along two trajectories, and the normal of a plane that separates a pair everywhere in it: [a0,
 * a1, b0, b1, nx, ny, nz]. a0 … a1 are times of robot `a` of the diagram, b0 … b1 those of its robot `b`, seconds; the
 * unit vector n points from a to b of the pair, in the frame of b.
 */
export type PlaneCell = readonly [number, number, number, number, number, number, number];

/** Pair of convex parts of two robots, named as in `CertificatePair`. */
export interface CellPair {
  /** Name of the link or attached object A. */
  readonly a: string;
  /** Index of the convex part within A. */
  readonly partA: number;
  /** Name of the link or attached object B. */
  readonly b: string;
  /** Index of the convex part within B. */
  readonly partB: number;
  /** Cells that cover all free cells of the diagram. */
  readonly cells: readonly PlaneCell[];
}

/** Proof that the trajectory of one robot is collision-free by itself. */
export interface MemberCertificate {
  /** Name of the robot. */
  readonly robot: string;
  /** `trajectoryHash` of its trajectory. */
  readonly trajectory: string;
  /** As in `Certificate`. */
  readonly interpolation?: 'linear' | 'cubic';
  /** End of its trajectory, seconds. */
  readonly duration: number;
  /** Its pairs with itself and with the obstacles, over its own time. */
  readonly pairs: readonly CertificatePair[];
}

/** Proof of the free cells of the coordination diagram of two robots. */
export interface DiagramCertificate {
  /** Name of the first robot. */
  readonly a: string;
  /** Name of the second robot. */
  readonly b: string;
  /** Every pair of a part of one and a part of the other that is checked. */
  readonly pairs: readonly CellPair[];
}

/** Separating planes that prove each trajectory, and the free cells of each diagram, collision-free. */
export interface CoordinationCertificate {
  /** Identifier of the file format. */
  readonly format: typeof COORDINATION_CERTIFICATE_FORMAT;
  /** One per robot, in the order of the scene. */
  readonly robots: readonly MemberCertificate[];
  /** One per pair of robots. */
  readonly diagrams: readonly DiagramCertificate[];
}

/** Writes a certificate as JSON, one line per pair, with all digits of its numbers. */
export function coordinationCertificateText({ format, robots, diagrams }: CoordinationCertificate): string {
  const block = (head: object, pairs: readonly object[]) =>
    `${JSON.stringify(head).slice(0, -1)},"pairs":[\n${pairs.map((pair) => JSON.stringify(pair)).join(',\n')}\n]}`;
  const own = robots.map(({ pairs, ...head }) => block(head, pairs));
  const shared = diagrams.map(({ pairs, ...head }) => block(head, pairs));
  return `{"format":"${format}","robots":[${own.join(',')}],"diagrams":[${shared.join(',')}]}\n`;
}

/**
 * Checks the form of a certificate, not the proof. Throws `InputErrors` that name the place of each error.
 * @param file prefix of the messages
 */
export function coordinationCertificateOf(data: unknown, file: string): CoordinationCertificate {
  checkForm(file, (report) => checkCoordination(data, report));
  return data as CoordinationCertificate;
}

function checkCoordination(data: unknown, report: ReportError): void {
  const record: Readonly<Record<string, unknown>> = isRecord(data) ? data : {};
  forEachOf(record.robots, 'robots', report, (robot, place) => {
    for (const key of ['robot', 'trajectory'])
      if (typeof robot[key] !== 'string') report(`${place}.${key}: `, robot[key], 'a text');
    if (!Number.isFinite(robot.duration)) report(`${place}.duration: `, robot.duration, 'a finite number');
    if (![undefined, 'linear', 'cubic'].includes(robot.interpolation as undefined))
      report(`${place}.interpolation: `, robot.interpolation, 'linear or cubic');
    forEachOf(robot.pairs, `${place}.pairs`, report, (pair, at) => checkPair(pair, at, report));
  });
  forEachOf(record.diagrams, 'diagrams', report, (diagram, place) => {
    for (const key of ['a', 'b'])
      if (typeof diagram[key] !== 'string') report(`${place}.${key}: `, diagram[key], 'the name of a robot');
    forEachOf(diagram.pairs, `${place}.pairs`, report, (pair, at) => checkCells(pair, at, report));
  });
}

/** Visits the records of a list; reports what is not a list, or not a record. */
function forEachOf(
  list: unknown,
  place: string,
  report: ReportError,
  visit: (one: Readonly<Record<string, unknown>>, place: string) => void,
): void {
  if (!Array.isArray(list)) report(`${place}: `, list, 'a list');
  else
    for (const [i, one] of list.entries())
      if (isRecord(one)) visit(one, `${place}[${i}]`);
      else report(`${place}[${i}]: `, one ?? null, 'a record');
}

function checkCells(pair: Readonly<Record<string, unknown>>, place: string, report: ReportError): void {
  checkPair({ ...pair, spans: [] }, place, report);
  if (!Array.isArray(pair.cells)) report(`${place}.cells: `, pair.cells, 'a list of cells');
  else
    for (const [k, cell] of pair.cells.entries())
      if (!Array.isArray(cell) || cell.length !== 7 || !cell.every(Number.isFinite))
        report(`${place}.cells[${k}]: `, cell, 'seven numbers', 'A cell is [a0, a1, b0, b1, nx, ny, nz], all finite.');
}
