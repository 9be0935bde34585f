// Plans the motion of a scene and prints where the arm is at the end of it: node examples/plan.mjs [SCENE]
import { planMotion } from 'elbowroom';
import { loadScene } from 'elbowroom/node';

const { scene, robot } = await loadScene(process.argv[2] ?? 'scenes/shelf.yaml');
const { status, reason, trajectory, stats } = planMotion({ scene, robot }, { seed: 1 });

if (!trajectory) throw new Error(`${status}: ${reason}`);
const last = trajectory.points.at(-1);
console.log(`${scene.name}: ${trajectory.points.length} points, ${stats.path_length.toFixed(2)} rad`);
console.log(`at ${last.time_from_start.toFixed(3)} s: ${last.positions.map((q) => q.toFixed(3)).join(', ')}`);
