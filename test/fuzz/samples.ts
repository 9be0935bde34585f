import { certificateText } from '../../src/certificate/certificate.ts';
import { writers } from '../../src/formats/index.ts';
import { motion, path } from '../formats/trajectorySamples.ts';

/** Whole files of each kind, small, with as much of what the format has as fits: what mutations begin with. */
export type Samples = readonly Uint8Array[];

const encode = (text: string) => new TextEncoder().encode(text);
const join = (...blocks: Uint8Array[]) => Uint8Array.from(blocks.flatMap((block) => [...block]));
const floats = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
const ints = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);
const texts = (...list: string[]): Samples => list.map(encode);

const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const triangles = [
  [0, 2, 1],
  [0, 1, 3],
];
const asciiStl = `solid t\n${triangles.map(() => 'facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1.5e-1 0\n endloop\nendfacet\n').join('')}endsolid\n`;
const obj = 'o part\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1 2 3\nf 1//1 2//1 4//1\nf -4 -2 -1\n';
const dae = `<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>${triangles.flat().join(' ')}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="c"><node id="n"><matrix>1 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1</matrix><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#c"/></scene></COLLADA>`;
const urdf = `<?xml version="1.0"?>
<robot name="r"><link name="a"><collision><origin xyz="0 0 1" rpy="0 0 1"/><geometry><cylinder radius="1" length="2"/></geometry></collision></link>
<link name="b"><visual/><inertial><mass value="1"/></inertial></link><link name="c"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="2" effort="3"/></joint>
<joint name="k" type="prismatic"><parent link="b"/><child link="c"/><mimic joint="j" multiplier="2"/><limit lower="0" upper="1"/></joint></robot>`;
const srdf = `<robot name="r"><group name="g"><chain base_link="a" tip_link="c"/><group name="h"/></group><group name="h"><joint name="j"/></group>
<group_state name="up" group="g"><joint name="j" value="1.5"/></group_state><disable_collisions link1="a" link2="b" reason="Adjacent"/></robot>`;
const scene = `format: elbowroom-scene/1
robot: {urdf: r.urdf, joints: [j], fixed: {k: 20 mm}, limits: {j: {velocity: 1 rad/s}}}
start: [-90 deg]
goals: [{j: pi/2}, up, {link: c, xyz: [0, 0, 1], rpy: [0, 0, 0]}]
obstacles:
  - &o {name: a1, type: box, size: [1, 1, 20 cm], pose: {xyz: [0, 0, 1], quat_wxyz: [1, 0, 0, 0]}}
  - {type: convex, points: [[0, 0, 0], [1, 0, 0]], margin: 0.1}
attached: [{name: cup, type: sphere, radius: 0.1, link: c, touches: [b]}]
allow: [[a, cup]]
padding: 5 mm
`;
const suiteJson = JSON.stringify({
  format: 'elbowroom-suite/1',
  robot: 'r',
  problems: [{ name: 'p', start: [1, 2], obstacles: [{ type: 'sphere', radius: 1 }] }],
});

const binaryStl = join(
  new Uint8Array(80),
  ints(2),
  ...[0, 1].map((k) => join(floats([0, 0, 1, 0, 0, k, 1, 0, k, 0, 1, k]), new Uint8Array(2))),
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

const gltfGeometry = join(floats(corners), new Uint8Array(Uint16Array.from(triangles.flat()).buffer));
const gltf = (uri?: string) => ({
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [
    { mesh: 0, children: [1], rotation: [0, 0, 0, 1] },
    { mesh: 0, translation: [1, 2, 3], scale: [1, 1, 2] },
  ],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, mode: 4 }] }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
    { bufferView: 0, byteOffset: 48, componentType: 5123, count: 6, type: 'SCALAR' },
  ],
  bufferViews: [{ buffer: 0, byteLength: gltfGeometry.length }],
  buffers: [{ byteLength: gltfGeometry.length, ...(uri === undefined ? {} : { uri }) }],
});
const gltfText = JSON.stringify(
  gltf(`data:application/octet-stream;base64,${btoa(String.fromCharCode(...gltfGeometry))}`),
);
const glbJson = encode(JSON.stringify(gltf()).padEnd(1024));
const glb = join(
  ints(0x46546c67, 2, 12 + 8 + glbJson.length + 8 + gltfGeometry.length, glbJson.length, 0x4e4f534a),
  glbJson,
  ints(gltfGeometry.length, 0x004e4942),
  gltfGeometry,
);

