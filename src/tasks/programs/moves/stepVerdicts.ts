import { type CartesianLeg, lineLeg } from '../../../core/cartesian/cartesianLeg.ts';
import { stepLegs } from '../../../core/cartesian/stepLegs.ts';
import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import { movingJoints } from '../../../core/kinematics/reach.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { type LinkFrame, setFramePose, tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { create, type Transform } from '../../../core/math/transform.ts';
import type { MoveProgram, ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import { type ArcStep, hasSegment, type LineStep, type MotionStep, stepName } from '../../../core/scene/program.ts';
import type { PartVerdict } from '../../checking/moves/proveParts.ts';
import { linkPoses, type World } from '../../world.ts';
import { goalMiss } from '../checks/goalMiss.ts';
import { completeGoals } from '../completeGoals.ts';
import { callFaults } from '../programStructure.ts';

/** What a program of moves does in the worlds between the events of its scene. */
export interface StepVerdicts {
  /** The world of each move. */
  readonly worlds: readonly World[];
  /** Each world, in order, with the state at rest in which it begins: a program may wait in it for its events. */
  readonly rests: readonly { readonly world: World; readonly q: Configuration }[];
  /** Differences from the steps, and what is not proved of them. */
  readonly verdicts: readonly PartVerdict[];
}

/** Absolute tolerance of goals, rad and m, and of waits, seconds. */
const TOLERANCE = 1e-6;
/** Absolute tolerance of the targets of lines and arcs, m and rad: twelve decimals, and the rounding of poses. */
const SAME = 1e-9;
/**
 * Metres: deviation of an arc through points that differ by `SAME`. The ratio of the distances of its points is at
 * least 0.01 (`legOf`).
 */
const ARC_DEVIATION = 1e-5;

const UNKNOWN_START = 'the arm may be anywhere, since the scene has no start and no move comes before it';

/**
 * Compares a program of moves with the steps of its scene: its calls with the events, the ends of moves with goals,
 * lines and arcs, rests with waits. Each move has the world after the events before it.
 * @param states at the beginning of each move, and at the end of the last one
 */
export function stepVerdicts(initial: World, program: MoveProgram, states: readonly Configuration[]): StepVerdicts {
  const { robot } = initial;
  const { moves, stepCalls = [], waits = [] } = program;
  const scene = completeGoals(robot, initial.scene, states[0]);
  const { steps = [] } = scene;
  const tcp = tcpOf(robot, scene.tcp);
  const linkOfTcp = robot.links[tcp.link].name;
  const [wrong] = callFaults(steps, stepCalls, linkOfTcp);
  if (wrong) return { worlds: [], rests: [], verdicts: [{ verdict: 'invalid', reason: wrong.what }] };
  const worlds: World[] = [];
  const rests: { world: World; q: Configuration }[] = [];
  const verdicts: PartVerdict[] = [];
  const isStartKnown = scene.start !== undefined;
  let world = initial;
  let isNew = true;
  const enter = () => {
    if (isNew) rests.push({ world, q: states[worlds.length] });
    isNew = false;
  };
  for (const step of steps) {
    const q = states[worlds.length];
    if (!hasSegment(step)) {
      const isPlaced = step.kind === 'attach' || step.kind === 'detach';
      if (isPlaced && worlds.length === 0 && !isStartKnown)
        verdicts.push({ verdict: 'undecided', reason: `${stepName(step)}: ${UNKNOWN_START}` });
      if (step.kind === 'set') continue;
      enter();
      world = world.after(step, linkOfTcp, q);
      isNew = true;
      continue;
    }
    enter();
    const first = worlds.length;
    while (moves[worlds.length]?.step === step.index) worlds.push(world);
    const own = moves.slice(first, worlds.length);
    const waited = waits.reduce((sum, wait) => sum + (wait.step === step.index ? (wait.duration ?? 0) : 0), 0);
    const found =
      step.kind === 'wait'
        ? waitVerdict(own, waited - step.duration)
        : motionVerdict(robot, world, tcp, step, own, states.slice(first, worlds.length + 1));
    if (found) verdicts.push({ ...found, reason: `${stepName(step)}: ${found.reason}` });
  }
  if (worlds.length < moves.length) verdicts.push({ verdict: 'invalid', reason: 'a move belongs to no step' });
  enter();
  return { worlds, rests, verdicts };
}

function waitVerdict(own: readonly ProgramMove[], excess: number): PartVerdict | undefined {
  if (own.length > 0) return { verdict: 'invalid', reason: 'the robot moves while it waits' };
  if (Math.abs(excess) <= TOLERANCE) return undefined;
  return { verdict: 'invalid', reason: `the program waits ${excess} s longer` };
}

function motionVerdict(
  robot: RobotModel,
  { scene }: World,
  tcp: LinkFrame,
  step: MotionStep,
  moves: readonly ProgramMove[],
  states: readonly Configuration[],
): PartVerdict | undefined {
  if (step.kind === 'path') return { verdict: 'undecided', reason: 'tool paths are not judged for programs of moves' };
  if (step.kind === 'move') {
    const miss = goalMiss(robot, scene, step.goals, states[states.length - 1], stepName(step));
    return miss <= TOLERANCE ? undefined : { verdict: 'invalid', reason: `its end misses the goal by ${miss}` };
  }
  const legs = stepMoveLegs(robot, tcp, step, states[0]);
  if (legs === undefined || legs.length !== moves.length)
    return { verdict: 'invalid', reason: `${moves.length} moves instead of ${legs?.length ?? 'an arc'}` };
  const open = legs.find(({ angle }) => angle > step.tolerance.angle);
  if (open) return { verdict: 'undecided', reason: `the tool turns by ${open.angle} rad, when is not known` };
  if (step.kind === 'arc' && !(ARC_DEVIATION <= step.tolerance.position))
    return { verdict: 'undecided', reason: `its tolerance is below ${ARC_DEVIATION} m` };
  const k = moves.findIndex((move, i) => !isMoveAlong(robot, tcp, step, legs[i], move));
  return k < 0 ? undefined : { verdict: 'invalid', reason: `line ${moves[k].line} is another ${step.kind}, or blends` };
}

/** Returns the lines or the arc of a step that begins at a state, without those that do not move the tool. */
export function stepMoveLegs(
  robot: RobotModel,
  tcp: LinkFrame,
  step: LineStep | ArcStep,
  q: Configuration,
): CartesianLeg[] | undefined {
  const legs = stepLegs(step, frameAt(robot, tcp, q), linkPoses(robot, q));
  return legs?.filter(({ length, angle }) => length > SAME || angle > SAME);
}

function isMoveAlong(
  robot: RobotModel,
  tcp: LinkFrame,
  step: LineStep | ArcStep,
  { end }: CartesianLeg,
  { kind, frame, pose, via, isTangential, radius }: ProgramMove,
): boolean {
  const isKind = step.kind === 'arc' ? kind === 'movec' && !isTangential : kind === 'movel' || kind === 'movep';
  if (!isKind || radius > 0 || pose === undefined || !isSameFrame(robot, frame, tcp) || !isSamePose(pose, end))
    return false;
  return step.kind !== 'arc' || via!.every((value, i) => Math.abs(value - step.via[i]) <= SAME);
}

const isSamePose = (one: Transform, other: Transform): boolean => {
  const { length, angle } = lineLeg(one, other);
  return length <= SAME && angle <= SAME;
};

/** Returns true if two frames coincide at all states: the same joints move them, and they do at one state. */
export function isSameFrame(robot: RobotModel, one: LinkFrame, other: LinkFrame): boolean {
  const [a, b] = [movingJoints(robot, one.link), movingJoints(robot, other.link)];
  const zero = new Float64Array(robot.dof);
  return (
    a.length === b.length &&
    a.every((joint, i) => joint === b[i]) &&
    isSamePose(frameAt(robot, one, zero), frameAt(robot, other, zero))
  );
}

/** Returns the pose of a frame in the world at a state. */
export function frameAt(robot: RobotModel, frame: LinkFrame, q: Configuration): Transform {
  const state = new RobotState(robot);
  forwardKinematics(state, q);
  const T = create();
  setFramePose(T, state, frame);
  return T;
}
