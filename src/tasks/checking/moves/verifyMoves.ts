import { type Cell, halvesOf, type MoveSet, walk } from '../../../core/cartesian/moves/moveSet.ts';
import { type ProgramPart, ProgramSets } from '../../../core/cartesian/moves/programSets.ts';
import { provedConstraint } from '../../../core/certificate/constraints/index.ts';
import type { ProvedConstraint } from '../../../core/certificate/constraints/provedConstraint.ts';
import { type CertifiedPart, certifiedParts, checkedPairs } from '../../../core/certificate/convexParts.ts';
import { cellMoment, cellSpeed, vertexMoments } from '../../../core/certificate/moves/cellMoment.ts';
import { CellPlane, type PosedCell, posedCell } from '../../../core/certificate/moves/cellPlane.ts';
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
import { boxOf, type StateCell } from '../../../core/kinematics/branches/ikBranch.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { norm, type Vec3 } from '../../../core/math/vec3.ts';
import { startStateOf } from '../../../core/scene/configurationOf.ts';
import { constraintLabel, isRateConstraint } from '../../../core/scene/constraints.ts';
import type { MoveProgram, ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import { kindOf } from '../../../core/scene/movingScene.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { isRateKept, rateLimitsOf } from './partRates.ts';
import { reachedJointValues } from './proveParts.ts';

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

interface CellConstraint {
  readonly proved: ProvedConstraint;
  /**
   * True if its bound is convex in the velocities in the middle: the distance from a convex region, the range of a
   * joint.
   */
  readonly isConvex: boolean;
}

interface OpenCell {
  readonly cell: Cell;
  readonly q: Configuration;
  readonly open: readonly OpenPlane[];
  readonly constraints: readonly CellConstraint[];
  readonly level: number;
}

/** Halvings after which a cell is not proved, and cells of one part. */
const MAX_LEVEL = 44;
const MAX_CELLS = 300_000;

/** rad, m: a state this far out of limits is within, as for `check`. */
const LIMIT_TOLERANCE = 1e-9;

const cellKey = (part: number, { at, half }: Cell) => [part, ...at, ...half].join(' ');

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
  if (scene.torque !== undefined) problems.push('torque is not proved for programs of moves');
  const planes = certificate.pairs.flatMap((pair): Planes[] => {
    const [a, b] = [named.get(partKey(pair.a, pair.partA)), named.get(partKey(pair.b, pair.partB))];
    if (!a || !b || a.link < 0) problems.push(`${nameOf(pair)}: the scene has no such pair`);
    const normals = pair.cells.map((cell) => [cell.slice(0, -3).join(' '), cell.slice(-3)] as const);
    if (!normals.every(([, n]) => Math.abs(norm(Float64Array.from(n)) - 1) <= LENGTH_TOLERANCE))
      problems.push(`${nameOf(pair)}: a direction is not of unit length`);
    const cells = new Map(normals.map(([key, n]) => [key, Float64Array.from(n)]));
    return a && b ? [{ a, b, cells }] : [];
  });
  if (problems.length > 0) return refused(problems, spans);
  const verifier = new PartVerifier(robot, scene, planes);
  for (const [i, part] of new ProgramSets(robot).parts(start, moves).entries()) {
    const problem = verifier.problemOf(part, i) ?? verifier.rateProblem(part, moves[part.move]);
    if (problem !== undefined) return refused([`line ${moves[part.move].line}: ${problem}`], spans);
  }
  return { proved: true, problems, spans, leastGap: verifier.prover.minGap };
}

