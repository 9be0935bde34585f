import { encode, floats, ints, join, type Samples, texts } from './encode.ts';

const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const triangles = [
  [0, 2, 1],
  [0, 1, 3],
];
const asciiStl = `solid t\n${triangles.map(() => 'facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1.5e-1 0\n endloop\nendfacet\n').join('')}endsolid\n`;
const binaryStl = join(
  new Uint8Array(80),
  ints(2),
  ...[0, 1].map((k) => join(floats([0, 0, 1, 0, 0, k, 1, 0, k, 0, 1, k]), new Uint8Array(2))),
);
const obj = 'o part\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1 2 3\nf 1//1 2//1 4//1\nf -4 -2 -1\n';

/** A COLLADA file of the four corners, with these triangles of theirs, and the node that places them. */
const collada = (faces: string, node: string, more = '') =>
  `<COLLADA version="1.4.1"><asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="12">${corners.join(' ')}</float_array><technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>${faces}</mesh></geometry></library_geometries>
${more}<library_visual_scenes><visual_scene id="c">${node}</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#c"/></scene></COLLADA>`;
const faces = `<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>${triangles.flat().join(' ')}</p></triangles>`;
const polygons =
  '<polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#s" offset="1"/><vcount>3 4</vcount><p>0 0 1 0 2 0 0 1 1 1 2 1 3 1</p></polylist>';
const instance = '<instance_geometry url="#g"/>';
/** Two hands of one part, shared. */
const library = `<library_nodes><node id="n">${instance}</node><node id="m"><instance_node url="#n"/><instance_node url="#n"/></node></library_nodes>`;
const shared =
  '<node><translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>1 1 2</scale><instance_node url="#m"/></node>';
/** A part that hangs on a bone. */
const skin = `<library_controllers><controller id="k"><skin source="#g"><source id="j"><Name_array count="1">b</Name_array></source><source id="w"><float_array count="1">1</float_array></source>
<source id="i"><float_array count="16">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</float_array><technique_common><accessor stride="16"/></technique_common></source>
<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#i"/></joints><vertex_weights count="4"><input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/><vcount>1 1 1 1</vcount><v>0 0 0 0 0 0 0 0</v></vertex_weights></skin></controller></library_controllers>`;
const skinned =
  '<node id="b" sid="b" type="JOINT"/><node><instance_controller url="#k"><skeleton>#b</skeleton></instance_controller></node>';
const daes = texts(
  `<?xml version="1.0"?>\n${collada(faces, `<node id="n"><matrix>1 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1</matrix>${instance}</node>`)}`,
  collada(polygons, shared, library),
  collada(
    `<polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 3 0</p></polygons><lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines>${faces}`,
    `<node name="a"><node><translate>0 0 1</translate>${instance}</node><node><lookat>0 0 0 1 0 0 0 0 1</lookat><instance_camera url="#e"/></node></node>`,
    '<library_effects><effect id="e"/></library_effects>',
  ),
  collada(faces, skinned, skin),
  collada(
    '<polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><ph><p>0 1 2 3</p><h>1 2 3</h></ph></polygons><tristrips count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 3</p></tristrips><trifans count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 3</p></trifans>',
    `<node>${instance.replace('/>', '><bind_material><technique_common><instance_material symbol="m" target="#m"/></technique_common></bind_material></instance_geometry>')}</node>`,
    '<library_materials><material id="m"/></library_materials>',
  ),
);

const plyHead = (format: string) =>
  `ply\nformat ${format} 1.0\ncomment c\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n`;
const asciiPly = `${plyHead('ascii')}0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n`;
const binaryPly = join(
  encode(plyHead('binary_little_endian')),
  floats(corners),
  ...triangles.map((face) => join(Uint8Array.of(3), ints(...face))),
);

const pcdHead = (data: string) =>
  `# .PCD v0.7\nVERSION 0.7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F U\nCOUNT 1 1 1 1\nWIDTH 2\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ${data}\n`;
const pcdColumns = join(Uint8Array.of(31), floats([1, 2, 3, 4, 5, 6]), ints(7, 8));
const pcds: Samples = [
  encode(`${pcdHead('ascii')}1 2 3 4\nnan nan nan 0\n`),
  join(encode(pcdHead('binary')), floats([1, 2, 3]), ints(7), floats([4, 5, 6]), ints(8)),
  join(encode(pcdHead('binary_compressed')), ints(pcdColumns.length, 32), pcdColumns),
  join(encode(pcdHead('binary_compressed')), ints(5, 32), Uint8Array.of(0, 0, 0xe0, 22, 0)),
];

/** Of the readers of meshes, point clouds and grids of heights, by their names. */
export const meshSamples: Readonly<Record<string, Samples>> = {
  stl: [encode(asciiStl), binaryStl],
  obj: texts(obj),
  dae: daes,
  ply: [encode(asciiPly), binaryPly],
  pcd: pcds,
  xyz: texts('1 2 3\n4,5,6 7 8\n# c\nnan 0 0\n'),
  heights: texts('0 1 2\n3, 4; 5\n'),
};
