import { assert, test } from 'vitest';
import { create } from '../../../src/core/math/transform.ts';
import type { ProgramMove } from '../../../src/core/scene/moves/moveProgram.ts';
import { InputError } from '../../../src/errors.ts';
import type { ScriptRobot } from '../../../src/formats/trajectories/urscript/scriptArm.ts';
import { readMoveExecutions } from '../../../src/formats/trajectories/urscriptReader.ts';
import { cases } from '../../cases.ts';
import { generator } from '../../fuzz/mutate.ts';
import type { Below } from './urscriptPrograms.ts';
import { Halted, Machine, type Num, randomSemantics, type Value } from './urscriptTypedMachine.ts';

type Expression = { readonly text: string; readonly value: (machine: Machine) => Value };
type Statement = { readonly lines: readonly string[]; readonly run: (machine: Machine) => unknown };

/** Shifted, so that values of few digits and their rounding errors have the same text. */
const shown = (value: number): string => (value + 1.3e-4).toFixed(2);

/** Numbers that are assigned and compared: of a few values, so that readings differ. */
const INTEGERS = [0, 1, 2, 3, 4, 5, 7, -1, -3];
const FLOATS = [0.5, 1.75, 2.5, -0.5, -1.25, 3.25, 1];

const FUNCTIONS = [
  ...['half(given): ', '  return given / 2', 'end'],
  ...['third(given=0.5): ', '  given = 4', '  return given / 3', 'end'],
  ...['whole(given=1):', '  return given', 'end'],
  ...['floats(given=[0.5, 0.5]):', '  return given', 'end'],
].map((line) => (line.includes(':') ? `def ${line}` : line));
const CALLS: Readonly<Record<string, (m: Machine, given: Num) => Value>> = {
  half: (m, given) => m.binary('/', given, m.number(2, true)),
  third: (m) => m.binary('/', m.parameter(m.number(4, true), false) as Num, m.number(3, true)),
  whole: (m, given) => m.parameter(given, true),
  floor: (m, given) => m.number(Math.floor(given.v), true),
};

type Kind = 'number' | 'list' | 'matrix' | 'pose';
const NAMES: readonly [name: string, kind: Kind][] = [
  ...['n', 'x', 'k', 'n', 'x', 'k'].map((name): [string, Kind] => [name, 'number']),
  ...['q', 'r', 's', 'q'].map((name): [string, Kind] => [name, 'list']),
  ...[['w', 'matrix'] as [string, Kind], ['t', 'pose'] as [string, Kind]],
];

/** Writes random programs. */
class Writer {
  private readonly known = new Map<string, Kind>();

  constructor(private readonly below: Below) {}

  private one<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  private named(kinds: readonly Kind[]): string | undefined {
    const names = [...this.known].filter(([, kind]) => kinds.includes(kind)).map(([name]) => name);
    return names.length > 0 ? this.one(names) : undefined;
  }

  number(depth = 0): Expression {
    const die = this.below(20);
    if (die < 6 && depth < 2) {
      const op = this.one(['/', '/', '/', '+', '-', '*', '%']);
      const [a, b] = [this.number(depth + 1), this.number(depth + 1)];
      return { text: `(${a.text} ${op} ${b.text})`, value: (m) => m.binary(op, a.value(m) as Num, b.value(m) as Num) };
    }
    if (die < 8 && depth < 2) {
      const [call, given] = [this.one(Object.keys(CALLS)), this.number(depth + 1)];
      return { text: `${call}(${given.text})`, value: (m) => CALLS[call](m, given.value(m) as Num) };
    }
    const name = die < 15 ? this.named(die < 11 ? ['list', 'pose'] : ['number']) : undefined;
    if (name !== undefined && die >= 11) return { text: name, value: (m) => m.read(name) };
    if (name !== undefined) {
      const at = String(this.below(2));
      return { text: `${name}[${at}]`, value: (m) => m.at(m.read(name), m.number(Number(at), true)) };
    }
    const isInt = this.below(2) === 0;
    const v = this.one(isInt ? INTEGERS : FLOATS);
    const text = isInt ? String(v) : v.toFixed(2);
    return { text: v < 0 ? `(${text})` : text, value: (m) => m.number(v, isInt) };
  }

  private of(kind: Kind): Expression {
    if (kind === 'number') return this.number();
    const die = this.below(8);
    const [name, matrix] = [this.named(['list']), this.named(['matrix'])];
    if (kind === 'list' && die < 3 && name !== undefined)
      return die < 2
        ? { text: name, value: (m) => m.read(name) }
        : { text: `floats(${name})`, value: (m) => m.parameter(m.read(name), false) };
    if (kind === 'list' && die === 3 && matrix !== undefined)
      return { text: `${matrix}[1]`, value: (m) => m.at(m.read(matrix), m.number(1, true)) };
    const items = [0, 1].map(() => (kind === 'matrix' ? this.of('list') : this.number()));
    const text = items.map((one) => one.text).join(', ');
    if (kind === 'pose')
      return {
        text: `p[${text}, 0, 0, 0, 0]`,
        value: (m) => items.map((one) => (m.by.staysIntInPose ? one.value(m) : m.asFloats(one.value(m)))),
      };
    return {
      text: `[${text}]`,
      value: (m) =>
        m.list(
          items.map((one) => one.value(m)),
          m.by.staysIntInList,
        ),
    };
  }

