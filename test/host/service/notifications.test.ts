import { afterEach, describe, expect, test, vi } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { ProgressReporter } from '../../../src/host/service/longRequests.ts';
import { MemoryBudget } from '../../../src/host/service/memoryBudget.ts';
import { CancelScanner, MAX_CANCEL } from '../../../src/host/service/notifications/cancelScanner.ts';
import { ReadAhead } from '../../../src/host/service/notifications/readAhead.ts';

const cancel = (id: number) => JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });

/** Random lines: cancellations, requests, empty and long lines. */
function drawnLines(random: Random, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const kind = Math.floor(random.between(0, 5));
    if (kind === 0) return cancel(i);
    if (kind === 1) return '';
    if (kind === 2) return `${cancel(i)}${' '.repeat(MAX_CANCEL)}`; // too long to be searched
    return `{"id":${i},"x":"${'y'.repeat(Math.floor(random.between(0, 300)))}é"}`;
  });
}

function pieces(text: string, random: Random): Buffer[] {
  const bytes = Buffer.from(text);
  const list: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const to = at + 1 + Math.floor(random.between(0, random.between(0, 1) < 0.2 ? 2000 : 40));
    list.push(bytes.subarray(at, to));
    at = to;
  }
  return list;
}

describe('cancellations in a stream', () => {
  test('are found however it is cut into pieces', () => {
    const random = new Random(4);
    for (let run = 0; run < 50; run++) {
      const lines = drawnLines(random, 30);
      const found: string[] = [];
      const scanner = new CancelScanner((line) => found.push(line));
      for (const piece of pieces(`${lines.join('\n')}\n`, random)) scanner.feed(piece);
      expect(found).toEqual(lines.filter((line) => line.includes('$/cancel') && line.length <= MAX_CANCEL));
    }
  });

  test('are found once each while messages are processed now and then, and no byte is lost', () => {
    const random = new Random(9);
    for (let run = 0; run < 50; run++) {
      const lines = drawnLines(random, 40).filter((line) => line.length < MAX_CANCEL);
      const found: string[] = [];
      const taken: string[] = [];
      const memory = new MemoryBudget(1e6);
      const ahead = new ReadAhead(memory, (line) => found.push(line));
      let rest: Buffer | undefined;
      const process = (count: number) => {
        for (let i = 0; i < count; i++) {
          const end = rest?.indexOf(10) ?? -1;
          if (!rest || end < 0) return;
          taken.push(rest.toString('utf8', 0, end));
          ahead.processed(end + 1);
          rest = end + 1 === rest.length ? undefined : rest.subarray(end + 1);
        }
      };
      ahead.begin(rest);
      for (const piece of pieces(`${lines.join('\n')}\n`, random)) {
        ahead.add(piece);
        if (random.between(0, 1) < 0.8) continue;
        rest = ahead.take(rest);
        process(Math.floor(random.between(0, 4)));
        ahead.begin(rest);
      }
      rest = ahead.take(rest);
      process(Number.POSITIVE_INFINITY);
      expect(taken).toEqual(lines);
      expect(found).toEqual(lines.filter((line) => line.includes('$/cancel')));
      ahead.clear();
      expect(memory.taken).toBe(0);
    }
  });

  test('no more is read at the limits of bytes, pieces and memory', () => {
    const rest = Buffer.alloc(300 * 1024);
    expect(new ReadAhead(new MemoryBudget(1e9), () => {}).begin(rest)).toBe(false);
    expect(new ReadAhead(new MemoryBudget(1000), () => {}).add(rest.subarray(0, 1001))).toBe(false);
    const ahead = new ReadAhead(new MemoryBudget(1e9), () => {});
    let count = 1;
    while (ahead.add(rest.subarray(0, 1))) count++;
    expect(count).toBeLessThanOrEqual(1024);
  });
});

describe('progress', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is sent at most ten times a second, the latest report always, and repeated while nothing is reported', () => {
    vi.useFakeTimers();
    const sent: { at: number; text: string }[] = [];
    const reporter = new ProgressReporter('"a"', (text) => sent.push({ at: performance.now(), text }));
    const random = new Random(2);
    for (let i = 0; i < 2000; i++) {
      reporter.report({ phase: 'planning', message: String(i) });
      vi.advanceTimersByTime(Math.floor(random.between(0, 4)));
    }
    for (const { at } of sent) expect(sent.filter((one) => one.at >= at && one.at < at + 1000).length).toBeLessThan(11);
    vi.advanceTimersByTime(300);
    const last = { id: 'a', phase: 'planning', message: '1999' };
    expect(JSON.parse(sent.at(-1)!.text)).toEqual({ jsonrpc: '2.0', method: '$/progress', params: last });
    const before = sent.length;
    vi.advanceTimersByTime(3500);
    expect(sent.length - before).toBe(3);
    reporter.end();
    vi.advanceTimersByTime(5000);
    expect(sent.length - before).toBe(3);
  });
});
