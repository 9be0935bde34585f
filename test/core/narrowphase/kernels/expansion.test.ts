import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { expandKernel, KERNELS } from '../../../../scripts/kernels/expand.ts';
import { expandedKernels } from '../../../../scripts/kernels/expandedKernels.ts';

const notation = "import { add, cross, dot, load, neg, scaled, store, sub, type V, vec } from './notation.ts';\n";
const expansionOf = (body: string) =>
  expandKernel(`${notation}function f(d, T) {\n${body}\n}`, `${KERNELS}/f.ts`, `${KERNELS}/../gjk/f.generated.ts`);

/** Code and comments of a module, whatever their format and the order of its imports. */
function contentOf(text: string) {
  const { code } = transformSync(text, { loader: 'ts', minifyWhitespace: true, legalComments: 'none' });
  const comments = text.match(/\/\*[\s\S]*?\*\/|\/\/.*$/gm);
  return { statements: code.split(';').sort(), comments };
}

test('the generated kernels are the expansions of their sources', () => {
  for (const [file, text] of expandedKernels()) {
    const note = `${file}: run node scripts/kernels.mjs`;
    expect(contentOf(readFileSync(file, 'utf8')), note).toEqual(contentOf(text));
  }
});

test.each([
  ['const v = load(d, 3);', 'vX = d[3], vY = d[4], vZ = d[5]'],
  ['const v = neg(load(d, k)); store(d, 0, v);', 'd[2] = vZ;'],
  ['let v: V; v = cross(load(d), load(T));', 'vY = ((d[2]) * (T[0]) - (d[0]) * (T[2]));'],
  ['let v = vec(1, 2, 3); if (v[0] > 0) v = scaled(s, v);', 'if (vX > 0) {\nvX = ((s) * (vX));'],
  ['const v = isFirst ? load(d) : load(T);', 'vX = (isFirst ? d[0] : T[0])'],
  ['const v = load(d); return dot(v, v) > 0 && d.v === f({ v: 1 });', 'vZ) * (vZ)) > 0 && d.v === f({ v: 1 })'],
])('%s is expanded to scalars', (body, expected) => {
  expect(expansionOf(body)).toContain(expected);
});

test.each([
  ['let v = load(d); v = cross(v, load(T));', 'vX is overwritten before it is read'],
  ['const v = load(d); g(v);', 'the vector v is used as a value'],
  ['const v = load(d); const w = add(v, g(d));', 'g(d) is not a vector'],
  ['const v = load(d); const vX = 1;', 'vX is also a component of the vector v'],
  ['let v = load(d); v += load(T);', 'vectors have no +='],
])('%s is refused', (body, message) => {
  expect(() => expansionOf(body)).toThrow(message);
});
