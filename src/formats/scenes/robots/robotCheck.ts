import { geometryFault } from '../../../core/kinematics/collisionGeometry.ts';
import { createRobotModel } from '../../../core/kinematics/createRobotModel.ts';
import { plannedJoints } from '../../../core/kinematics/planningGroups.ts';
import type { JointDescription, RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { elbowOf } from '../../../core/kinematics/toolCenterPoint.ts';
import { relativeFault } from '../../../core/scene/configurationOf.ts';
import { isForceConstraint, type PathConstraint } from '../../../core/scene/constraints.ts';
import { limitFault, MOTION_LIMITS } from '../../../core/scene/motionLimits.ts';
import { movesJoints } from '../../../core/scene/program.ts';
import type { Goal, JointGoal, Scene } from '../../../core/scene/scene.ts';
import { jointMoveFaults } from '../../../core/scene/steps/jointMoves.ts';
import { suggestion } from '../../../errors.ts';
import { MAX_ISSUES } from '../../text/schemaDiagnostics.ts';
import type { Diagnostic, Path, SourceText } from '../../text/sourceText.ts';
import type { ObjectDraft } from '../objectDraft.ts';
import type { StepObjects } from '../steps/stepChecks.ts';
import type { UnitUse } from '../valueReader.ts';

/** Checks of names, numbers of values and units against a robot; collects errors with their places. */
export class RobotCheck {
  readonly diagnostics: Diagnostic[] = [];
  private readonly moving: readonly JointDescription[];
  private readonly planned: readonly string[];

  constructor(
    private readonly robot: RobotDescription,
    scene: Scene,
  ) {
    this.moving = robot.joints.filter((joint) => joint.type !== 'fixed');
    this.planned = plannedJoints(robot, scene.robot);
  }

  /** @param source the included file that the path refers to, if any */
  name(
    name: string,
    choices: readonly string[] | ReadonlySet<string>,
    kind: string,
    path: Path,
    source?: SourceText,
  ): void {
    const isKnown = choices instanceof Set ? choices.has(name) : (choices as readonly string[]).includes(name);
    if (isKnown || this.diagnostics.length >= MAX_ISSUES) return; // suggestions take time
    const note = suggestion(name, [...choices]);
    this.report(path, `it is ${JSON.stringify(name)}, there is no such ${kind}`, note, source);
  }

  /** Checks that the name is unique: results refer to obstacles and attached objects by name. */
  ownName(body: ObjectDraft, links: readonly string[], attached: readonly ObjectDraft[]): void {
    const { name, path, source } = body;
    const other = links.includes(name)
      ? 'a link of the robot'
      : attached.some((one) => one !== body && one.name === name)
        ? 'an attached object'
        : undefined;
    if (other === undefined) return;
    const what = `it is ${JSON.stringify(name)}, which ${other} has already`;
    this.report([...path, 'name'], what, 'Give each object a unique name.', source);
  }

  robotKeys({ robot: { joints = [], fixed, limits, efforts = {}, motors = {} }, torque }: Scene): void {
    const moving = this.moving.map((joint) => joint.name);
    const leading = this.moving.filter((joint) => joint.mimic === undefined).map((joint) => joint.name);
    for (const [i, joint] of joints.entries()) {
      const path = ['robot', 'joints', i];
      this.name(joint, leading, 'independent joint', path);
      if (joints.indexOf(joint) < i) this.report(path, `it is ${JSON.stringify(joint)}, which is listed twice`);
    }
    for (const joint of Object.keys(fixed)) {
      this.name(joint, leading, 'independent joint', ['robot', 'fixed', joint]);
      if (this.planned.includes(joint) && leading.includes(joint)) {
        this.report(
          ['robot', 'fixed', joint],
          'the joint is planned, so it cannot be fixed',
          `Plan the others: joints: [${this.planned.filter((one) => !Object.hasOwn(fixed, one)).join(', ')}].`,
        );
      }
    }
    for (const joint of Object.keys(limits)) this.name(joint, moving, 'joint that moves', ['robot', 'limits', joint]);
    for (const joint of torque === undefined ? [] : Object.keys(efforts))
      if (!this.planned.includes(joint))
        this.report(
          ['robot', 'limits', joint, 'torque'],
          'torques of joints that are not planned are not limited',
          'Leave it out: joints that follow pass their torques on to their leader.',
        );
    for (const joint of Object.keys(motors)) this.name(joint, moving, 'joint that moves', ['robot', 'motors', joint]);
  }

  /**
   * Checks that the links of `robot.empty` exist and have no collision geometry; that the robot has some, or all its
   * links are listed.
   */
  geometry({ robot: { empty = [] } }: Scene): void {
    const { links } = this.robot;
    const names = links.map((link) => link.name);
    for (const [i, name] of empty.entries()) {
      const path = ['robot', 'empty', i];
      this.name(name, names, 'link', path);
      if (links.some((link) => link.name === name && link.collisions.length > 0)) {
        this.report(path, `it is ${JSON.stringify(name)}, which has collision geometry`, 'List links without any.');
      }
    }
    const fault = geometryFault(this.robot, empty);
    if (fault !== undefined) this.report(['robot'], fault.what, fault.note);
  }

  /**
   * Checks that velocity, acceleration and jerk limits of the URDF are positive for planned joints; limits stated in
   * the scene were checked when they were read.
   */
  motionLimits({ robot: { limits } }: Scene): void {
    for (const joint of this.moving) {
      if (!this.planned.includes(joint.name)) continue;
      const stated = Object.hasOwn(limits, joint.name) ? limits[joint.name] : {};
      for (const kind of MOTION_LIMITS) {
        const value = stated[kind] ?? joint[kind];
        if (value === undefined || value > 0 || stated[kind] !== undefined) continue;
        const { what, note } = limitFault(joint.name, kind, value);
        this.report(['robot', 'limits', joint.name, kind], what, note);
      }
    }
  }

  weights({ weights = {} }: Scene): void {
    for (const joint of Object.keys(weights)) this.name(joint, this.planned, 'planned joint', ['weights', joint]);
  }

  /** @param objects names of the obstacles and the attached objects */
  goal(goal: Goal, path: Path, objects: StepObjects): void {
    if (goal.kind === 'joints') {
      this.joints(goal.joints, path);
      return;
    }
    const { link, relativeTo } = goal.pose;
    this.link(link, [...path, 'link']);
    if (relativeTo !== undefined && objects.moving?.includes(relativeTo)) {
      this.report([...path, 'relative_to'], `it is ${JSON.stringify(relativeTo)}, which moves`, IN_WORLD);
      return;
    }
    if (relativeTo === undefined || objects.obstacles.includes(relativeTo)) return;
    const { what, note } = relativeFault(relativeTo, objects.obstacles, objects.attached);
    this.report([...path, 'relative_to'], what, note);
  }

  /** Checks that a link exists; undefined: none is named. */
  link(name: string | undefined, path: Path): void {
    const links = this.robot.links.map((link) => link.name);
    if (name !== undefined) this.name(name, links, 'link', path);
  }

  /** Checks the links and joints that the path constraints at a place name. */
  constraints(constraints: readonly PathConstraint[], path: Path): void {
    for (const [i, constraint] of constraints.entries()) {
      if (isForceConstraint(constraint)) continue;
      const place = [...path, 'constraints', i];
      if (constraint.type === 'joint' || constraint.type === 'joint_speed') {
        const [key, joint] = constraint.name?.split(':') ?? [];
        const isLimit = key === 'joint_range' || constraint.type === 'joint_speed';
        const at = isLimit ? ['safety', key, joint] : [...place, 'joint'];
        this.name(constraint.joint, this.planned, 'planned joint', at);
      } else if (constraint.frame?.isElbow) {
        if (elbowOf(this.robot) === undefined) this.report(['safety'], 'it limits the elbow, and the robot has none');
      } else this.link(constraint.frame?.link, [...place, 'frame', 'link']);
    }
  }

  /** Checks that the distance at which the controller stops is known: it was stated of the e-Series as of 2023. */
  clamping(): void {
    if (/^ur(3|5|10|16)e\b/.test(this.robot.name)) return;
    const what = `the distance at which "${this.robot.name}" stops is not known`;
    this.report(['robot', 'clamping'], what, 'It is for the UR3e, UR5e, UR10e and UR16e; state a clearance instead.');
  }

  /**
   * Checks that the links and objects of clearances exist and have geometry, and that the robot moves one of both: a
   * link, or an object that is attached to one at some time.
   */
  clearances(
    { clearances = [], steps = [] }: Scene,
    links: readonly string[],
    attached: readonly string[],
    bodies: readonly string[],
  ): void {
    const ofSteps = steps.flatMap((step) => (step.kind === 'attach' ? [step.object] : []));
    const carried = [...links, ...attached, ...ofSteps];
    const bare = this.robot.links.filter(({ collisions }) => collisions.length === 0).map(({ name }) => name);
    const all = new Set([...links, ...bodies]);
    for (const [i, { a, b }] of clearances.entries()) {
      for (const [k, name] of [a, b].entries()) {
        this.name(name, all, 'body', ['clearance', i, k]);
        if (bare.includes(name))
          this.report(['clearance', i, k], `link ${JSON.stringify(name)} has no collision geometry`);
      }
      if (![a, b].some((name) => carried.includes(name)))
        this.report(['clearance', i], `the robot moves neither ${JSON.stringify(a)} nor ${JSON.stringify(b)}`);
    }
  }

  joints(given: JointGoal, path: Path): void {
    if (typeof given === 'string') {
      const states = Object.keys(this.robot.states);
      if (Object.hasOwn(this.robot.states, given)) return;
      const note = suggestion(given, states) || 'The robot has none (they come from an SRDF); give joint values.';
      this.report(path, `it is ${JSON.stringify(given)}, there is no such state`, note);
    } else if (isList(given)) {
      if (given.length === this.planned.length) return;
      this.report(
        path,
        `it has ${given.length} values, the robot has ${this.planned.length} planned joints`,
        `In order: ${this.planned.join(', ')}.`,
      );
    } else {
      for (const joint of Object.keys(given)) this.name(joint, this.planned, 'planned joint', [...path, joint]);
    }
  }

  /**
   * Checks the motions of joints that are not planned, if everything else is right.
   * @param hasOthers true if something else moves in the scene, which may be added to it later
   */
  jointMoves(scene: Scene, hasOthers = false): void {
    if (this.diagnostics.length > 0 || !(scene.steps ?? []).some(movesJoints)) return;
    const model = createRobotModel(this.robot, { ...scene.robot, joints: this.planned });
    for (const { path, what, note } of jointMoveFaults(model, scene, hasOthers)) this.report(path, what, note);
  }

  /** Reports `20 mm` for a revolute joint and `10 deg` for a prismatic one. */
  unit({ path, joint, base }: UnitUse): void {
    const name = typeof joint === 'number' ? this.planned[joint] : joint;
    const type = this.moving.find((one) => one.name === name)?.type;
    if (type === undefined || (type === 'prismatic') === (base === 'length')) return;
    const [given, wanted] = base === 'length' ? ['a length', 'an angle'] : ['an angle', 'a length'];
    this.report(path, `it is ${given}, but joint "${name}" is ${type}: it takes ${wanted}`);
  }

  private report(path: Path, what: string, note = '', source?: SourceText): void {
    this.diagnostics.push({ path, what, note, ...(source === undefined ? {} : { source }) });
  }
}

const IN_WORLD = 'Give the pose in the world, or relative to an obstacle that does not move.';

function isList(given: JointGoal): given is readonly number[] {
  return Array.isArray(given);
}
