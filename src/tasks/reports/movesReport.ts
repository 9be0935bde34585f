import type { ProgramPart } from '../../core/cartesian/moves/programSets.ts';
import { CERTIFICATE_FORMAT } from '../../core/certificate/certificate.ts';
import { type MoveCertificate, programHash } from '../../core/certificate/moves/moveCertificate.ts';
import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import type { MoveKind, MoveProgram, ProgramMove } from '../../core/scene/moves/moveProgram.ts';
import { isProgram, kindOf } from '../../core/scene/movingScene.ts';
import { requireOnlyPlannedMotion } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import { InputError } from '../../errors.ts';
import type { MoveExecution } from '../../formats/trajectories/urscriptReader.ts';
import { CellRecords } from '../checking/moves/cellRecords.ts';
import type { CellRecorder, PartVerdict } from '../checking/moves/proveParts.ts';
import { verifyMoves } from '../checking/moves/verifyMoves.ts';
import { uncheckedPairs } from '../checking/uncheckedCount.ts';
import { ProgramJudge, partFault } from '../programs/moves/moveJudge.ts';
import { World } from '../world.ts';
import type { CheckReport } from './checkReport.ts';

/** Verdict on one move of a program, with the blend at its end. */
export interface MoveReport {
  /** Line of the program. */
  readonly line: number;
  /** Kind of the move. */
  readonly kind: MoveKind;
  /** Whether all ways in which the controller may execute the move are free, one is not, or that is not known. */
  readonly verdict: PartVerdict['verdict'];
  /** The pair that is in collision, or not proved. */
  readonly pair?: readonly [string, string];
  /** The constraint that is violated, or not proved. */
  readonly constraint?: string;
}

/** Result of `check` for a program of moves, as it is printed. */
export interface MovesReport {
  /** True if the verdict is `valid`. */
  readonly valid: boolean;
  /** The worst verdict of all moves and limits. */
  readonly verdict: PartVerdict['verdict'];
  /** Number of ways in which the program may be executed, if there are several. */
  readonly executions?: number;
  /** One per executed move; of several executions, equal ones once. */
  readonly moves: readonly MoveReport[];
  /** Names of the constraints that are violated, or not proved; absent if there are none. */
  readonly constraints?: readonly string[];
  /** Faults, one line each. */
  readonly faults: readonly string[];
  /** Pairs of links and objects that are not checked. */
  readonly unchecked: UncheckedPairs;
}

/** A checked program of moves: its report, and the function that computes its certificate. */
export interface CheckedMoves {
  readonly report: MovesReport;
  /** Computes and verifies the certificate of a valid program; undefined if it cannot be certified by planes. */
  readonly certify: () => MoveCertificate | undefined;
  readonly model: CollisionModel;
}

/** Options of `movesReport`. */
export interface MovesReportOptions {
  /** Narrow phase. */
  readonly checker: CheckerName;
  /** Prefix of error messages. */
  readonly place: string;
  /** Ends the proof. */
  readonly interrupt?: Interrupt;
}

/**
 * Judges all motions by which a controller may execute a program of moves (docs/urscript.md), in the worlds between the
 * events of a scene with steps. Throws `InputError` for scenes in which something else moves.
 */
export function movesReport(
  robot: RobotModel,
  scene: Scene,
  program: MoveProgram,
  { checker, place, interrupt = never }: MovesReportOptions,
): CheckedMoves {
  requireStillScene(scene, program, place);
  const world = new World(robot, scene, { checker });
  const records = new WorldRecords();
  const found = provedMoves(world, program, interrupt, { records });
  const report = reportOf(world, program, found);
  const certify = () => {
    const start = startStateOf(robot, scene)?.q ?? program.moves[0].joints!;
    const segments = report.valid ? found.worlds.flatMap((one) => records.of(one).segment() ?? []) : [];
    if (segments.length < found.worlds.length || segments.length === 0) return undefined;
    const head = { format: CERTIFICATE_FORMAT, set: true, trajectory: programHash(program, start) } as const;
    const certificate = scene.steps ? { ...head, pairs: [], segments } : { ...head, ...segments[0] };
    return verifyMoves(certificate, robot, scene, program).proved ? certificate : undefined;
  };
  return { report, certify, model: world.model };
}

