/**
 * A second interpreter of URScript, with which the reader is compared. It shares no code with it and uses another
 * method: statements are lines, a program counter jumps between them, and expressions are split as text at the operator
 * of lowest precedence. It executes a plain subset and throws for the rest. By the script manual, variables of the
 * first level are global, and others are global if a global variable has their name.
 */
export interface Executed {
  readonly name: string;
  readonly positions: readonly number[];
  readonly t: number;
  /** Blend radius. */
  readonly r: number;
}

type Datum = number | boolean | string | Datum[] | Pose | undefined;
class Pose {}
class Halt extends Error {}

/** Thrown for a program that is too long, or endless, with the moves so far. */
export class TooLong extends Error {
  moves: readonly Executed[] = [];
}

interface Line {
  readonly text: string;
  /** Index of the line that opens or closes the block, or of its next branch. */
  opener: number;
  next: number;
  end: number;
}

type Variables = Map<string, Datum>;

const IGNORED =
  /^(stopj|stopl|sleep|sync|popup|textmsg|set_(standard_|configurable_|tool_)?digital_out|set_(standard_)?analog_out|set_tool_voltage|set_tcp|set_payload(_mass|_cog)?)$/;
const ORDER: Readonly<Record<string, readonly string[]>> = {
  movej: ['q', 'a', 'v', 't', 'r'],
  servoj: ['q', 'a', 'v', 't', 'lookahead_time', 'gain'],
};

/**
 * @param input returns the next value of an input, below 1
 * @param budget limit of lines and expressions
 */
export function executed(text: string, input?: () => number, budget?: number): Executed[] {
  const machine = new Machine(linesOf(text), input, budget);
  try {
    machine.run();
  } catch (error) {
    if (error instanceof TooLong) error.moves = machine.moves;
    throw error;
  }
  return machine.moves;
}

/** Returns true if a program moves through these positions; of an endless one, up to the limit of the interpreter. */
export function isExecutedAs(text: string, found: readonly (readonly number[])[]): boolean {
  const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  try {
    return isEqual(positionsOf(executed(text)), found);
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    const positions = positionsOf(error.moves);
    const known = transitions(found);
    const isPrefix = isEqual(found.slice(0, positions.length), positions.slice(0, found.length));
    return isPrefix && [...transitions(positions)].every((one) => known.has(one));
  }
}

const positionsOf = (moves: readonly Executed[]) => moves.map(({ positions }) => positions);

/** Returns the moves, from one position to the next. */
const transitions = (positions: readonly (readonly number[])[]) =>
  new Set(positions.map((to, i) => `${positions[i - 1]} to ${to}`));

/** Splits a text into statements: without comments, continued lines joined. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let pending = '';
  for (const raw of text.split(/\r?\n/)) {
    const bare = raw.replace(/("[^"]*")|#.*/g, (_, quoted) => quoted ?? '');
    pending += bare;
    if (/\\$/.test(pending)) {
      pending = `${pending.slice(0, -1)} `;
      continue;
    }
    if (depthAt(pending, pending.length) > 0) {
      pending += ' ';
      continue;
    }
    const line = pending.trim();
    pending = '';
    if (line !== '' && !line.startsWith('$')) lines.push({ text: line, opener: -1, next: -1, end: -1 });
  }
  if (pending.trim() !== '') throw new Error('cut short');
  return linked(lines);
}

function linked(lines: Line[]): Line[] {
  const open: number[] = [];
  for (const [i, line] of lines.entries()) {
    const [word] = /^\w*/.exec(line.text)!;
    if (word === 'else' || word === 'elif' || word === 'end') {
      const last = open.at(-1);
      if (last === undefined) throw new Error(`${word} without its beginning`);
      lines[last].next = i;
      line.opener = last;
      open.pop();
      if (word !== 'end') open.push(i);
      else
        for (let j = i; j >= 0; j = /^(else|elif|end)\b/.test(lines[j].text) ? lines[j].opener : -1) lines[j].end = i;
      let first = last;
      while (word === 'end' && /^(else|elif)\b/.test(lines[first].text)) first = lines[first].opener;
      if (word === 'end') lines[first].end = i;
      if (word === 'end') line.opener = first;
    } else if (/^(def|if|while)$/.test(word)) open.push(i);
  }
  if (open.length > 0) throw new Error('no end');
  return lines;
}

