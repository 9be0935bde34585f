import { expect, test } from 'vitest';
import type { ServiceWatchReport } from '../../../src/host/client/results.ts';
import { ServiceClient } from '../../../src/host/client/serviceClient.ts';
import { type Message, PendingResponses, type Transport } from '../../../src/host/client/transport.ts';

/** A client over a transport whose responses are written by the test, and the messages that it has sent. */
async function openClient() {
  const pending = new PendingResponses();
  // biome-ignore lint/suspicious/noExplicitAny: parsed messages
  const sent: any[] = [];
  const transport: Transport = {
    listener: () => {},
    tell: () => {},
    exchange: (message: Message) => {
      sent.push(JSON.parse(message as string));
      return pending.next();
    },
    close: async () => {},
  };
  const opening = ServiceClient.open(transport);
  pending.listener = (text) => transport.listener(text);
  const respond = (id: number | null, fields: object) =>
    pending.receive(JSON.stringify({ jsonrpc: '2.0', id, ...fields }));
  respond(1, { result: { joints: [{ name: 'j' }], links: [], limits: {} } });
  return { client: await opening, pending, sent, respond };
}

test('a response to another request is an error, not the result', async () => {
  const { client, pending, sent, respond } = await openClient();
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
  const reversed = [6, 5].map((id) => ({ jsonrpc: '2.0', id, result: { valid: id === 5 } }));
  pending.receive(JSON.stringify(reversed));
  await expect(both).rejects.toThrow('the response to request 6, not to request 5');
});

test('requests of one message have ids of their own, which a caller cannot replace', async () => {
  const { client, pending, sent, respond } = await openClient();
  const call = { id: 1, jsonrpc: '1.0', method: 'validate', params: { q: [1] } } as const;
  const both = client.callAll([call, call]);
  const single = client.isValid([1]);
  expect(sent.slice(1).flat()).toEqual([2, 3, 4].map((id) => expect.objectContaining({ jsonrpc: '2.0', id })));
  pending.receive(JSON.stringify([2, 3].map((id) => ({ jsonrpc: '2.0', id, result: id }))));
  respond(4, { result: { valid: true } });
  expect([await both, await single]).toEqual([[2, 3], true]);
});

test.each([[[]], [[2]], [[2, 3, 4]]])('a list of responses %j to two requests is an error', async (ids) => {
  const { client, pending } = await openClient();
  const call = { method: 'validate', params: { q: [1] } } as const;
  const both = client.callAll([call, call]);
  pending.receive(JSON.stringify(ids.map((id) => ({ jsonrpc: '2.0', id, result: {} }))));
  await expect(both).rejects.toThrow(`the service sent ${ids.length} responses to 2 requests`);
});

test('a report that arrives before the promises of two watches resolve reaches the second', async () => {
  const { client, pending, respond } = await openClient();
  const received: [string, number][] = [];
  const params = { trajectory: {}, certificate: {} } as unknown as Parameters<typeof client.watch>[0];
  const listen = (name: string) => (report: ServiceWatchReport) => received.push([name, report.watch]);
  const both = [client.watch(params, listen('first')), client.watch(params, listen('second'))];
  respond(2, { result: { watch: 1 } });
  respond(3, { result: { watch: 2 } });
  const report = (watch: number) =>
    pending.receive(JSON.stringify({ jsonrpc: '2.0', method: '$/watch', params: { watch } }));
  report(2);
  report(1);
  await Promise.all(both);
  report(2);
  expect(received).toEqual([
    ['first', 1],
    ['second', 2],
    ['second', 2],
  ]);
});
