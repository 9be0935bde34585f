// Shortens the duration of a trajectory at no less clearance.

import { createSceneRobot, optimizeMotion, planMotion } from 'elbowroom';
import { CollisionManager, CollisionModel } from 'elbowroom/collision';
import { loadScene } from 'elbowroom/node';

const { scene, robot } = await loadScene('scenes/shelf.yaml');
const model = createSceneRobot({ scene, robot });
const { trajectory } = planMotion({ scene, robot, model });
const manager = new CollisionManager(new CollisionModel(model, scene));
const { status, before, after } = optimizeMotion(trajectory, model, manager);
console.log(`${status}: ${before.duration.toFixed(2)} s -> ${after.duration.toFixed(2)} s`);
