// An obstacle defined by its support function: a half ball with its flat side down.
import { planMotion } from 'elbowroom';
import { loadScene } from 'elbowroom/node';

/** Writes the point of the half ball (radius 0.1 m, flat side down) that is farthest along the unit vector d. */
function support(out, d) {
  const radius = 0.1;
  const horizontal = Math.hypot(d[0], d[1]);
  const scale = d[2] > 0 ? radius : horizontal > 0 ? radius / horizontal : 0;
  out[0] = scale * d[0];
  out[1] = scale * d[1];
  out[2] = d[2] > 0 ? scale * d[2] : 0;
}

const { scene, robot } = await loadScene('scenes/table-top.yaml');
const dome = { type: 'support', support, innerRadius: 0 };
const obstacle = { name: 'dome', parts: [{ shape: dome }], pose: { xyz: [0.5, 0.3, 0], quat_wxyz: [1, 0, 0, 0] } };
const { status, stats } = planMotion({ scene: { ...scene, obstacles: [...scene.obstacles, obstacle] }, robot });
console.log(`${status}, ${stats.pair_checks} pair checks`);
