/** Whole numbers below a bound. */
export type Below = (below: number) => number;

/** A statement of a generated program, with its effect. */
type Item =
  | { readonly kind: 'move'; readonly q: readonly number[]; readonly spelling: number }
  | { readonly kind: 'call'; readonly to: number; readonly shift: number }
  | { readonly kind: 'repeat'; readonly times: number; readonly body: readonly Item[] }
  | {
      readonly kind: 'choice';
      readonly taken: boolean;
      readonly body: readonly Item[];
      readonly other: readonly Item[];
    }
  | { readonly kind: 'set'; readonly value: number }
  | { readonly kind: 'use' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'noise'; readonly text: string };

export interface Program {
  readonly text: string;
  /** Joint positions of its moves in the order of execution. */
  readonly expected: readonly (readonly number[])[];
}

const NOISE = ['sleep(0.1)', 'textmsg("movej([9, 9])")', 'set_digital_out(1, True)', '# movej([9, 9])', 'sync()'];
const TRUE = [
  'True',
  '1 < 2',
  'not (1 == 2)',
  '3 >= 3 and 2 != 1',
  '7 % 2 == 1',
  'length([1, 2]) == 2',
  '(1 > 2) or (0.5 < 1)',
];

/**
 * Generates a program of functions that call each other, loops, branches and a global variable, with its expected
 * moves. The moves are computed from the generated structure, not from the text.
 */
