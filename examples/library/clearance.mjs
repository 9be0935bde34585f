// Computes the clearance of a state and its gradient with respect to the joint values.
import { createSceneRobot, createStateValidityChecker } from 'elbowroom';
import { loadScene } from 'elbowroom/node';

const { scene, robot } = await loadScene('scenes/shelf.yaml');
const checker = createStateValidityChecker(createSceneRobot({ scene, robot }), scene);
const { distance, pair, gradient } = checker.clearance(scene.start, { gradient: true });
console.log(`${(1e3 * distance).toFixed(1)} mm between ${pair.join(' and ')}`);
console.log(`gradient, m/rad: ${gradient.map((value) => value.toFixed(3)).join(', ')}`);
