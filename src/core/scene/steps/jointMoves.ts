import { InputError, suggestion } from '../../../errors.ts';
import { createRobotModel } from '../../kinematics/createRobotModel.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { tcpOf } from '../../kinematics/toolCenterPoint.ts';
import { jointValueProblem, timeProblem } from '../../math/magnitudes.ts';
import { isForceConstraint, type PathConstraint } from '../constraints.ts';
import { hasMoving } from '../movingScene.ts';
import { isMotionStep, type JointMoveStep, movesJoints, type Step, stepName } from '../program.ts';
import type { Scene } from '../scene.ts';

/** Error of a step that moves joints which are not planned, and its place in the scene. */
interface JointMoveFault {
  readonly step: Step;
  readonly path: readonly (string | number)[];
  readonly what: string;
  readonly note: string;
}

/** Relative: rounding of limits and of values that are stated with units. */
const ROUNDING = 1e-9;

/**
 * Returns the errors of the steps that move joints which are not planned: joints that the robot does not keep at a
 * value, values and speeds beyond limits, and what such a motion would change although it is computed for the robot as
 * it starts: the tool, frames of goals, lines and constraints, torques, and motions of something else at the same time.
 * @param hasOthers true if something else moves, even if the scene does not list it yet
 */
export function jointMoveFaults(robot: RobotModel, scene: Scene, hasOthers = false): JointMoveFault[] {
  const { steps = [] } = scene;
  const moves = steps.filter(movesJoints);
  if (moves.length === 0) return [];
  const [step] = moves;
  const place = ['steps', step.index, 'set', 'joints'];
  const whole = (what: string, note: string): JointMoveFault[] => [{ step, path: place, what, note }];
  if (hasOthers || hasMoving(scene))
    return whole('something else moves in the scene, too', 'Leave out the motion, or the moving obstacles and robots.');
  if (scene.torque !== undefined || scene.constraints?.some(isForceConstraint))
    return whole(
      'limits of torque, momentum, power and stops do not follow joints that are not planned',
      'Leave out one of both.',
    );
  const faults = valueFaults(robot, scene, moves);
  return faults.length > 0 ? faults : frameFaults(robot, scene, steps, moves);
}

/** Throws `InputError` for the first error of the steps that move joints which are not planned. */
export function requireJointMoves(robot: RobotModel, scene: Scene): void {
  const [fault] = jointMoveFaults(robot, scene);
  if (fault !== undefined)
    throw new InputError(`${stepName(fault.step)}: ${fault.path.slice(2).join('.')}: ${fault.what}`, fault.note);
}

/** Returns errors of names, values and speeds. */
function valueFaults(robot: RobotModel, scene: Scene, moves: readonly JointMoveStep[]): JointMoveFault[] {
  const { description, fixed } = robot;
  const faults: JointMoveFault[] = [];
  const at = new Map(Object.entries(fixed));
  for (const step of moves) {
    const { duration, moves: move } = step;
    for (const [joint, value] of Object.entries(move.joints)) {
      const report = (what: string, note = '') =>
        faults.push({ step, path: ['steps', step.index, 'set', 'joints', joint], what, note });
      const problem = jointValueProblem(value) ?? (duration > 0 ? timeProblem(duration) : 'takes no time');
      if (problem !== undefined) {
        report(`${value} in ${duration} s: ${problem}`);
        continue;
      }
      const before = at.get(joint);
      if (before === undefined) {
        report(...unkeptJoint(robot, joint));
        continue;
      }
      const { limits, type } = createRobotModel(description, { joints: [joint], limits: scene.robot.limits })
        .variables[0];
      const unit = type === 'prismatic' ? 'm' : 'rad';
      const rounding = ROUNDING * (1 + Math.abs(value));
      if (!(value >= limits.lower - rounding && value <= limits.upper + rounding))
        report(`it is ${value} ${unit}, its limits are ${limits.lower} to ${limits.upper} ${unit}`);
      const speed = Math.abs(value - before) / duration;
      if (!(speed <= limits.velocity * (1 + ROUNDING)))
        report(
          `it moves from ${before} to ${value} ${unit} in ${duration} s, its limit is ${limits.velocity} ${unit}/s`,
          `Give it at least ${Math.abs(value - before) / limits.velocity} s.`,
        );
      at.set(joint, value);
    }
  }
  return faults;
}