export function createProgram(below: Below): Program {
  counters = 0;
  const count = 1 + below(4);
  const bodies = Array.from({ length: count }, (_, i) => createBody(below, i, count, 3));
  const order = Array.from({ length: count }, (_, i) => i).slice(1);
  for (let i = order.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const isNested = below(2) === 0;
  const indent = isNested ? '  ' : '';
  const functions = order.flatMap((i) => functionText(bodies[i], i, below, indent));
  const main = bodyText(bodies[0], below, isNested ? '  ' : '');
  const start = `${indent}global g = 1.0`;
  const calls = isNested ? [] : order.map((i) => `f${i}(${i}.0)`);
  const lines = isNested
    ? ['def program():', start, ...functions, ...main, 'end']
    : [start, ...functions, ...main, ...calls];

  const expected: number[][] = [];
  const state = { g: 1, expected, bodies };
  walk(bodies[0], 0, state);
  if (!isNested) for (const i of order) walk(bodies[i], i, state);
  return { text: `${lines.join('\n')}\n`, expected };
}

function createBody(below: Below, self: number, count: number, depth: number): Item[] {
  return Array.from({ length: 1 + below(4) }, () => createItem(below, self, count, depth));
}

function createItem(below: Below, self: number, count: number, depth: number): Item {
  const kind = below(9);
  const inner = () => createBody(below, self, count, depth - 1);
  if (kind === 0 && self + 1 < count && depth > 1)
    return { kind: 'call', to: self + 1 + below(count - self - 1), shift: below(5) / 4 };
  if (kind === 1 && depth > 1) return { kind: 'repeat', times: below(3), body: inner() };
  if (kind === 2 && depth > 1) return { kind: 'choice', taken: below(2) === 0, body: inner(), other: inner() };
  if (kind === 3) return { kind: 'set', value: below(9) / 8 };
  if (kind === 4) return { kind: 'use' };
  if (kind === 5) return { kind: 'noise', text: NOISE[below(NOISE.length)] };
  if (kind === 6 && self > 0 && below(4) === 0) return { kind: 'leave' };
  return { kind: 'move', q: [(below(64) - 32) / 16, (below(64) - 32) / 16], spelling: below(5) };
}

interface State {
  g: number;
  readonly expected: number[][];
  readonly bodies: readonly (readonly Item[])[];
}

/** Returns true if the function was left. @param shift the value of its parameter */
function walk(body: readonly Item[], shift: number, state: State): boolean {
  for (const item of body) {
    if (item.kind === 'move') state.expected.push(item.q.map((value, j) => (j === 0 ? value + shift : value)));
    else if (item.kind === 'use') state.expected.push([state.g, shift]);
    else if (item.kind === 'set') state.g = item.value;
    else if (item.kind === 'call') walk(state.bodies[item.to], item.shift, state);
    else if (item.kind === 'leave') return true;
    else if (item.kind === 'choice') {
      if (walk(item.taken ? item.body : item.other, shift, state)) return true;
    } else if (item.kind === 'repeat') {
      for (let n = 0; n < item.times; n++) if (walk(item.body, shift, state)) return true;
    }
  }
  return false;
}

function functionText(body: readonly Item[], i: number, below: Below, indent: string): string[] {
  return [`${indent}def f${i}(shift=${i}.0):`, ...bodyText(body, below, `${indent}  `, true), `${indent}end`];
}

/** Number of loops of the program so far; each has its own counter variable. */
let counters = 0;

function bodyText(body: readonly Item[], below: Below, indent: string, isFunction = false): string[] {
  const shift = isFunction ? 'shift' : '0';
  return body.flatMap((item): string[] => {
    const inner = (items: readonly Item[]) => bodyText(items, below, `${indent}  `, isFunction);
    switch (item.kind) {
      case 'move':
        return moveText(item.q, item.spelling, shift).map((line) => `${indent}${line}`);
      case 'use':
        return [`${indent}movej([g, ${shift}], r=0)`];
      case 'set':
        return [`${indent}${below(2) === 0 ? 'global g' : 'g'} = ${item.value.toFixed(3)}`];
      case 'call':
        return [`${indent}f${item.to}(${below(2) === 0 ? 'shift=' : ''}${item.shift.toFixed(2)})`];
      case 'leave':
        return [`${indent}return`];
      case 'noise':
        return [`${indent}${item.text}`];
      case 'choice': {
        const condition = TRUE[below(TRUE.length)];
        if (below(3) === 0)
          return [
            `${indent}if 1 == 2:`,
            `${indent}  movej([9, 9])`,
            `${indent}elif ${item.taken ? condition : `not (${condition})`}:`,
            ...inner(item.body),
            `${indent}else:`,
            ...inner(item.other),
            `${indent}end`,
          ];
        const lines = [`${indent}if ${item.taken ? condition : `not (${condition})`}:`, ...inner(item.body)];
        return [...lines, `${indent}else:`, ...inner(item.other), `${indent}end`];
      }
      default: {
        const counter = `k${counters++}`;
        const isLeftByBreak = below(2) === 0;
        const head = isLeftByBreak
          ? [
              `${indent}while True:`,
              `${indent}  if ${counter} >= ${item.times}:`,
              `${indent}    break`,
              `${indent}  end`,
            ]
          : [`${indent}while ${counter} < ${item.times}:`];
        return [
          `${indent}${isFunction ? 'local ' : ''}${counter} = 0`,
          ...head,
          ...inner(item.body),
          `${indent}  ${counter} = ${counter} + 1`,
          `${indent}end`,
        ];
      }
    }
  });
}

function moveText([a, b]: readonly number[], spelling: number, shift: string): string[] {
  const [x, y] = [a.toFixed(4), b.toFixed(4)];
  if (spelling === 0) return [`movej([${x} + ${shift}, ${y}], r=0)`];
  if (spelling === 1) return [`movej([(${x} + ${shift}) * 1.0, ${b < 0 ? '-' : ''}${Math.abs(b)}], 1.4, 1.05, 0, 0)`];
  if (spelling === 2) return ['movej([', `  ${shift} + ${x}, # one a line`, `  ${y}],`, '  a=1, v=1)'];
  if (spelling === 3) return [`movej([${x} + \\`, `  ${shift}, ${y} / 1.0])`];
  return [`movej([-(${shift} * -1.0) + ${x}, ${y} - 0], t=2.0)`];
}

const WORDS = [
  'movej',
  'f1',
  'f2',
  'g',
  'shift',
  'end',
  'if',
  'else:',
  'return',
  'break',
  'halt',
  'True',
  'False',
  'not',
];
const LINES = [
  'end',
  'return',
  'halt',
  'break',
  'continue',
  'f1()',
  'f2(g)',
  'g = g + 0.5',
  'movej([g, 0.5])',
  'global g = 2.0',
  'local g = 3.0',
  'shift = 0.25',
  'else:',
  'def f3():',
  'def f9(g):',
  'if g > 0.4:',
  'while g < 3.2:',
  'movel(p[0,0,0,0,0,0])',
  'g = f1()',
  'q = [0.0, g]',
  'q[0] = 0.5',
  'movej(q)',
  'servoj([0, 0])',
  'f1(',
  'movej([0, 0], r=0.1)',
];
const SIGNS = [
  '(',
  ')',
  '[',
  ']',
  ',',
  '=',
  '==',
  ':',
  '-',
  '+',
  '*',
  '/',
  '%',
  '"',
  '#',
  '\n',
  '\\',
  ' ',
  '.',
  '0',
  '9',
  '<',
];

/** Returns the text with a few random changes of lines, words or characters. */
export function mutated(text: string, below: Below): string {
  let lines = text.split('\n');
  for (let n = 1 + below(4); n > 0; n--) {
    const at = below(lines.length);
    const indent = /^ */.exec(lines[at])![0];
    const kind = below(8);
    if (kind === 0) lines.splice(at, 1);
    else if (kind === 1) lines.splice(at, 0, lines[below(lines.length)]);
    else if (kind === 2) lines.splice(at, 0, `${indent}${LINES[below(LINES.length)]}`);
    else if (kind === 3) {
      const other = below(lines.length);
      [lines[at], lines[other]] = [lines[other], lines[at]];
    } else if (kind === 4) {
      const words = [...lines[at].matchAll(/\w+/g)];
      const word = words[below(Math.max(1, words.length))];
      if (word !== undefined)
        lines[at] =
          lines[at].slice(0, word.index) + WORDS[below(WORDS.length)] + lines[at].slice(word.index + word[0].length);
    } else if (kind === 5) lines[at] = lines[at].replace(/\d+/, String(below(4)));
    else {
      const place = below(lines[at].length + 1);
      lines[at] = lines[at].slice(0, place) + SIGNS[below(SIGNS.length)] + lines[at].slice(place + below(2));
    }
    lines = lines.join('\n').split('\n');
    if (lines.length === 0) lines = [''];
  }
  return lines.join('\n');
}