  move(): Statement {
    const ends = [this.number(), this.number()];
    return {
      lines: [`movej([${ends[0].text}, ${ends[1].text}])`],
      run: (m) => m.moves.push(ends.map((one) => shown((one.value(m) as Num).v)).join()),
    };
  }

  private assignment(): Statement {
    const [name, kind] = this.one(NAMES);
    const set = (value: Expression): Statement => ({
      lines: [`${name} = ${value.text}`],
      run: (m) => (kind === 'pose' ? m.values.set(name, value.value(m)) : m.assign(name, value.value(m))),
    });
    const [first, other] = [set(this.of(kind)), set(this.of(kind))];
    this.known.set(name, kind);
    if (this.below(4) > 0) return first;
    return {
      lines: ['if get_digital_in(0):', `  ${first.lines[0]}`, 'else:', `  ${other.lines[0]}`, 'end'],
      run: (m) => (m.below(2) === 0 ? first : other).run(m),
    };
  }

  statement(): Statement {
    const die = this.below(8);
    const [value, at, list] = [this.number(), this.below(2), this.named(['list'])];
    if (die < 5) return this.assignment();
    if (die === 5 && list !== undefined)
      return { lines: [`${list}[${at}] = ${value.text}`], run: (m) => m.assignElement(list, at, value.value(m)) };
    if (die === 6) return this.move();
    const [limit, move] = [this.one([0.25, 0.7, 1.1, 1.6, 2.2]), this.move()];
    return {
      lines: [`if ${value.text} > ${limit}:`, `  ${move.lines[0]}`, 'end'],
      run: (m) => (value.value(m) as Num).v > limit && move.run(m),
    };
  }
}

/** Returns a program: statements, and a loop without end or a last move. */
function randomProgram(below: Below): Statement {
  const writer = new Writer(below);
  const statements = (count: number) => Array.from({ length: count }, () => writer.statement());
  const [first, others] = [statements(2 + below(5)), [...statements(1 + below(3)), writer.move()]];
  const isLoop = below(3) === 0;
  const indented = (list: readonly Statement[]) => list.flatMap(({ lines }) => lines.map((line) => `  ${line}`));
  const end = isLoop ? ['  while True:', ...indented(others).map((line) => `  ${line}`), '  end'] : indented(others);
  return {
    lines: ['def p():', ...FUNCTIONS.map((line) => `  ${line}`), ...indented(first), ...end, 'end', ''],
    run: (m) => {
      for (const one of first) one.run(m);
      for (let n = isLoop ? 4 : 1; n > 0; n--) for (const one of others) one.run(m);
    },
  };
}

const robot = {
  model: { dof: 2, variables: [{ name: 'a' }, { name: 'b' }], links: [] },
  frame: { link: 0, T_link_frame: create() },
  start: Float64Array.of(97, 89),
  endOf: (_: unknown, { joints }: ProgramMove) => joints,
} as unknown as ScriptRobot;

const motionsOf = (moves: readonly string[]) => moves.map((to, i) => `${moves[i - 1] ?? 'start'} to ${to}`);

/** Returns the motions by one semantics, up to an error. */
function executed(program: Statement, machine: Machine): string[] {
  try {
    program.run(machine);
  } catch (error) {
    if (!(error instanceof Halted)) throw error;
  }
  return motionsOf(machine.moves);
}

test('each motion by a typed semantics that no manual excludes is one of the executions', () => {
  const count = Number(process.env.ELBOWROOM_SCRIPTS ?? cases(4_000));
  let [compared, several] = [0, 0];
  for (let seed = 0; seed < count; seed++) {
    const below = generator(11, seed);
    const program = randomProgram(below);
    const text = program.lines.join('\n');
    let found: Set<string>;
    try {
      const executions = readMoveExecutions(text, 'p.script', robot);
      const positions = executions.map((one) =>
        one.program.moves.map(({ joints }) => Array.from(joints!, shown).join()),
      );
      found = new Set(positions.flatMap(motionsOf));
      several += Number(executions.length > 1);
    } catch (error) {
      assert.instanceOf(error, InputError, text);
      continue;
    }
    compared++;
    for (let k = 0; k < 16; k++) {
      const machine = new Machine(randomSemantics(below), below);
      for (const motion of executed(program, machine))
        assert.isTrue(found.has(motion), `seed ${seed}: ${motion} by ${JSON.stringify(machine.by)}\n${text}`);
    }
  }
  assert.isAbove(compared, count / 10);
  assert.isAbove(several, count / 10);
}, 600_000);
