import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { poseOf } from '../../../src/host/service/session/messagePose.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';
import { head, read } from '../../formats/scenes/sceneTexts.ts';
import { type Answer, call, checker, drawn, free, model, open, scene, sessionsOf } from './shelf.ts';

describe('a session changes its own scene', () => {
  const cup = { name: 'cup', type: 'cylinder', radius: 0.03, length: 0.1 };
  const names = (answer: Answer) => answer.result as unknown as { obstacles: string[]; attached: string[] };

  test('a pose of a message is the pose that a scene file with these numbers has, to the last bit', async () => {
    const random = new Random(10);
    // Rounded to some digits, as people write them: not of length 1.
    const quaternions = Array.from({ length: 40 }, (_, i) => {
      const parts = Array.from({ length: 4 }, () => random.between(-1, 1));
      const [w, x, y, z] = parts.map((part) => Number((part / Math.hypot(...parts)).toFixed(4 + (i % 6))));
      return [w, x, y, z] as [number, number, number, number];
    });
    const lines = quaternions.map(
      (q, i) => `  - {name: b${i}, type: sphere, radius: 0.1, pose: {xyz: [0, 0, 0], quat_wxyz: [${q.join(', ')}]}}`,
    );
    const [{ obstacles }] = await read(`${head}obstacles:\n${lines.join('\n')}\n`);
    for (const [i, quat_wxyz] of quaternions.entries()) expect(poseOf({ quat_wxyz })).toEqual(obstacles[i].pose);
  });

  test('an obstacle moved into the arm hits it, in this session alone, until the reset', async () => {
    const [one, other] = [open(), open()];
    await call(one, 'scene.move', { name: 'board_1', pose: { xyz: [0.3, 0, 0.4] } });
    expect((await call(one, 'validate', { q: free, details: true })).result).toMatchObject({
      valid: false,
      collisions: [['forearm_link', 'board_1']],
    });
    expect((await call(other, 'validate', { q: free })).result).toEqual({ valid: true });
    await call(one, 'scene.reset');
    expect((await call(one, 'validate', { q: free })).result).toEqual({ valid: true });
  });

  test('after any changes the results are those of a scene that was created in this form', async () => {
    const session = open();
    const random = new Random(4);
    await call(session, 'scene.add', { body: { ...cup, pose: { xyz: [0.4, 0.4, 0.3], rpy: [0.3, 0, 0] } } });
    await call(session, 'scene.add', {
      body: {
        name: 'tool',
        type: 'box',
        size: [0.04, 0.04, 0.2],
        link: 'tool0',
        pose: { xyz: [0, 0, 0.12] },
        touches: ['wrist_3_link'],
      },
    });
    await call(session, 'scene.move', { name: 'jar', pose: { xyz: [0.5, -0.3, 0.2] } });
    expect(names(await call(session, 'scene.remove', { name: 'board_2' })).obstacles).not.toContain('board_2');
    const half = Math.sin(0.15);
    const changed = {
      ...scene,
      obstacles: [
        ...scene.obstacles
          .filter(({ name }) => name !== 'board_2')
          .map((body) =>
            body.name === 'jar' ? { ...body, pose: { xyz: [0.5, -0.3, 0.2], quat_wxyz: [1, 0, 0, 0] } as const } : body,
          ),
        {
          name: 'cup',
          parts: [{ shape: { type: 'cylinder', radius: 0.03, length: 0.1 } }],
          pose: { xyz: [0.4, 0.4, 0.3], quat_wxyz: [Math.sqrt(1 - half * half), half, 0, 0] } as const,
        },
      ],
      attached: [
        {
          name: 'tool',
          link: 'tool0',
          touches: ['wrist_3_link'],
          parts: [{ shape: { type: 'box', size: [0.04, 0.04, 0.2] } }],
          pose: { xyz: [0, 0, 0.12], quat_wxyz: [1, 0, 0, 0] } as const,
        },
      ],
    };
    const fresh = new StateValidityChecker(model, changed);
    let same = 0;
    for (let i = 0; i < 60; i++) {
      const q = drawn(random);
      const { result } = await call(session, 'clearance', { q });
      expect(result!.distance).toBeCloseTo(fresh.clearance(q).distance, 9);
      expect((await call(session, 'validate', { q })).result).toEqual({ valid: fresh.isValid(q) });
      if (checker.clearance(q).distance === fresh.clearance(q).distance) same++;
    }
    expect(same).toBeLessThan(60); // the changes mattered
  });

  test('a body taken up moves with the link, and put down it stays: three clearances from one pose', async () => {
    const session = open();
    const pose = { xyz: [0.5, 0.1, 0.8], rpy: [0.2, 0.1, 0.4] };
    const posed = async () => {
      const { obstacles, attached } = (await call(session, 'describe')).result as unknown as {
        obstacles: { name: string; pose: { xyz: number[]; quat_wxyz: number[] } }[];
        attached: { name: string; link: string; pose: { xyz: number[]; quat_wxyz: number[] } }[];
      };
      return [...obstacles, ...attached].find((body) => body.name === 'cup')!.pose;
    };
    await call(session, 'scene.add', { body: { ...cup, pose } });
    const before = await posed();
    const clear = (await call(session, 'clearance', { q: free })).result!;
    expect(names(await call(session, 'scene.attach', { name: 'cup', link: 'tool0', q: free })).attached).toEqual([
      'cup',
    ]);
    const turned = [...free.slice(0, 5), free[5] + 1];
    expect(names(await call(session, 'scene.detach', { name: 'cup', q: free })).attached).toEqual([]);
    const after = await posed();
    for (const key of ['xyz', 'quat_wxyz'] as const)
      for (const [i, x] of after[key].entries()) expect(x).toBeCloseTo(before[key][i], 12);
    expect((await call(session, 'clearance', { q: free })).result!.distance).toBeCloseTo(clear.distance, 9);
    await call(session, 'scene.attach', { name: 'cup', link: 'tool0', q: free });
    await call(session, 'scene.detach', { name: 'cup', q: turned });
    expect((await posed()).xyz[0]).not.toBeCloseTo(before.xyz[0], 3);
  });

  test.each([
    ['scene.move', { name: 'bord_1', pose: {} }, /no obstacle or attached object "bord_1"/, 'Did you mean "board_1"?'],
    ['scene.remove', { name: 'tool0' }, /no obstacle or attached object "tool0"/, ''],
    ['scene.add', { body: { ...cup, name: 'jar' } }, /the name "jar" is taken/, ''],
    ['scene.add', { body: { ...cup, name: 'forearm_link' } }, /is taken by another link or object \(link\)/, ''],
    ['scene.add', { body: { ...cup, radius: -1 } }, /radius is -1/, ''],
    [
      'scene.add',
      { body: { ...cup, type: 'cilinder' } },
      /params.body.type: it is "cilinder"/,
      'Did you mean "cylinder"?',
    ],
    ['scene.add', { body: { ...cup, link: 'tool1' } }, /there is no link or object "tool1"/, 'Did you mean "tool0"?'],
    ['scene.add', { body: { ...cup, pose: { xyz: [0, 0] } } }, /params.body.pose.xyz: it has 2 values/, ''],
    ['scene.add', { body: { ...cup, pose: { quat_wxyz: [0, 0, 0, 0] } } }, /of length 0, must be 1/, ''],
    [
      'scene.add',
      { body: { ...cup, pose: { rpy: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } } },
      /rpy and quat_wxyz/,
      'Give one',
    ],
    ['scene.add', { body: { ...cup, link: 'tool0', touches: ['nobody'] } }, /there is no link or object "nobody"/, ''],
    ['scene.attach', { name: 'jar', link: 'tool0' }, /no pose/, 'Give `pose`, or `q`'],
    ['scene.attach', { name: 'jar', link: 'elbow', pose: {} }, /there is no link or object "elbow"/, ''],
    ['scene.attach', { name: 'jar', link: 'elbow', q: free }, /^params\.link: there is no link "elbow"/, ''],
    ['scene.detach', { name: 'jar', pose: {} }, /^params\.name: there is no attached object "jar"/, ''],
  ] as const)('%s %j is refused, and nothing changes', async (method, params, message, note) => {
    const session = open();
    const { scene: before } = { scene: session.scene.current };
    const { error } = await call(session, method, params);
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
    expect(error!.data?.note ?? '').toContain(note);
    expect(session.scene.current).toBe(before);
  });

  test('a body without a pose is checked, too, after another one without', async () => {
    const session = open();
    await call(session, 'scene.add', { body: { ...cup, link: 'tool0' } });
    const { error } = await call(session, 'scene.add', { body: { ...cup, name: 'lid', link: 'tool1' } });
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/there is no link or object "tool1"/) });
  });

  test('allowed pairs of a body that is taken away wait for it', async () => {
    const loaded = await loadScene('scenes/table-top.yaml');
    const own = sessionsOf({ robot: createSceneRobot(loaded), scene: loaded.scene, version: '0' });
    const session = own.open();
    const table = loaded.scene.obstacles.find(({ name }) => name === 'table')!;
    const q = (await call(session, 'describe')).result!.start;
    await call(session, 'scene.remove', { name: 'table' });
    expect((await call(session, 'validate', { q })).result).toEqual({ valid: true });
    const body = { name: 'table', ...table.parts[0].shape, pose: table.pose };
    await call(session, 'scene.add', { body });
    expect((await call(session, 'validate', { q, details: true })).result).toMatchObject({ valid: true });
  });
});
