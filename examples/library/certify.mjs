// Certifies a trajectory, then verifies the certificate with the independent checker.

import { certifyTrajectory, createSceneRobot, planMotion, verifyCertificate } from 'elbowroom';
import { CollisionModel, PosedParts } from 'elbowroom/collision';
import { loadScene } from 'elbowroom/node';

const { scene, robot } = await loadScene('scenes/table-top.yaml');
const model = createSceneRobot({ scene, robot });
const { trajectory } = planMotion({ scene, robot, model });
const certificate = certifyTrajectory(new PosedParts(new CollisionModel(model, scene)), trajectory);
const { proved, spans, leastGap } = verifyCertificate(certificate, model, scene, trajectory);
console.log(`proved: ${proved}, ${spans} separating planes, gap at least ${(1e3 * leastGap).toFixed(2)} mm`);
