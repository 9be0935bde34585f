import { expect, test } from 'vitest';
import { asStarted } from '../../../src/host/cli/startedAs.ts';

const VERBS = ['repair', 'plan'];
const hint = 'to repair it: elbowroom repair a.json; elbowroom is here, see `elbowroom plan`';
const started = (script: string, folder: string) =>
  /repair it: (.*) repair a/.exec(asStarted(hint, VERBS, script, folder))![1];

test.each([
  ['/home/me/clone/bin/elbowroom.js', '/home/me/clone', 'node bin/elbowroom.js'],
  ['/home/me/clone/bin/elbowroom.js', '/home/me/cell', 'node ../clone/bin/elbowroom.js'],
  ['/opt/clone/bin/elbowroom.js', '/home/me/work/cells/one', 'node /opt/clone/bin/elbowroom.js'],
  ['/opt/my clone/bin/elbowroom.js', '/opt/my clone', 'node bin/elbowroom.js'],
  ['/opt/my clone/bin/elbowroom.js', '/srv/deep/er/and/deeper', "node '/opt/my clone/bin/elbowroom.js'"],
  ['/home/me/cell/node_modules/.bin/elbowroom', '/home/me/cell/scenes', 'npx elbowroom'],
  ['/home/me/cell/node_modules/elbowroom/bin/elbowroom.js', '/home/me/cell', 'npx elbowroom'],
  ['/usr/lib/node_modules/elbowroom/bin/elbowroom.js', '/home/me', 'elbowroom'],
  ['/usr/local/bin/elbowroom', '/home/me', 'elbowroom'],
])('hints of %s in %s begin with its command', (script, folder, command) => {
  expect(started(script, folder)).toBe(command);
});

test('only commands are replaced', () => {
  const text = asStarted(hint, VERBS, '/c/bin/elbowroom.js', '/c');
  expect(text).toBe(
    'to repair it: node bin/elbowroom.js repair a.json; elbowroom is here, see `node bin/elbowroom.js plan`',
  );
});
