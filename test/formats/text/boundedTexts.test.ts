import { readdirSync, readFileSync } from 'node:fs';
import { assert, test } from 'vitest';
import { readCertificate } from '../../../src/core/certificate/certificate.ts';
import { coordinationCertificateOf } from '../../../src/core/certificate/coordination/cellCertificate.ts';
import { readCoordination } from '../../../src/core/certificate/coordination/coordinationRecord.ts';
import { InputErrors, parseJson } from '../../../src/errors.ts';
import { readSceneFile } from '../../../src/formats/scenes/sceneFile.ts';
import { parseSource } from '../../../src/formats/text/sourceText.ts';
import { readTrajectory } from '../../../src/formats/trajectories/index.ts';

const lists = (count: number) => `[${'[],'.repeat(count)}0]`;

async function refusal(read: () => unknown): Promise<{ message: string; count: number }> {
  try {
    await read();
  } catch (error) {
    const count = error instanceof InputErrors ? error.problems.length : 1;
    return { message: (error as Error).message.split('\n')[0], count };
  }
  return { message: 'read', count: 0 };
}

test('JSON with too many values is refused before it is parsed', () => {
  assert.throws(
    () => parseJson(lists(3_400_000), 'f.json'),
    'f.json: more than 10000000 lists, objects, texts and numbers',
  );
  assert.lengthOf(parseJson(lists(10), 'f.json') as unknown[], 11);
});

test('YAML with too many values is refused before it is parsed, JSON of the same size is read', async () => {
  const text = lists(250_000);
  assert.match((await refusal(() => parseSource(`a: ${text}`, 'f.yaml'))).message, /^f\.yaml: more than 1000000 lines/);
  assert.equal((await refusal(() => parseSource(`{"a":${text}}`, 'f.json'))).message, 'read');
});

test('large JSON that is not valid is not given to the YAML library', async () => {
  const text = `{"a":${lists(250_000)},"a":1}`;
  assert.equal((await refusal(() => parseSource(text, 'f.json'))).message, 'f.json: a key occurs twice in an object');
  assert.match((await refusal(() => parseSource(`${text}}`, 'f.json'))).message, /^f\.json: not JSON: \{"a"/);
});

test('YAML nested too deep for the library is named as that', async () => {
  const text = Array.from({ length: 4000 }, (_, i) => `${' '.repeat(i)}a:\n`).join('');
  assert.match((await refusal(() => parseSource(text, 'f.yaml'))).message, /^f\.yaml:\d+: values are nested too deep$/);
});

test('keys that occur twice are reported twenty times at most', async () => {
  assert.equal((await refusal(() => parseSource('a: 1\n'.repeat(1000), 'f.yaml'))).count, 20);
});

const ones = `[${'1,'.repeat(50_000)}1]`;

test.each([
  ['a trajectory', 20, () => readTrajectory(`{"joint_names":["a"],"points":${ones}}`, 'f.json', ['a'])],
  ['joint names', 20, () => readTrajectory(`{"joint_names":${ones},"points":[]}`, 'f.json', ['a'])],
  [
    'a certificate',
    10,
    () =>
      readCertificate(`{"format":"elbowroom-certificate/1","trajectory":"","duration":1,"pairs":${ones}}`, 'f.json'),
  ],
  ['a coordination', 10, () => readCoordination(`{"format":"elbowroom-coordination/1","delay":${ones}}`, 'f.json')],
  ['its certificate', 10, () => coordinationCertificateOf({ robots: JSON.parse(ones) }, 'f.json')],
  ['a scene', 100, () => readSceneFile(`{"format":"elbowroom-scene/1","robot":"ur5e","obstacles":${ones}}`, 'f.json')],
] as const)('%s of 50,001 invalid items is refused with at most %i errors', async (_, most, read) => {
  const { count } = await refusal(read);
  assert.isAtLeast(count, 1);
  assert.isAtMost(count, most);
});

test('a scene of more than a million values is refused', async () => {
  const text = `{"format":"elbowroom-scene/1","robot":"ur5e","obstacles":[${'0,'.repeat(1_000_000)}0]}`;
  assert.equal((await refusal(() => readSceneFile(text, 'f.json'))).message, 'f.json:1: more than 1000000 values');
});

test('all JSON from outside is parsed by the bounded reader', () => {
  /** What parses its own texts, or bounds them itself. */
  const others = [
    'errors.ts', // the bounded reader
    'host/node/packageVersion.ts',
    'host/node/scenes/resolved/resolvedScene.ts', // a copy of its own data
    'host/node/workers/experimentWorker.ts', // problems that the project has written
    'formats/text/sourceText.ts', // a key of parsed JSON
    'formats/scenes/editing/yamlData.ts', // a text that is parsed already
    'host/cli/commands/init.ts', // its own template
    'host/service/mcp/tools.ts', // responses of its own service
    'host/service/messageText.ts', // has limits of its own, for messages
    'host/service/session/smallRequests.ts', // short messages only
    'host/service/service.ts', // its own answers, while it warms up
    'host/service/watches.ts', // results of the service's threads
    'host/service/workers/methodWorker.ts', // messages that the session has parsed
    'host/service/notifications/cancellations.ts', // short messages only
    'host/service/transports/httpTransport.ts', // responses of the service to its clients
    'host/client/requests.ts',
    'host/client/clientFrame.ts',
  ];
  const users = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && /\bJSON\.parse\(/.test(readFileSync(`src/${file}`, 'utf8')));
  assert.sameMembers(users, others);
});
