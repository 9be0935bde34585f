import { JointSet } from '../../../core/cartesian/moves/moveSet.ts';
import { type ProgramPart, ProgramSets } from '../../../core/cartesian/moves/programSets.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { type Interrupt, never } from '../../../core/math/interrupt.ts';
import { startStateOf } from '../../../core/scene/configurationOf.ts';
import { constraintLabel, type RateConstraint } from '../../../core/scene/constraints.ts';
import type { MoveProgram, ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import { isMotionStep, type MotionStep } from '../../../core/scene/program.ts';
import { isRateKept, rateLimitsOf } from '../../checking/moves/partRates.ts';
import { type CellRecorder, PartProver, type PartVerdict } from '../../checking/moves/proveParts.ts';
import type { World } from '../../world.ts';
import { type StepVerdicts, stepVerdicts } from './stepVerdicts.ts';

/** Places on which the states of a part are sampled, from -1 to 1. */
const GRID = [-1, -0.5, 0, 0.5, 1];

/** Returns the part of a straight move in joint space. */
export const lineBetween = (from: Configuration, to: Configuration): ProgramPart => ({
  move: 0,
  isBlend: false,
  set: new JointSet(from, [to.map((value, j) => value - from[j])]),
  q: from,
});

/** Judges parts of programs of moves in one world, with the constraints of the scene and of a step. */
export class PartJudge {
  private readonly prover: PartProver;
  private readonly limits: readonly RateConstraint[];

  constructor(
    readonly world: World,
    readonly step?: MotionStep,
    interrupt: Interrupt = never,
  ) {
    this.prover = new PartProver(world.manager, interrupt, step?.constraints);
    this.limits = rateLimitsOf(world.scene, step?.index);
  }

  /** Proves the states of a part of a move, and its speeds. */
  judge(part: ProgramPart, move: ProgramMove, record?: CellRecorder): PartVerdict {
    const proved = this.prover.prove(part, record);
    if (proved.verdict !== 'valid') return proved;
    const { robot, scene } = this.world;
    const fast = this.limits.find(
      (limit) => !isRateKept(robot, scene, limit, part, move, (cell, q) => part.set!.enclose(cell, q)),
    );
    return fast === undefined ? proved : { verdict: 'undecided', constraint: constraintLabel(fast) };
  }

  /** Returns false if a sampled state of a part of joint moves collides. */
  isLikely({ set, q }: ProgramPart): boolean {
    if (!(set instanceof JointSet)) return true;
    const { at, half } = set.root;
    const places = GRID.flatMap((x) => (at.length > 1 ? GRID.map((y) => [x, y]) : [[x]]));
    return places.every((place) => {
      const state = set.step(
        q,
        set.origin,
        place.map((x, k) => at[k] + x * half[k]),
      );
      return this.world.manager.firstCollidingPair(state) < 0;
    });
  }

  /** Returns true for the label of a constraint that limits speeds. */
  isOfSpeed(label: string | undefined): boolean {
    return this.limits.some((limit) => constraintLabel(limit) === label);
  }

  /** Proves the states from one to another on a straight line in joint space. */
  judgeLine(from: Configuration, to: Configuration, record?: CellRecorder): PartVerdict {
    return this.prover.prove(lineBetween(from, to), record);
  }
}

/** The parts of a program of moves, and the worlds in which they are judged. */
export class ProgramJudge {
  readonly sets: ProgramSets;
  /** States at the beginning of each move, and at the end of the last one. */
  readonly states: readonly Configuration[];
  readonly parts: readonly ProgramPart[];
  /** Of a scene with steps: the comparison with them. */
  readonly steps: StepVerdicts | undefined;
  private readonly judges = new Map<World | number | undefined, PartJudge>();

  constructor(
    private readonly world: World,
    readonly program: MoveProgram,
    private readonly interrupt: Interrupt = never,
  ) {
    const { robot, scene } = world;
    const { moves } = program;
    this.sets = new ProgramSets(robot);
    const states = [startStateOf(robot, scene)?.q ?? moves[0].joints!];
    for (const move of moves) states.push(this.sets.endOf(states[states.length - 1], move)!);
    this.states = states;
    this.parts = this.sets.parts(states[0], moves);
    this.steps = scene.steps && stepVerdicts(world, program, states);
  }

  /** Returns the judge of a move: of its world, with the constraints of its step. */
  judgeOf(index: number): PartJudge {
    const { step: of } = this.program.moves[index];
    const step = this.world.scene.steps?.find((one) => one.index === of);
    return this.known(of, this.steps?.worlds[index] ?? this.world, step && isMotionStep(step) ? step : undefined);
  }

  /** The worlds between events, in order; of a scene without steps, that of the scene. */
  get worlds(): readonly World[] {
    return this.steps?.rests.map(({ world }) => world) ?? [this.world];
  }

  /** Returns the verdicts on the rests in the worlds of a scene with steps. @param record with the index of a world */
  restVerdicts(record?: (world: number, ...cell: Parameters<CellRecorder>) => void): PartVerdict[] {
    return (this.steps?.rests ?? []).map(({ world, q }, k) =>
      this.known(world, world).judgeLine(q, q, record && ((...cell) => record(k, ...cell))),
    );
  }

  private known(key: World | number | undefined, world: World, step?: MotionStep): PartJudge {
    const known = this.judges.get(key) ?? new PartJudge(world, step, this.interrupt);
    this.judges.set(key, known);
    return known;
  }
}

/** Describes the fault of a part that is not valid. */
export function partFault({ verdict, pair, constraint, reason }: PartVerdict): string {
  const isSure = verdict === 'invalid';
  const ofPair = pair && `${pair.join(' and ')} ${isSure ? 'are in collision' : 'are not proved separated'}`;
  return reason ?? ofPair ?? `constraint "${constraint}" is ${isSure ? 'violated' : 'not proved'}`;
}
