// Runs a planner of your own on the robot's joint space with certified edges, then shortens its path.

import { configurationOf, createSceneRobot, pathLength, planningSpace, Random, shortcutPath } from 'elbowroom';
import { CertifiedMotionValidator, CollisionManager, CollisionModel } from 'elbowroom/collision';
import { loadScene } from 'elbowroom/node';

/** Plain RRT: a planner needs `space` (sample, distance, interpolate) and `motions` (isMotionValid), nothing else. */
function plan({ space, motions, start, goals: [goal] }, random) {
  const nodes = [{ q: start }];
  for (let iteration = 0; iteration < 20000; iteration++) {
    const qSample = new Float64Array(space.dof);
    if (iteration % 10 === 0) qSample.set(goal);
    else space.sample(qSample, random);
    const near = nodes.reduce((a, b) => (space.distance(a.q, qSample) < space.distance(b.q, qSample) ? a : b));
    const q = new Float64Array(space.dof);
    space.interpolate(q, near.q, qSample, Math.min(1, 0.8 / space.distance(near.q, qSample)));
    if (!motions.isMotionValid(near.q, q)) continue;
    nodes.push({ q, parent: near });
    if (space.distance(q, goal) > 1e-9) continue;
    const path = [];
    for (let node = nodes.at(-1); node; node = node.parent) path.unshift(node.q);
    return path;
  }
  return [];
}

const { scene, robot } = await loadScene('scenes/table-top.yaml');
const model = createSceneRobot({ scene, robot });
const space = planningSpace(model);
const motions = new CertifiedMotionValidator(new CollisionManager(new CollisionModel(model, scene)), space);
const start = configurationOf(model, scene.start, 'start');
const goal = configurationOf(model, scene.goals[0].joints, 'goal');
const path = plan({ space, motions, start, goals: [goal] }, new Random(1));
const short = shortcutPath(path, space, motions, new Random(1));
console.log(
  `${path.length} waypoints, ${pathLength(path, space).toFixed(2)} rad; after shortcuts ${pathLength(short, space).toFixed(2)} rad`,
);
