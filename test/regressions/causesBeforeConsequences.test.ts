import { expect, test } from 'vitest';
import { nearestName } from '../../src/errors.ts';
import { readSceneFile } from '../../src/formats/scenes/sceneFile.ts';
import { missingFileNote } from '../../src/host/node/readFiles.ts';
import { loadRobot } from '../../src/host/node/robots.ts';

const HEAD = 'format: elbowroom-scene/1\nrobot: ur5e\nstart: [0, -1, 1, -1, -1, 0]\n';

/** The messages of a scene that is refused, with their notes up to the list of known keys. */
async function refused(text: string): Promise<string[]> {
  const error = await readSceneFile(HEAD + text, 's.yaml').then(
    () => ({ problems: [] }),
    (cause: { readonly problems: readonly { readonly message: string; readonly note: string }[] }) => cause,
  );
  return error.problems.map(({ message, note }) => `${message} | ${note.replace(/\?.*/, '?')}`);
}

// The required key that is missing was printed first, and the misspelled one without a suggestion.
test.each([
  ['steps: [{lne: {by: [0, 0, 0.1]}}]', ['s.yaml:4: steps[0].lne: unknown key | Did you mean "line"?']],
  [
    'obstacles: [{type: sphere, diameter: 0.2}]',
    ['s.yaml:4: obstacles[0].diameter: unknown key | Did you mean "radius, half of it"?'],
  ],
  [
    'obstacles: [{type: box, size: [1, 1, 1], position: [0, 0, 1]}]',
    ['s.yaml:4: obstacles[0].position: unknown key | Did you mean "pose: {xyz: [x, y, z]}"?'],
  ],
  ['goal: {position: [0.3, 0.2, 0.4]}', ['s.yaml:4: goal.position: unknown key | Did you mean "xyz"?']],
  ['steps: [{line: {}}]', ['s.yaml:4: steps[0].line: it is {}, must have one of the keys | Use one of: by, rpy, to.']],
  [
    'steps: [{move: {to: {xyz: [0.4, 0.1, 0.2]}}}]',
    [
      's.yaml:4: steps[0].move.to: unknown key | Known here: link, xyz, rpy, quat_wxyz, relative_to, tolerance.',
      's.yaml:4: steps[0].move.xyz: it is missing, must be a list | Write [x, y, z] in metres.',
    ],
  ],
  ['goal: {pose: {xyz: [0.3, 0.2, 0.4]}}', ['s.yaml:4: goal.pose: unknown key | Did you mean "xyz: [x, y, z]"?']],
  [
    'obstacles: [{type: bxo, size: [1, 1, 1]}, {nme: a, type: box, size: [1, 1, 1]}]',
    [
      expect.stringMatching(/^s\.yaml:4: obstacles\[0\]\.type: it is "bxo"/),
      's.yaml:4: obstacles[1].nme: unknown key | Did you mean "name"?',
    ],
  ],
])('%s: the cause is stated, and not its consequence', async (text, messages) => {
  expect(await refused(text)).toEqual(messages);
});

test('a name of which a part is left out suggests the only name that it is a part of', () => {
  const joints = ['shoulder_pan_joint', 'elbow_joint', 'wrist_1_joint', 'wrist_2_joint'];
  expect(nearestName('shoulder_pan', joints)).toBe('shoulder_pan_joint');
  expect(nearestName('left_elbow_joint', joints)).toBe('elbow_joint');
  expect(nearestName('wrist', joints)).toBeUndefined();
  expect(nearestName('joint', joints)).toBeUndefined();
});

test('a missing file states the folder in which it was searched, and names a similar file by its name without extension', () => {
  expect(missingFileNote('scenes/qqqqqqqq.yaml')).toBe(`It was searched in ${process.cwd()}/scenes.`);
  expect(missingFileNote('nowhere/a.yaml')).toBe(`There is no folder ${process.cwd()}/nowhere.`);
  expect(missingFileNote('scenes/shelv.yaml')).toBe(
    `Did you mean "shelf.yaml"? It was searched in ${process.cwd()}/scenes.`,
  );
  expect(missingFileNote('scenes/cag.yaml')).toMatch('Did you mean "cage.yaml"? It was');
  expect(missingFileNote('scenes/a.yaml')).toMatch(/^It was searched/);
});

test.each([
  ['goal: {xyz: [400, -350, 250]}', 'goal.xyz[0]: 400 is read as metres'],
  ['tcp: {link: tool0, xyz: [0, 0, 14]}', 'tcp.xyz[2]: 14 is read as metres'],
  ['padding: 5', 'padding: 5 is read as metres'],
  ['robots: [{name: r, robot: ur5e, pose: {xyz: [1500, 0, 0]}}]', 'robots[0].pose.xyz[0]: 1500 is read as metres'],
  ['steps: [{line: {by: [0, 0, 80], frame: tcp}}]', 'steps[0].line.by[2]: 80 is read'],
  [
    'obstacles: [{type: box, size: [1400, 1400, 40], pose: {xyz: [0, 0, -0.5]}}]',
    'obstacles[0].size[0]: 1400 is read as metres',
  ],
  ['obstacles: [{type: sphere, radius: 80, pose: {xyz: [1, 0, 0]}}]', 'obstacles[0].radius: 80 is read'],
  ['obstacles: [{type: box, size: [2000, 2000, 1]}]', undefined], // a floor
  ['obstacles: [{type: sphere, radius: 1, pose: {xyz: [400 m, 0, 0]}}]', undefined], // stated
  ['obstacles: [{type: sphere, radius: 1, pose: {xyz: [40, 0, 0]}}]', undefined],
])('%s: millimetres are questioned once', async (text, expected) => {
  const { problems } = await readSceneFile(HEAD + text, 's.yaml');
  const ur5e = await loadRobot('ur5e');
  const warnings = await problems[0].check(ur5e, [ur5e]);
  expect(warnings).toEqual(expected === undefined ? [] : [expect.stringContaining(expected)]);
});
