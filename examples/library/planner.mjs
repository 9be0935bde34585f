// Plans again and again in a scene that changes.
import { createPlanner } from 'elbowroom';
import { loadScene } from 'elbowroom/node';

const planner = createPlanner(await loadScene('scenes/table-top.yaml'));
const report = (what, { status, stats }) => console.log(`${what}: ${status}, ${stats.path_length?.toFixed(2)} rad`);
report('as it is', planner.plan({ seed: 1 }));

const { name, pose } = planner.scene.obstacles.at(-1);
planner.move(name, { ...pose, xyz: [pose.xyz[0], pose.xyz[1], pose.xyz[2] + 0.3] });
report(`${name} moved up`, planner.plan({ seed: 1 }));

planner.remove(name);
report(`without ${name}, at half speed`, planner.plan({ seed: 1, speed: 0.5 }));
