import { describe, expect, test } from 'vitest';
import type { JointDescription, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { InputErrors } from '../../../src/errors.ts';
import { readSceneFile } from '../../../src/formats/scenes/sceneFile.ts';
import type { SceneOverrides } from '../../../src/formats/scenes/sceneOverrides.ts';

const scene = 'format: elbowroom-scene/1\nrobot: ur5e\nstart: [0, 0]\ngoals: [home, [0, 0]]\n';
const joint = (name: string, type: JointDescription['type'], parent: string, child: string): JointDescription => ({
  name,
  type,
  parent,
  child,
  origin: IDENTITY_POSE,
  axis: [0, 0, 1],
});
const robot: RobotDescription = {
  name: 'two',
  root: 'base',
  links: ['base', 'arm', 'tool'].map((name) => ({
    name,
    collisions: [{ shape: { type: 'sphere', radius: 0.01 }, pose: IDENTITY_POSE, triangles: 0, source: 0 }],
  })),
  joints: [joint('turn', 'continuous', 'base', 'arm'), joint('slide', 'prismatic', 'arm', 'tool')],
  allowed: [],
  states: { home: { turn: 0 } },
  groups: {},
  warnings: [],
};

async function read(overrides: SceneOverrides, text = scene) {
  const { problems } = await readSceneFile(text, 'dir/s.yaml', overrides);
  for (const problem of problems) await problem.check(robot);
  return problems.map((problem) => problem.scene);
}

/** Returns the lines of the error. */
async function refusal(overrides: SceneOverrides, text = scene): Promise<string[]> {
  try {
    await read(overrides, text);
  } catch (error) {
    const errors = error instanceof InputErrors ? error.problems : [error as Error];
    return errors.map(({ name, message }) => {
      expect(name).toBe('InputError');
      return message;
    });
  }
  return ['accepted'];
}

describe('what is laid over a scene', () => {
  test('values with units, states, values by joint', async () => {
    const [{ start, goals }] = await read({ start: '[90 deg, 5 mm]', goal: 'home' });
    expect(start).toEqual([Math.PI / 2, 0.005]);
    expect(goals).toEqual([{ kind: 'joints', joints: 'home' }]);
    const [named] = await read({ goal: '{turn: pi/4, slide: 0.2}' });
    expect(named.goals).toEqual([{ kind: 'joints', joints: { turn: Math.PI / 4, slide: 0.2 } }]);
  });

  test('a pose as a scene file would have it, YAML or JSON', async () => {
    const pose = { link: 'tool', xyz: [0.4, 0, 0.3], quat_wxyz: [0, 0, 0, 1] };
    const tolerance = { position: 0.002, angle: 1e-3 };
    for (const goal of [
      '{link: tool, xyz: [0.4, 0, 300 mm], quat_wxyz: [0, 0, 0, 1], tolerance: {position: 2 mm}}',
      '{"link":"tool","xyz":[0.4,0,0.3],"quat_wxyz":[0,0,0,1],"tolerance":{"position":"2 mm"}}',
    ]) {
      const [{ goals }] = await read({ goal });
      expect(goals).toEqual([{ kind: 'pose', pose: { ...pose, tolerance } }]);
    }
  });
});

describe('what is wrong with it names the option, not a line of the file', () => {
  test.each<[SceneOverrides, RegExp]>([
    [{ goal: '1, 2, 3' }, /^--goal: it has 3 values, the robot has 2 planned joints$/],
    [{ start: 'hom' }, /^--start: it is "hom", there is no such state$/],
    [{ start: '0, 5 deg' }, /^--start: \[1\]: it is an angle, but joint "slide" is prismatic: it takes a length$/],
    [{ goal: '0, 1 parsec' }, /^--goal: \[1\]: it is "1 parsec": /],
    [{ goal: '{turm: 1}' }, /^--goal: turm: it is "turm", there is no such planned joint$/],
    [{ goal: '{link: tol, xyz: [0, 0, 0]}' }, /^--goal: link: it is "tol", there is no such link$/],
    [{ goal: '{link: tool, xyz: [0, 0]}' }, /^--goal: xyz: it has 2 values \(\[0,0\]\), must have 3$/],
    [{ goal: '{link: tool, xyz: [0, 0, 0], rpi: [0, 0, 0]}' }, /^--goal: rpi: unknown key$/],
    [
      { goal: '{link: tool, xyz: [0, 0, 0], tolerance: {angle: 0}}' },
      /^--goal: tolerance\.angle: it is 0, must be greater/,
    ],
    [{ goal: '{link: tool, xyz: [0, 0, 0]' }, /^--goal: (this is neither YAML nor JSON|it ends too early)/],
    [{ start: '{link: tool, xyz: [0, 0, 0]}' }, /^--start: a motion cannot start at a pose/],
  ])('%j', async (overrides, message) => {
    const lines = await refusal(overrides);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(message);
  });

  test('once for all problems of a suite, while the keys of the file keep their lines', async () => {
    const suite =
      'format: elbowroom-suite/1\nrobot: ur5e\nproblems:\n  - {name: a, start: [0, 0]}\n  - {name: b, start: [0, 0]}\n';
    expect(await refusal({ goal: '0, 1 parsec' }, suite)).toEqual([expect.stringMatching(/^--goal: \[1\]: /)]);
    expect(await refusal({ goal: '0, 0' }, suite.replace('start: [0, 0]', 'start: [0, 1 deg]'))).toEqual([
      expect.stringMatching(/^dir\/s\.yaml:4: problems\[0\]\.start\[1\]: it is an angle/),
    ]);
  });
});
