import { Random } from '../../src/core/math/random.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import type { ProposedPoint } from '../../src/formats/streams/gateMessages.ts';
import { CubicCurve, type Knot } from '../../src/tasks/gate/cubicCurve.ts';
import { Gate } from '../../src/tasks/gate/gate.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import { motionLimitsOf, type Problem } from '../../src/tasks/sceneRobot.ts';
import { NoisyPolicy } from './noisyPolicy.ts';

/** Rad: errors of the policies, and the tolerance at goals. */
export const NOISE = 0.06;
export const AT_GOAL = 0.12;
/** Metres beyond the padding of the scene, of the path that a policy follows. */
const PADDINGS = [0.03, 0.02, 0.01, 0];

/** Milliseconds of a call: on the clock, and of the processor in all threads of the process. */
export interface Elapsed {
  readonly wall: number;
  readonly cpu: number;
}

export function elapsedOf(call: () => void): Elapsed {
  const used = process.cpuUsage();
  const before = performance.now();
  call();
  const wall = performance.now() - before;
  const { user, system } = process.cpuUsage(used);
  return { wall, cpu: (user + system) / 1000 };
}

/** A chunk, and the time of its message. */
export interface Proposal {
  readonly now: number;
  readonly points: readonly ProposedPoint[];
}

/** A gate and a policy that moves its robot to and fro between start and goal, at 50 Hz. */
export class Shuttle {
  readonly gate: Gate;
  readonly verdicts: Record<string, number> = {};
  now = 0;
  private readonly policy: NoisyPolicy;
  private readonly paths: Trajectory[];
  private turns = 0;

  constructor(problem: Problem, seed: number) {
    const path = plannedPath(problem);
    this.paths = [path, reversed(path)];
    this.gate = new Gate(problem);
    const limits = motionLimitsOf(this.gate.robot, problem.scene);
    this.policy = new NoisyPolicy(path, limits, new Random(seed), NOISE, 0.9);
  }

  /** Proposes the next chunk; returns it, and the time until the verdict. */
  step(): Elapsed & { readonly proposal: Proposal } {
    this.now += 0.02;
    const state = stateOf(this.gate, this.now + 0.03);
    if (this.policy.isDone(state, 2 * AT_GOAL)) this.policy.follow(this.paths[++this.turns % 2]);
    const points = this.policy.chunk(this.now + 0.03, state);
    const elapsed = elapsedOf(() => {
      const { verdict } = this.gate.propose(this.now, points);
      this.verdicts[verdict] = (this.verdicts[verdict] ?? 0) + 1;
    });
    return { ...elapsed, proposal: { now: this.now, points } };
  }
}

/** Returns the path that the policy knows: with the greatest of some paddings for which one is found. */
export function plannedPath(problem: Problem): Trajectory {
  for (const padding of PADDINGS) {
    const scene = { ...problem.scene, padding: problem.scene.padding + padding };
    const { trajectory } = planMotion({ ...problem, scene }, { seed: 1 });
    if (trajectory) return trajectory;
  }
  throw new Error(`${problem.scene.name}: no path`);
}

/** Returns a motion that is executed from its end to its start. */
function reversed({ points, ...rest }: Trajectory): Trajectory {
  const end = points.at(-1)!.time_from_start!;
  const back = points.map(({ time_from_start, positions, velocities }) => ({
    time_from_start: end - time_from_start!,
    positions,
    ...(velocities && { velocities: velocities.map((v) => -v) }),
  }));
  return { ...rest, points: back.reverse() };
}

export const stateOf = (gate: Gate, t: number) => {
  const { jointNames, points } = gate.committed;
  return new CubicCurve(jointNames, points as readonly Knot[]).at(t);
};
