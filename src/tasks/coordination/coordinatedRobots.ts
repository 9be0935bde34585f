import { compositeRobot } from '../../core/kinematics/composition/compositeRobot.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { clearanceLabel } from '../../core/scene/clearances.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import { kindOf, otherTrajectoryFault } from '../../core/scene/movingScene.ts';
import type { CheckedScene, Scene } from '../../core/scene/scene.ts';
import { restsBefore, type StartState } from '../../core/trajectory/leadIn/leadIn.ts';
import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { createTrajectoryChecker } from '../checking/checkTrajectory.ts';
import { refuseForces } from '../forces/torqueCheck.ts';
import { createSceneRobot, otherRobotModel, type Problem } from '../sceneRobot.ts';
import { stillWorld } from '../world.ts';
import type { CoordinatedRobot } from './pairDiagram.ts';

/** A robot of a scene that is to be coordinated with the others; its trajectory is not known yet. */
export interface SceneMember extends Omit<CoordinatedRobot, 'trajectory'> {
  /** Where the scene states that it is at time 0; undefined if it does not. */
  readonly start: StartState | undefined;
}

/**
 * Returns the robots of a scene: its own, named after its model, then its other robots. Throws `InputError` if there is
 * only one, if two have the same name, or if the scene has moving obstacles or steps: they happen at fixed times, but
 * schedules change the times of robots.
 * @param place prefix of messages
 */
export function membersOf({ scene, robot }: Problem, place = 'scene'): SceneMember[] {
  const { robots = [], obstacles } = scene;
  refuseForces(scene, 'coordinate');
  const moving = obstacles.find(({ motion }) => motion !== undefined);
  if (kindOf(scene) === 'program')
    throw new InputError(`${place}: it has steps, and coordinate takes trajectories in one scene`, 'Remove the steps.');
  if (moving !== undefined)
    throw new InputError(
      `${place}: obstacle ${JSON.stringify(moving.name)} has a motion, whose times no schedule can change`,
      'Remove the motion, or state the volume that the obstacle sweeps.',
    );
  if (robots.length === 0)
    throw new InputError(
      `${place}: it has one robot only`,
      'List the other robots in "robots": [{name, robot, pose}].',
    );
  const model = createSceneRobot({ scene, robot });
  const own: SceneMember = {
    name: scene.robot.name ?? robot.name,
    prefix: '',
    model,
    start: startStateOf(model, scene),
  };
  const others = robots.map((other): SceneMember => {
    const model = otherRobotModel(other);
    const start = other.q === undefined ? {} : { start: other.q };
    return { name: other.name, prefix: `${other.name}/`, model, start: startStateOf(model, start) };
  });
  const clash = others.findIndex(({ name }) => name === own.name);
  if (clash >= 0)
    throw new InputError(
      `${place}: robots[${clash}].name is ${JSON.stringify(own.name)}, the name of the scene's own robot`,
      'Give it another name.',
    );
  return [own, ...others];
}

/**
 * Returns a robot with its trajectory, whose values are sorted in the order of its joints. Throws `InputError` if it is
 * a path without times, if its joints are not the robot's, if the robot is elsewhere before the first point, or if it
 * names the model of another of the robots (models of one family have the same joint names).
 * @param place prefix of messages: the file of the trajectory
 */
export function withTrajectory(
  member: SceneMember,
  trajectory: Trajectory,
  members: readonly SceneMember[],
  place: string,
): CoordinatedRobot {
  const joints = member.model.variables.map(({ name }) => name);
  const { robot: stated } = trajectory;
  if (stated !== member.model.name && members.some(({ model }) => model.name === stated))
    throw new InputError(
      `${place}: its robot is ${JSON.stringify(stated)}, that of ${JSON.stringify(member.name)} is ` +
        `${JSON.stringify(member.model.name)}`,
      'Give the trajectories in the order of the robots: that of the scene first, then those of "robots".',
    );
  const sorted = inJointOrder(trajectory, joints, place);
  const fault = otherTrajectoryFault(sorted);
  if (fault !== undefined) throw new InputError(`${place}: ${fault}`, 'Schedules need trajectories with times.');
  if (!restsBefore(sorted, member.start))
    throw new InputError(
      `${place}: the motion of ${JSON.stringify(member.name)} from the start of the scene to its first point is ` +
        'missing',
      'Schedules begin at rest at the start: `elbowroom repair` adds the motion.',
    );
  return { ...member, trajectory: sorted };
}

/**
 * Checks the trajectory of one robot as if the other robots did not exist: its limits, and over continuous time its
 * collisions with itself and with the obstacles. Links have the names that the scene uses: `NAME/LINK`.
 */
export function checkAlone(member: CoordinatedRobot, scene: Scene): CheckResult {
  const { robot, scene: alone, trajectory } = aloneProblem(member, scene);
  return createTrajectoryChecker(robot, stillWorld(robot, alone).manager)(trajectory);
}

/** Throws `InputError` for a scene with clearances of pairs, which no diagram proves. */
export function requireNoClearances({ clearances = [] }: Pick<Scene, 'clearances'>): void {
  if (clearances.length === 0) return;
  throw new InputError(`${clearanceLabel(clearances[0])}: coordinate does not support clearances`, 'Use padding.');
}

/** Returns one robot as if the others did not exist, its links and joints named as in the scene. */
export function aloneProblem(
  { prefix, model, trajectory }: Pick<CoordinatedRobot, 'prefix' | 'model' | 'trajectory'>,
  scene: Scene,
): AloneProblem {
  requireNoClearances(scene);
  const isOwn = prefix === '';
  const robot = isOwn ? model : compositeRobot(model.name, [{ prefix, model }]);
  const { obstacles, padding, speed, acceleration, tcpSpeed, tcp, constraints } = scene;
  const limits = { ...(speed !== undefined && { speed }), ...(acceleration !== undefined && { acceleration }) };
  const ownLimits = { ...limits, ...(tcpSpeed !== undefined && { tcpSpeed }), ...(tcp && { tcp }) };
  const names = namesOf(robot, scene, isOwn);
  const alone = {
    obstacles,
    attached: isOwn
      ? scene.attached.map((object) => ({ ...object, touches: object.touches.filter(names.has, names) }))
      : [],
    allow: scene.allow.filter((pair) => pair.every((name) => names.has(name))),
    padding,
    ...(isOwn ? { ...ownLimits, ...(constraints && { constraints }) } : {}),
  };
  const jointNames = trajectory.jointNames.map((name) => prefix + name);
  return { robot, scene: alone, trajectory: { ...trajectory, jointNames } };
}

/** One robot, the scene that it is checked in, and its trajectory. */
export interface AloneProblem {
  /** The robot. */
  readonly robot: RobotModel;
  /** The scene without the other robots. */
  readonly scene: CheckedScene;
  /** Its trajectory. */
  readonly trajectory: Trajectory;
}

/** Names of the links of a robot and of the objects that it may touch. */
const namesOf = (robot: RobotModel, { obstacles, attached }: Scene, isOwn: boolean): ReadonlySet<string> =>
  new Set([...robot.links, ...obstacles, ...(isOwn ? attached : [])].map(({ name }) => name));
