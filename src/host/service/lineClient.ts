import type { Readable, Writable } from 'node:stream';
import { FIRST_BYTE, lengthOfBeginning } from './frames/binaryFrame.ts';
import { errorText, messageTooLarge } from './jsonRpc.ts';
import { Arrivals } from './notifications/arrivals.ts';
import { ReadAhead } from './notifications/readAhead.ts';
import type { Service } from './service.ts';
import type { ClientSession } from './session/clientSession.ts';
import { textOf } from './utf8.ts';

const NEWLINE = 10;

/**
 * Serves one client over a pair of streams: a message is a line or a binary frame, and so is its response. While a
 * message is processed it reads ahead a little, for cancellations; it stops reading while the client does not read its
 * responses (back-pressure). Uses events, not promises: a request that needs little time has little overhead.
 */
export class LineClient {
  /** Bytes that have arrived and are not processed yet: `chunk` from `at` on. */
  private chunk: Buffer | undefined;
  private at = 0;
  /** Beginning of an incomplete message, and its length in bytes. `held` bytes are reserved in the memory budget. */
  private store = Buffer.alloc(0);
  private stored = 0;
  private held = 0;
  /** The message is too long: its remaining bytes are skipped. */
  private isSkipping = false;
  /** Length of the rest of a frame that is skipped; undefined: a line is skipped, to its end. */
  private skipLeft: number | undefined;
  /** A message is being processed, or its response is not read yet. */
  private isBusy = false;
  /** A message is being processed. */
  private isAnswering = false;
  /** Bytes of responses that the client has not read yet, reserved in the memory budget too. */
  private waiting = 0;
  private hasEnded = false;
  private isStopping = false;
  private finish = (): void => {};
  private readonly ahead: ReadAhead;
  private readonly arrivals = new Arrivals();

  constructor(
    private readonly service: Service,
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly session: ClientSession,
  ) {
    this.ahead = new ReadAhead(service.memory, (line) => session.notice(line));
    session.notify = (text, isUrgent) => {
      if (isUrgent || !output.writableNeedDrain) this.write(text);
    };
  }

  /** True if the client stopped in the middle of a line, or does not read its response: it may be disconnected. */
  get isStuck(): boolean {
    const isAsking = !this.isBusy && (this.held > 0 || this.isSkipping);
    return isAsking || this.output.writableLength > 0;
  }

  /**
   * Resolves when the client has disconnected, or its input has ended and was answered; does not close the streams.
   * Never rejects.
   */
  async serve(): Promise<void> {
    const { input, output } = this;
    const finished = new Promise<void>((resolve) => {
      this.finish = resolve;
    });
    const leave = () => this.finish();
    output
      .on('error', leave)
      .on('close', leave)
      .on('drain', () => !this.isAnswering && this.resume());
    input
      .on('error', leave)
      .on('end', () => this.end())
      .on('data', (chunk: Buffer) => this.arrived(chunk));
    await finished;
    input.pause();
    this.isStopping = true;
    this.release();
    this.ahead.release();
    this.service.memory.release(this.waiting);
    this.waiting = 0;
    this.session.close();
  }

  /** Finishes the current message and processes no further ones. */
  stop(): void {
    this.isStopping = true;
    if (!this.isBusy) this.finish();
  }

  private arrived(chunk: Buffer): void {
    if (this.isStopping && !this.isBusy) return;
    this.arrivals.add(chunk.length);
    if (this.isBusy) {
      if (!this.ahead.add(chunk)) this.input.pause();
      return;
    }
    this.chunk = this.chunk ? Buffer.concat([this.chunk.subarray(this.at), chunk]) : chunk;
    this.at = 0;
    this.proceed();
  }

  private end(): void {
    this.hasEnded = true;
    if (!this.isBusy) this.proceed();
  }

  /** Continues after the output has drained, or in a later round. */
  private resume(): void {
    if (!this.isBusy || this.output.writableNeedDrain) return;
    this.service.memory.release(this.waiting);
    this.waiting = 0;
    this.isBusy = false;
    this.chunk = this.ahead.take(this.rest);
    this.at = 0;
    this.proceed();
    // Only once the received bytes are processed: otherwise they would accumulate.
    if (!this.isBusy) this.input.resume();
  }

  /** The unprocessed bytes; undefined if there are none. */
  private get rest(): Buffer | undefined {
    const rest = this.chunk?.subarray(this.at);
    return rest && rest.length > 0 ? rest : undefined;
  }

  /** Stops reading until `resume`. */
  private wait(): void {
    this.isBusy = true;
    this.ahead.begin(this.rest);
    this.input.pause();
  }

  /** Processes lines until one is asynchronous, or no complete line is left. */
  private proceed(): void {
    while (!this.isBusy) {
      if (this.isStopping) {
        this.finish();
        return;
      }
      if (this.service.rounds.isOver) {
        this.wait(); // yields to other clients before the next line
        this.service.rounds.next(() => this.resume());
        return;
      }
      const { chunk, at } = this;
      const next = chunk ? this.nextMessage(chunk, at) : -1;
      if (!chunk || next < 0) break;
      this.at = next;
      this.ahead.processed(next - at);
      const arrival = this.arrivals.take(next - at);
      if (this.isSkipping) this.isSkipping = false;
      else {
        const end = this.beginsFrame(chunk, at) ? next : next - 1; // without the newline
        if (this.hold(end - at)) this.answer(this.whole(chunk, at, end), arrival);
        else this.refuse(false);
      }
    }
    if (this.isBusy) return;
    this.keepRest();
    if (!this.hasEnded) return;
    if (this.held > 0) this.answer(this.whole(Buffer.alloc(0), 0, 0), performance.now()); // a last line without newline
    if (!this.isBusy) this.finish();
  }