function reportOf({ robot, scene }: World, { moves }: MoveProgram, found: ReturnType<typeof provedMoves>): MovesReport {
  const open = scene.torque === undefined ? [] : ['torque is not judged for programs of moves'];
  const all: PartVerdict[] = [...found.verdicts, ...found.others];
  const { verdict } = [...all, { verdict: open.length > 0 ? 'undecided' : 'valid' } as const].reduce(worse);
  const constraints = [...new Set(all.flatMap(({ constraint }) => constraint ?? []))];
  return {
    valid: verdict === 'valid',
    verdict,
    moves: moveReports(moves, found.verdicts),
    ...(constraints.length > 0 && { constraints }),
    faults: [...found.faults, ...open],
    unchecked: uncheckedPairs(robot, scene),
  };
}

/**
 * Judges all executions of a program as `movesReport` judges one, motions that they share once; each fault names the
 * choices that lead to it.
 */
export function executionsReport(
  robot: RobotModel,
  scene: Scene,
  executions: readonly MoveExecution[],
  { checker, place, interrupt = never }: MovesReportOptions,
): MovesReport {
  const world = new World(robot, scene, { checker });
  const known = new Map<string, PartVerdict>();
  const reports = executions.map(({ program }) => {
    requireStillScene(scene, program, place);
    return reportOf(world, program, provedMoves(world, program, interrupt, scene.steps ? {} : { known }));
  });
  const verdict = reports.reduce<PartVerdict>(worse, { verdict: 'valid' }).verdict;
  const moves = new Map(reports.flatMap((report) => report.moves).map((move) => [JSON.stringify(move), move]));
  const constraints = [...new Set(reports.flatMap((report) => report.constraints ?? []))];
  const faults = new Map<string, string>();
  for (const [i, report] of reports.entries())
    for (const fault of report.faults)
      if (!faults.has(fault)) faults.set(fault, `${fault} (if ${conditionOf(executions[i])})`);
  return {
    valid: verdict === 'valid',
    verdict,
    executions: executions.length,
    moves: [...moves.values()].sort((one, other) => one.line - other.line),
    ...(constraints.length > 0 && { constraints }),
    faults: [...faults.values()],
    unchecked: reports[0].unchecked,
  };
}

/** Choices that a fault names at most: the last ones. */
const SHOWN_CHOICES = 4;

function conditionOf({ choices }: MoveExecution): string {
  const shown = choices.slice(-SHOWN_CHOICES).map(({ line, text }) => `line ${line}: ${text}`);
  return [...(shown.length < choices.length ? ['…'] : []), ...shown].join(', ');
}

/** The recorded cells of each world. */
class WorldRecords {
  private readonly known = new Map<World, CellRecords>();

  of(world: World): CellRecords {
    const records = this.known.get(world) ?? new CellRecords(world.model);
    this.known.set(world, records);
    return records;
  }
}

/**
 * Returns the report of a program of straight moves in joint space with stops, which is that of its path, with the
 * verdict on each move.
 */
export function withMoves(
  report: CheckReport,
  robot: RobotModel,
  scene: Scene,
  program: MoveProgram,
  checker: CheckerName,
): CheckReport & Pick<MovesReport, 'verdict' | 'moves'> {
  const { moves } = program;
  const world = new World(robot, scene, { checker });
  const isStill = kindOf(scene) === 'still';
  const found = report.valid || !isStill ? undefined : provedMoves(world, program, never).verdicts;
  const own = found ?? moves.map((): PartVerdict => ({ verdict: report.valid ? 'valid' : 'undecided' }));
  const worst = [...own, { verdict: report.valid ? 'valid' : report.contacts ? 'invalid' : 'undecided' } as const];
  const { verdict } = worst.reduce(worse);
  return { ...report, verdict, moves: moveReports(moves, own) };
}

