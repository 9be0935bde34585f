// Another planner's loop, with elbowroom as its judge of states and motions: node examples/validity.mjs [SCENE]

import { configurationOf, createSceneRobot, createStateValidityChecker, solveIk } from 'elbowroom';
import { CollisionManager, CollisionModel } from 'elbowroom/collision';
import { loadScene } from 'elbowroom/node';

// Somebody else's planner: a bidirectional random tree over lists of numbers. It knows no robot, only two functions
// that say yes or no.
function somebodysPlanner({ start, goal, lower, upper, isStateValid, isMotionValid, step = 0.8, seed = 1 }) {
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
  const towards = (a, b) => {
    const share = Math.min(1, step / distance(a, b));
    return share === 1 ? b : a.map((x, i) => x + share * (b[i] - x));
  };
  const grow = (tree, target) => {
    const near = tree.reduce((best, node) => (distance(node.q, target) < distance(best.q, target) ? node : best));
    const q = towards(near.q, target);
    if (!isStateValid(q) || !isMotionValid(near.q, q)) return undefined;
    const node = { q, parent: near };
    tree.push(node);
    return node;
  };
  const back = (node) => (node ? [...back(node.parent), node.q] : []);

  const trees = [[{ q: start }], [{ q: goal }]];
  for (let i = 0; i < 5000; i++) {
    const [one, other] = i % 2 === 0 ? trees : [...trees].reverse();
    const tip = grow(
      one,
      Array.from(lower, (low, k) => low + random() * (upper[k] - low)),
    );
    let answer = tip && grow(other, tip.q);
    while (answer && answer.q !== tip.q) answer = grow(other, tip.q);
    if (!answer) continue;
    const path = [...back(tip), ...back(answer.parent).reverse()];
    return i % 2 === 0 ? path : path.reverse();
  }
  return undefined;
}

const { scene, robot } = await loadScene(process.argv[2] ?? 'scenes/shelf.yaml');
const model = createSceneRobot({ scene, robot });
const checker = createStateValidityChecker(model, scene);

const start = configurationOf(model, scene.start, 'start');

// A goal is joint values, or a pose of a link: inverse kinematics then finds the nearest collision-free state.
function goalState({ kind, joints, pose }) {
  if (kind === 'joints') return configurationOf(model, joints, 'goal');
  const { link, tolerance, ...at } = pose;
  const manager = new CollisionManager(new CollisionModel(model, scene));
  const { solutions, reason } = solveIk(model, { link, pose: at, tolerance, near: start }, manager);
  if (solutions.length === 0) throw new Error(`the goal cannot be reached: ${reason}`);
  return solutions[0].q;
}

const path = somebodysPlanner({
  start: [...start],
  goal: [...goalState(scene.goals[0])],
  lower: checker.lower,
  upper: checker.upper,
  isStateValid: (q) => checker.isValid(q),
  isMotionValid: (from, to) => checker.isValidMotion(from, to),
});
if (!path) throw new Error('no path found');

console.log(`${scene.name}: ${path.length} waypoints, each motion between them proved free`);
const { distance, pair, gradient } = checker.clearance(path[1], { gradient: true });
console.log(`waypoint 1 is ${distance.toFixed(3)} m from contact, ${pair.join(' with ')}`);
console.log(`gradient, m/rad: ${gradient.map((x) => x.toFixed(3)).join(', ')}`);
