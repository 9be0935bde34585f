// The part of three that fills outlines with triangles, behind one module: see threeGeometry.ts.
export { Earcut } from 'three/src/extras/Earcut.js';