class PartVerifier {
  readonly prover: CellPlane;
  private readonly reached: Float64Array;
  private readonly constraints: readonly CellConstraint[];

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly planes: readonly Planes[],
  ) {
    this.reached = Float64Array.from(reachedJointValues(robot.variables));
    this.prover = new CellPlane(robot, this.reached, scene);
    this.constraints = (scene.constraints ?? [])
      .filter((given) => !isRateConstraint(given))
      .map((given) => ({
        proved: provedConstraint(given, robot, scene),
        isConvex: given.type === 'region' || given.type === 'joint',
      }));
  }

  /** Returns which limit of speed a part is not proved to keep; undefined if it keeps all. */
  rateProblem(part: ProgramPart, move: ProgramMove): string | undefined {
    const { robot, scene, reached } = this;
    const enclose = (cell: Cell, q: Configuration) => this.statesOf(part.set!, cell, q);
    const given = rateLimitsOf(scene).find(
      (limit) => !isRateKept(robot, scene, limit, part, move, enclose, (...frame) => cellSpeed(reached, ...frame)),
    );
    return given && `constraint "${constraintLabel(given)}" is not proved`;
  }

  /** Returns why a part of the program is not proved; undefined if it is. */
  problemOf({ set, q, reason }: ProgramPart, index: number): string | undefined {
    if (set === undefined) return reason;
    const first = walk(set, q, set.origin, set.root.at);
    if (first === undefined) return 'the states of the arm are not bounded';
    const all = this.planes.map((planes): OpenPlane => ({ planes, normal: undefined }));
    const stack: OpenCell[] = [];
    stack.push({ cell: set.root, q: first, open: all, constraints: this.constraints, level: 0 });
    for (let count = 0; stack.length > 0; count++) {
      const { cell, q: at, open, constraints, level } = stack.pop()!;
      const key = cellKey(index, cell);
      const given = open.map(({ planes, normal }) => ({ planes, normal: normal ?? planes.cells.get(key) }));
      const states = this.statesOf(set, cell, at);
      const isWithin = states && this.areWithin(states);
      const posed = states && isWithin ? posedCell(this.robot, states) : undefined;
      const left = given.filter(
        ({ planes: { a, b }, normal }) => !(posed && normal && this.prover.proves(a, b, normal, posed)),
      );
      const unkept = constraints.filter((one) => !(posed && this.keeps(posed, one)));
      if (posed && left.length === 0 && unkept.length === 0) continue;
      if (level >= MAX_LEVEL || count >= MAX_CELLS) {
        if (!posed)
          return `the states of the arm are not bounded${states ? ', or not proved to be within its limits' : ''}`;
        if (left.length === 0) return `constraint "${unkept[0].proved.label}" is not proved`;
        return `${left[0].planes.a.object} and ${left[0].planes.b.object} are not proved separated`;
      }
      // Halved as in `check` as far as there are cells with directions, which is no part of the proof.
      const isWithinCells = left.every(({ normal }) => normal);
      for (const part of halvesOf(set, cell, isWithinCells ? states : set.enclose(cell, at))) {
        const next = walk(set, at, cell.at, part.at);
        if (next === undefined) return 'the states of the arm are not bounded';
        stack.push({ cell: part, q: next, open: left, constraints: unkept, level: level + 1 });
      }
    }
    return undefined;
  }

  /** Returns true if all states of a cell are proved to satisfy a constraint. */
  private keeps(posed: PosedCell, { proved, isConvex }: CellConstraint): boolean {
    const moments = isConvex ? vertexMoments(posed, this.reached) : [cellMoment(posed, this.reached)];
    return moments.every((moment) => proved.excess(moment).upperBound <= proved.tolerance);
  }

  private statesOf(set: MoveSet, cell: Cell, q: Configuration): StateCell | undefined {
    return set.enclose(cell, q, (...given) => boundStates(this.robot, ...given));
  }

  /** Returns true if all states are within the joint limits, and bounded. */
  private areWithin(cell: StateCell): boolean {
    const { q } = cell;
    const box = boxOf(cell);
    return this.robot.variables.every(({ limits: { lower, upper } }, j) => {
      const half = box[j];
      const beyond = Math.max(lower - q[j], q[j] - upper) + (half > LIMIT_TOLERANCE ? half : 0);
      return beyond <= LIMIT_TOLERANCE && Math.abs(q[j]) + half <= this.reached[j];
    });
  }
}
