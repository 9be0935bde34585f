import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';
import { runHere } from '../runHere.ts';

const cwd = temporaryFolder();
const [wide, repaired, pick] = ['wide.script', 'repaired.script', 'pick.script'].map((name) => join(cwd, name));
const MOVES = ['--format', 'urscript', '--moves', '-o'];

beforeAll(async () => {
  const plan = await runHere(['plan', 'table-top', ...MOVES, wide]);
  expect(plan.code, plan.stderr).toBe(0);
  const larger = (_: string, radius: string) => `r=${(1.42 * Number(radius)).toFixed(4)}`;
  const text = readFileSync(wide, 'utf8').replace(/r=(0\.\d+)/g, larger);
  writeFileSync(wide, `\uFEFF# écrit à la main\r\n${text.replaceAll('\n', '\r\n')}`);
  expect((await runHere(['plan', 'pick-and-place', ...MOVES, pick])).code).toBe(0);
});

test('the command that check prints repairs a program of moves, and changes nothing but blend radii', async () => {
  const check = await runHere(['check', 'table-top', wide]);
  expect(check.code).toBe(1);
  expect(check.stderr).toContain('-o repaired.script');
  const stats = join(cwd, 'stats.json');
  const { code, stderr } = await runHere(['repair', 'table-top', wide, '-o', repaired, '--stats', stats]);
  expect(code, stderr).toBe(0);
  expect((await runHere(['check', 'table-top', repaired])).code).toBe(0);
  const [before, after] = [wide, repaired].map((file) => readFileSync(file, 'utf8'));
  expect(after).not.toBe(before);
  const [rest, kept] = [after, before].map((text) => text.replace(/r=0\.\d+/g, ''));
  expect(rest).toBe(kept);
  const { status, changed } = JSON.parse(readFileSync(stats, 'utf8'));
  const lines = before.split('\n');
  const different = after.split('\n').flatMap((line, i) => (line === lines[i] ? [] : [[i + 1, i + 1]]));
  expect({ status, changed }).toEqual({ status: 'repaired', changed: different });
});

test('a valid program of moves is copied byte for byte, whatever its encoding', async () => {
  const bytes = Buffer.concat([Buffer.from([0x23, 0x20, 0xe9, 0x0a]), readFileSync(pick)]); // a comment in Latin-1
  writeFileSync(join(cwd, 'latin.script'), bytes);
  const { code, stderr } = await runHere(['repair', 'pick-and-place', join(cwd, 'latin.script'), '-o', repaired]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('UTF-8')]);
  expect((await runHere(['repair', 'pick-and-place', pick, '-o', repaired])).code).toBe(0);
  expect(readFileSync(repaired).equals(readFileSync(pick))).toBe(true);
});

test('a program of moves with stops is converted to a trajectory that check accepts, and no other is', async () => {
  const motion = join(cwd, 'motion.json');
  const { code, stderr } = await runHere(['convert', 'pick-and-place', pick, '-o', motion]);
  expect(code, stderr).toBe(0);
  const check = await runHere(['check', 'pick-and-place', motion]);
  expect(check.code, check.stdout).toBe(0);
  const blended = await runHere(['convert', 'table-top', wide]);
  expect([blended.code, blended.stdout]).toEqual([1, '']);
  expect(blended.stderr).toMatch(/line \d+: movej/);
  const narrow = readFileSync(wide, 'utf8').replace(/r=0\.\d+/g, 'r=0.001');
  writeFileSync(join(cwd, 'narrow.script'), narrow);
  const open = await runHere(['convert', 'table-top', join(cwd, 'narrow.script')]);
  expect([open.code, open.stdout]).toEqual([1, '']);
  expect(open.stderr).toContain('the manual does not state the motion within a blend');
  const other = await runHere(['convert', 'pick-and-place', pick, '--robot', 'ur3e']);
  expect(other.code).toBe(2);
});

test('options of trajectories are refused for programs of moves', async () => {
  for (const option of [['--keep-times'], ['--limits-only'], ['--format', 'json']]) {
    const { code, stdout } = await runHere(['repair', 'table-top', wide, ...option]);
    expect([code, stdout], option.join(' ')).toEqual([2, '']);
  }
});

test('a gripper that moves while the arm rests is refused by --moves, with the step and what to write instead', async () => {
  const scene = join(cwd, 'gripper.yaml');
  const robot = 'robot: {name: ur5e, joints: [shoulder_pan_joint], fixed: {elbow_joint: 1}}';
  const steps = 'steps: [{set: {joints: {elbow_joint: 1.1}, time: 1}}, {move: [1]}]';
  writeFileSync(scene, `format: elbowroom-scene/1\n${robot}\ntcp: {link: shoulder_link}\nstart: [0]\n${steps}\n`);
  const { code, stderr } = await runHere(['plan', scene, ...MOVES, join(cwd, 'none.script')]);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('step 0 moves joints that are not'),
  });
  expect(stderr).toContain('such as `set: {gripper: open}`');
});