  /** Returns the index after the current message, of which a part may be stored or skipped; -1 if it is incomplete. */
  private nextMessage(chunk: Buffer, at: number): number {
    if (this.isSkipping && this.skipLeft !== undefined)
      return this.skipLeft <= chunk.length - at ? at + this.skipLeft : -1;
    const end = this.isSkipping ? undefined : this.frameEnd(chunk, at);
    if (end !== undefined) return end <= chunk.length ? end : -1;
    return chunk.indexOf(NEWLINE, at) + 1 || -1;
  }

  private beginsFrame(chunk: Buffer, at: number): boolean {
    return (this.stored > 0 ? this.store[0] : chunk[at]) === FIRST_BYTE;
  }

  /**
   * Returns the index in `chunk` after the current message if it is a frame, infinite while its length is not known;
   * undefined for a line.
   */
  private frameEnd(chunk: Buffer, at: number): number | undefined {
    if (!this.beginsFrame(chunk, at)) return undefined;
    const length = lengthOfBeginning(this.store.subarray(0, this.stored), chunk.subarray(at));
    return length && length - this.stored + at;
  }

  private keepRest(): void {
    const { chunk, at } = this;
    this.chunk = undefined;
    this.ahead.clear();
    if (!chunk || at === chunk.length) return;
    this.arrivals.take(chunk.length - at);
    const end = this.isSkipping ? this.skipLeft && at + this.skipLeft : this.frameEnd(chunk, at);
    this.skipLeft = end === Number.POSITIVE_INFINITY ? undefined : end && end - chunk.length;
    if (this.isSkipping) return;
    // A frame states its length: one that is too long is refused before it is here.
    const isTooLong = this.skipLeft !== undefined && this.stored + end! - at > this.service.limits.body;
    if (!isTooLong && this.hold(chunk.length - at)) this.append(chunk, at, chunk.length);
    else {
      this.release();
      this.refuse(true);
    }
  }

  /** Appends bytes to the store, whose capacity doubles: amortized linear time even if a line arrives byte by byte. */
  private append(chunk: Buffer, from: number, to: number): void {
    const length = this.stored + to - from;
    if (length > this.store.length) {
      const larger = Buffer.allocUnsafe(Math.max(1024, 2 * length));
      this.store.copy(larger, 0, 0, this.stored);
      this.store = larger;
    }
    chunk.copy(this.store, this.stored, from, to);
    this.stored = length;
  }

  /** Reserves memory for more bytes of a message. Returns false if it is too long or the budget is exhausted. */
  private hold(bytes: number): boolean {
    const { limits, memory } = this.service;
    if (this.held + bytes <= limits.body && memory.take(bytes)) {
      this.held += bytes;
      return true;
    }
    this.release();
    return false;
  }

  /** Returns a message: what is stored of it, and its rest in the chunk. */
  private whole(chunk: Buffer, from: number, to: number): Buffer {
    if (this.stored === 0) return chunk.subarray(from, to);
    this.append(chunk, from, to);
    return this.store.subarray(0, this.stored);
  }

  private release(): void {
    this.service.memory.release(this.held);
    this.held = 0;
    if (this.stored === 0) return;
    this.store = Buffer.alloc(0);
    this.stored = 0;
  }

  private answer(message: Buffer, arrival: number): void {
    const isFrame = message[0] === FIRST_BYTE;
    const answer = isFrame ? this.session.answerFrame(message, arrival) : this.answerLine(textOf(message), arrival);
    if (!(answer instanceof Promise)) {
      this.send(answer);
      return;
    }
    this.isBusy = true;
    this.isAnswering = true;
    if (this.ahead.begin(this.rest)) this.input.resume();
    else this.input.pause();
    answer.then((response: string | Buffer) => {
      this.isAnswering = false;
      this.send(response);
      this.resume();
    });
  }

  private answerLine(line: string, arrival: number): string | Promise<string> {
    return /^\s*$/.test(line) ? '' : this.session.answer(line, arrival);
  }

  /**
   * Writes a response. If the client is slow, reserves memory for the unread bytes; disconnects it if the budget is
   * exhausted.
   */
  private send(response: string | Buffer): void {
    const { output, service } = this;
    this.release();
    if (response.length === 0 || this.write(response)) return;
    if (service.memory.take(output.writableLength)) {
      this.waiting = output.writableLength;
      this.wait();
    } else {
      service.metrics.refuse('slow');
      output.destroy();
    }
  }

  /** Writes a line, or a frame. Returns true if no back-pressure results. */
  private write(message: string | Buffer): boolean {
    return this.output.destroyed || this.output.write(typeof message === 'string' ? `${message}\n` : message);
  }

  /** @param isIncomplete whether the rest of the message has to be skipped */
  private refuse(isIncomplete: boolean): void {
    this.isSkipping = isIncomplete;
    const { limits, metrics } = this.service;
    metrics.refuse('size');
    this.send(errorText('null', messageTooLarge(limits.body)));
  }
}
