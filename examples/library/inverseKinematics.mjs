// Computes all joint solutions of a pose.
import { createRobotModel, solveIk } from 'elbowroom';
import { loadRobot } from 'elbowroom/node';

const model = createRobotModel(await loadRobot('ur5e'));
const pose = { xyz: [0.4, 0.2, 0.3], quat_wxyz: [0, 1, 0, 0] };
const { solutions, reason } = solveIk(model, { link: 'tool0', pose, near: new Float64Array(6) });
console.log(solutions.length > 0 ? `${solutions.length} solutions` : reason);
for (const { q } of solutions.slice(0, 2)) console.log(Array.from(q, (value) => value.toFixed(3)).join(', '));