/**
 * Proves the parts of a program in their worlds, and compares it with the steps and speeds of the scene.
 * @param known verdicts on parts of other executions in the same world, by the motions from stop to stop
 */
function provedMoves(
  world: World,
  program: MoveProgram,
  interrupt: Interrupt,
  { records, known }: { readonly records?: WorldRecords; readonly known?: Map<string, PartVerdict> } = {},
) {
  const { moves } = program;
  const judge = new ProgramJudge(world, program, interrupt);
  const verdicts: PartVerdict[] = moves.map(() => ({ verdict: 'valid' }));
  const others: PartVerdict[] = [...(judge.steps?.verdicts ?? [])];
  const faults: string[] = others.map(({ reason }) => reason!);
  for (const [i, part] of judge.parts.entries()) {
    const move = moves[part.move];
    const own = judge.judgeOf(part.move);
    const prove = () => own.judge(part, move, records && ((...cell) => records.of(own.world).add(i, ...cell)));
    const found = known ? provedOnce(known, motionText(judge, part), prove) : prove();
    if (found.verdict === 'valid') continue;
    const { line, kind } = move;
    faults.push(`line ${line}: ${kind}${part.isBlend ? ' and its blend' : ''}: ${partFault(found)}`);
    verdicts[part.move] = worse(verdicts[part.move], found);
    // A controller may skip a move whose blend it cannot execute.
    if (part.isBlend && part.set === undefined) verdicts[part.move + 1] = worse(verdicts[part.move + 1], found);
  }
  const { worlds, parts } = judge;
  const recordRest =
    records && ((k: number, ...cell: Parameters<CellRecorder>) => records.of(worlds[k]).add(parts.length + k, ...cell));
  for (const found of judge.restVerdicts(recordRest)) {
    if (found.verdict === 'valid') continue;
    faults.push(`at rest after an event: ${partFault(found)}`);
    others.push(found);
  }
  return { verdicts, others, faults, worlds };
}

function provedOnce(known: Map<string, PartVerdict>, key: string, prove: () => PartVerdict): PartVerdict {
  const found = known.get(key) ?? prove();
  known.set(key, found);
  return found;
}

/** Writes the motion from stop to stop that a part belongs to, and its place in it. */
function motionText({ program: { moves }, states }: ProgramJudge, { move, isBlend }: ProgramPart): string {
  let begin = move;
  while (begin > 0 && moves[begin - 1].radius > 0) begin--;
  const end = moves.findIndex(({ radius }, i) => i >= move && radius === 0);
  return JSON.stringify([move - begin, isBlend, states[begin], moves.slice(begin, end < 0 ? moves.length : end + 1)]);
}

const moveReports = (moves: readonly ProgramMove[], verdicts: readonly PartVerdict[]): MoveReport[] =>
  moves.map(({ line, kind }, i) => {
    const { verdict, pair, constraint } = verdicts[i];
    return { line, kind, verdict, ...(pair && { pair }), ...(constraint !== undefined && { constraint }) };
  });

const SEVERITY = ['valid', 'undecided', 'invalid'];

const worse = (one: PartVerdict, other: PartVerdict) =>
  SEVERITY.indexOf(other.verdict) > SEVERITY.indexOf(one.verdict) ? other : one;

function requireStillScene(scene: Scene, { stepCalls }: MoveProgram, place: string): void {
  if (!isProgram(scene) && stepCalls !== undefined)
    throw new InputError(`${place}: the script calls ${stepCalls[0]}, but the scene has no steps`, 'Give its scene.');
  requireOnlyPlannedMotion(scene, place);
}
