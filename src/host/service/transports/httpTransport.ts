import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { type Message, ServiceError, type Transport } from '../../client/transport.ts';

const FRAME_TYPE = 'application/octet-stream';
/** A connection that was not used for so long (ms) is replaced: the service closes idle ones after 5 s. */
const MAX_IDLE_MS = 2000;

/**
 * Opens a session over HTTP. Requests are sent one at a time, in order, over a connection that is kept. (`fetch`
 * takes several times the processor time of `node:http`.) Notifications, such as cancellations, do not wait for the
 * request that is running.
 */
export async function connectHttp(address: string, headers: Readonly<Record<string, string>>): Promise<Transport> {
  const { request: open, Agent } = address.startsWith('https:') ? https : http;
  let agent = new Agent({ keepAlive: true });
  let [running, lastUse] = [0, performance.now()];
  const exchange = async (path: string, method: string, body: Message): Promise<Message> => {
    const type = typeof body === 'string' ? 'application/json' : FRAME_TYPE;
    const given = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const sent = open(new URL(path, address), { agent, method, headers: { ...headers, ...given } });
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [http.IncomingMessage];
    const bytes = await bytesOf(reply);
    const { statusCode: status = 0 } = reply;
    const isGood = status >= 200 && status < 300;
    if (isGood && reply.headers['content-type'] === FRAME_TYPE) return bytes;
    const text = bytes.toString();
    if (isGood || text.startsWith('{"jsonrpc"')) return text;
    throw new ServiceError(status, `${method} ${path}: ${status} ${text.trim()}`);
  };
  const request = async (path: string, method: string, body: Message = ''): Promise<Message> => {
    if (running === 0 && performance.now() - lastUse > MAX_IDLE_MS) {
      agent.destroy();
      agent = new Agent({ keepAlive: true });
    }
    running++;
    try {
      return await exchange(path, method, body);
    } finally {
      running--;
      lastUse = performance.now();
    }
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
      await request(path, 'DELETE').finally(() => agent.destroy());
    },
  };
}

function bytesOf(reply: http.IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    reply
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts)))
      .on('error', reject)
      .on('close', () => reject(new Error('the service has closed the connection'))); // no effect after `end`
  });
}
