import { PendingResponses, type Transport } from './transport.ts';

/** What is used of a WebSocket: that of browsers, or that of the package `ws`. */
export interface WebSocketLike {
  /** Set to `arraybuffer`: type of binary messages. */
  binaryType: string;
  /** 1: open, 3: closed. */
  readonly readyState: number;
  /** Sends a text or a binary message. */
  send(data: string | Uint8Array): void;
  /** Starts to close the connection. */
  close(): void;
  /** Calls a function at each event. */
  addEventListener(type: 'open' | 'message' | 'error' | 'close', listener: (event: WebSocketEvent) => void): void;
}

/** What is used of the events of a WebSocket. */
export interface WebSocketEvent {
  /** Content of a message. */
  readonly data?: unknown;
  /** Description of an error, where there is one: browsers hide it. */
  readonly message?: string;
}

const CLOSED = 3;

/** Opens a session over a WebSocket that is being connected. Rejects if no service accepts it. */
export async function openWebSocket(address: string, socket: WebSocketLike): Promise<Transport> {
  socket.binaryType = 'arraybuffer';
  const pending = new PendingResponses();
  let failure = '';
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => {
      pending.fail(new Error(`${address}: the service has closed the connection${failure}`));
      resolve();
    });
  });
  socket.addEventListener('error', ({ message }) => {
    if (message) failure = `: ${message}`;
  });
  socket.addEventListener('message', ({ data }) => {
    pending.receive(typeof data === 'string' ? data : new Uint8Array(data as ArrayBuffer));
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    closed.then(() => reject(new Error(`${address}: no service accepts the connection${failure}`)));
  });
  return {
    set listener(listener: (text: string) => void) {
      pending.listener = listener;
    },
    tell: (text) => socket.send(text),
    exchange(message) {
      const answer = pending.next();
      socket.send(message);
      return answer;
    },
    async close() {
      if (socket.readyState !== CLOSED) socket.close();
      await closed;
    },
  };
}
