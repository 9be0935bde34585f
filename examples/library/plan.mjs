// Plans a motion and prints the trajectory's figures.
import { planMotion } from 'elbowroom';
import { loadScene } from 'elbowroom/node';

const { scene, robot } = await loadScene('scenes/table-top.yaml');
const { status, reason, trajectory, stats } = planMotion({ scene, robot }, { planner: 'rrt-connect', seed: 1 });
if (!trajectory) throw new Error(`${status}: ${reason}`);
console.log(
  `${status}: ${stats.path_length.toFixed(2)} rad in ${stats.duration.toFixed(2)} s, ${trajectory.points.length} points`,
);
