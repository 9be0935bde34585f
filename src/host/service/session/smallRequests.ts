import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { RecentMap } from '../../../core/math/recentMap.ts';
import type { CheckerName } from '../../../core/narrowphase/index.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { type Params, readParams } from '../../../formats/schemas/serviceMessages.ts';
import { StateValidityChecker } from '../../../tasks/validation/stateValidityChecker.ts';
import { ValidityBatch } from '../../../tasks/validation/validityBatch.ts';
import { readRequest, resultText } from '../jsonRpc.ts';
import { SHORT } from '../messageText.ts';
import { linkPoses, validityText } from '../methods.ts';
import { clearanceText } from '../resultTexts.ts';

/** Pairs of a small scene, and the limit of the pairs of all states of a small request: about a millisecond. */
const MAX_PAIRS = 300;
const MAX_STATE_PAIRS = 40_000;
/** Number of interrupts, 10,000 pair checks apart, after which the proof of a motion takes long. */
const MAX_INTERRUPTS = 2;
/** Checkers of changed scenes that are kept. */
const MAX_CHECKERS = 64;

/** Results of small requests; undefined if a request takes long, or has an error. */
const smallMethods = {
  validate(checker: StateValidityChecker, { q, states, ...others }: Params<'validate'>) {
    if (isEmpty(others) && q && !states) return validityText(checker, q);
    const isFew = states && states.length * checker.manager.model.pairCount <= MAX_STATE_PAIRS;
    return isFew && !q && isEmpty(others) ? validityOfEach(checker, states) : undefined;
  },
  validate_motion: (checker: StateValidityChecker, { from, to, ...others }: Params<'validate_motion'>) =>
    from && to && isEmpty(others) ? `{"valid":${checker.isValidMotion(from, to)}}` : undefined,
  clearance: (checker: StateValidityChecker, { q, ...others }: Params<'clearance'>) =>
    q && isEmpty(others) ? clearanceText(checker.clearance(q)) : undefined,
  fk: (checker: StateValidityChecker, { q, ...others }: Params<'fk'>) =>
    q?.length === checker.dof && isEmpty(others) ? linkPoses(checker.robot)(q) : undefined,
};

const isEmpty = (options: object): boolean => Object.keys(options).length === 0;

function validityOfEach(checker: StateValidityChecker, states: readonly (readonly number[])[]): string | undefined {
  if (states.some(({ length }) => length !== checker.dof)) return undefined;
  const valid = new Float64Array(states.length);
  const batch = new ValidityBatch(checker, valid);
  for (const [i, q] of states.entries()) batch.add(q, 0, i);
  batch.finish();
  return `{"valid":[${Array.from(valid, (value) => value === 1).join(',')}]}`;
}

/**
 * Processes requests that take little time on the thread of the transports: sending them to that of the sessions would
 * take longer.
 */
export class SmallRequests {
  /** By scene, the most recently used last. */
  private readonly checkers = new RecentMap<Scene, StateValidityChecker>(MAX_CHECKERS);
  private interrupts = 0;

  /** @param counted called with the method and the number of states of each request that was processed */
  constructor(
    private readonly robot: RobotModel,
    private readonly checker: CheckerName,
    private readonly counted: (method: string, judged: number) => void,
  ) {}

  /** Returns the checker of a scene. Throws `InputError` if it cannot be checked. */
  checkerOf(scene: Scene): StateValidityChecker {
    const { robot, checker, checkers } = this;
    const interrupt = () => this.interrupt();
    return checkers.use(scene, () => new StateValidityChecker(robot, scene, { checker, interrupt }));
  }

  /** Returns the response to a small request without an error; undefined for any other message. */
  answer(scene: Scene, message: string): string | undefined {
    if (message.length > SHORT) return undefined;
    try {
      const { id, method, params } = readRequest(JSON.parse(message));
      if (id === undefined || !Object.hasOwn(smallMethods, method)) return undefined;
      const checker = this.checkerOf(scene);
      if (checker.manager.model.pairCount > MAX_PAIRS) return undefined;
      const name = method as keyof typeof smallMethods;
      const read = readParams(name, params) as Params<'validate'>;
      this.interrupts = 0;
      const result = (smallMethods[name] as (typeof smallMethods)['validate'])(checker, read);
      if (result === undefined) return undefined;
      this.counted(name, read.states?.length ?? 1);
      return resultText(id, result);
    } catch {
      return undefined; // the session returns the error, or takes the time
    }
  }

  private interrupt(): boolean {
    if (++this.interrupts > MAX_INTERRUPTS) throw new Error('the motion takes long');
    return false;
  }
}
