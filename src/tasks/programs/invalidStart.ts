import { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { hasMoving } from '../../core/scene/movingScene.ts';
import { snapshot } from '../../core/world/snapshot.ts';
import { sourcePositions } from '../checking/worldMotions.ts';
import { diagnoseEndpoint, type InvalidEndpoint } from '../planning/endpointDiagnosis.ts';
import type { ProgramWorld } from './programWorld.ts';

/** Returns why the start of a program is not valid at time 0; undefined if it is. */
export function invalidStart(
  world: ProgramWorld,
  start: Configuration,
  interrupt: Interrupt,
): InvalidEndpoint | undefined {
  const { robot, scene, tree } = world;
  if (!hasMoving(scene)) return diagnoseEndpoint(robot, world.manager, start, 'start', interrupt);
  const q = new Float64Array(tree.robot.dof);
  sourcePositions(tree)(q, robot.dof, 0);
  const manager = new CollisionManager(new CollisionModel(robot, snapshot(tree, q)));
  const fault = diagnoseEndpoint(robot, manager, start, 'start', interrupt);
  return fault?.status === 'start-in-collision' ? { ...fault, reason: `at time 0, ${fault.reason}` } : fault;
}
