import { expect, test } from 'vitest';
import { readMjcf } from '../../../src/formats/robots/mjcf/mjcf.ts';
import { readSdf } from '../../../src/formats/robots/sdf/sdf.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { memoryFiles } from './memoryFiles.ts';

const reading = { geometry: 'collision', args: {}, files: memoryFiles({}) } as const;

const URDF = `<robot name="r" version="1.2">
<link name="a"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/><mass value="2"/>
<inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="3"/></inertial>
<collision><origin xyz="1 2 3" rpy="0.4 0.5 0.6"/><geometry><box size="4 5 6"/></geometry></collision>
<collision><geometry><sphere radius="7"/></geometry></collision>
<collision><geometry><cylinder radius="8" length="9"/></geometry></collision></link>
<link name="b"/><link name="c"/>
<joint name="j" type="revolute"><origin xyz="1 2 3" rpy="0.4 0.5 0.6"/><parent link="a"/><child link="b"/><axis xyz="1 2 3"/>
<limit lower="-1" upper="2" velocity="3" effort="4" acceleration="5" deceleration="6" jerk="7"/>
<safety_controller soft_lower_limit="-0.5" soft_upper_limit="0.5" k_position="8" k_velocity="9"/><dynamics damping="0.1" friction="0.2"/></joint>
<joint name="k" type="revolute"><parent link="b"/><child link="c"/><limit lower="-1" upper="2"/>
<mimic joint="j" multiplier="0.5" offset="0.6"/></joint></robot>`;

const SDF = `<sdf version="1.9"><model name="m"><static>false</static><pose degrees="true">1 2 3 4 5 6</pose>
<link name="a"><pose>1 2 3 0.4 0.5 0.6</pose><inertial><pose>0.1 0.2 0.3 0 0 0</pose><mass>2</mass><inertia><ixx>1</ixx></inertia></inertial>
<collision name="c"><pose rotation_format="quat_xyzw">1 2 3 0 0 0 1</pose><geometry><box><size>4 5 6</size></box></geometry></collision>
<collision name="d"><geometry><sphere><radius>7</radius></sphere></geometry></collision>
<collision name="e"><geometry><cylinder><radius>8</radius><length>9</length></cylinder></geometry></collision></link>
<link name="b"/><frame name="f"><pose>1 2 3 0.4 0.5 0.6</pose></frame>
<joint name="j" type="revolute"><pose>1 2 3 0.4 0.5 0.6</pose><parent>a</parent><child>b</child><axis><xyz>1 2 3</xyz>
<limit><lower>-1</lower><upper>2</upper><velocity>3</velocity><effort>4</effort></limit>
<dynamics><damping>0.1</damping></dynamics></axis></joint></model></sdf>`;

const MJCF = `<mujoco model="m"><compiler angle="radian" autolimits="true"/>
<worldbody><body name="a" pos="1 2 3" euler="0.4 0.5 0.6"><freejoint/></body>
<body name="b" pos="1 2 3" quat="1 2 3 4"><inertial pos="0.1 0.2 0.3" mass="2" diaginertia="1 2 3"/>
<joint name="j" axis="1 2 3" pos="4 5 6" range="-1 2" ref="0.5" damping="0.1"/>
<geom type="box" size="1 2 3" pos="4 5 6" axisangle="1 2 3 4" friction="1 2 3"/>
<geom type="capsule" size="0.1" fromto="0 0 0 1 2 3" contype="1" conaffinity="2"/></body>
<body name="c"><joint name="k"/></body></worldbody>
<equality><joint joint1="j" joint2="k" polycoef="0.1 0.2 0 0 0"/></equality>
<keyframe><key name="home" qpos="1 2 3 1 0 0 0 0.7 0.8"/></keyframe></mujoco>`;

/**
 * Numbers that no link is made of: inertias and friction, which only torques need and refuse, gains, contact
 * parameters.
 */
const IGNORED: Readonly<Record<string, readonly string[]>> = {
  URDF: ['inertial origin', 'inertia', 'k_position', 'k_velocity', 'dynamics'],
  SDF: ['inertia', 'damping'],
  MJCF: ['inertial diaginertia', 'damping', 'friction'],
};

/** Returns the places of all numbers of a text, each with the element or attribute that contains it. */
function numbersOf(text: string) {
  const found: { at: number; length: number; place: string }[] = [];
  for (const match of text.matchAll(/(?<=[" >])-?\d+(?:\.\d+)?(?=[" <])/g)) {
    const before = text.slice(0, match.index);
    if (/(version|name)="[^"]*$/.test(before)) continue;
    const element = /<(\w+)[^<]*$/.exec(before)![1];
    const attribute = /(\w+)="[^"]*$/.exec(before)?.[1];
    const open = (name: string) => before.lastIndexOf(`<${name}>`) > before.lastIndexOf(`</${name}>`);
    const around = open('inertial') || /<inertial [^>]*$/.test(before) ? 'inertial ' : '';
    const isInertia = element === 'inertia' || open('inertia');
    const own = element === 'dynamics' || element === 'origin' ? element : (attribute ?? element);
    found.push({ at: match.index, length: match[0].length, place: isInertia ? 'inertia' : around + own });
  }
  return found;
}

test.each([
  ['URDF', URDF, async (text: string) => (await buildRobot(await readUrdf(text, 'r'), new Map())).warnings],
  ['SDF', SDF, async (text: string) => (await readSdf(text, 'r', reading)).warnings],
  ['MJCF', MJCF, async (text: string) => (await readMjcf(text, 'r', reading)).warnings],
])(
  'each damaged number of %s is refused or warned of, unless no part of the robot is made of it',
  async (name, text, read) => {
    const warnings = await read(text);
    const accepted = new Set<string>();
    for (const { at, length, place } of numbersOf(text)) {
      for (const damaged of ['oops', '1.2.3', 'nan', '1e999', '0x10']) {
        const changed = text.slice(0, at) + damaged + text.slice(at + length);
        const outcome = await read(changed).catch((error: Error) => error.message);
        if (typeof outcome === 'string') expect(outcome, `${place}: ${damaged}`).toMatch(/^r:\d+: /);
        else if (outcome.length === warnings.length) accepted.add(place);
      }
    }
    expect([...accepted].sort()).toEqual([...IGNORED[name]].sort());
  },
);
