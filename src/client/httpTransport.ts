import { type Message, ServiceError, type Transport } from './transport.ts';

/**
 * Opens a session over HTTP. Requests are sent one at a time, in order: each over a connection of its own, later ones
 * could arrive first.
 */
export async function connectHttp(address: string, headers: Readonly<Record<string, string>>): Promise<Transport> {
  const request = async (path: string, method: string, body?: Message): Promise<Message> => {
    const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
    const reply = await fetch(new URL(path, address), {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': type },
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    if (reply.ok && reply.headers.get('content-type') === 'application/octet-stream') return bytes;
    const text = new TextDecoder().decode(bytes);
    if (reply.ok || text.startsWith('{"jsonrpc"')) return text;
    throw new ServiceError(reply.status, `${method} ${path}: ${reply.status} ${text.trim()}`);
  };
  const { session } = JSON.parse((await request('/sessions', 'POST')) as string) as { session: string };
  const path = `/sessions/${session}`;
  let last: Promise<unknown> = Promise.resolve();
  return {
    listener: () => {},
    tell: (text) => {
      request(`${path}/rpc`, 'POST', text).catch(() => {}); // it has no response
    },
    exchange(message, isCancelled) {
      const answer = last.then(() => {
        if (isCancelled?.()) throw new ServiceError(-32800, 'the request was cancelled');
        return request(`${path}/rpc`, 'POST', message);
      });
      last = answer.catch(() => {});
      return answer;
    },
    close: async () => {
      await request(path, 'DELETE');
    },
  };
}
