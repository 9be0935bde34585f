import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Turns } from './scheduler.ts';

/** Bytes of a header that are parsed at a time, at most; a header ends a piece. */
const HEADER_PIECE = 1024;
/** Of what has no stated length: chunked bodies, and frames of WebSockets. */
const STREAM_PIECE = 4096;
const HEADER_END = '\r\n\r\n';

/**
 * A TCP connection that gives an HTTP server one request at a time, and the rest when its response has been sent, however many of them the client
 * sends at once; meanwhile the client is not read from. Pieces wait for their round, so that many connections hold up nobody.
 */
export class PacedConnection extends Duplex {
  private chunk: Buffer | undefined;
  private isWanted = false;
  private isQueued = false;
  private hasEnded = false;
  /** The first piece of a connection does not wait: who has asked nothing yet is served before those who have. */
  private isNew = true;
  private isUpgraded = false;
  private request: IncomingMessage | undefined;
  private response: ServerResponse | undefined;
  /** Bytes of the body that are still to come; Infinity where that is not stated. */
  private bodyLeft = 0;

  constructor(
    private readonly raw: Socket,
    private readonly turns: Turns,
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
        this.proceed();
      })
      .on('timeout', () => this.emit('timeout'))
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy());
    raw.setNoDelay(true);
  }

  /** The server has begun to answer a request: what comes after it waits for the end of the response. */
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

  /** From here on the bytes are frames. */
  upgrade(): void {
    this.isUpgraded = true;
    this.response = undefined;
  }

  /** A request has arrived whole, and its response is not ready: it is not the client that keeps the connection waiting. */
  get isAnswering(): boolean {
    return this.response !== undefined && this.request!.complete && this.writableLength === 0;
  }

  setTimeout(ms: number, call?: () => void): this {
    if (call) this.once('timeout', call);
    this.raw.setTimeout(ms);
    return this;
  }

  setNoDelay(): this {
    return this; // it has none
  }

  setKeepAlive(): this {
    return this;
  }

  /** Closes the connection once all that was written has been sent. */
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

  /** Passes on what may be, and what this round has time for. */
  private proceed(): void {
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
      if (!this.isNew && this.turns.isRoundOver) {
        this.isQueued = true;
        this.turns.nextRound(() => {
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
