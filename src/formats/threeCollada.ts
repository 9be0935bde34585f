// The parts of three that COLLADA files need, behind one module: loaded with `import('./threeCollada.ts')`, a bundle takes only these along.
export { Mesh, Vector3 } from 'three';
export { ColladaLoader } from 'three/addons/loaders/ColladaLoader.js';
