import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { assert, describe, test, vi } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { builtInRobots, loadProblems, loadRobot, loadScene, writeAtomically } from '../../../src/host/node/files.ts';
import { scratchFolder } from './scratch.ts';

const { root, put } = scratchFolder();

const tetra = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
const withMeshes = (...addresses: string[]) =>
  `<robot name="m"><link name="part">${addresses
    .map((address) => `<collision><geometry><mesh filename="${address}"/></geometry></collision>`)
    .join('')}</link></robot>`;

async function refusal(loading: Promise<unknown>): Promise<InputError> {
  const answer = await loading.catch((error: unknown) => error);
  assert.instanceOf(answer, InputError);
  return answer as InputError;
}

put('arm/meshes/part.obj', tetra);
put('arm/urdf/deep/part.obj', tetra);
put('pkg/package.xml', '<package><name>described</name></package>');
put('pkg/meshes/part.obj', tetra);
put('secret/part.obj', tetra);
put('pkg/my meshes/a part.obj', tetra);
put('pkg/À/ア.obj', tetra);
put('pkg/50%25/100%.obj', tetra);

describe('loadRobot', () => {
  test.each([
    ['a path relative to the URDF', 'arm/urdf/a.urdf', 'deep/part.obj'],
    ['a folder beside that of the URDF', 'arm/urdf/b.urdf', '../meshes/part.obj'],
    ['backslashes', 'arm/urdf/c.urdf', '..\\meshes\\part.obj'],
    ['a package of the map', 'arm/urdf/d.urdf', 'package://given/meshes/part.obj'],
    [
      'the package that the URDF lies in, by its declared name',
      'pkg/a/b/urdf/e.urdf',
      'package://described/meshes/part.obj',
    ],
    ['the package that the URDF lies in, relatively', 'pkg/a/b/urdf/f.urdf', '../../../meshes/part.obj'],
    ['a package folder beside the URDF', 'g.urdf', 'package://pkg/meshes/part.obj'],
    ['a file address below a given root', 'arm/urdf/h.urdf', `file://${join(root, 'pkg/meshes/part.obj')}`],
    ['an encoded file address', 'arm/urdf/i.urdf', `file://${join(root, 'pkg/my%20meshes/a%20part.obj')}`],
    ['spaces of a file address', 'arm/urdf/j.urdf', `file://${join(root, 'pkg/my meshes/a part.obj')}`],
    ['encoded spaces', 'arm/urdf/k.urdf', 'package://given/my%20meshes/a%20part.obj'],
    ['spaces', 'arm/urdf/l.urdf', 'package://given/my meshes/a part.obj'],
    ['the encoded letters of RFC 3986 §2.5', 'arm/urdf/m.urdf', 'package://given/%C3%80/%E3%82%A2.obj'],
    ['an encoded name of a package', 'arm/urdf/n.urdf', 'package://g%69v%65n/meshes/part.obj'],
    ['encoded percent signs, decoded once', 'arm/urdf/o.urdf', 'package://given/50%2525/100%25.obj'],
    ['a relative path, never decoded', 'pkg/50%25/p.urdf', '100%.obj'],
  ])('finds meshes by %s', async (_, path, address) => {
    const { links } = await loadRobot(put(path, withMeshes(address)), { packages: { given: join(root, 'pkg') } });
    assert.equal(links[0].collisions[0].triangles, 4);
  });

  test('builds no convex parts if only poses are needed, and still reports errors in meshes', async () => {
    const file = put('arm/urdf/poses.urdf', withMeshes('deep/part.obj'));
    const [whole, bare] = [await loadRobot(file), await loadRobot(file, { bodies: false })];
    assert.lengthOf(whole.links[0].collisions, 1);
    assert.deepEqual(bare, { ...whole, links: [{ name: 'part', collisions: [] }] });
    const missing = put('arm/urdf/posesOfNone.urdf', withMeshes('deep/none.stl'));
    assert.match((await refusal(loadRobot(missing, { bodies: false }))).message, /there is no such file/);
  });

  put('ws/src/robot_description/package.xml', '<package><name>robot_description</name></package>');
  put('ws/src/robot_description/meshes/part.obj', tetra);
  put('ws/src/gripper_description/package.xml', '<package/>');
  put('ws/src/gripper_description/part.obj', tetra);
  put('ws/src/plain_folder/part.obj', tetra);
  put('ros/share/far_description/package.xml', '<package/>');
  put('ros/share/far_description/part.obj', tetra);
  put('models/hand/model.config', '<model/>');
  put('ws/src/other_repository/colors/package.xml', '<package><name>colors</name></package>');
  put('ws/src/other_repository/colors/part.obj', tetra);
  put('ws/src/Whole.Repository/package.xml', '<package><!-- --><name>whole</name></package>');
  put('ws/src/Whole.Repository/part.obj', tetra);
  put('models/hand/meshes/part.obj', tetra);
  const search = {
    ROS_PACKAGE_PATH: `/no/such/folder:${join(root, 'ros/share')}`,
    AMENT_PREFIX_PATH: join(root, 'ros'),
    GAZEBO_MODEL_PATH: join(root, 'models'),
  };
  const inWorkspace = 'ws/src/robot_description/urdf/r.urdf';
  test.each([
    ['the package beside that of the URDF', inWorkspace, 'package://gripper_description/part.obj', ''],
    ['a repository beside that of the URDF', inWorkspace, 'package://colors/part.obj', ''],
    ['a repository beside it that is the package', 'ws/src/repo/a/urdf/r.urdf', 'package://whole/part.obj', ''],
    ['a model that the URDF lies in', 'models/hand/hand.urdf', 'model://hand/meshes/part.obj', ''],
    ['ROS_PACKAGE_PATH', inWorkspace, 'package://far_description/part.obj', 'ROS_PACKAGE_PATH'],
    ['AMENT_PREFIX_PATH', inWorkspace, 'package://far_description/part.obj', 'AMENT_PREFIX_PATH'],
    ['GAZEBO_MODEL_PATH', inWorkspace, 'model://hand/meshes/part.obj', 'GAZEBO_MODEL_PATH'],
  ])('finds packages that nobody named by %s, and not without it', async (_, path, address, variable) => {
    const file = put(path, withMeshes(address));
    try {
      if (variable !== '') {
        assert.match((await refusal(loadRobot(file))).message, /is not known/);
        vi.stubEnv(variable, search[variable as keyof typeof search]);
      }
      assert.equal((await loadRobot(file)).links[0].collisions[0].triangles, 4);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('does not use a folder as a package unless its package.xml names it, and opens nothing outside of a package', async () => {
    const plain = put(inWorkspace, withMeshes('package://plain_folder/part.obj'));
    const { message, note } = await refusal(loadRobot(plain));
    assert.match(message, /package "plain_folder" is not known/);
    assert.include(note, 'ROS_PACKAGE_PATH');
    const outside = put(inWorkspace, withMeshes('package://gripper_description/../plain_folder/part.obj'));
    assert.match((await refusal(loadRobot(outside))).message, /lies outside/);
  });

  mkdirSync(join(root, 'pkg/links'), { recursive: true });
  symlinkSync(join(root, 'secret'), join(root, 'pkg/links/out'));
  test.each([
    ['a package path that climbs out', 'package://given/../secret/part.obj', /lies outside/],
    ['a relative path that climbs out', '../../secret/part.obj', /lies outside/],
    ['a symbolic link that leads out', 'package://given/links/out/part.obj', /lies outside/],
    ['an absolute path elsewhere', join(root, 'secret/part.obj'), /lies outside/],
    ['a file address elsewhere', `file://${join(root, 'secret/part.obj')}`, /lies outside/],
    ['an address of the web', 'https://127.0.0.1/part.obj', /https: addresses are not supported/],
    ['data in the address', 'data:model/obj;base64,AAAA', /data: addresses are not supported/],
    ['an unknown package', 'package://givn/part.obj', /package "givn" is not known/],
    ['encoded dots that climb out', 'package://given/%2e%2E/secret/part.obj', /lies outside/],
    ['an encoded path that climbs out', 'package://given/%2e%2e%2fsecret/part.obj', /%2f is not part of a file name/],
    ['an encoded backslash', 'package://given/..%5Csecret/part.obj', /%5C is not part of a file name/],
    ['an encoded NUL', 'package://given/meshes/part.obj%00', /%00 is not part of a file name/],
    ['an encoded name that climbs out', 'package://%2e%2e/secret/part.obj', /package "\.\." is not known/],
    ['encoded dots of a file address', `file://${root}/pkg/%2e%2e/secret/part.obj`, /lies outside/],
    ['an encoded slash of a file address', `file://${root}/pkg%2Fmeshes/part.obj`, /%2F is not part of a file name/],
    ['a fragment of a file address', `file://${root}/pkg/meshes/part.obj#1`, /# ends the path/],
    ['a percent sign alone', 'package://given/50%/part.obj', /% is not followed by two hexadecimal digits/],
    ['octets that are no UTF-8', 'package://given/%FF.obj', /% is not followed by two hexadecimal digits/],
    ['octets that are a path in overlong UTF-8', 'package://given/..%c0%afsecret/part.obj', /digits of UTF-8/],
  ])('opens nothing by %s', async (_, address, expected) => {
    const file = put('arm/urdf/refused.urdf', withMeshes(address));
    const { message } = await refusal(loadRobot(file, { packages: { given: join(root, 'pkg') } }));
    assert.match(message, expected);
    assert.include(message, `${file}:1: link "part": mesh `);
  });

  test('lists all meshes that are missing, and the name that was meant', async () => {
    const file = put('arm/urdf/missing.urdf', withMeshes('deep/prat.obj', 'deep/part.obj', 'deep/none.stl'));
    const { message, note } = await refusal(loadRobot(file));
    assert.match(message, /prat\.obj: there is no such file[\s\S]*none\.stl: there is no such file/);
    assert.equal(note, 'Did you mean "part.obj"?');
  });

  test('does not read a name that is encoded in the folder itself, and states how to write it', async () => {
    put('pkg/a%20b.obj', tetra);
    const packages = { given: join(root, 'pkg') };
    const file = put('arm/urdf/encoded.urdf', withMeshes('package://given/a%20b.obj'));
    const { message, note } = await refusal(loadRobot(file, { packages }));
    assert.match(message, /there is no such file: .*\/a b\.obj$/);
    assert.equal(note, 'There is "a%20b.obj": in an address, write %25 for its percent signs.');
    const right = put('arm/urdf/encoded.urdf', withMeshes('package://given/a%2520b.obj'));
    assert.equal((await loadRobot(right, { packages })).links[0].collisions[0].triangles, 4);
  });

  test('reads a robot once for as long as its file stays the same', async () => {
    const file = put('arm/urdf/once.urdf', withMeshes('deep/part.obj'));
    assert.strictEqual(await loadRobot(file), await loadRobot(file));
    assert.notStrictEqual(await loadRobot(file), await loadRobot(file, { packages: { p: root } }));
  });

  test('finds built-in robots by name, and suggests the nearest name for a typo', async () => {
    const names = builtInRobots();
    for (const name of names) assert.equal((await loadRobot(name)).links.length > 0, true);
    const { message, note } = await refusal(loadRobot('ur5ee'));
    assert.equal(message, 'unknown robot "ur5ee"');
    assert.include(note, 'path of a robot file');
    if (names.includes('ur5e')) assert.include(note, 'Did you mean "ur5e"?');
  });

  test.each([
    ['no/such.urdf', /no\/such\.urdf: there is no such file/],
    [root, /this is (a folder|not a file)/],
  ])('reports why a file cannot be read (case %#)', async (path, expected) => {
    assert.match((await refusal(loadRobot(path))).message, expected);
  });
});

describe('loadScene and loadProblems', () => {
  put('arm/arm.urdf', withMeshes('meshes/part.obj'));
  put('arm/arm.srdf', '<robot name="m"><group_state name="home" group="g"/></robot>');
  const robot = 'robot: {urdf: ../arm/arm.urdf, srdf: ../arm/arm.srdf}\n';
  const scene = put(
    'scenes/one.yaml',
    `format: elbowroom-scene/1\n${robot}obstacles:\n  - {name: rock, type: mesh, file: ../arm/meshes/part.obj, scale: [2, 1, -1], margin: 1 mm}\n`,
  );
  const suite = put(
    'scenes/many.yaml',
    `format: elbowroom-suite/1\nname: many\n${robot}problems:\n  - {name: left/1, start: home}\n  - {name: right/1}\n`,
  );

  test('read paths relative to the scene, and make meshes convex', async () => {
    const loaded = await loadScene(scene);
    assert.equal(loaded.robot.name, 'm');
    assert.deepEqual(Object.keys(loaded.robot.states), ['home']);
    const [{ parts }] = loaded.scene.obstacles;
    assert.equal(parts[0].shape.type, 'convex');
    assert.equal(parts[0].shape.margin, 0.001);
    assert.deepInclude(parts[0].shape['points'] as number[][], [2, 0, 0]);
    assert.deepInclude(parts[0].shape['points'] as number[][], [0, 0, -1]);
    assert.isUndefined(loaded.suite);
  });

  test('take one problem of a suite by its name, or all of them', async () => {
    const one = await loadScene(`${suite}#right/1`);
    assert.deepEqual([one.scene.name, one.suite, one.file], ['right/1', 'many', suite]);
    const all = await loadProblems(suite);
    assert.deepEqual(
      all.map((loaded) => loaded.scene.name),
      ['left/1', 'right/1'],
    );
    assert.strictEqual(all[0].robot, all[1].robot);
    assert.equal((await loadProblems(scene)).length, 1);
  });

  test('find the scenes of the package by name, with their own robots', async () => {
    const { scene: shelf, robot: arm } = await loadScene('shelf');
    assert.deepEqual([shelf.name, arm.name], ['shelf', 'ur5e']);
    assert.equal((await loadProblems('shelf'))[0].file, (await loadScene('shelf')).file);
  });

  test('lay start and goal over', async () => {
    const { scene: changed } = await loadScene(`${suite}#right/1`, { overrides: { start: 'home' } });
    assert.equal(changed.start, 'home');
  });

  test.each([
    [suite, /this is a suite of 2 problems/],
    [`${suite}#letf/1`, /there is no problem "letf\/1"/],
    [`${scene}#x`, /this is a scene, it holds no problem "x"/],
    [join(root, 'none.yaml'), /none\.yaml: there is no such file/],
    ['none', /^unknown scene "none"$/],
    ['shelf#x', /shelf\.yaml: this is a scene, it holds no problem "x"/],
    [
      put('scenes/bad.yaml', 'format: elbowroom-scene/1\nrobot: ../arm/none.urdf\n'),
      /none\.urdf: there is no such file/,
    ],
    [
      put('scenes/rock.yaml', `format: elbowroom-scene/1\n${robot}obstacles:\n  - type: mesh\n    file: none.stl\n`),
      /rock\.yaml:5: obstacles\[0\]\.file: .*none\.stl: there is no such file/,
    ],
  ])('name what is missing (case %#)', async (path, expected) => {
    assert.match((await refusal(loadScene(path))).message, expected);
  });
});

describe('writeAtomically', () => {
  test('makes the folders on the way and replaces what was there', async () => {
    const file = join(root, 'out/deep/x.json');
    await writeAtomically(file, 'one');
    await writeAtomically(file, 'two');
    assert.equal(readFileSync(file, 'utf8'), 'two');
  });

  test('refuses a folder', async () => {
    assert.match((await refusal(writeAtomically(root, 'x'))).message, /this is a folder/);
  });
});
