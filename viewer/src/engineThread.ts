import {
  CollisionManager,
  CollisionModel,
  ConstraintSet,
  clearanceProfile,
  createSceneRobot,
  describeExplanation,
  explainFailure,
  jointsOutOfLimits,
  nearestPair,
  type PageData,
  planMotion,
  type RobotModel,
  trajectoryHash,
  verifyCertificate,
} from 'elbowroom';
import type { Kind, PlanRequest, Questions } from './questions.ts';

/** The open problem, with its caches. */
interface Opened {
  readonly problem: PageData['problem'] & { readonly model: RobotModel };
  readonly manager: CollisionManager;
  readonly constraints: ConstraintSet;
}
let opened: Opened | undefined;

const answers: { readonly [K in Kind]: (given: Questions[K]['given']) => Questions[K]['answer'] } = {
  open(problem) {
    const model = createSceneRobot(problem);
    opened = {
      problem: { ...problem, model },
      manager: new CollisionManager(new CollisionModel(model, problem.scene)),
      constraints: new ConstraintSet(model, problem.scene.constraints ?? [], problem.scene.tcp),
    };
    return null;
  },

  state(values) {
    const { manager, problem, constraints } = current();
    const q = Float64Array.from(values);
    return {
      collisions: manager.collidingPairs(q),
      limits: jointsOutOfLimits(problem.model, q),
      constraints: constraints.violated(q),
      nearest: nearestPair(manager, q),
    };
  },

  plan(request) {
    const answer = planMotion(requestedProblem(request), { ...request.options, certificate: true }, { clock });
    return { ...answer, hash: answer.trajectory && trajectoryHash(answer.trajectory) };
  },

  explain(request) {
    const problem = requestedProblem(request);
    const answer = planMotion(problem, request.options, { clock });
    const trees: Record<'start' | 'goal', number[][]> = { start: [], goal: [] };
    if (answer.status === 'solved') return { status: answer.status, lines: ['A second search found a path.'], trees };
    const options = { ...request.options, timeLimit: EXPLAINING_TIME };
    const explanation = explainFailure(problem, answer, options, { clock, visit: (end, q) => trees[end].push([...q]) });
    return { status: answer.status, lines: describeExplanation(explanation), trees };
  },

  profile: (trajectory) => clearanceProfile(current().manager, trajectory),

  verify({ certificate, trajectory }) {
    const { problem } = current();
    return verifyCertificate(certificate, problem.model, problem.scene, trajectory);
  },
};

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