const bulk = `format: elbowroom-scene/1
robot: r
include: [{file: other.yaml, pose: {xyz: [0, 0, 1]}, prefix: a-}]
obstacles:
  - {name: scan, type: cloud, points: [[0, 0, 0], [1, 0, 0], [1, 2, 3]], radius: 5 mm, scale: [1, 1, 2]}
  - {name: file, type: cloud, file: a.pcd, radius: sqrt(2)*1 mm}
  - {name: ground, type: heightfield, heights: [[0, 1], [1, 0], [0, 0]], cell: [1, 1], base: -1}
  - {name: part, type: mesh, file: a.stl, scale: 0.001, margin: 1 mm}
  - {name: floor, type: halfspace, normal: [0, 0, 1]}
`;
const suite = `format: elbowroom-suite/1
robot: {name: r, joints: [j], fixed: {k: 0.5}, limits: {j: {velocity: 1, jerk: 2}}}
include: other.yaml
obstacles: [{name: o, type: box, size: [1, 1, 1]}]
problems:
  - {name: one, start: [1], goal: {j: 2}, obstacles: [{type: sphere, radius: 1}]}
  - {name: two, start: up, goals: [[1], up], include: {file: other.yaml, prefix: b-}, padding: 1 mm}
`;
const states = `{"q": [0.5, 1], "id": "a"}\n[1, 2]\n{"q": {"shoulder": 1, "wrist": 2}}\n`;
const statesCsv = 'id,shoulder,wrist\n1,0.5,1\n# c\n2,-1e-3,2\n';
const pairs = [
  { id: 1, a: { shape: { type: 'box', size: [1, 2, 3] } }, b: { shape: { type: 'sphere', radius: 1, margin: 0.1 } } },
  {
    a: {
      shape: {
        type: 'convex',
        points: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      },
      center: [0.1, 0.1, 0.1],
    },
    b: { shape: { type: 'cone', radius: 1, length: 2 }, pose: { xyz: [1, 2, 3], quat_wxyz: [1, 1, 0, 0] } },
  },
  {
    a: {
      shape: {
        type: 'polygon',
        points: [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
      },
      pose: { xy: [1, 1], angle: 1 },
    },
    b: { shape: { type: 'disc', radius: 1 } },
    track: 't',
  },
];
const motions = '{"from": [0, 1], "to": [1, 1], "id": 7}\n[[0, 0], [1, 1]]\n';
const certificate = certificateText({
  format: 'elbowroom-certificate/1',
  trajectory: '00ff',
  duration: 2.5,
  pairs: [
    {
      a: 'link',
      partA: 0,
      b: 'wall',
      partB: 1,
      spans: [
        [0, 1, 0, 0, 1],
        [1, 2.5, 1, 0, 0],
      ],
    },
  ],
});
const moveit =
  '(noname)+\n* a\n1 0 0\n0 0 0 1\n2\ncylinder\n0.1 0.2\n0 0 1\n0 0 0 1\n0 0 0 0\nmesh\n4 2\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 2 1\n0 1 3\n0 0 0\n0 0 0 1\n0 0 0 0\n1\ntip\n0 0 0\n0 0 0 1\n* b\n0 0 0\n0 0 0 1\n1\nplane\n0 0 1 0\n0 0 0\n0 0 0 1\n0 0 0 0\n0\n.\n';
const planning = `name: x
robot_state: {joint_state: {name: [j], position: [1]}, attached_collision_objects: [{link_name: l, object: {id: c, primitives: [{type: 2, dimensions: [1]}]}}]}
goal_constraints: [{joint_constraints: [{joint_name: j, position: 2}]}]
allowed_collision_matrix: {entry_names: [a, b], entry_values: [[false, true], [true, false]]}
world: {collision_objects: [{id: a, primitives: [{type: box, dimensions: [1, 2, 3]}], primitive_poses: [{position: [0, 0, 1], orientation: [0, 0, 0, 1]}], meshes: [{vertices: [{x: 1}, {y: 1}, {z: 1}, {}]}], planes: [{coef: [0, 0, 1, 2]}]}]}
`;

/** Of each reader, by its name. */
export const samples: Readonly<Record<string, Samples>> = {
  stl: [encode(asciiStl), binaryStl],
  obj: texts(obj),
  dae: texts(dae),
  glb: [glb],
  gltf: texts(gltfText),
  ply: [encode(asciiPly), binaryPly],
  pcd: pcds,
  xyz: texts('1 2 3\n4,5,6 7 8\n# c\nnan 0 0\n'),
  heights: texts('0 1 2\n3, 4; 5\n'),
  urdf: texts(urdf),
  srdf: texts(srdf),
  scene: texts(scene, bulk),
  suite: texts(suite, suiteJson),
  states: texts(states, statesCsv),
  motions: texts(motions),
  pairs: texts(...pairs.map((pair) => JSON.stringify(pair))),
  trajectory: texts(...Object.values(writers).flatMap((writer) => [writer.write(motion), writer.write(path)])),
  certificate: texts(certificate),
  moveit: texts(moveit),
  planning: texts(planning),
};
