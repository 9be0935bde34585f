import { CellDiagram, diagramDefaults } from '../../core/collision/cells/cellDiagram.ts';
import { CellPlanes } from '../../core/collision/cells/cellPlanes.ts';
import { CellProver } from '../../core/collision/cells/cellProver.ts';
import { DyadicMotion } from '../../core/collision/cells/dyadicMotion.ts';
import { PiecewiseMotion } from '../../core/collision/cells/piecewiseMotion.ts';
import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { compositeRobot } from '../../core/kinematics/composition/compositeRobot.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { curveMotions } from '../checking/worldMotions.ts';
import { World } from '../world.ts';

/** A robot that follows a given trajectory. */
export interface CoordinatedRobot {
  /** Name of the robot, unique. */
  readonly name: string;
  /** Prefix of the names of its links in the allowed collision matrix. */
  readonly prefix: string;
  /** The robot, with its pose in the world. */
  readonly model: RobotModel;
  /** Its trajectory, with times, in the order of its joints. */
  readonly trajectory: Trajectory;
}

/** What the collision checks between robots depend on. */
export type SharedScene = Pick<Scene, 'attached' | 'allow' | 'padding'>;

/**
 * Returns the coordination diagram of two robots, bisected within the limits of the options.
 * @param withPlanes stores the separating planes, for `forEachPlane` of the diagram
 */
export function createPairDiagram(
  a: CoordinatedRobot,
  b: CoordinatedRobot,
  scene: SharedScene,
  options: Partial<typeof diagramDefaults> = {},
  model: CollisionModel = createPairModel(a, b, scene),
  withPlanes = false,
): CellDiagram {
  const [motionA, motionB] = [dyadicMotion(a), dyadicMotion(b)];
  const isFirst = partsOfFirst(model, a.model.links.length);
  const prover = new CellProver(model, motionA, motionB, isFirst);
  const pairs = crossPairs(model, isFirst);
  const planes = withPlanes ? new CellPlanes(model, motionA, motionB) : undefined;
  const diagram = new CellDiagram(prover, motionA, motionB, pairs, { ...diagramDefaults, ...options }, planes);
  diagram.refine();
  return diagram;
}

/** The collision model of both robots and the attached objects of either, without obstacles. */
export function createPairModel(a: CoordinatedRobot, b: CoordinatedRobot, scene: SharedScene): CollisionModel {
  const robot = compositeRobot(`${a.name} and ${b.name}`, [a, b]);
  const links = new Set(robot.links.map(({ name }) => name));
  const attached = scene.attached.filter(({ link }) => links.has(link)).map((object) => ({ ...object, touches: [] }));
  const names = new Set([...links, ...attached.map(({ name }) => name)]);
  const known = (pair: readonly [string, string]) => pair.every((name) => names.has(name));
  const touches = scene.attached.flatMap((object) => object.touches.map((other) => [object.name, other] as const));
  const allow = [...scene.allow, ...touches].filter(known);
  return new World(robot, { obstacles: [], attached, allow, padding: scene.padding }).model;
}

/** Returns, by robot part, whether it belongs to the first robot. */
function partsOfFirst({ robotParts, robot, scene }: CollisionModel, linksOfFirst: number): boolean[] {
  const linkIndex = new Map(robot.links.map(({ name, index }) => [name, index]));
  const linkOf = new Map(scene.attached.map(({ name, link }) => [name, link]));
  // Link 0 is the root of both.
  return robotParts.map(({ name }) => linkIndex.get(linkOf.get(name) ?? name)! <= linksOfFirst);
}

/** Returns the pairs of a part of the first robot and a part of the second one. */
const crossPairs = ({ pairA, pairB }: CollisionModel, isFirst: readonly boolean[]): Int32Array =>
  Int32Array.from(pairA.keys()).filter((pair) => isFirst[pairA[pair]] !== isFirst[pairB[pair]]);

/** The motion along a trajectory from time 0; before its first point the robot is at rest. */
function dyadicMotion({ trajectory }: CoordinatedRobot): DyadicMotion {
  const curve = new TrajectoryCurve(trajectory);
  return new DyadicMotion(new PiecewiseMotion(curveMotions(curve)), curve.end);
}
