import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Rounds } from './rounds.ts';

/** Largest piece of a header that is passed to the parser, bytes; a piece ends with its header. */
const HEADER_PIECE = 1024;
/** Largest piece of data without a declared length, bytes: chunked bodies, WebSocket frames. */
const STREAM_PIECE = 4096;
const HEADER_END = '\r\n\r\n';

/**
 * TCP connection that passes one request at a time to an HTTP server: pipelined requests wait until the response has
 * been sent, and meanwhile at most one chunk is read from the client (back-pressure), so that its end is noticed: the
 * event `peerEnd`. Pieces are scheduled in rounds, so that many connections share the event loop fairly.
 */
export class PacedConnection extends Duplex {
  private chunk: Buffer | undefined;
  private isWanted = false;
  private isQueued = false;
  /** True if the client has closed its side of the connection. */
  hasEnded = false;
  /** The first piece of a connection is passed on at once: new clients take precedence. */
  private isNew = true;
  private isUpgraded = false;
  private request: IncomingMessage | undefined;
  private response: ServerResponse | undefined;
  /** Remaining bytes of the body; Infinity if its length is not declared. */
  private bodyLeft = 0;

  constructor(
    private readonly raw: Socket,
    private readonly rounds: Rounds,
  ) {
    super({ allowHalfOpen: true });
    raw
      .on('data', (chunk: Buffer) => {
        raw.pause();
        this.chunk = this.chunk ? Buffer.concat([this.chunk, chunk]) : chunk;
        this.proceed();
      })
      .on('end', () => {
        this.hasEnded = true;
        this.emit('peerEnd');
        this.proceed();
      })
      .on('timeout', () => this.emit('timeout'))
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy());
    raw.setNoDelay(true);
  }

  /** Called when the server starts to process a request: later bytes wait until its response is closed. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.request = request;
    this.response = response;
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    this.bodyLeft = coding === undefined ? Number(length ?? 0) : Number.POSITIVE_INFINITY;
    response.once('close', () => {
      if (this.response !== response) return;
      this.response = undefined;
      this.bodyLeft = this.request?.complete === false ? this.bodyLeft : 0;
      this.proceed();
    });
  }

  /** Switches to WebSocket frames. */
  upgrade(): void {
    this.isUpgraded = true;
    this.response = undefined;
  }

  /** True if a request is complete and its response is not ready: the server, not the client, is busy. */
  get isAnswering(): boolean {
    return this.response !== undefined && this.request!.complete && this.writableLength === 0;
  }

  setTimeout(ms: number, call?: () => void): this {
    if (call) this.once('timeout', call);
    this.raw.setTimeout(ms);
    return this;
  }

  setNoDelay(): this {
    return this; // set once for the raw socket
  }

  setKeepAlive(): this {
    return this;
  }

  /** Closes the connection after all written bytes have been sent. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    this.isWanted = true;
    this.proceed();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.raw.write(chunk, done);
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer; readonly encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    this.raw.cork();
    for (const [i, { chunk }] of chunks.entries()) this.raw.write(chunk, i === chunks.length - 1 ? done : undefined);
    this.raw.uncork();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.raw.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.raw.destroy();
    this.chunk = undefined;
    done(error);
  }

  private get isHeld(): boolean {
    return this.response !== undefined && (this.request!.complete || this.bodyLeft === 0);
  }

  /** Passes pieces to the server until it is busy or the time of this round is used up. */
  private proceed(): void {
    if (this.isHeld && !this.chunk && !this.hasEnded && !this.destroyed) this.raw.resume();
    while (this.isWanted && !this.isQueued && !this.isHeld && !this.destroyed) {
      if (!this.chunk) {
        if (this.hasEnded) {
          this.isWanted = false;
          this.push(null);
          return;
        }
        this.raw.resume();
        return;
      }
      if (!this.isNew && this.rounds.isOver) {
        this.isQueued = true;
        this.rounds.next(() => {
          this.isQueued = false;
          this.proceed();
        });
        return;
      }
      this.isNew = false;
      this.isWanted = false;
      this.push(this.piece(this.chunk));
    }
  }

  private piece(chunk: Buffer): Buffer {
    const length = Math.min(chunk.length, this.lengthOfPiece(chunk));
    this.chunk = length === chunk.length ? undefined : chunk.subarray(length);
    this.bodyLeft = Math.max(0, this.bodyLeft - length);
    return chunk.subarray(0, length);
  }

  private lengthOfPiece(chunk: Buffer): number {
    if (this.isUpgraded || this.bodyLeft === Number.POSITIVE_INFINITY) return STREAM_PIECE;
    if (this.bodyLeft > 0) return this.bodyLeft;
    const end = chunk.subarray(0, HEADER_PIECE).indexOf(HEADER_END);
    return end < 0 ? HEADER_PIECE : end + HEADER_END.length;
  }
}
