import { plannedJoints } from '../../core/kinematics/planningGroups.ts';
import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { otherLinkNames } from '../../core/scene/movingScene.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { degreesHint } from '../text/degrees.ts';
import type { Diagnostic, Path } from '../text/sourceText.ts';
import type { ObjectDraft } from './objectDraft.ts';
import { RobotCheck } from './robots/robotCheck.ts';
import type { AllowedDraft } from './sceneIncludes.ts';
import type { RawScene } from './sceneSchema.ts';
import { checkSteps } from './steps/stepChecks.ts';
import type { BareAngle, UnitUse } from './valueReader.ts';

/** The parts of a scene that are checked against its robot. */
interface Draft {
  readonly scene: Scene;
  readonly obstacles: readonly ObjectDraft[];
  readonly attached: readonly ObjectDraft[];
  readonly goalPaths: readonly Path[];
  readonly allow: readonly AllowedDraft[];
  /** Undefined for the other robots of a scene. */
  readonly raw?: Pick<RawScene, 'robot'>;
}

/**
 * Checks names, numbers of values and units of a scene against the robot. Returns all errors with their places.
 * @param otherLinks names of the links of other robots
 */
export function checkAgainstRobot(
  { scene, obstacles, attached, goalPaths, allow, raw }: Draft,
  robot: RobotDescription,
  units: readonly UnitUse[],
  otherLinks: readonly string[] = [],
): Diagnostic[] {
  const check = new RobotCheck(robot, scene);
  check.robotKeys(scene);
  check.geometry(scene);
  check.motionLimits(scene);
  check.weights(scene);
  check.constraints(scene.constraints ?? [], []);
  if (scene.start !== undefined) check.joints(scene.start, ['start']);
  const names = (list: readonly ObjectDraft[]) => list.map((body) => body.name);
  const moving = obstacles.filter(({ motion }) => motion !== undefined);
  const objects = { obstacles: names(obstacles), attached: names(attached), moving: names(moving) };
  for (const [i, goal] of scene.goals.entries()) check.goal(goal, goalPaths[i], objects);
  if (scene.tcp !== undefined) check.link(scene.tcp.link, ['tcp', 'link']);
  const links = robot.links.map((link) => link.name);
  const bodies = [...objects.attached, ...objects.obstacles, ...otherLinks];
  for (const body of [...attached, ...obstacles]) check.ownName(body, [...links, ...otherLinks], attached);
  const all = new Set([...links, ...bodies]);
  for (const { path, link, touches, source } of attached) {
    check.name(link!, links, 'link', [...path, 'link'], source);
    for (const [i, other] of touches!.entries()) check.name(other, all, 'body', [...path, 'touches', i], source);
  }
  for (const { pair, path, source } of allow)
    for (const [k, name] of pair.entries()) check.name(name, all, 'body', [...path, k], source);
  if (typeof raw?.robot === 'object' && raw.robot.clamping) check.clamping();
  check.clearances(scene, links, objects.attached, bodies);
  checkSteps(check, scene.steps ?? [], [...links, ...otherLinks], objects);
  for (const use of units) check.unit(use);
  check.jointMoves(scene, otherLinks.length + moving.length > 0);
  return check.diagnostics;
}

/**
 * Checks the names, numbers of values and units of start, goals and steps alone, for a scene whose other parts have
 * been checked.
 */
export function checkMotionAgainstRobot(
  scene: Scene,
  goalPaths: readonly Path[],
  robot: RobotDescription,
  units: readonly UnitUse[],
): Diagnostic[] {
  const check = new RobotCheck(robot, scene);
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const moving = scene.obstacles.filter(({ motion }) => motion !== undefined);
  const objects = { obstacles: names(scene.obstacles), attached: names(scene.attached), moving: names(moving) };
  if (scene.start !== undefined) check.joints(scene.start, ['start']);
  for (const [i, path] of goalPaths.entries()) check.goal(scene.goals[i], path, objects);
  const others = (scene.robots ?? []).flatMap(({ name, description }) => otherLinkNames(name, description));
  const links = [...robot.links.map((link) => link.name), ...others];
  checkSteps(check, scene.steps ?? [], links, objects);
  for (const use of units) check.unit(use);
  check.jointMoves(scene);
  return check.diagnostics;
}

/**
 * Returns warnings about joint values without unit that exceed a full turn and the limits of their joint, but would be
 * within the limits if they were degrees.
 */
export function degreeWarnings(scene: Scene, robot: RobotDescription, angles: readonly BareAngle[]): Diagnostic[] {
  const planned = plannedJoints(robot, scene.robot);
  return angles.flatMap(({ path, joint, value }) => {
    const name = typeof joint === 'number' ? planned[joint] : joint;
    const found = robot.joints.find((one) => one.name === name);
    if (found?.type !== 'revolute') return [];
    const { lower = Number.NEGATIVE_INFINITY, upper = Number.POSITIVE_INFINITY } = found;
    const isWithin = (angle: number) => angle >= lower && angle <= upper;
    return isWithin(value) || !isWithin((value * PI) / 180) ? [] : [{ path, what: degreesHint([value])! }];
  });
}
