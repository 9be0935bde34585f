import { assert, expect, test } from 'vitest';
import { readSceneFile } from '../../../src/formats/scenes/sceneFile.ts';
import { head, refusal } from './sceneTexts.ts';

test.each([
  ['robot: two\n', /^dir\/s\.yaml:1: format: it is missing, must be "elbowroom-scene\/1"/],
  ['format: elbowroom-scene/1\n', /:1: robot: it is missing/],
  [
    'format: elbowroom-scene/2\nrobot: two\n',
    /:1: format: it is "elbowroom-scene\/2".*Did you mean "elbowroom-scene\/1"/,
  ],
  ['just text', /this is not a scene/],
  ['[1, 2]', /this is not a scene/],
  ['', /this is not a scene/],
  [`${head}gaol: [0, 0]`, /^dir\/s\.yaml:3: gaol: unknown key \| Did you mean "goal"\?/],
  [`${head}padding: -1`, /:3: padding: it is -1, must be 0 or more/],
  [`${head}padding: 5 deg`, /:3: padding: it is "5 deg", which is an angle; it must be a length/],
  [`${head}padding: [1]`, /:3: padding: it is \[1\], must be a number/],
  [`${head}safety: {momentum: 25 m/s}`, /:3: safety\.momentum: it is "25 m\/s"|:3: safety\.momentum: "25 m\/s"/],
  [`${head}safety: {power: 0 W}`, /:3: safety\.power: .*must be greater than 0/],
  [`${head}safety: {stopping_time: 400 mm}`, /:3: safety\.stopping_time: .*400 m/],
  [`${head}safety: {stopping_distance: 400 ms}`, /:3: safety\.stopping_distance: .*400 ms/],
  [`${head}safety: {speed: 1}`, /:3: safety\.speed: unknown key/],
  [
    `${head}safety: {elbow_speed: 0}`,
    /:3: safety\.elbow_speed: it is 0, must be greater than 0|elbow_speed: 0, must be/,
  ],
  [`${head}safety: {elbow_speed: 1}`, /:3: safety: it limits the elbow, and the robot has none/],
  [
    `${head}safety: {joint_speed: {trun: 1}}`,
    /:3: safety\.joint_speed\.trun: it is "trun", there is no such planned joint/,
  ],
  [`${head}safety: {joint_range: {turn: [1, 0]}}`, /:3: safety\.joint_range\.turn: .*the second must not be below/],
  [
    `${head}safety: {planes: [{name: a, point: [0, 0, 0], normal: [0, 0, 1], keep: [tool]}]}`,
    /:3: safety\.planes\[0\]\.keep: the tool has no spheres/,
  ],
  [`${head}clearance: [[arm, tool, 1 mm]]`, /:3: clearance\[0\]\[1\]: link "tool" has no collision geometry/],
  [
    `${head.replace('two', '{name: two, joints: [turn], limits: {slide: {torque: 5}}}')}torque: true`,
    /robot\.limits\.slide\.torque: torques of joints that are not planned are not limited/,
  ],
  [`${head}clearance: [[tool, tol, 1 mm]]`, /:3: clearance\[0\]\[1\]: it is "tol", there is no such body/],
  [`${head}clearance: [[tool, tool, 1 mm]]`, /:3: clearance\[0\]\[1\]: it is "tool" twice/],
  [`${head}clearance: [[tool, base, 0]]`, /:3: clearance\[0\]\[2\]: .*must be greater than 0/],
  [`${head}padding: .nan`, /:3: padding: it is NaN/],
  [`${head}equivalent: 1`, /:3: equivalent: it is 1, must be true or false/],
  [
    `${head}start: home\nsteps: [{set: {a: [1, {b: 1e999}]}}]`,
    /:4: steps\[0\]\.set\.a\[1\]\.b: it is Infinity, which a trajectory cannot store/,
  ],
  [`${head}start: [0]`, /:3: start: it has 1 values, the robot has 2 planned joints \| In order: turn, slide/],
  [`${head}start: hom`, /:3: start: it is "hom", there is no such state \| Did you mean "home"/],
  [`${head}start: {trun: 1}`, /:3: start\.trun: it is "trun", there is no such planned joint \| Did you mean "turn"/],
  [`${head}start: [20 mm, 0]`, /:3: start\[0\]: it is a length, but joint "turn" is revolute: it takes an angle/],
  [`${head}start: [0, 20 deg]`, /:3: start\[1\]: it is an angle, but joint "slide" is prismatic/],
  [`${head}start: [0, x]`, /:3: start\[1\]: it is "x": not a number/],
  [`${head}start: [0, 2 * (3]`, /neither YAML nor JSON|not a number/],
  [`${head}start: [0, createUnit("a")]`, /neither YAML nor JSON|not a number/],
  [`${head}goal: [0, 0]\ngoals: [home]`, /:4: goals: goal and goals are both given/],
  [`${head}goals: []`, /:3: goals: it has 0 values/],
  [`${head}goals: [0]`, /:3: goals\[0\]: it is 0, must be .* \| Write one goal as goal: \[\.\.\.\]/],
  [`${head}goal: {joints: [0, 0]}`, /:3: goal\.joints: it is \[0,0\], .* \| Write the list without this key: goal: /],
  [
    `${head}goal: {link: tol, xyz: [0, 0, 0]}`,
    /:3: goal\.link: it is "tol", there is no such link \| Did you mean "tool"/,
  ],
  [
    `${head}goal: {link: tool, xyz: [0, 0, 0], rpy: [0, 0, 0], quat_wxyz: [1, 0, 0, 0]}`,
    /rpy and quat_wxyz are both given/,
  ],
  [
    `${head}goal: {xyz: "0.4, 0, 0.2"}`,
    /:3: goal\.xyz: it is "0\.4, 0, 0\.2", must be a list \| Write \[x, y, z\] in metres\.$/,
  ],
  [
    `${head}goals: [{xyz: "0.4"}]`,
    /:3: goals\[0\]\.xyz: it is "0\.4", must be a list \| Write \[x, y, z\] in metres\.$/,
  ],
  [`${head}goal: {rpy: "0"}`, /:3: goal\.xyz: it is missing, must be a list/],
  [`${head}start: {xyz: [0, 0, 0]}\ngoal: [0, 0]`, /:3: start\.xyz: a pose is given where joint values are required/],
  [
    `${head}steps: [{move: {xyz: "0.4"}}]`,
    /:3: steps\[0\]\.move\.xyz: it is "0\.4", must be a list \| Write \[x, y, z\] in metres\.$/,
  ],
  [`${head}goal: {link: tool, xyz: [0, 0]}`, /:3: goal\.xyz: it has 2 values \(\[0,0\]\), must have 3/],
  [`${head}obstacles:\n  - {type: bx}`, /:4: obstacles\[0\]\.type: it is "bx" \| Did you mean "box"/],
  [`${head}obstacles:\n  - {size: [1, 1, 1]}`, /:4: obstacles\[0\]\.type: it is missing/],
  [
    `${head}obstacles:\n  - type: box\n    size: [1, -0.2, 1]`,
    /:5: obstacles\[0\]\.size\[1\]: it is -0\.2, must be a length greater than 0/,
  ],
  [
    `${head}obstacles:\n  - {type: box, radius: 1}`,
    /obstacles\[0\]\.radius: unknown key[\s\S]*obstacles\[0\]\.size: it is missing/,
  ],
  [`${head}obstacles: [{type: frustum, radiusBottom: 0, radiusTop: 0, length: 1}]`, /:3: obstacles\[0\]/],
  [
    `${head}obstacles: [{name: a, type: sphere, radius: 1}, {name: a, type: sphere, radius: 1}]`,
    /obstacles\[1\]\.name: it is "a", which another object has/,
  ],
  [
    `${head}obstacles: [{type: sphere, radius: 1, pose: {quat_wxyz: [0, 0, 0, 0]}}]`,
    /quat_wxyz: it is \[0,0,0,0\], of length 0, must be 1/,
  ],
  [`${head}obstacles: [{type: mesh, file: a.stl, scale: 0}]`, /scale: it is 0, no factor may be 0/],
  [
    `${head}attached: [{type: sphere, radius: 1, link: hand}]`,
    /attached\[0\]\.link: it is "hand", there is no such link/,
  ],
  [`${head}allow: [[base, tabel]]`, /allow\[0\]\[1\]: it is "tabel", there is no such body/],
  [
    `${head}weights:\n  turn: 2\n  sldie: 1`,
    /^dir\/s\.yaml:5: weights\.sldie: it is "sldie", there is no such planned joint \| Did you mean "slide"/,
  ],
  [`${head}weights: {slide: 0}`, /:3: weights\.slide: it is 0, must be greater than 0/],
  [`${head}weights: {slide: 20 mm}`, /:3: weights\.slide: it is "20 mm", which is a length; it must be a number/],
  [`${head}weights: [1, 2]`, /:3: weights: it is/],
  [`${head}wieghts: {slide: 1}`, /:3: wieghts: unknown key \| Did you mean "weights"/],
  [`${head}padding: 1\npadding: 2`, /:4: .*[Kk]eys must be unique/],
  ['{"format": "elbowroom-scene/1",\n "robot": "two",\n "robot": "two"}', /:3: .*[Kk]eys must be unique/],
  ['{"format": "elbowroom-scene/1",\n "obstacles": [\n', /:2: the file ends too early/],
  [`${head}__proto__: {a: 1}`, /:3: __proto__: unknown key/],
  [
    '{"format": "elbowroom-scene/1", "robot": "two", "obstacles": [{"__proto__": {}}]}',
    /obstacles\[0\]\.(type|__proto__): /,
  ],
  [
    `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`,
    /aliases/,
  ],
  [
    'format: elbowroom-suite/1\nrobot: two\nproblems: [{name: a}, {name: a}]',
    /problems\[1\]\.name: it is "a", which another problem has/,
  ],
  ['format: elbowroom-suite/1\nproblems: [{name: a}]', /robot: it is missing/],
  [
    'format: elbowroom-suite/1\nrobot: two\nproblems:\n- {start: [0, 0]}\n- {start: [1]}',
    /:5: problems\[1\]\.start: it has 1 values/,
  ],
  [head.replace('two', '{joints: [turn]}'), /robot: it must have either a name/],
  [head.replace('two', '{name: two, joints: [trun]}'), /robot\.joints\[0\]: it is "trun".*Did you mean "turn"/],
  [head.replace('two', '{name: two, joints: [turn, turn]}'), /robot\.joints\[1\]: it is "turn", which is listed twice/],
  [head.replace('two', '{name: two, tool: {link: tool}}'), /:2: robot\.tool: it must have either a name/],
  [head.replace('two', '{name: two, mounts: [{urdf: t.urdf, at: tool}]}'), /robot\.mounts\[0\]\.at: unknown key/],
  [head.replace('two', '{name: two, tool: {name: t, args: {a: 1}}}'), /robot\.tool\.args: they need a urdf/],
  [
    head.replace('two', '{name: two, tool: {urdf: t.urdf, pose: {xyz: [1 rad, 0, 0]}}}'),
    /tool\.pose\.xyz\[0\]: it is "1 rad"/,
  ],
  [
    `${head}constraints: [{type: speed, most: 1, frame: {link: tol}}]`,
    /:3: constraints\[0\]\.frame\.link: it is "tol", there is no such link \| Did you mean "tool"/,
  ],
  [
    `${head}constraints: [{type: joint, joint: trun, range: [0, 1]}]`,
    /:3: constraints\[0\]\.joint: it is "trun", there is no such planned joint \| Did you mean "turn"/,
  ],
  [
    `${head}start: home\nsteps:\n  - {allow: [part, table]}`,
    /^.*:5: steps\[0\]\.allow\[0\]: it is "part", must be a list\n.*:5: steps\[0\]\.allow\[1\]: it is "table", must be a list$/,
  ],
  [
    `${head}start: home\nsteps:\n  - {}`,
    /:5: steps\[0\]: it is {}, must have one of the keys \| Use one of: move, line, arc, path, wait, /,
  ],
  [
    `${head}start: home\nsteps:\n  - {detach: nothing}`,
    /:5: steps\[0\]\.detach: it is "nothing", there is no such attached object then/,
  ],
  [
    `${head}start: home\nsteps:\n  - {move: home, constraints: [{type: joint, joint: trun, range: [0, 1]}]}`,
    /:5: steps\[0\]\.constraints\[0\]\.joint: it is "trun"/,
  ],
  [head.replace('two', '{name: two, base: planr}'), /:2: robot\.base: it is "planr".*Did you mean "planar"/],
  [head.replace('two', '{name: two, base: {type: planar, z: [0, 1]}}'), /:2: robot\.base\.z: unknown key/],
  [head.replace('two', '{name: two, base: {type: rail}}'), /:2: robot\.base\.axis: it is missing/],
  [
    head.replace('two', '{name: two, base: {type: rail, axis: [0, 0, 0]}}'),
    /robot\.base\.axis: it is \[0,0,0\], which has no direction/,
  ],
  [
    head.replace('two', '{name: two, base: {type: rail, axis: [1e999, 0, 1]}}'),
    /robot\.base\.axis\[0\]: it is Infinity/,
  ],
  [
    head.replace('two', '{name: two, base: {type: rail, axis: [1, 0, 0], range: [1, 1]}}'),
    /robot\.base\.range: it is \[1,1\], the first must be less than the second/,
  ],
  [
    head.replace('two', '{name: two, base: {type: planar, x: [0, 1 rad], theta: [0, 1 m]}}'),
    /robot\.base\.x\[1\]: it is "1 rad", which is an angle[\s\S]*robot\.base\.theta\[1\]: it is "1 m", which is a length/,
  ],
  [
    head.replace('two', '{name: two, fixed: {turn: 1}}'),
    /robot\.fixed\.turn: the joint is planned[\s\S]*joints: \[slide\]/,
  ],
  [
    head.replace('two', '{name: two, limits: {turn: {velocity: 1 m/s}}}'),
    /robot\.limits\.turn\.velocity: it is a length, but joint "turn" is revolute/,
  ],
  [
    head.replace('two', '{name: two, limits: {turn: {velocity: 1 rad}}}'),
    /velocity: it is "1 rad", which is an angle; it must be an angle or a length per second/,
  ],
  [head.replace('two', '{name: two, limits: {turn: {velocity: 0}}}'), /velocity: it is 0, must be greater than 0/],
])('refuses what is wrong, with line, place, value and way out (case %#)', async (text, expected) => {
  assert.match(await refusal(text), expected);
});

