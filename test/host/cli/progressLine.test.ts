import { expect, test } from 'vitest';
import { ProgressLine } from '../../../src/host/cli/io.ts';

const terminal = (isTTY: boolean, columns = 80) => {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
};

test('a progress line replaces the one before it, and is removed once', () => {
  const screen = terminal(true, 12);
  const line = new ProgressLine(screen);
  line.show('planning');
  line.show('a line that is too long\n');
  line.clear();
  line.clear();
  expect(screen.written).toEqual(['\r\x1b[Kplanning', '\r\x1b[Ka line that', '\r\x1b[K']);
});

test('nothing is written unless stderr is a terminal', () => {
  const screen = terminal(false);
  const line = new ProgressLine(screen);
  line.show('planning');
  line.clear();
  expect(screen.written).toEqual([]);
});
