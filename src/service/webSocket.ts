import type http from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { PacedConnection } from './pacedConnection.ts';
import type { Service, Session } from './service.ts';
import { GRACE_MS } from './socket.ts';

/** Bytes that may wait for a reader before its next message is read; pings of a reader that is so far behind get no pong. */
const HIGH_WATER = 256 * 1024;
/** Milliseconds between two looks at a reader that is behind. */
const LOOK_MS = 5;
/** Bytes around the payload of a control frame of a client. */
const CONTROL_HEADER = 6;
/** Bytes that the headers of the fragments of one message may take. */
const FRAGMENT_HEADERS = 1024 * 1024;

/**
 * Upgrades `GET /rpc` to WebSockets: a session each, a message a text frame. Reads no further while it answers, nor while the client is
 * behind with reading.
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
    stream.once('close', () => session.close()); // also where the handshake fails
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const client = new WebSocketClient(service, socket, session);
      clients.add(client);
      stream.prependListener('data', ({ length }: Buffer) => client.hold(length)); // before ws sees it
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
  private readonly waiting: string[] = [];
  private underWay: Promise<void> | undefined;
  private isWorking = false;
  private isStopping = false;
  /** Bytes that have arrived since the last message did; taken from the memory of the service. */
  private held = 0;
  /** When the client last sent anything, when more of a message came, and when it last read something. */
  private heard = performance.now();
  private progressed = this.heard;
  private read = this.heard;
  private unread = 0;
  private isPinged = false;

  constructor(
    private readonly service: Service,
    private readonly socket: WebSocket,
    private readonly session: Session,
  ) {
    socket.on('error', () => {}); // ws closes with the code that fits: 1009 for a frame too large
    socket.on('message', (data, isBinary) => {
      if (isBinary) return socket.close(1003, 'text frames are asked');
      this.release();
      this.waiting.push(String(data));
      if (!this.isWorking) this.underWay = this.work();
    });
    socket.on('ping', (data: Buffer) => {
      this.release(CONTROL_HEADER + data.length);
      if (socket.readyState === socket.OPEN && socket.bufferedAmount < HIGH_WATER) socket.pong(data);
    });
    socket.on('pong', (data: Buffer) => this.release(CONTROL_HEADER + data.length));
  }

  /** More of a message has arrived; where there is no room for it, the client must go. */
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
    this.service.networkMemory.giveBack(released);
    this.held -= released;
  }

  /**
   * Lets a client go that takes longer than `idle` (ms) from the beginning of a message to its end, reads nothing of what waits for it, or does
   * not answer a ping: one is sent to whoever sent nothing for so long.
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

  /** Answers what is under way, and nothing after it. */
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
    socket.pause();
    while (waiting.length > 0 && !this.isStopping && socket.readyState === socket.OPEN) {
      if (service.turns.isRoundOver) await new Promise<void>((resolve) => service.turns.nextRound(resolve));
      const answer = session.answer(waiting.shift()!);
      const text = typeof answer === 'string' ? answer : await answer;
      if (text !== '') socket.send(text);
      if (socket.bufferedAmount > HIGH_WATER) await this.drained();
    }
    socket.resume();
    this.isWorking = false;
    this.heard = performance.now();
  }

  /** Waits for a slow reader; one that takes nothing for too long, or for whose answer there is no room, must go. */
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
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      if (socket.bufferedAmount < left) since = performance.now();
      left = socket.bufferedAmount;
      if (performance.now() - since > 1000 * service.limits.idle) socket.terminate();
    }
    service.networkMemory.giveBack(held);
  }
}
