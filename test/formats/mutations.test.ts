import { assert, describe, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { readMesh } from '../../src/formats/meshes.ts';
import { readSceneFile } from '../../src/formats/sceneFile.ts';
import { readSrdf } from '../../src/formats/srdf.ts';
import { buildRobot, readUrdf } from '../../src/formats/urdf.ts';

/** Small deterministic generator (Park and Miller); quality is no matter here. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 0x7fffffff;
    return state % below;
  };
}

const bits = [
  '"',
  '<',
  '>',
  '/',
  '&',
  ',',
  '-',
  '{',
  '}',
  '[',
  ']',
  ':',
  '\n',
  ' ',
  '0',
  '9',
  'e',
  'NaN',
  '1e999',
  '\u0000',
  'ü',
  '#',
  '*a',
  '&a',
  '%',
];

/** The text with a few pieces cut out, doubled, or replaced. */
function mutate(text: string, random: (below: number) => number): string {
  let mutated = text;
  for (let n = 1 + random(3); n > 0; n--) {
    const at = random(mutated.length);
    const length = random(4) === 0 ? random(40) : random(3);
    const piece = random(3) === 0 ? mutated.slice(at, at + 20) : bits[random(bits.length)];
    mutated = mutated.slice(0, at) + piece + mutated.slice(at + length);
  }
  return mutated;
}

async function survives(text: string, use: () => Promise<unknown>): Promise<void> {
  try {
    await use();
  } catch (error) {
    assert.instanceOf(error, InputError, `${(error as Error).stack}\n${text}`);
  }
}

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
const json = JSON.stringify({
  format: 'elbowroom-suite/1',
  robot: 'r',
  problems: [{ name: 'p', start: [1], obstacles: [{ type: 'sphere', radius: 1 }] }],
});

const ROUNDS = 150;

describe('whatever a file holds, reading it ends in data or in an InputError', () => {
  test.each([
    ['t.stl', asciiStl],
    ['t.obj', obj],
    ['t.dae', dae],
  ])('%s', async (file, text) => {
    const random = generator(7);
    for (let round = 0; round < ROUNDS; round++) {
      const mutated = mutate(text, random);
      await survives(mutated, async () => {
        const { points } = await readMesh(new TextEncoder().encode(mutated), file);
        assert.isTrue(points.every(Number.isFinite), mutated);
      });
    }
  });

  test('binary STL', async () => {
    const random = generator(11);
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = Uint8Array.from({ length: random(400) }, () => random(256));
      if (bytes.length > 84) new DataView(bytes.buffer).setUint32(80, random(8), true);
      await survives('', async () => {
        const { points, triangles: count } = await readMesh(bytes, 't.stl');
        assert.equal(points.length, 9 * count);
        assert.isTrue(points.every(Number.isFinite));
      });
    }
  });

  test('URDF and SRDF', async () => {
    const random = generator(13);
    const whole = await readUrdf(urdf, 'r.urdf');
    for (let round = 0; round < ROUNDS; round++) {
      const [mutatedRobot, mutatedSemantics] = [mutate(urdf, random), mutate(srdf, random)];
      await survives(mutatedRobot, async () => buildRobot(await readUrdf(mutatedRobot, 'r.urdf'), new Map()));
      await survives(mutatedSemantics, () => readSrdf(mutatedSemantics, 'r.srdf', whole));
    }
  });

  test('scenes and suites', async () => {
    const random = generator(17);
    const robot = await buildRobot(await readUrdf(urdf, 'r.urdf'), new Map());
    for (let round = 0; round < ROUNDS; round++) {
      for (const text of [scene, json]) {
        const mutated = mutate(text, random);
        await survives(mutated, async () => {
          const { problems } = await readSceneFile(mutated, 's.yaml');
          for (const problem of problems) await problem.check(robot);
        });
      }
    }
  });
});