/** Counts the open brackets before a position; those in strings do not count. */
function depthAt(text: string, place: number): number {
  const code = text.slice(0, place).replace(/"[^"]*("|$)/g, '');
  return code.replace(/[^[(]/g, '').length - code.replace(/[^\])]/g, '').length;
}

class Machine {
  readonly moves: Executed[] = [];
  private readonly globals: Variables = new Map();
  private readonly functions = new Map<string, number>();

  constructor(
    private readonly lines: readonly Line[],
    private readonly input?: () => number,
    private budget = 200_000,
  ) {}

  run(): void {
    const { lines } = this;
    const outer = lines.filter((_, i) => !lines.some((line, j) => /^def\b/.test(line.text) && j <= i && i <= line.end));
    const whole = outer.length === 0 && lines[0]?.end === lines.length - 1;
    if (outer.length === 0 && !whole) throw new Error('which one is the program?');
    try {
      this.execute(whole ? 1 : 0, whole ? lines.length - 1 : lines.length, this.globals);
    } catch (error) {
      if (!(error instanceof Halt)) throw error;
    }
  }

  /** Executes the lines [from, to). Returns the value of a return statement. */
  private execute(from: number, to: number, variables: Variables): Datum {
    for (let at = from; at < to; ) {
      if (--this.budget < 0) throw new TooLong('too long');
      const line = this.lines[at];
      const { text } = line;
      const [word] = /^\w*/.exec(text)!;
      if (word === 'def') {
        this.functions.set(/^def\s+(\w+)/.exec(text)![1], at);
        at = line.end + 1;
      } else if (word === 'if' || word === 'elif') {
        // An elif that is reached sequentially follows a taken branch; `branch` jumps only to candidates.
        at = this.branch(at, variables);
      } else if (word === 'else') at = line.end;
      else if (word === 'while') at = this.truth(text.slice(5, -1), variables) ? at + 1 : this.after(line.end, to);
      else if (word === 'end') at = /^while/.test(this.lines[line.opener].text) ? line.opener : at + 1;
      else if (word === 'break') at = this.after(this.lines[this.loopAround(at)].end, to);
      else if (word === 'continue') at = this.loopAround(at);
      else if (word === 'halt') throw new Halt();
      else if (word === 'return') return text === 'return' ? undefined : this.value(text.slice(6), variables);
      else {
        this.simple(text, variables);
        at = this.after(at, to);
      }
      if (word === 'end') while (at < to && /^(elif|else)\b/.test(this.lines[at].text)) at = this.lines[at].end;
    }
    return undefined;
  }

  /** Returns the line after a statement; at the end of a taken branch, that after all branches. */
  private after(last: number, to: number): number {
    let at = last + 1;
    while (at < to && /^(elif|else)\b/.test(this.lines[at].text)) at = this.lines[at].end;
    return at;
  }

  /** Returns the first line of the taken branch, or the end. */
  private branch(from: number, variables: Variables): number {
    let at = from;
    for (;;) {
      const { text, next } = this.lines[at];
      if (/^end\b/.test(text)) return at;
      const condition = /^(?:if|elif)\b(.*):$/.exec(text)?.[1];
      if (condition === undefined || this.truth(condition, variables)) {
        const first = at + 1;
        return first === next ? this.lines[at].end : first;
      }
      at = next;
    }
  }

  private loopAround(at: number): number {
    for (let i = at; i >= 0; i--) if (/^while\b/.test(this.lines[i].text) && this.lines[i].end > at) return i;
    throw new Error('no loop');
  }

  private truth(text: string, variables: Variables): boolean {
    const value = this.value(text, variables);
    if (typeof value !== 'boolean') throw new Error('not a truth value');
    return value;
  }

  private simple(text: string, variables: Variables): void {
    const [, scope, name, index, right] =
      /^(?:(global|local)\s+)?([A-Za-z_]\w*)\s*(?:\[(.*?)\])?\s*=(?!=)(.*)$/s.exec(text) ?? [];
    if (name === undefined) {
      this.value(text, variables);
      return;
    }
    const value = copied(this.value(right, variables));
    const isLocal = variables.has(name) || scope === 'local' || (scope !== 'global' && !this.globals.has(name));
    const place = isLocal ? variables : this.globals;
    if (index === undefined) place.set(name, value);
    else (place.get(name) as Datum[])[this.value(index, variables) as number] = value;
  }

  private value(given: string, variables: Variables): Datum {
    const text = given.trim();
    if (--this.budget < 0) throw new TooLong('too long');
    for (const operators of [/^(or|xor)\b/, /^and\b/]) {
      const at = lastOperator(text, operators, /\s|\)/);
      if (at > 0) return this.binary(text, at, /^\w+/.exec(text.slice(at))![0], variables);
    }
    if (/^not\b/.test(text)) return !this.truth(text.slice(3), variables);
    for (const operators of [/^([=!<>]=|[<>])/, /^[-+]/, /^[*/%]/]) {
      const at = lastOperator(text, operators, /[\w\s)\].]/);
      if (at > 0) return this.binary(text, at, operators.exec(text.slice(at))![0], variables);
    }
    if (text.startsWith('-')) return 0 - (this.value(text.slice(1), variables) as number);
    if (text.startsWith('+')) return this.value(text.slice(1), variables);
    return this.atom(text, variables);
  }

  private binary(text: string, at: number, op: string, variables: Variables): Datum {
    const a = this.value(text.slice(0, at), variables) as number;
    const b = this.value(text.slice(at + op.length), variables) as number;
    if (op === 'and') return Boolean(a) && Boolean(b);
    if (op === 'or') return Boolean(a) || Boolean(b);
    if (op === 'xor') return Boolean(a) !== Boolean(b);
    if (op === '==') return a === b;
    if (op === '!=') return a !== b;
    if (op === '<') return a < b;
    if (op === '<=') return a <= b;
    if (op === '>') return a > b;
    if (op === '>=') return a >= b;
    if (op === '+') return a + b;
    if (op === '-') return a - b;
    if (op === '*') return a * b;
    return op === '/' ? a / b : a % b;
  }

  private atom(text: string, variables: Variables): Datum {
    if (/^(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return Number(text);
    if (/^"[^"]*"$/.test(text)) return text.slice(1, -1);
    if (text === 'True' || text === 'False') return text === 'True';
    if (text === 'pi' && !variables.has('pi')) return Math.PI;
    if (/^\(.*\)$/s.test(text)) return this.value(text.slice(1, -1), variables);
    if (/^p\s*\[.*\]$/s.test(text)) {
      for (const part of parts(text.replace(/^p\s*\[|\]$/g, ''))) this.value(part, variables);
      return new Pose();
    }
    if (/^\[.*\]$/s.test(text)) return parts(text.slice(1, -1)).map((part) => this.value(part, variables));
    const [, name, inside] = /^([A-Za-z_]\w*)\s*\((.*)\)$/s.exec(text) ?? [];
    if (name !== undefined) return this.call(name, parts(inside), variables);
    const [, list, index] = /^(.*)\[([^[]*)\]$/s.exec(text) ?? [];
    if (list !== undefined) return (this.value(list, variables) as Datum[])[this.value(index, variables) as number];
    const place = variables.has(text) ? variables : this.globals;
    if (!place.has(text)) throw new Error(`${text} has no value`);
    return place.get(text);
  }

  private call(name: string, given: readonly string[], variables: Variables): Datum {
    const at = this.functions.get(name);
    const head = at === undefined ? '' : /\((.*)\)\s*:$/s.exec(this.lines[at].text)![1];
    const defaults = parts(head).map((part) => part.split('=').map((piece) => piece.trim()));
    const order = at === undefined ? (ORDER[name] ?? []) : defaults.map(([parameter]) => parameter);
    const values: Variables = new Map();
    for (const [i, part] of given.entries()) {
      const [, parameter, right] = /^\s*([A-Za-z_]\w*)\s*=(?!=)(.*)$/s.exec(part) ?? [];
      values.set(parameter ?? order[i] ?? `argument ${i}`, copied(this.value(right ?? part, variables)));
    }
    if (at === undefined) return this.builtin(name, values);
    for (const [parameter, text] of defaults)
      if (!values.has(parameter)) values.set(parameter, this.value(text, new Map()));
    return this.execute(at + 1, this.lines[at].end, values);
  }

  private builtin(name: string, values: Variables): Datum {
    const [first] = values.values();
    if (name === 'movej' || name === 'servoj') {
      const t = (values.get('t') as number | undefined) ?? 0.002;
      const r = (values.get('r') as number | undefined) ?? 0;
      this.moves.push({ name, positions: values.get('q') as number[], t, r });
      if (r !== 0 && !this.input) throw new Error('a blend');
      return undefined;
    }
    if (IGNORED.test(name)) return undefined;
    if (this.input && name === 'get_digital_in') return this.input() < 0.5;
    if (this.input && name === 'get_analog_in') return this.input();
    if (name === 'd2r') return ((first as number) * Math.PI) / 180;
    if (name === 'floor') return Math.floor(first as number);
    if (name === 'ceil') return Math.ceil(first as number);
    if (name === 'sqrt') return Math.sqrt(first as number);
    if (name === 'length' || name === 'get_list_length') return (first as Datum[]).length;
    throw new Error(`${name} is unknown`);
  }
}

const copied = (value: Datum): Datum => (Array.isArray(value) ? value.map(copied) : value);

/**
 * Returns the index of the last operator outside of brackets and strings that follows the end of an operand; 0 if there
 * is none.
 */
function lastOperator(text: string, operators: RegExp, before: RegExp): number {
  for (let at = text.length - 1; at > 0; at--) {
    if (!operators.test(text.slice(at)) || !before.test(text[at - 1])) continue;
    if (/[=!<>]/.test(text[at]) && /[=!<>]/.test(text[at - 1])) continue;
    if (depthAt(text, at) !== 0 || (text.slice(0, at).match(/"/g)?.length ?? 0) % 2 === 1) continue;
    const left = text.slice(0, at).trimEnd();
    if (/[-+*/%<>=]$/.test(left) || /\b(and|or|xor|not)$/.test(left)) continue; // a sign
    // an exponent
    if (/[\d.]e$/i.test(left) && left.length === at && /(^|[^\w.])(\d+\.?\d*|\.\d+)e$/i.test(left)) continue;
    return at;
  }
  return 0;
}

/** Splits a text at commas outside of brackets and strings. */
function parts(text: string): string[] {
  if (text.trim() === '') return [];
  const list: string[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const isEnd = at === text.length;
    if (!isEnd && (text[at] !== ',' || depthAt(text, at) > 0)) continue;
    if (!isEnd && (text.slice(0, at).match(/"/g)?.length ?? 0) % 2 === 1) continue;
    list.push(text.slice(from, at));
    from = at + 1;
  }
  return list;
}