/** Returns what is wrong with a joint that is not kept at a value, and a note. */
function unkeptJoint({ description, fixed, variables }: RobotModel, name: string): [what: string, note: string] {
  const joint = description.joints.find((one) => one.name === name);
  const kept = Object.keys(fixed);
  const known = kept.length === 0 ? 'All joints of the robot are planned.' : suggestion(name, kept);
  if (joint === undefined) return [`there is no joint ${JSON.stringify(name)}`, known];
  if (joint.type === 'fixed') return ['the joint is fixed, it does not move', known];
  if (joint.mimic !== undefined)
    return [`it follows "${joint.mimic.joint}" (mimic)`, `Name "${joint.mimic.joint}" instead.`];
  const others = variables.flatMap((one) => (one.name === name ? [] : [one.name]));
  const change = `, or plan the others: robot: {joints: [${others.join(', ')}], fixed: {${name}: …}}`;
  return [
    'the joint is planned: motions move it',
    `Give it in a goal of \`move\`${others.length === 0 ? '' : change}.`,
  ];
}

/** Returns errors of frames that such a motion would move, although they are those of the arm. */
function frameFaults(
  robot: RobotModel,
  scene: Scene,
  steps: readonly Step[],
  moves: readonly JointMoveStep[],
): JointMoveFault[] {
  const moved = movedLinks(robot, new Set(moves.flatMap((step) => Object.keys(step.moves.joints))));
  const isMoved = (link: string | undefined) => link !== undefined && moved.has(link);
  const faults: JointMoveFault[] = [];
  const report = (path: JointMoveFault['path'], link: string, step: Step = moves[0]) => {
    const what = `steps move "${link}" against the arm (${stepName(moves[0])})`;
    faults.push({ step, path, what, note: 'Name a link that does not move with the fingers.' });
  };
  const tool = robot.links[tcpOf(robot, scene.tcp).link].name;
  if (isMoved(tool)) report(['tcp', 'link'], tool);
  const constraints = (list: readonly PathConstraint[], path: JointMoveFault['path'], step?: Step) => {
    for (const [i, constraint] of list.entries()) {
      if (!('frame' in constraint) || constraint.frame === undefined) continue;
      const link = robot.links[tcpOf(robot, constraint.frame).link].name; // the elbow of a short arm may be a finger
      if (isMoved(link)) report([...path, 'constraints', i, 'frame', 'link'], link, step);
    }
  };
  constraints(scene.constraints ?? [], []);
  for (const step of steps) {
    if (!isMotionStep(step)) continue;
    const path = ['steps', step.index];
    constraints(step.constraints, path, step);
    const goals =
      step.kind === 'move' ? step.goals.flatMap((goal) => (goal.kind === 'pose' ? [goal.pose.link] : [])) : [];
    const frames = step.kind === 'line' ? step.targets.map((one) => ('frame' in one ? one.frame : undefined)) : [];
    const frame = step.kind === 'path' ? [step.frame] : [];
    for (const link of [...goals, ...frames, ...frame]) if (isMoved(link)) report([...path, step.kind], link!, step);
  }
  return faults;
}

/** Returns the names of the links below joints, and below those that follow them. */
export function movedLinks({ description, links, joints }: RobotModel, names: ReadonlySet<string>): Set<string> {
  const leads = new Map(description.joints.map(({ name, mimic }) => [name, mimic?.joint]));
  const isMoved = (name: string): boolean => {
    let leader: string | undefined = name;
    for (let steps = 0; leader !== undefined && steps <= leads.size; steps++) {
      if (names.has(leader)) return true;
      leader = leads.get(leader);
    }
    return false;
  };
  const moved = new Set<string>();
  // parents come before children
  for (const link of links) {
    const joint = link.joint < 0 ? undefined : joints[link.joint];
    if (joint !== undefined && (isMoved(joint.name) || moved.has(links[link.parent].name))) moved.add(link.name);
  }
  return moved;
}