test('a goal with a link and a position is a pose, whatever is wrong with it', async () => {
  assert.equal(
    await refusal(`${head}goal: {link: tool, xyz: 5}`),
    'dir/s.yaml:3: goal.xyz: it is 5, must be a list | Write [x, y, z] in metres.',
  );
});

test('a body cannot have the name of a link, nor an obstacle that of an attached body', async () => {
  assert.equal(
    await refusal(`${head}obstacles: [{name: arm, type: sphere, radius: 1}]`),
    'dir/s.yaml:3: obstacles[0].name: it is "arm", which a link of the robot has already | Give each object a unique name.',
  );
  const both = `${head}obstacles: [{name: cup, type: sphere, radius: 1}]\nattached: [{name: cup, type: sphere, radius: 1, link: arm}]`;
  assert.match(
    await refusal(both),
    /^dir\/s\.yaml:3: obstacles\[0\]\.name: it is "cup", which an attached object has already/,
  );
});

test('an empty file and a pose given as a list are rejected with a note that states the fix', async () => {
  await expect(readSceneFile('', 'none.yaml')).rejects.toMatchObject({
    message: 'none.yaml:1: this is not a scene: the file is empty',
  });
  const text =
    'format: elbowroom-scene/1\nrobot: ur5e\nobstacles: [{name: a, type: sphere, radius: 1, pose: [0, 0, 1]}]\n';
  await expect(readSceneFile(text, 'list.yaml')).rejects.toMatchObject({
    message: 'list.yaml:3: obstacles[0].pose: it is [0,0,1], must be a mapping of keys to values',
    note: 'Write {xyz: [x, y, z], rpy: [roll, pitch, yaw]}; omitted parts are zero.',
  });
});
