// The note on the removed key `constraints` of experiments was that of every unknown key `constraints`.
import { expect, test } from 'vitest';
import { serviceMessages } from '../../src/formats/schemas/serviceMessages.ts';
import { structureDiagnostics } from '../../src/formats/text/structure.ts';

test('an unknown key of a request is not explained by experiments', () => {
  const [{ path, what, note }] = structureDiagnostics(serviceMessages.fk.params, { q: [0], constraints: [] });
  expect([path, what]).toEqual([['constraints'], 'unknown key']);
  expect(note).toMatch(/^Known here: q, states, links/);
});