test('the certificate of a program of moves names its scene and robot, and is refused for others', async () => {
  const [file, other] = ['moves.json', 'other.yaml'].map((name) => join(cwd, name));
  expect((await runHere(['repair', 'table-top', wide, '-o', repaired])).code).toBe(0);
  expect((await runHere(['check', 'table-top', repaired, '--certificate', file])).code).toBe(0);
  const text = readFileSync(file, 'utf8');
  const verified = (scene: string, changed: string) => {
    writeFileSync(file, changed);
    return runHere(['verify', file, scene, repaired]);
  };
  expect((await verified('table-top', text)).code).toBe(0);
  expect((await verified('table-top', text.replace(/"(scene|robot)_hash":"\w+",/g, ''))).code).toBe(0);
  for (const what of ['scene', 'robot']) {
    const { code, stderr } = await verified('table-top', text.replace(new RegExp(`("${what}_hash":")\\w`), '$1x'));
    expect([code, stderr]).toEqual([1, expect.stringContaining(`certificate of another ${what}: the hashes differ`)]);
  }
  expect((await verified('table-top', text.replace(/"scene_hash":"\w+"/, '"scene_hash":1'))).code).toBe(2);
  // A padding that all planes keep.
  writeFileSync(other, `${readFileSync('scenes/table-top.yaml', 'utf8')}padding: 0.01 mm\n`);
  const { code, stdout, stderr } = await verified(other, text);
  expect([code, stderr]).toEqual([1, expect.stringContaining('another scene: the hashes differ')]);
  expect(JSON.parse(stdout)).toMatchObject({ proved: false, least_gap: null });
});

test('the certificate of a program with events is that of its scene, with pairs for each scene between events', async () => {
  const [file, moved] = ['steps.json', 'moved.yaml'].map((name) => join(cwd, name));
  const check = await runHere(['check', 'pick-and-place', pick, '--certificate', file]);
  expect(check.code, check.stderr).toBe(0);
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text).segments).toHaveLength(5);
  const verified = await runHere(['verify', file, 'pick-and-place', pick]);
  expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { proved: true, problems: [] }]);
  // 2 mm more: the part touches the pallet before it is put down, the gripper does not
  const scene = readFileSync('scenes/pick-and-place.yaml', 'utf8');
  writeFileSync(moved, scene.replace('xyz: [0.5, -0.3, 50 mm]', 'xyz: [0.5, -0.3, 52 mm]'));
  writeFileSync(file, text.replace(/"(scene|robot)_hash":"\w+",/g, ''));
  expect((await runHere(['verify', file, 'pick-and-place', pick])).code).toBe(0);
  const refused = await runHere(['verify', file, moved, pick]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('part and pallet are not proved')]);
  writeFileSync(file, text.replace('"segments":[{"pairs":', '"pairs":').replace(/\}\]\}\n$/, '}\n'));
  const broken = await runHere(['verify', file, 'pick-and-place', pick]);
  expect(broken.code).toBe(2);
});

test('the arm at rest between two events is judged in the scene between them, at the start as well', async () => {
  const scene = readFileSync(join(root, 'scenes/pick-and-place.yaml'), 'utf8');
  const script = readFileSync(pick, 'utf8');
  const allow = 'allow: [[table, base_link_inertia]]';
  const [touch, attach] = ['{allow: [[part, table]]}', '{attach: part, touches: [gripper]}'];
  for (const text of [allow, touch, attach]) expect(scene).toContain(text);
  const later = script.replace(/on_step\((\d+)\)/g, (_, k) => `on_step(${Number(k) + 1})`);
  const cases = [
    // the base touches the table until it may
    [
      scene.replace(allow, 'allow: []').replace('steps:', 'steps:\n  - {allow: [[table, base_link_inertia]]}'),
      later,
      /base_link_inertia and table|table and base_link_inertia/,
    ],
    // the part touches the table between its attachment and the next event
    [
      scene
        .replace(touch, '')
        .replace(attach, `${attach}\n  - ${touch}`)
        .replace(/ {2}- {2}#.*\n/, ''),
      script,
      /part and table/,
    ],
  ] as const;
  for (const [i, [changed, program, pair]] of cases.entries()) {
    const [file, own, certificate] = [`scene${i}.yaml`, `p${i}.script`, `c${i}.json`].map((name) => join(cwd, name));
    writeFileSync(file, changed);
    writeFileSync(own, program);
    const { code, stderr } = await runHere(['check', file, own, '--certificate', certificate]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(pair)]);
    expect(stderr).toContain('at rest after an event');
  }
});
