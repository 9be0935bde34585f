import { type Cell, ORIGIN, partsOf, walk } from '../../../core/cartesian/moves/moveSet.ts';
import { type ProgramPart, ProgramSets } from '../../../core/cartesian/moves/programSets.ts';
import { type CertifiedPart, certifiedParts, checkedPairs } from '../../../core/certificate/convexParts.ts';
import { CellPlane, posedCell } from '../../../core/certificate/moves/cellPlane.ts';
import { type MoveCertificate, programHash } from '../../../core/certificate/moves/moveCertificate.ts';
import { boundStates } from '../../../core/certificate/moves/stateBounds.ts';
import {
  LENGTH_TOLERANCE,
  missingPairs,
  namedParts,
  nameOf,
  partKey,
  refused,
  type VerifyResult,
} from '../../../core/certificate/verifyPairs.ts';
import type { StateCell } from '../../../core/kinematics/branches/ikBranch.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { norm, type Vec3 } from '../../../core/math/vec3.ts';
import { startStateOf } from '../../../core/scene/configurationOf.ts';
import type { MoveProgram } from '../../../core/scene/moves/moveProgram.ts';
import { kindOf } from '../../../core/scene/movingScene.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { reachedJointValues } from './proveParts.ts';
import { unjudgedLimits } from './unjudgedLimits.ts';

/** A pair that must be separated, and the directions of its cells by `cellKey`. */
interface Planes {
  readonly a: CertifiedPart;
  readonly b: CertifiedPart;
  readonly cells: ReadonlyMap<string, Vec3>;
}

/** A pair in a cell, and its direction if a cell around it has one. */
interface OpenPlane {
  readonly planes: Planes;
  readonly normal: Vec3 | undefined;
}

/** Halvings after which a cell is not proved, and cells of one part. */
const MAX_LEVEL = 22;
const MAX_CELLS = 300_000;

/** rad, m: a state this far out of limits is within, as for `check`. */
const LIMIT_TOLERANCE = 1e-9;

const cellKey = (part: number, { x, y, hx, hy }: Cell) => `${part} ${x} ${y} ${hx} ${hy}`;

/**
 * Verifies that a certificate proves all motions of a program of moves, within the joint limits: its cells cover the
 * parameters of every part of the program, for every pair that is checked. States, poses and planes are bounded
 * independently of `check` (`boundStates`, `CellPlane`); which poses belong to a move, and the state in the middle of
 * a cell, are those of `check`.
 */
export function verifyMoves(
  certificate: MoveCertificate,
  robot: RobotModel,
  scene: Scene,
  program: MoveProgram,
): VerifyResult {
  const spans = certificate.pairs.reduce((sum, { cells }) => sum + cells.length, 0);
  const { moves } = program;
  const start = startStateOf(robot, scene)?.q ?? moves[0].joints!;
  const parts = certifiedParts(robot, scene);
  const named = namedParts(parts);
  const problems = missingPairs(certificate.pairs, checkedPairs(robot, scene, parts));
  if (kindOf(scene) !== 'still') problems.push('something else moves in the scene, or it has steps');
  if (certificate.trajectory !== programHash(program, start)) problems.push('it is the certificate of another program');
  const limits = [...unjudgedLimits(scene), ...(scene.tcpSpeed === undefined ? [] : ['tcp_speed'])];
  problems.push(...limits.map((limit) => `${limit} is not proved for programs of moves`));
  const planes = certificate.pairs.flatMap((pair): Planes[] => {
    const [a, b] = [named.get(partKey(pair.a, pair.partA)), named.get(partKey(pair.b, pair.partB))];
    if (!a || !b || a.link < 0) problems.push(`${nameOf(pair)}: the scene has no such pair`);
    const normals = pair.cells.map(([part, x, y, hx, hy, ...n]) => [cellKey(part, { x, y, hx, hy }), n] as const);
    if (!normals.every(([, n]) => Math.abs(norm(Float64Array.from(n)) - 1) <= LENGTH_TOLERANCE))
      problems.push(`${nameOf(pair)}: a direction is not of unit length`);
    const cells = new Map(normals.map(([key, n]) => [key, Float64Array.from(n)]));
    return a && b ? [{ a, b, cells }] : [];
  });
  if (problems.length > 0) return refused(problems, spans);
  const verifier = new PartVerifier(robot, scene, planes);
  for (const [i, part] of new ProgramSets(robot).parts(start, moves).entries()) {
    const problem = verifier.problemOf(part, i);
    if (problem !== undefined) return refused([`line ${moves[part.move].line}: ${problem}`], spans);
  }
  return { proved: true, problems, spans, leastGap: verifier.prover.minGap };
}

class PartVerifier {
  readonly prover: CellPlane;
  private readonly reached: Float64Array;

  constructor(
    private readonly robot: RobotModel,
    scene: Scene,
    private readonly planes: readonly Planes[],
  ) {
    this.reached = Float64Array.from(reachedJointValues(robot.variables));
    this.prover = new CellPlane(robot, this.reached, scene);
  }

  /** Returns why a part of the program is not proved; undefined if it is. */
  problemOf({ set, q, reason }: ProgramPart, index: number): string | undefined {
    if (set === undefined) return reason;
    const first = walk(set, q, ORIGIN, set.root);
    if (first === undefined) return 'the states of the arm are not bounded';
    const all = this.planes.map((planes): OpenPlane => ({ planes, normal: undefined }));
    const stack: { cell: Cell; q: Configuration; open: readonly OpenPlane[]; level: number }[] = [];
    stack.push({ cell: set.root, q: first, open: all, level: 0 });
    for (let count = 0; stack.length > 0; count++) {
      const { cell, q: at, open, level } = stack.pop()!;
      const key = cellKey(index, cell);
      const given = open.map(({ planes, normal }) => ({ planes, normal: normal ?? planes.cells.get(key) }));
      const chart = set.chart(cell);
      const states = chart ? boundStates(this.robot, set.frame!, at, chart) : set.enclose(cell, at);
      const isWithin = states && this.areWithin(states);
      const posed = states && isWithin ? posedCell(this.robot, states) : undefined;
      const left = given.filter(
        ({ planes: { a, b }, normal }) => !(posed && normal && this.prover.proves(a, b, normal, posed)),
      );
      if (posed && left.length === 0) continue;
      const [missing] = left;
      if (level >= MAX_LEVEL || count >= MAX_CELLS)
        return posed
          ? `${missing.planes.a.object} and ${missing.planes.b.object} are not proved separated`
          : `the states of the arm are not bounded${states ? ', or not proved to be within its limits' : ''}`;
      for (const part of partsOf(cell)) {
        const next = walk(set, at, cell, part);
        if (next === undefined) return 'the states of the arm are not bounded';
        stack.push({ cell: part, q: next, open: left, level: level + 1 });
      }
    }
    return undefined;
  }

  /** Returns true if all states are within the joint limits, and bounded. */
  private areWithin({ q, generators, error }: StateCell): boolean {
    return this.robot.variables.every(({ limits: { lower, upper } }, j) => {
      const half = generators.reduce((sum, one) => sum + Math.abs(one[j]), error[j]);
      const beyond = Math.max(lower - q[j], q[j] - upper) + (half > LIMIT_TOLERANCE ? half : 0);
      return beyond <= LIMIT_TOLERANCE && Math.abs(q[j]) + half <= this.reached[j];
    });
  }
}
