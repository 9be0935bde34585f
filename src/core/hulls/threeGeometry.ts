// The parts of three that hulls need, in one module: a bundle that loads it with `import('./threeGeometry.ts')`
// contains only these.
export { Vector3 } from 'three';
export { ConvexHull } from 'three/addons/math/ConvexHull.js';
