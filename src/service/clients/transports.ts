import { once } from 'node:events';
import net from 'node:net';

/** Error response of the service. */
export class ServiceError extends Error {
  /** Name of the class, also where the class itself is not available. */
  override readonly name = 'ServiceError';

  constructor(
    /** Error code of JSON-RPC 2.0 or of the service. */
    readonly code: number,
    message: string,
    /** How to fix the request. */
    readonly note = '',
  ) {
    super(message);
  }
}

/** Receives the text of each notification. */
export type Listener = (text: string) => void;

/** Transport to the service: one response text for each request text. */
export interface Transport {
  exchange(text: string): Promise<string>;
  /** Sends a notification. */
  tell(text: string): void;
  /** Receives the notifications of the service; never called over HTTP. */
  listener: Listener;
  close(): Promise<void>;
}

export interface Response {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly note?: string } };
}

export function resultOf({ result, error }: Response): unknown {
  if (error) throw new ServiceError(error.code, error.message, error.data?.note);
  return result;
}

/** Requests without a response yet. Responses arrive in the order of the requests (FIFO). */
class PendingResponses {
  private readonly list: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
  private closed: Error | undefined;

  next(): Promise<string> {
    if (this.closed) return Promise.reject(this.closed);
    return new Promise((resolve, reject) => this.list.push({ resolve, reject }));
  }

  answer(text: string): void {
    this.list.shift()?.resolve(text);
  }

  /** Passes a message of the service to the next request, or to the listener if it is a notification. */
  receive(text: string, { listener }: Transport): void {
    // Texts of the service begin with these keys; responses have no method.
    if (text.startsWith('{"jsonrpc":"2.0","method":')) listener(text);
    else this.answer(text);
  }

  fail(error: Error): void {
    this.closed ??= error;
    for (const { reject } of this.list.splice(0)) reject(error);
  }
}

export async function connectSocket(path: string): Promise<Transport> {
  const socket = net.connect(path);
  await once(socket, 'connect');
  const pending = new PendingResponses();
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) pending.receive(line, transport);
  });
  socket.on('error', (error) => pending.fail(error));
  socket.on('close', () => pending.fail(new Error(`${path}: the service has closed the connection`)));
  const transport: Transport = {
    listener: () => {},
    tell: (text) => socket.write(`${text}\n`),
    exchange(text) {
      const answer = pending.next();
      socket.write(`${text}\n`);
      return answer;
    },
    async close() {
      socket.end();
      if (!socket.destroyed) await once(socket, 'close');
    },
  };
  return transport;
}

export async function connectWebSocket(address: string, headers: Readonly<Record<string, string>>): Promise<Transport> {
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(new URL('/rpc', address), { headers, perMessageDeflate: false });
  const pending = new PendingResponses();
  await once(socket, 'open');
  socket.on('message', (data) => pending.receive(String(data), transport));
  socket.on('error', (error) => pending.fail(error));
  socket.on('close', () => pending.fail(new Error(`${address}: the service has closed the connection`)));
  const transport: Transport = {
    listener: () => {},
    tell: (text) => socket.send(text),
    exchange(text) {
      const answer = pending.next();
      socket.send(text);
      return answer;
    },
    async close() {
      if (socket.readyState === socket.CLOSED) return;
      socket.close();
      await once(socket, 'close');
    },
  };
  return transport;
}

export async function connectHttp(address: string, headers: Readonly<Record<string, string>>): Promise<Transport> {
  const request = async (path: string, method: string, body?: string): Promise<string> => {
    const all = { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const reply = await fetch(new URL(path, address), {
      method,
      headers: all,
      ...(body === undefined ? {} : { body }),
    });
    const text = await reply.text();
    if (reply.ok || text.startsWith('{"jsonrpc"')) return text;
    throw new ServiceError(reply.status, `${method} ${path}: ${reply.status} ${text.trim()}`);
  };
  const { session } = JSON.parse(await request('/sessions', 'POST')) as { session: string };
  return {
    listener: () => {},
    tell: (text) => {
      request(`/sessions/${session}/rpc`, 'POST', text).catch(() => {}); // it has no response
    },
    exchange: (text) => request(`/sessions/${session}/rpc`, 'POST', text),
    close: async () => {
      await request(`/sessions/${session}`, 'DELETE');
    },
  };
}
