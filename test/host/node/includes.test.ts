import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { assert, describe, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { loadProblems, loadScene } from '../../../src/host/node/files.ts';
import { scratchFolder } from './scratch.ts';

const { root, put } = scratchFolder();

const head = 'format: elbowroom-scene/1\n';
const scene = (rest: string) => `${head}robot: two.urdf\n${rest}`;
put(
  'cell/two.urdf',
  `<robot name="two"><link name="base"/><link name="arm"><collision><geometry><sphere radius="0.001"/></geometry></collision></link><joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><limit lower="-2" upper="2" velocity="1"/></joint></robot>`,
);
put(
  'common/table.yaml',
  `${head}start: [99]
include: {file: parts/leg.yaml, pose: {xyz: [0, 0, -0.5]}, prefix: front-}
obstacles:
  - {name: top, type: box, size: [2, 1, 40 mm], pose: {xyz: [1, 0, 0]}}
  - {type: sphere, radius: sqrt(0.01)}
attached:
  - {name: cup, type: sphere, radius: 0.1, link: arm, touches: [top, base]}
allow: [[top, front-leg], [top, arm]]
`,
);
put(
  'common/parts/leg.yaml',
  `${head}obstacles:\n  - {name: leg, type: cylinder, radius: 0.1, length: 1}\n  - {name: foot, type: mesh, file: foot.obj}\n`,
);
put('common/parts/foot.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');

async function refusal(path: string, text: string): Promise<string> {
  const answer = await loadScene(put(path, text)).catch((error: unknown) => error);
  assert.instanceOf(answer, InputError, text);
  return (answer as InputError).message.replaceAll(`${root}/`, '');
}

describe('include', () => {
  test('places what other files hold: poses within poses, prefixes within prefixes, paths from the file that names them', async () => {
    const file = put(
      'cell/s.yaml',
      scene(`include:
  - {file: ../common/table.yaml, prefix: left-, pose: {xyz: [0, 5, 0], rpy: [0, 0, 90 deg]}}
obstacles: [{name: post, type: sphere, radius: 1}]
allow: [[post, left-top]]
`),
    );
    const { scene: loaded } = await loadScene(file);
    assert.deepEqual(
      loaded.obstacles.map(({ name }) => name),
      ['post', 'left-top', 'left-table-sphere-2', 'left-front-leg', 'left-front-foot'],
    );
    const [, top, ball, leg] = loaded.obstacles;
    for (const [k, x] of [0, 6, 0].entries()) assert.closeTo(top.pose.xyz[k], x, 1e-15);
    for (const [k, x] of [0, 5, -0.5].entries()) assert.closeTo(leg.pose.xyz[k], x, 1e-15);
    assert.closeTo(ball.parts[0].shape.radius as number, 0.1, 1e-15);
    assert.deepEqual(
      loaded.attached.map(({ name, link, touches }) => ({ name, link, touches })),
      [{ name: 'left-cup', link: 'arm', touches: ['left-top', 'base'] }],
    );
    assert.deepEqual(loaded.allow, [
      ['post', 'left-top'],
      ['left-top', 'left-front-leg'],
      ['left-top', 'arm'],
    ]);
    assert.isUndefined(loaded.start);
  });

  test('a suite and its problems include what they name, each', async () => {
    const file = put(
      'cell/suite.yaml',
      `format: elbowroom-suite/1
robot: two.urdf
include: ../common/parts/leg.yaml
problems:
  - {name: one}
  - {name: two, include: {file: ../common/parts/leg.yaml, prefix: second-}}
`,
    );
    const problems = await loadProblems(file);
    assert.deepEqual(
      problems.map((one) => one.scene.obstacles.map(({ name }) => name)),
      [
        ['leg', 'foot'],
        ['leg', 'foot', 'second-leg', 'second-foot'],
      ],
    );
  });

  test('an error in an included file is reported with its file and line', async () => {
    put(
      'common/wrong.yaml',
      `${head}obstacles:\n  - {name: a, type: box, size: [1, -1, 1]}\n  - {name: b, type: bx}\n`,
    );
    assert.match(
      await refusal('cell/w.yaml', scene('include: ../common/wrong.yaml\n')),
      /^common\/wrong\.yaml:4: obstacles\[1\]\.type: it is "bx"/,
    );
    put('common/number.yaml', `${head}obstacles:\n  - {name: a, type: box, size: [1, -1, 1]}\n`);
    assert.match(
      await refusal('cell/n.yaml', scene('include: ../common/number.yaml\n')),
      /^common\/number\.yaml:3: obstacles\[0\]\.size\[1\]: it is -1/,
    );
    put('common/link.yaml', `${head}attached:\n  - {name: a, type: sphere, radius: 1, link: amr}\nallow: [[a, bse]]\n`);
    assert.equal(
      await refusal('cell/l.yaml', scene('include: ../common/link.yaml\n')),
      'common/link.yaml:3: attached[0].link: it is "amr", there is no such link\n' +
        'common/link.yaml:4: allow[0][1]: it is "bse", there is no such body',
    );
    put('common/mesh.yaml', `${head}obstacles:\n  - {name: a, type: mesh, file: none.stl}\n`);
    assert.match(
      await refusal('cell/m.yaml', scene('include: ../common/mesh.yaml\n')),
      /^common\/mesh\.yaml:3: obstacles\[0\]\.file: .*none\.stl: there is no such file/,
    );
  });

  test('a name that is taken is refused where it stands, until the include has a prefix', async () => {
    const twice = scene(`include: [../common/parts/leg.yaml, {file: ../common/parts/leg.yaml}]\n`);
    assert.match(
      await refusal('cell/t.yaml', twice),
      /^common\/parts\/leg\.yaml:3: obstacles\[0\]\.name: it is "leg", which another object has already/,
    );
  });

  test('files that include each other, and too deep ones, are refused at the include', async () => {
    put('common/a.yaml', `${head}include: b.yaml\n`);
    put('common/b.yaml', `${head}\ninclude: a.yaml\n`);
    assert.equal(
      await refusal('cell/c.yaml', scene('include: ../common/a.yaml\n')),
      'common/b.yaml:3: include: the file includes itself: common/a.yaml → common/b.yaml → common/a.yaml',
    );
    for (let i = 0; i < 12; i++) put(`common/deep${i}.yaml`, `${head}include: deep${i + 1}.yaml\n`);
    put('common/deep12.yaml', head);
    assert.match(
      await refusal('cell/d.yaml', scene('include: ../common/deep0.yaml\n')),
      /^common\/deep7\.yaml:2: include: includes are nested more than 8 deep/,
    );
  });

  test('files that multiply are refused before they exhaust memory', async () => {
    const list = Array.from({ length: 10 }, (_, i) => `{file: wide.yaml, prefix: p${i}-}`).join(', ');
    put('common/wide.yaml', `${head}obstacles: [{name: a, type: sphere, radius: 1}]\n`);
    for (const [name, next] of [
      ['w1', 'w2'],
      ['w2', 'w3'],
      ['w3', 'wide'],
    ])
      put(`common/${name}.yaml`, `${head}include: [${list.replaceAll('wide.yaml', `${next}.yaml`)}]\n`);
    assert.match(await refusal('cell/wide.yaml', scene('include: ../common/w1.yaml\n')), /more than 200 files/);
  });

  test('nothing outside the folder above the scene is read, by path or by link', async () => {
    put('secret.yaml', head);
    symlinkSync(join(root, 'secret.yaml'), join(root, 'cell/link.yaml'));
    put('cell/deep/x.txt', '');
    for (const address of ['../../secret.yaml', '../../../../../../etc/passwd', '/etc/passwd']) {
      const message = await refusal(
        'cell/deep/s.yaml',
        scene(`include: ${address}\n`).replace('two.urdf', '../two.urdf'),
      );
      assert.match(message, /include: .*lies outside/, address);
    }
    const linked = scene('include: ../link.yaml\n').replace('two.urdf', '../two.urdf');
    assert.match(await refusal('cell/deep/s.yaml', linked), /include: .*link\.yaml: it lies outside/);
    put('cell/mesh.yaml', `${head}obstacles: [{type: mesh, file: ../secret.yaml}]\n`);
    const mesh = scene('include: ../mesh.yaml\n').replace('two.urdf', '../two.urdf');
    assert.match(await refusal('cell/deep/s.yaml', mesh), /obstacles\[0\]\.file: .*lies outside/);
  });

  test('what is no path, or no scene, is refused', async () => {
    put('common/list.yaml', '- 1\n');
    assert.match(
      await refusal('cell/p.yaml', scene('include: ../common/list.yaml\n')),
      /^common\/list\.yaml:1: this is not a scene/,
    );
    assert.match(await refusal('cell/q.yaml', scene('include: 7\n')), /^cell\/q\.yaml:3: include: it is 7, must be/);
    assert.match(
      await refusal('cell/r.yaml', scene('include: none.yaml\n')),
      /^cell\/r\.yaml:3: include: .*none\.yaml: there is no such file/,
    );
  });
});

test('a viewpoint that is not applied to the points of a cloud is a warning', async () => {
  const pcd = (viewpoint: string) =>
    `VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 1\nHEIGHT 1\n${viewpoint}POINTS 1\nDATA ascii\n9 9 9\n`;
  const file = put('cell/v.yaml', scene('obstacles: [{name: scan, type: cloud, file: scan.pcd, radius: 1 mm}]\n'));
  for (const [viewpoint, expected] of [
    ['', []],
    ['VIEWPOINT 0 0 0 1 0 0 0\n', []],
    ['VIEWPOINT 0.0 0 -0 1.0 0 0 0\n', []],
    ['VIEWPOINT 0 0 1 1 0 0 0\n', ['scan.pcd: VIEWPOINT 0 0 1 1 0 0 0 is not applied to its points']],
  ] as const) {
    put('cell/scan.pcd', pcd(viewpoint));
    const { warnings } = await loadScene(file);
    assert.deepEqual(
      warnings,
      expected.map((what) => `${file}:3: obstacles[0].file: ${what}`),
    );
  }
});

test('warnings about the mesh of an obstacle are warnings of the scene, once for each file', async () => {
  put('cell/flat.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\nf 1 1 2\n');
  const obstacle = (name: string) => `  - {name: ${name}, type: mesh, file: flat.obj, pose: {xyz: [9, 9, 9]}}\n`;
  const file = put('cell/m.yaml', scene(`obstacles:\n${obstacle('one')}${obstacle('two')}`));
  const { warnings } = await loadScene(file);
  assert.deepEqual(warnings, [`${file}:4: obstacles[0].file: flat.obj: 1 of 5 triangles have no area`]);
});

describe('clouds and height fields of a scene', () => {
  test('come from files, or are written out', async () => {
    put('cell/scan.xyz', '0 0 0\nnan 0 0\n1 0 0\n');
    put('cell/ground.csv', '0 1\n1 0\n');
    const file = put(
      'cell/f.yaml',
      scene(`obstacles:
  - {name: scan, type: cloud, file: scan.xyz, radius: 5 mm, scale: 2, margin: 1 mm}
  - {name: ground, type: heightfield, file: ground.csv, cell: [0.5, 20 cm]}
  - {name: few, type: cloud, points: [[1, 0, 10 cm]], radius: 0.1}
  - {name: hill, type: heightfield, heights: [[0, 0], [0, 1]], cell: [1, 1], base: -1}
`),
    );
    const { scene: loaded, warnings } = await loadScene(file);
    const [scan, ground, few, hill] = loaded.obstacles;
    const ball = (...point: number[]) => ({ shape: { type: 'convex', points: [point], margin: 0.006 } });
    assert.deepEqual(scan.parts, [ball(0, 0, 0), ball(2, 0, 0)]);
    assert.lengthOf(ground.parts, 2);
    assert.deepEqual(few.parts, [{ shape: { type: 'convex', points: [[1, 0, 0.1]], margin: 0.1 } }]);
    assert.lengthOf(hill.parts, 2);
    assert.deepEqual(
      warnings.map((warning) => warning.replaceAll(`${root}/`, '')),
      ['cell/f.yaml:4: obstacles[0].file: scan.xyz: 1 points are not finite and left out'],
    );
  });

  test.each([
    ['{type: cloud, radius: 1}', /obstacles\[0\]\.file: it is missing/],
    ['{type: cloud, file: a.xyz, points: [[0, 0, 0]], radius: 1}', /file and points are both given/],
    ['{type: cloud, points: [[0, 0, 0]], radius: 0}', /radius: it is 0, must be greater than 0/],
    ['{type: cloud, points: [[0, 0, 0]]}', /radius: it is missing/],
    ['{type: heightfield, heights: [[0, 1], [1]], cell: [1, 1]}', /heights\[1\]/],
    ['{type: heightfield, heights: [[0, 1], [1, 2, 3]], cell: [1, 1]}', /heights: row 1 has 3 heights, row 0 has 2/],
    ['{type: heightfield, heights: [[0, 1], [1, 2]], cell: [1, -1]}', /cell\[1\]: it is -1, must be greater than 0/],
    [
      '{type: heightfield, heights: [[0, 1], [1, 2]], cell: [1, 1], base: 1}',
      /lowest height is 0, below its base at 1/,
    ],
  ])('refuses %s', async (body, message) => {
    assert.match(await refusal('cell/x.yaml', scene(`obstacles: [${body}]\n`)), message);
  });

  test('a cloud that a link carries is convex parts that hold its balls; ground is not carried', async () => {
    const carried = (more: string) => scene(`attached: [{name: it, link: arm, ${more}}]\n`);
    const file = put('cell/y.yaml', carried('type: cloud, points: [[0, 0, 0], [0, 0, 1 cm], [1, 0, 0]], radius: 1 cm'));
    const { scene: loaded } = await loadScene(file);
    const shape = (...points: number[][]) => ({ shape: { type: 'convex', points, margin: 0.01 } });
    assert.deepEqual(loaded.attached[0].parts, [shape([0, 0, 0], [0, 0, 0.01]), shape([1, 0, 0])]);
    const ground = carried('type: heightfield, heights: [[0, 0], [0, 1]], cell: [1, 1]');
    assert.match(await refusal('cell/z.yaml', ground), /attached\[0\]\.type: it is "heightfield"/);
  });
});
