import { type Cell, halvesOf, JointSet, type MoveSet, walk } from '../../../core/cartesian/moves/moveSet.ts';
import { type ProgramPart, ProgramSets } from '../../../core/cartesian/moves/programSets.ts';
import { provedConstraint } from '../../../core/certificate/constraints/index.ts';
import type { ProvedConstraint } from '../../../core/certificate/constraints/provedConstraint.ts';
import { type CertifiedPart, certifiedParts, checkedPairs } from '../../../core/certificate/convexParts.ts';
import { cellMoment, cellSpeed, vertexMoments } from '../../../core/certificate/moves/cellMoment.ts';
import { CellPlane, type PosedCell, posedCell } from '../../../core/certificate/moves/cellPlane.ts';
import { type CellPair, type MoveCertificate, programHash } from '../../../core/certificate/moves/moveCertificate.ts';
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
import { isProgram } from '../../../core/scene/movingScene.ts';
import { isMotionStep } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { isRateKept, rateLimitsOf } from './partRates.ts';
import { reachedJointValues } from './proveParts.ts';
import { type StepWorld, stepWorlds } from './stepWorlds.ts';

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
 * parameters of every part of the program, for every pair that is checked. Of a program of steps, also its rests, each
 * in the scene after the events before it, which are those of the steps; goals, lines and waits are not verified.
 * States, poses and planes are bounded independently of `check` (`boundStates`, `CellPlane`). Which poses belong to a
 * move, the state in the middle of a cell, and how an event changes a scene are computed by the same code; the order of
 * events and the links then (`stepWorlds`) are not. Throws `InputError` for events that are not possible.
 */
export function verifyMoves(
  certificate: MoveCertificate,
  robot: RobotModel,
  scene: Scene,
  program: MoveProgram,
): VerifyResult {
  const segments = certificate.segments ?? [certificate];
  const spans = segments.reduce((all, { pairs }) => pairs.reduce((sum, { cells }) => sum + cells.length, all), 0);
  const { moves } = program;
  const sets = new ProgramSets(robot);
  const states = [startStateOf(robot, scene)?.q ?? moves[0].joints!];
  for (const move of moves) states.push(sets.endOf(states[states.length - 1], move)!);
  const worlds = stepWorlds(robot, scene, program, states);
  if (typeof worlds === 'string') return refused([worlds], spans);
  const problems: string[] = [];
  if (certificate.trajectory !== programHash(program, states[0]))
    problems.push('it is the certificate of another program');
  if (scene.torque !== undefined) problems.push('torque is not proved for programs of moves');
  if ((certificate.segments !== undefined) !== isProgram(scene) || segments.length !== worlds.length)
    problems.push(`it has pairs of ${segments.length} scenes, the program has ${worlds.length}`);
  if (problems.length > 0) return refused(problems, spans);
  const parts = sets.parts(states[0], moves);
  let leastGap = Number.POSITIVE_INFINITY;
  for (const [k, world] of worlds.entries()) {
    const planes = planesOf(segments[k].pairs, robot, world.scene);
    if ('problems' in planes) return refused(planes.problems, spans);
    const { problem, minGap } = worldProof(robot, world, planes, parts, moves, parts.length + k);
    if (problem !== undefined) return refused([problem], spans);
    leastGap = Math.min(leastGap, minGap);
  }
  return { proved: true, problems, spans, leastGap };
}

/** Returns the planes of pairs in a scene, or what is wrong with them. */
function planesOf(
  pairs: readonly CellPair[],
  robot: RobotModel,
  scene: Scene,
): readonly Planes[] | { readonly problems: readonly string[] } {
  const parts = certifiedParts(robot, scene);
  const named = namedParts(parts);
  const problems = missingPairs(pairs, checkedPairs(robot, scene, parts));
  const planes = pairs.flatMap((pair): Planes[] => {
    const [a, b] = [named.get(partKey(pair.a, pair.partA)), named.get(partKey(pair.b, pair.partB))];
    if (!a || !b || a.link < 0) problems.push(`${nameOf(pair)}: the scene has no such pair`);
    const normals = pair.cells.map((cell) => [cell.slice(0, -3).join(' '), cell.slice(-3)] as const);
    if (!normals.every(([, n]) => Math.abs(norm(Float64Array.from(n)) - 1) <= LENGTH_TOLERANCE))
      problems.push(`${nameOf(pair)}: a direction is not of unit length`);
    const cells = new Map(normals.map(([key, n]) => [key, Float64Array.from(n)]));
    return a && b ? [{ a, b, cells }] : [];
  });
  return problems.length > 0 ? { problems } : planes;
}

/**
 * Proves the moves in one world, each with the constraints of its step, and the rest in it.
 * @param restIndex number of the rest among the parts
 */
function worldProof(
  robot: RobotModel,
  { scene, moves: own, rest }: StepWorld,
  planes: readonly Planes[],
  parts: readonly ProgramPart[],
  moves: readonly ProgramMove[],
  restIndex: number,
): { readonly problem?: string; readonly minGap: number } {
  const verifiers = new Map<number | undefined, PartVerifier>();
  const verifierOf = (step: number | undefined) => {
    const known = verifiers.get(step) ?? new PartVerifier(robot, scene, planes, step);
    verifiers.set(step, known);
    return known;
  };
  for (const [i, part] of parts.entries()) {
    if (!own.includes(part.move)) continue;
    const move = moves[part.move];
    const verifier = verifierOf(move.step);
    const problem = verifier.problemOf(part, i) ?? verifier.rateProblem(part, move);
    if (problem !== undefined) return { problem: `line ${move.line}: ${problem}`, minGap: 0 };
  }
  const problem = rest && verifierOf(undefined).problemOf(restAt(rest), restIndex);
  if (problem !== undefined) return { problem: `at rest after an event: ${problem}`, minGap: 0 };
  return { minGap: Math.min(...Array.from(verifiers.values(), ({ prover }) => prover.minGap)) };
}

/** Returns the part of a rest: a joint move that goes nowhere. */
const restAt = (q: Configuration): ProgramPart => ({
  move: -1,
  isBlend: false,
  set: new JointSet(q, [new Float64Array(q.length)]),
  q,
});

class PartVerifier {
  readonly prover: CellPlane;
  private readonly reached: Float64Array;
  private readonly constraints: readonly CellConstraint[];

  /** @param step index of the step whose constraints hold, beside those of the scene */
  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly planes: readonly Planes[],
    private readonly step?: number,
  ) {
    const own = scene.steps?.find(({ index }) => index === step);
    this.reached = Float64Array.from(reachedJointValues(robot.variables));
    this.prover = new CellPlane(robot, this.reached, scene);
    this.constraints = [...(scene.constraints ?? []), ...(own && isMotionStep(own) ? own.constraints : [])]
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
    const given = rateLimitsOf(scene, this.step).find(
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
