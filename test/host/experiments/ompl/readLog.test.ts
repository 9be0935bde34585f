import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { readOmplLog } from '../../../../src/host/experiments/ompl/readLog.ts';

const text = readFileSync('test/fixtures/ompl/posts.log', 'utf8');
const lines = text.split('\n');
const read = (changed: string) => readOmplLog(changed, 'posts.log');

test('a log is read with all its planners, runs, and progress', () => {
  const { name, timeLimit, planners } = read(text);
  expect({ name, timeLimit }).toEqual({ name: 'posts', timeLimit: 1 });
  expect(planners.map((planner) => [planner.name, planner.runs.length])).toEqual([
    ['geometric_RRTConnect', 8],
    ['geometric_RRTstar', 2],
  ]);
  const [connect, star] = planners;
  expect(connect.runs[1]).toEqual({
    properties: {
      ...{ 'approximate solution': 0, 'correct solution': 1, 'graph states': 14, iterations: 7, solved: 1, status: 6 },
      ...{ 'simplification time': 0.001, 'simplified solution length': 2.5, 'solution length': 5, time: 0.02 },
    },
    status: 'Exact solution',
    progress: [],
  });
  expect(connect.runs[7]).toMatchObject({ status: 'Timeout', properties: { 'solution length': undefined } });
  expect(star.runs[0].progress).toHaveLength(5);
  expect(star.runs[0].progress[1]).toEqual({ 'best cost': 3.5, iterations: 100, time: 0.1 });
  expect(star.runs[0].progress[3]['best cost']).toBeNaN();
  expect(star.runs[1].progress[0]['best cost']).toBe(Number.POSITIVE_INFINITY);
});

test('logs of earlier versions, without version, experiment properties and processor, are read alike', () => {
  const early = [...lines.slice(1, 2), ...lines.slice(4, 10), ...lines.slice(13)].join('\n');
  expect(read(early)).toEqual(read(text));
  expect(read(text.replaceAll('\n', '\r\n'))).toEqual(read(text));
});

describe('a line that the format does not have', () => {
  const withLine = (number: number, line: string) =>
    [...lines.slice(0, number - 1), line, ...lines.slice(number)].join('\n');
  test.each([
    [2, 'Experience posts', 'posts.log:2: "Experience posts" is unknown here, expected "Experiment NAME"'],
    [14, 'seven is the random seed', 'posts.log:14: "seven is the random seed" is unknown here'],
    [15, 'x seconds per run', 'posts.log:15: this is not a number of seconds'],
    [20, 'status', 'posts.log:20: this is not "NAME|VALUE|VALUE|…"'],
    [21, '3 planners', 'posts.log:67: the file ends, expected the name of a planner'],
    [21, '1 planners', 'posts.log:47: "geometric_RRTstar" is unknown here, expected the end of the file'],
    [27, 'approximate solution', 'posts.log:27: this is not "NAME TYPE"'],
    [38, '0; 1; 12; 6; 0.001; 2.5; 4; 1; 6; ', 'posts.log:38: this run has 9 values, of 10 properties'],
    [38, '0; 1; 12; 6; 0.001; 2.5; 4; 1; 6; soon; ', 'posts.log:38: time is "soon", not a number'],
    [38, '0; 1; 12; 6; 0.001; 2.5; 4; 1; 9; 0.010; ', 'posts.log:38: status 9 is not one of 9'],
    [46, '', 'posts.log:46: "" is unknown here, expected a number and "progress properties for each run"'],
    [63, '3 runs', 'posts.log:63: progress of 3 runs, of 2'],
    [65, '3.5,100,;', 'posts.log:65: a sample has 2 values, of 3 properties'],
    [65, '3.5,100,0.1,', 'posts.log:65: this progress does not end with ";"'],
  ])('%i is refused: %s', (number, line, message) => {
    expect(() => read(withLine(number, line))).toThrow(message);
  });

  test('is refused wherever it is inserted, with a line number', () => {
    for (let at = 0; at < lines.length; at++) {
      if (at > 6 && at <= 12) continue; // texts of setup and processor may have any line
      const changed = [...lines.slice(0, at), 'What is this?', ...lines.slice(at)].join('\n');
      expect(() => read(changed), `line ${at + 1}`).toThrow(/^posts\.log:\d+: /);
    }
  });

  test('at the end of a truncated file is refused: at every line', () => {
    for (let end = 0; end < lines.length - 1; end++)
      expect(() => read(lines.slice(0, end).join('\n')), `${end} lines`).toThrow(/^posts\.log:\d+: /);
  });

  test('of random bytes never gives another error than a refusal', () => {
    const random = new Random(5);
    for (let round = 0; round < 3000; round++) {
      const at = random.below(text.length);
      const changed = `${text.slice(0, at)}${String.fromCharCode(32 + random.below(95))}${text.slice(at + 1 + random.below(3))}`;
      try {
        read(changed);
      } catch (error) {
        expect((error as Error).message).toMatch(/^posts\.log:\d+: /);
      }
    }
  });
});
