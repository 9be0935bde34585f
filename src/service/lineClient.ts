import type { Readable, Writable } from 'node:stream';
import { errorText, RpcError } from './jsonRpc.ts';
import type { Service, Session } from './service.ts';
import { textOf } from './utf8.ts';

const NEWLINE = 10;

/**
 * One client that sends a message a line and gets an answer a line, over any pair of streams. Reads no further while it answers, nor while
 * the client is behind with reading: what it holds of a client is one message and one answer. Works on events rather than on promises:
 * a question that is quickly answered costs little more than its bytes.
 */
export class LineClient {
  /** What has arrived and is not looked at yet: `chunk` from `at` on. */
  private chunk: Buffer | undefined;
  private at = 0;
  /** What has arrived of a line before that, and how many bytes it is. Held bytes are taken from the memory of the service. */
  private store = Buffer.alloc(0);
  private stored = 0;
  private held = 0;
  /** The line is too long: the rest of it is thrown away. */
  private isSkipping = false;
  /** An answer is under way: being found, or waiting for its reader. */
  private isBusy = false;
  /** Bytes of an answer that waits for its reader, taken likewise. */
  private waiting = 0;
  private hasEnded = false;
  private isStopping = false;
  private finish: () => void = () => {};

  constructor(
    private readonly service: Service,
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly session: Session,
  ) {}

  /** A client that has stopped in the middle of a line, or does not fetch its answer: nothing is lost with it. */
  get isStuck(): boolean {
    const isAsking = !this.isBusy && (this.held > 0 || this.isSkipping);
    return isAsking || this.output.writableLength > 0;
  }

  /** Resolves when the client has gone, or has been served to its end; the streams stay open then. Never rejects. */
  async serve(): Promise<void> {
    const { input, output } = this;
    const finished = new Promise<void>((resolve) => {
      this.finish = resolve;
    });
    const leave = () => this.finish();
    output
      .on('error', leave)
      .on('close', leave)
      .on('drain', () => this.resume());
    input
      .on('error', leave)
      .on('end', () => this.end())
      .on('data', (chunk: Buffer) => this.arrived(chunk));
    await finished;
    input.pause();
    this.isStopping = true;
    this.release();
    this.service.memory.giveBack(this.waiting);
    this.waiting = 0;
    this.session.close();
  }

  /** Answers what is under way, and nothing after it. */
  stop(): void {
    this.isStopping = true;
    if (!this.isBusy) this.finish();
  }

  private arrived(chunk: Buffer): void {
    if (this.isStopping && !this.isBusy) return;
    this.chunk = this.chunk ? Buffer.concat([this.chunk.subarray(this.at), chunk]) : chunk;
    this.at = 0;
    if (!this.isBusy) this.proceed();
  }

  private end(): void {
    this.hasEnded = true;
    if (!this.isBusy) this.proceed();
  }

  /** Goes on after a wait. */
  private resume(): void {
    if (!this.isBusy || this.output.writableNeedDrain) return;
    this.service.memory.giveBack(this.waiting);
    this.waiting = 0;
    this.isBusy = false;
    this.proceed();
    // Not before what has arrived is used up: it would grow with every answer.
    if (!this.isBusy) this.input.resume();
  }

  /** Takes line after line until one has to be waited for, or no whole one is left. */
  private proceed(): void {
    while (!this.isBusy) {
      if (this.isStopping) {
        this.finish();
        return;
      }
      if (this.service.turns.isRoundOver) {
        this.waitForRound();
        return;
      }
      const { chunk, at } = this;
      const end = chunk ? chunk.indexOf(NEWLINE, at) : -1;
      if (!chunk || end < 0) break;
      this.at = end + 1;
      if (this.isSkipping) this.isSkipping = false;
      else if (this.hold(end - at)) this.answer(this.wholeLine(chunk, at, end));
      else {
        this.isSkipping = false; // its end is here already
        this.refuse();
      }
    }
    if (this.isBusy) return;
    this.keepRest();
    if (!this.hasEnded) return;
    if (this.held > 0) this.answer(this.wholeLine(Buffer.alloc(0), 0, 0)); // a last line without its end
    if (!this.isBusy) this.finish();
  }

  /** Others are served before the next line. */
  private waitForRound(): void {
    this.isBusy = true;
    this.input.pause();
    this.service.turns.nextRound(() => this.resume());
  }

  private keepRest(): void {
    const { chunk, at } = this;
    this.chunk = undefined;
    if (!chunk || at === chunk.length || this.isSkipping) return;
    if (this.hold(chunk.length - at)) this.append(chunk, at, chunk.length);
    else this.refuse();
  }

  /** Copies a piece to the end of the store, which doubles as it fills: a line may come a byte at a time. */
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

  /** Makes room for more of a line; false, and the line is dropped, where it is too long or the service is full. */
  private hold(bytes: number): boolean {
    const { limits, memory } = this.service;
    if (this.held + bytes <= limits.body && memory.take(bytes)) {
      this.held += bytes;
      return true;
    }
    this.release();
    this.isSkipping = true;
    return false;
  }

  private wholeLine(chunk: Buffer, from: number, to: number): string {
    if (this.stored === 0) return textOf(chunk.subarray(from, to));
    this.append(chunk, from, to);
    return textOf(this.store.subarray(0, this.stored));
  }

  private release(): void {
    this.service.memory.giveBack(this.held);
    this.held = 0;
    if (this.stored === 0) return;
    this.store = Buffer.alloc(0);
    this.stored = 0;
  }

  private answer(line: string): void {
    const answer = /^\s*$/.test(line) ? '' : this.session.answer(line);
    if (typeof answer === 'string') {
      this.send(answer);
      return;
    }
    this.isBusy = true;
    this.input.pause();
    answer.then((text) => {
      this.send(text);
      this.resume();
    });
  }

  /** Where the reader is behind, keeps account of what waits for it; where there is no room for that, the client must go. */
  private send(text: string): void {
    const { output, service } = this;
    this.release();
    if (text === '' || output.destroyed || output.write(`${text}\n`)) return;
    if (service.memory.take(output.writableLength)) {
      this.waiting = output.writableLength;
      this.isBusy = true;
      this.input.pause();
    } else {
      service.metrics.refuse('slow');
      output.destroy();
    }
  }

  private refuse(): void {
    const { limits, metrics } = this.service;
    metrics.refuse('size');
    this.send(
      errorText('null', new RpcError('tooLarge', `a message of more than ${limits.body} bytes, or no room for it`)),
    );
  }
}
