import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseXml } from '../../../../src/formats/text/xmlDocument.ts';
import { fixtures, posts, root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const classes = (svg: string) => [...svg.matchAll(/class="([^"]*)"/g)].map(([, names]) => names);

test('robot --svg draws the links at the given joint values, and prints nothing', async () => {
  const file = join(temporaryFolder(), 'deep/arm.svg');
  const args = ['robot', join(fixtures, 'arm.urdf'), '--svg', file, '--names'];
  expect(await elbowroom([...args, '--q', '90 deg, -pi/4'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const bent = readFileSync(file, 'utf8');
  expect((await parseXml(bent, file, 'svg')).getElementsByTagName('text').length).toBeGreaterThanOrEqual(2);
  expect(bent).toContain('>fore</text>');
  await elbowroom(args);
  expect(readFileSync(file, 'utf8')).not.toBe(bent);
});

test('robot --svg refuses a pose and a view that are none, and leaves no file', async () => {
  const file = join(temporaryFolder(), 'arm.svg');
  const args = ['robot', join(fixtures, 'arm.urdf'), '--svg', file];
  expect(await elbowroom([...args, '--q', '1'])).toMatchObject({
    code: 2,
    stderr: 'elbowroom: error: --q is "1": 1 values\n  note: Give 2, separated by commas.\n',
  });
  expect((await elbowroom([...args, '--view', '30,95'])).code).toBe(2);
  expect(existsSync(file)).toBe(false);
});

test('plan --svg draws the robot, its way and earlier moments; of a suite a file each', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'posts.svg');
  const { code } = await elbowroom(['plan', posts, '-o', join(folder, 'posts.json'), '--svg', file]);
  expect(code).toBe(0);
  const drawn = classes(readFileSync(file, 'utf8'));
  for (const kind of [/^link0-/, /^solid0-/, /^g t0$/, /^p t11$/])
    expect(drawn.some((name) => kind.test(name))).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['posts.json', 'posts.svg']);
});

test('the picture at the head of the README is what the command beside it makes', async () => {
  const file = join(temporaryFolder(), 'shelf.svg');
  const made = await elbowroom(['plan', join(root, 'scenes/shelf.yaml'), '--svg', file, '--stats', '-']);
  expect(made.code).toBe(0);
  // After a change that is meant: npx vitest run test/host/cli/robots/pictures.test.ts -u
  await expect(readFileSync(file, 'utf8')).toMatchFileSnapshot(join(root, 'docs/pictures/shelf.svg'));
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  expect(readme.indexOf('docs/pictures/shelf.svg')).toBeLessThan(600);
  expect(readme).toContain('plan scenes/shelf.yaml --svg docs/pictures/shelf.svg');
}, 120_000);
