import { describe, expect, test } from 'vitest';
import { certificateText, readCertificate } from '../../../src/core/certificate/certificate.ts';
import { InputErrors } from '../../../src/errors.ts';
import { slidingBox } from './worlds.ts';

const { certificate } = slidingBox();

test('a certificate is read exactly as it was written', () => {
  const spans = [[0, 2 / 3, 0.6, -0.8, 1e-17] as const, [2 / 3, 2, Math.sqrt(0.5), 0, -Math.sqrt(0.5)] as const];
  const given = { ...certificate, pairs: [{ ...certificate.pairs[0], spans }, certificate.pairs[0]] };
  expect(readCertificate(certificateText(given), 'c.json')).toEqual(given);
});

test('white space and a byte order mark are ignored', () => {
  expect(readCertificate(`\uFEFF${JSON.stringify(certificate, null, 2)}`, 'c.json')).toEqual(certificate);
});

describe('an invalid certificate is refused with the place of the error', () => {
  const [pair] = certificate.pairs;
  const withPair = (more: object) => ({ ...certificate, pairs: [pair, { ...pair, ...more }] });
  test.each<[string, unknown, string]>([
    ['a list', [], 'c.json: [] is not a certificate'],
    ['no format', {}, 'c.json: format: missing'],
    [
      'another format',
      { ...certificate, format: 'elbowroom-certificate/99' },
      'c.json: format: "elbowroom-certificate/99" is not elbowroom-certificate/1',
    ],
    ['no hash', { ...certificate, trajectory: undefined }, 'c.json: trajectory: missing'],
    ['no duration', { ...certificate, duration: null }, 'c.json: duration: null is not a finite number'],
    ['no pairs', { ...certificate, pairs: {} }, 'c.json: pairs: {} is not a list of pairs'],
    ['a pair that is none', { ...certificate, pairs: [pair, 3] }, 'c.json: pairs[1]: 3 is not a pair'],
    ['a link without name', withPair({ a: 7 }), 'c.json: pairs[1].a: 7 is not the name of a link or object'],
    ['half a part', withPair({ partB: 0.5 }), 'c.json: pairs[1].partB: 0.5 is not a whole number'],
    ['no spans', withPair({ spans: undefined }), 'c.json: pairs[1].spans: missing'],
    ['a short span', withPair({ spans: [[0, 2, 0, 1]] }), 'c.json: pairs[1].spans[0]: [0,2,0,1] is not five numbers'],
    ['null in a span', withPair({ spans: [[0, 2, 0, null, 0]] }), 'pairs[1].spans[0]: [0,2,0,null,0] is not five'],
  ])('%s', (_, data, message) => {
    const read = () => readCertificate(JSON.stringify(data), 'c.json');
    expect(read).toThrow(InputErrors);
    expect(read).toThrow(message);
  });

  test.each(['', '{"format": "elbowroom-certificate/1", "dur', '{"duration": NaN}', '[1, 2'])(
    '%j is not JSON',
    (text) => {
      expect(() => readCertificate(text, 'c.json')).toThrow('c.json: not JSON');
    },
  );

  test('the number of errors of one file is limited', () => {
    const pairs = Array.from({ length: 500 }, () => 0);
    const error = thrownBy(() => readCertificate(JSON.stringify({ ...certificate, pairs }), 'c.json'));
    expect((error as InputErrors).problems).toHaveLength(10);
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
