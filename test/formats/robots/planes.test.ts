import { assert, expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { readMjcf } from '../../../src/formats/robots/mjcf/mjcf.ts';
import { readSdf } from '../../../src/formats/robots/sdf/sdf.ts';
import { robotOf } from './readRobots.ts';

/** A floor at z = 0, and an arm of two capsules of radius 0.05 m that turns about y at heights 0.4 m. */
const mjcf = `<mujoco model="m"><compiler angle="radian"/><worldbody><geom type="plane" size="0 0 1"/>
  <body pos="0 0 0.4"><geom size="0.05"/>
    <body><joint name="j" axis="0 1 0" range="-3 3"/><geom type="capsule" size="0.05" fromto="0 0 0.2 0 0 0.3"/>
      <body pos="0 0 0.3"><joint name="k" axis="0 1 0" range="-3 3"/><geom type="capsule" size="0.05" fromto="0 0 0.1 0 0 0.3"/></body></body></body></worldbody></mujoco>`;
const capsule = (z: number, length: number) =>
  `<collision name="c"><pose>0 0 ${z} 0 0 0</pose><geometry><capsule><radius>0.05</radius><length>${length}</length></capsule></geometry></collision>`;
const joint = (name: string, parent: string, child: string) =>
  `<joint name="${name}" type="revolute"><parent>${parent}</parent><child>${child}</child><axis><xyz>0 1 0</xyz><limit><lower>-3</lower><upper>3</upper></limit></axis></joint>`;
const sdf = `<sdf version="1.9"><model name="m"><link name="floor"><collision name="c"><geometry><plane/></geometry></collision></link>
  <link name="base"><pose>0 0 0.4 0 0 0</pose><collision name="c"><geometry><sphere><radius>0.05</radius></sphere></geometry></collision></link>
  <link name="a"><pose>0 0 0.4 0 0 0</pose>${capsule(0.25, 0.1)}</link><link name="b"><pose>0 0 0.7 0 0 0</pose>${capsule(0.2, 0.2)}</link>
  <joint name="w" type="fixed"><parent>floor</parent><child>base</child></joint>${joint('j', 'base', 'a')}${joint('k', 'a', 'b')}</model></sdf>`;

/** Height of the lowest point of the outer capsule above the floor. */
function clearanceOfTip([j, k]: readonly number[]): number {
  const elbow = 0.4 + 0.3 * Math.cos(j);
  return Math.min(elbow + 0.1 * Math.cos(j + k), elbow + 0.3 * Math.cos(j + k)) - 0.05;
}

test.each([
  ['MJCF', () => robotOf(readMjcf, mjcf)],
  ['SDF', () => robotOf(readSdf, sdf)],
] as [string, () => Promise<RobotDescription>][])(
  'the floor of a robot in %s is hit exactly where the arm is below it',
  async (_, read) => {
    const model = createRobotModel(await read());
    const scene = { obstacles: [], attached: [], allow: [], padding: 0 };
    const manager = new CollisionManager(new CollisionModel(model, scene));
    const [floor, tip] = [model.links[0].name, model.links.at(-1)!.name];
    const random = new Random(5);
    let hits = 0;
    for (let i = 0; i < 2000; i++) {
      const q = [random.between(-3, 3), random.between(-3, 3)];
      const clearance = clearanceOfTip(q);
      if (Math.abs(clearance) < 1e-9) continue;
      const isHit = manager.collidingPairs(Float64Array.from(q)).some(([a, b]) => a === floor && b === tip);
      assert.equal(isHit, clearance < 0, `q = ${q}`);
      hits += Number(isHit);
    }
    expect(hits).toBeGreaterThan(100);
  },
);
