// Checks states and straight motions for a planner of your own.
import { createSceneRobot, createStateValidityChecker } from 'elbowroom';
import { loadScene } from 'elbowroom/node';

const { scene, robot } = await loadScene('scenes/shelf.yaml');
const checker = createStateValidityChecker(createSceneRobot({ scene, robot }), scene);
const qStart = scene.start;
const qGoal = scene.goals[0].joints;
console.log(`start valid: ${checker.isValid(qStart)}, goal valid: ${checker.isValid(qGoal)}`);
const { verdict, contact } = checker.judgeMotion(qStart, qGoal);
console.log(`straight motion: ${verdict}, ${contact.pair.join(' and ')} at ${(100 * contact.time).toFixed(1)} %`);
