import type http from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { PacedConnection } from './pacedConnection.ts';
import type { Service } from './service.ts';
import type { ClientSession } from './session/clientSession.ts';
import { GRACE_MS } from './socket.ts';

/** Unread bytes beyond which no further message of the client is processed and its pings are not answered. */
const HIGH_WATER = 256 * 1024;
/** Polling interval of a slow client, ms. */
const POLL_MS = 5;
/** Header size of a control frame of a client, bytes. */
const CONTROL_HEADER = 6;
/** Limit of the header bytes of all fragments of one message. */
const FRAGMENT_HEADERS = 1024 * 1024;

/**
 * Upgrades `GET /rpc` to WebSockets: one session per connection, one message per text or
 * binary frame. Reads ahead a little
 * while a message is processed, and not at all while the client does not read its responses (back-pressure).
 */
export async function serveWebSockets(
  service: Service,
  server: http.Server,
  refusal: (request: http.IncomingMessage) => number | undefined,
): Promise<{ readonly stop: () => Promise<void> }> {
  const { WebSocketServer } = await import('ws');
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: service.limits.body,
    perMessageDeflate: false,
    autoPong: false,
  });
  const clients = new Set<WebSocketClient>();
  server.on('upgrade', (request: http.IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => {});
    const status = refusal(request) ?? (request.url === '/rpc' ? undefined : 404);
    const session = status === undefined ? service.openSession('network') : undefined;
    if (!session) {
      stream.end(`HTTP/1.1 ${status ?? 503} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      stream.on('finish', () => stream.destroy());
      return;
    }
    (stream as PacedConnection).upgrade();
    stream.once('close', () => session.close()); // also if the handshake fails
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const client = new WebSocketClient(service, socket, session);
      clients.add(client);
      stream.prependListener('data', ({ length }: Buffer) => client.hold(length)); // before ws processes it
      socket.on('close', () => {
        clients.delete(client);
        client.release();
      });
    });
  });
  const idle = 1000 * service.limits.idle;
  const sweep = setInterval(() => {
    for (const client of clients) client.dropIfIdle(idle);
  }, idle / 4).unref();
  return {
    async stop() {
      clearInterval(sweep);
      await Promise.race([
        Promise.all([...clients].map((client) => client.stop())),
        new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref()),
      ]);
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

class WebSocketClient {
  private readonly waiting: { readonly message: string | Buffer; readonly arrival: number }[] = [];
  /** Length of the waiting messages: while one is processed, further ones are read, for cancellations. */
  private waitingLength = 0;
  private underWay: Promise<void> | undefined;
  private isWorking = false;
  private isStopping = false;
  /** Bytes received since the last complete message; reserved in the memory budget. */
  private held = 0;
  /** Times (ms) at which the client last sent any bytes, started its current message, and last read a response. */
  private heard = performance.now();
  private progressed = this.heard;
  private read = this.heard;
  private unread = 0;
  private isPinged = false;

  constructor(
    private readonly service: Service,
    private readonly socket: WebSocket,
    private readonly session: ClientSession,
  ) {
    socket.on('error', () => {}); // ws closes with the matching code: 1009 for a frame that is too large
    socket.on('message', (data, isBinary) => {
      this.release();
      const message = isBinary ? (data as Buffer) : String(data);
      this.waiting.push({ message, arrival: performance.now() });
      this.waitingLength += message.length;
      if (!this.isWorking) this.underWay = this.work();
      else if (typeof message === 'string') session.notice(message);
      if (this.waitingLength > HIGH_WATER) socket.pause();
    });
    session.notify = (text, isUrgent) => {
      const isFree = isUrgent || socket.bufferedAmount < HIGH_WATER;
      if (isFree && socket.readyState === socket.OPEN) socket.send(text);
    };
    socket.on('ping', (data: Buffer) => {
      this.release(CONTROL_HEADER + data.length);
      if (socket.readyState === socket.OPEN && socket.bufferedAmount < HIGH_WATER) socket.pong(data);
    });
    socket.on('pong', (data: Buffer) => this.release(CONTROL_HEADER + data.length));
  }

  /**
   * Reserves memory for received bytes. Disconnects the client if the message is too large or the budget is exhausted.
   */
  hold(bytes: number): void {
    const { networkMemory, metrics, limits } = this.service;
    this.heard = performance.now();
    this.isPinged = false;
    if (this.held === 0) this.progressed = this.heard;
    if (this.held + bytes <= limits.body + FRAGMENT_HEADERS && networkMemory.take(bytes)) {
      this.held += bytes;
      return;
    }
    metrics.refuse('size');
    this.socket.terminate();
  }

  release(bytes = this.held): void {
    const released = Math.min(bytes, this.held);
    this.service.networkMemory.release(released);
    this.held -= released;
  }

  /**
   * Disconnects a client that needs longer than `idle` (ms) to send a message, does not read its responses for so long,
   * or does not answer the ping that it gets after `idle` ms of silence.
   */
  dropIfIdle(idle: number): void {
    const { socket } = this;
    const now = performance.now();
    if (socket.bufferedAmount === 0 || socket.bufferedAmount < this.unread) this.read = now;
    this.unread = socket.bufferedAmount;
    const isStuck = !this.isWorking && this.held > 0 && now - this.progressed > idle;
    const isSilent = !this.isWorking && now - this.heard > idle;
    if (isStuck || now - this.read > idle || (isSilent && this.isPinged && now - this.heard > 2 * idle)) {
      this.service.metrics.refuse(now - this.read > idle ? 'slow' : 'idle');
      socket.terminate();
    } else if (isSilent && !this.isPinged && socket.readyState === socket.OPEN) {
      this.isPinged = true;
      socket.ping();
    }
  }

  /** Finishes the current message, processes no further ones, and closes the connection. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.underWay;
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.close(1001, 'the service stops');
    await closed;
  }

  private async work(): Promise<void> {
    const { socket, session, waiting, service } = this;
    this.isWorking = true;
    while (waiting.length > 0 && !this.isStopping && socket.readyState === socket.OPEN) {
      if (service.rounds.isOver) await new Promise<void>((resolve) => service.rounds.next(resolve));
      const { message, arrival } = waiting.shift()!;
      this.waitingLength -= message.length;
      const answer =
        typeof message === 'string' ? session.answer(message, arrival) : session.answerFrame(message, arrival);
      const response = answer instanceof Promise ? await answer : answer;
      if (response.length > 0) socket.send(response);
      if (socket.bufferedAmount > HIGH_WATER) await this.drained();
    }
    socket.resume();
    this.isWorking = false;
    this.heard = performance.now();
  }

  /**
   * Waits until a slow client has read its responses. Disconnects it if it stops reading for too long or the memory
   * budget is exhausted.
   */
  private async drained(): Promise<void> {
    const { socket, service } = this;
    const held = socket.bufferedAmount;
    if (!service.networkMemory.take(held)) {
      service.metrics.refuse('slow');
      return socket.terminate();
    }
    let left = held;
    let since = performance.now();
    while (socket.readyState === socket.OPEN && socket.bufferedAmount > HIGH_WATER) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      if (socket.bufferedAmount < left) since = performance.now();
      left = socket.bufferedAmount;
      if (performance.now() - since > 1000 * service.limits.idle) socket.terminate();
    }
    service.networkMemory.release(held);
  }
}
