import {
  constraintProfile,
  createPlanner,
  describeExplanation,
  explainFailure,
  hasMoving,
  limitProfile,
  type PlanMotionResult,
  type Planner,
  type PlanOptions,
  Replay,
  type RobotModel,
  solveIk,
  trajectoryHash,
  verifyReport,
} from 'elbowroom';
import { ConstraintSet, jointsOutOfLimits } from 'elbowroom/collision';
import type { Kind, Opening, PlanRequest, Questions } from './questions.ts';

/** Samples of what a motion uses of its limits: sufficient for the width of the timeline. */
const PROFILE_SAMPLES = 500;

/** The open problem, with its caches. */
interface Opened {
  readonly problem: Opening['problem'] & { readonly model: RobotModel };
  /** Created by the first plan. */
  planner?: Planner;
  readonly replay: Replay;
  /** Constraints on states by the time from which they apply. */
  readonly constraints: Map<string, ConstraintSet>;
}
let opened: Opened | undefined;

const answers: { readonly [K in Kind]: (given: Questions[K]['given']) => Questions[K]['answer'] } = {
  open({ problem, trajectory, coordination }) {
    const replay = new Replay(problem, trajectory, coordination);
    opened = { problem: { ...problem, model: replay.robot }, replay, constraints: new Map() };
    return null;
  },

  state({ q: values, time }) {
    const { problem, replay } = current();
    const { manager, q } = replay.checksAt(values, time);
    const own = Float64Array.from(values);
    return {
      collisions: manager.collidingPairs(q),
      limits: jointsOutOfLimits(problem.model, own),
      constraints: constraintsAt(time).violated(own),
      clearance: replay.splitClearanceAt(own, time),
    };
  },

  plan(request) {
    const answer = planned(request, { certificate: true });
    return { ...answer, hash: answer.trajectory && trajectoryHash(answer.trajectory) };
  },

  explain(request) {
    const problem = requestedProblem(request);
    const { scene } = problem;
    if (scene.steps !== undefined || hasMoving(scene) || (scene.constraints ?? []).length > 0) return unexplained;
    const answer = planned(request);
    const trees: Record<'start' | 'goal', number[][]> = { start: [], goal: [] };
    if (answer.status === 'solved') return { status: answer.status, lines: ['A second search found a path.'], trees };
    const options = { ...request.options, timeLimit: EXPLAINING_TIME };
    const explanation = explainFailure(problem, answer, options, { clock, visit: (end, q) => trees[end].push([...q]) });
    return { status: answer.status, lines: describeExplanation(explanation), trees };
  },

  ik({ pose, near, time }) {
    const { problem, replay } = current();
    const { tcp } = problem.scene;
    const query = { pose, near: Float64Array.from(near), ...(tcp ? { tcp } : {}) };
    const { solutions, reason } = solveIk(problem.model, query);
    const branches = solutions.map((solution) => {
      const { manager, q } = replay.checksAt(solution.q, time);
      return {
        q: [...solution.q],
        away: Math.hypot(...solution.q.map((value, i) => value - near[i])),
        collisions: manager.collidingPairs(q),
        constraints: constraintsAt(time).violated(solution.q),
      };
    });
    return { branches, reason };
  },

  profile: () => current().replay.clearance(),

  clearance: (trajectory) => new Replay(current().problem, trajectory).splitClearance(),

  margins(trajectory) {
    const { problem } = current();
    return constraintProfile(problem.model, problem.scene, trajectory);
  },

  limits(trajectory) {
    const { problem } = current();
    const { timeline } = new Replay(problem, trajectory);
    const parts = timeline.map(({ from, to, world }) => ({ from, to, scene: world.scene }));
    return limitProfile(problem.model, problem.scene, trajectory, parts, PROFILE_SAMPLES);
  },

  verify({ certificate, trajectory }) {
    const { problem } = current();
    return verifyReport(certificate, problem.model, problem.scene, trajectory);
  },
};

/** Programs, moving scenes and constraints have no explanation but the reason of the plan. */
const unexplained: Questions['explain']['answer'] = { status: 'no-path', lines: [], trees: { start: [], goal: [] } };

/** Returns the constraints on states at a time. */
function constraintsAt(time: number): ConstraintSet {
  const { problem, replay, constraints } = current();
  const given = replay.constraintsAt(time);
  const key = JSON.stringify(given);
  const set = constraints.get(key) ?? new ConstraintSet(problem.model, given, problem.scene.tcp);
  constraints.set(key, set);
  return set;
}

const clock = () => performance.now();

/** Time limit of each search with one object removed, seconds. */
const EXPLAINING_TIME = 3;

/** Returns the open problem with the start and goal of the request. */
function requestedProblem({ start, goal }: PlanRequest): Opened['problem'] {
  const { problem } = current();
  const scene = {
    ...problem.scene,
    ...(start === undefined ? {} : { start }),
    ...(goal === undefined ? {} : { goals: [{ kind: 'joints' as const, joints: goal }] }),
  };
  return { ...problem, scene };
}

function planned({ start, goal, options }: PlanRequest, more: Partial<PlanOptions> = {}): PlanMotionResult {
  const open = current();
  open.planner ??= createPlanner(open.problem);
  const ends = {
    ...(start && { start }),
    ...(goal && { goals: [{ kind: 'joints' as const, joints: goal }] }),
  };
  return open.planner.plan({ ...ends, ...options, ...more }, { clock });
}

function current(): Opened {
  if (!opened) throw new Error('no problem has been opened');
  return opened;
}

self.addEventListener('message', ({ data }: MessageEvent<{ id: number; kind: Kind; given: never }>) => {
  const { id, kind, given } = data;
  try {
    self.postMessage({ id, answer: answers[kind](given) });
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
