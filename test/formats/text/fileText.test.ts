import { Readable } from 'node:stream';
import { assert, describe, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { readCloud } from '../../../src/formats/clouds/index.ts';
import { meshEndings, readMesh } from '../../../src/formats/meshes/index.ts';
import { decodeNumbers, decodeText, refusePointer } from '../../../src/formats/text/fileText.ts';
import { lineChunks, textsOf } from '../../../src/host/node/inputLines.ts';
import { cases } from '../../cases.ts';
import { generator } from '../../fuzz/mutate.ts';

const utf16 = (text: string, little = true, mark = true) =>
  Uint8Array.from(
    [...(mark ? `\uFEFF${text}` : text)].flatMap((c) => {
      const [low, high] = [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8];
      return little ? [low, high] : [high, low];
    }),
  );
const pointer = new TextEncoder().encode(
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n',
);

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.instanceOf(error, InputError);
    return (error as InputError).message;
  }
  return '';
}

describe('encodings', () => {
  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('UTF-16 is named (little end first: %s, byte order mark: %s)', (little, mark) => {
    const bytes = utf16('robot: arm', little, mark);
    assert.match(
      messageOf(() => decodeText(bytes, 'f')),
      /^f: this is UTF-16/,
    );
    assert.match(
      messageOf(() => decodeNumbers(bytes, 'f')),
      /^f: this is UTF-16/,
    );
  });

  test('the first invalid byte of UTF-8 is reported with its line', () => {
    const bytes = Uint8Array.from([...new TextEncoder().encode('a: é\nb: '), 0xe9, 10]);
    assert.equal(
      messageOf(() => decodeText(bytes, 'f')),
      'f:2: invalid UTF-8: byte 0xe9 at offset 9',
    );
    assert.equal(decodeNumbers(bytes, 'f'), 'a: é\nb: \uFFFD\n');
  });

  test('rejects the same random bytes as the decoder of the platform', () => {
    const below = generator(5, 0);
    const alphabet = [
      0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff,
    ];
    for (let round = 0; round < cases(20_000); round++) {
      const bytes = Uint8Array.from({ length: 1 + below(6) }, () => alphabet[below(alphabet.length)]);
      let expected = true;
      try {
        new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      } catch {
        expected = false;
      }
      const message = messageOf(() => decodeText(bytes, 'f'));
      assert.equal(message === '', expected, String(bytes));
      if (expected || message.includes('UTF-16')) continue;
      const at = Number(/offset (\d+)$/.exec(message)![1]);
      assert.isBelow(at, bytes.length, String(bytes));
      assert.doesNotThrow(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, at)));
    }
  });

  test('lines before invalid UTF-8 are still processed', async () => {
    const texts: string[] = [];
    const reading = async () => {
      const chunks = lineChunks(Readable.from([Buffer.from('[0]\n[1]\n['), Buffer.from([0xe9, 93, 10])]), 's');
      for await (const text of textsOf(chunks)) texts.push(text);
    };
    const error = await reading().catch((reason: unknown) => reason);
    assert.instanceOf(error, InputError);
    assert.equal((error as InputError).message, 's:3: invalid UTF-8');
    assert.deepEqual(texts, ['[0]\n[1]']);
  });
});

describe('Git LFS pointers', () => {
  test.each(meshEndings)('as .%s', async (ending) => {
    const error = await readMesh(pointer, `t.${ending}`).catch((reason: unknown) => reason);
    assert.match((error as InputError).message, /^t\.\w+: this is a Git LFS pointer/);
    assert.match((error as InputError).note, /git lfs pull/);
  });

  test('as a point cloud, and as lines', async () => {
    assert.match(
      messageOf(() => readCloud(pointer, 't.xyz')),
      /Git LFS pointer/,
    );
    assert.match(
      messageOf(() => refusePointer(pointer, 'scene.yaml')),
      /^scene\.yaml: this is a Git LFS pointer/,
    );
    const error = await lineChunks(Readable.from([Buffer.from(pointer)]), 's')
      .next()
      .catch((reason: unknown) => reason);
    assert.match((error as InputError).message, /Git LFS pointer/);
  });

  test('UTF-16 as a mesh is reported', async () => {
    for (const [file, text] of [
      ['t.obj', 'v 0 0 0'],
      ['t.stl', 'solid t'],
      ['t.ply', 'ply'],
      ['t.dae', '<?xml?>'],
    ]) {
      const error = await readMesh(utf16(text), file).catch((reason: unknown) => reason);
      assert.match((error as InputError).message, /UTF-16/, file);
    }
  });
});
