import { expect, test } from 'vitest';
import { measureAccuracy } from './accuracy.ts';

test('for every pair of shapes, every solver is as accurate as docs/accuracy.md states', () => {
  const rows = [...measureAccuracy(2, 60)];
  expect(rows).toHaveLength(44);
  for (const { pair, truth, ...errors } of rows) {
    for (const [solver, error] of Object.entries(errors)) {
      const maxError = solver.startsWith('growth') ? 2e-8 : solver === 'epa' ? 1e-9 : 1e-11;
      expect(error, `${pair}, ${solver}, against ${truth}`).toBeLessThan(maxError);
    }
  }
});
