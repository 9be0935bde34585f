// The parts of three that hulls need, behind one module: loaded with `import('./threeGeometry.ts')`, a bundle takes only these along.
export { Vector3 } from 'three';
export { ConvexHull } from 'three/addons/math/ConvexHull.js';
