import { expect, test } from 'vitest';
import { ServiceClient } from '../../src/client/serviceClient.ts';
import { type Message, PendingResponses } from '../../src/client/transport.ts';

test('a response to another request is an error, not the result', async () => {
  const pending = new PendingResponses();
  const sent: { readonly id: number; readonly method: string }[] = [];
  const opening = ServiceClient.open({
    listener: () => {},
    tell: () => {},
    exchange: (message: Message) => {
      sent.push(JSON.parse(message as string));
      return pending.next();
    },
    close: async () => {},
  });
  const respond = (id: number | null, fields: object) =>
    pending.receive(JSON.stringify({ jsonrpc: '2.0', id, ...fields }));
  respond(1, { result: { joints: [{ name: 'j' }], links: [], limits: {} } });
  const client = await opening;
  const answers = [client.isValid([1]), client.isValid([2]), client.isValid([3])];
  expect(sent.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  respond(3, { result: { valid: true } });
  respond(2, { result: { valid: false } });
  respond(null, { error: { code: -32001, message: 'too many clients' } });
  const reasons = (await Promise.allSettled(answers)).map((one) => one.status === 'rejected' && one.reason.message);
  expect(reasons).toEqual([
    'the service sent the response to request 3, not to request 2',
    'the service sent the response to request 2, not to request 3',
    'too many clients',
  ]);
  const both = client.callAll([
    { method: 'validate', params: { q: [1] } },
    { method: 'validate', params: { q: [2] } },
  ]);
  const reversed = [1, 0].map((id) => ({ jsonrpc: '2.0', id, result: { valid: id === 1 } }));
  pending.receive(JSON.stringify(reversed));
  await expect(both).rejects.toThrow('the response to request 1, not to request 0');
});
