import { assert } from 'vitest';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { InputError } from '../../../src/errors.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { buildScene, readSceneFile } from '../../../src/formats/scenes/sceneFile.ts';
import type { SceneOverrides } from '../../../src/formats/scenes/sceneOverrides.ts';

/** An arm with a revolute and a prismatic joint. */
const urdf = `<robot name="two"><link name="base"/><link name="arm"><collision><geometry><sphere radius="0.01"/></geometry></collision></link><link name="tool"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><limit lower="-2" upper="2" velocity="1"/></joint>
<joint name="slide" type="prismatic"><parent link="arm"/><child link="tool"/><limit lower="0" upper="1" velocity="1"/></joint></robot>`;
const robot = buildRobot(await readUrdf(urdf, 'two.urdf'), new Map(), {
  allowed: [],
  states: { home: { turn: 0 } },
  groups: {},
  warnings: [],
});

/** Reads the scenes of a text and builds them for that arm. */
export async function read(text: string, overrides?: SceneOverrides): Promise<Scene[]> {
  const file = await readSceneFile(text, 'dir/s.yaml', overrides);
  const scenes: Scene[] = [];
  for (const problem of file.problems) {
    const description = await robot;
    const others = problem.robots.map((other) => ({
      name: other.name,
      robot: other.robot,
      startTime: 0,
      q: [0, 0],
      description,
    }));
    await problem.check(
      description,
      others.map(() => description),
    );
    scenes.push(await buildScene(problem, {}, undefined, others));
  }
  return scenes;
}

/** Returns the error for a text: its message and its note. */
export async function refusal(text: string): Promise<string> {
  const answer = await read(text).catch((error: unknown) => error);
  assert.instanceOf(answer, InputError);
  const { message, note } = answer as InputError;
  return note === '' ? message : `${message} | ${note}`;
}

export const head = 'format: elbowroom-scene/1\nrobot: two\n';
export const full = `format: elbowroom-scene/1
name: everything
description: all that a scene can say
robot:
  urdf: ../two/two.urdf
  srdf: two.srdf
  packages: {two: ../two}
  joints: [turn]
  fixed: {slide: 20 mm}
  limits: {turn: {velocity: 180 deg/s, acceleration: 10 rad/s^2, jerk: 60}}
  pose: {xyz: [0, 0, 0.8], rpy: [0, 0, 180 deg]}
start: [-90 deg]
goals:
  - {turn: pi/2}
  - home
  - {link: tool, xyz: [0.4, 0.3, 20 cm], quat_wxyz: [1.0005, 0, 0, 0], tolerance: {position: 1 mm}}
equivalent: true
obstacles:
  - {name: table, type: box, size: [1.2, 80 cm, 0.05], pose: {xyz: [0.4, 0, -0.03]}}
  - {type: halfspace, normal: [0, 0, 2], margin: 1 mm}
attached:
  - {name: cup, type: cylinder, radius: 30 mm, length: sqrt(0.01), link: tool, touches: [arm]}
allow: [[table, base], [cup, table]]
padding: 5 mm
weights: {turn: 3/2}
`;
