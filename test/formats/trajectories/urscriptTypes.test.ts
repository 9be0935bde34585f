import { assert, test } from 'vitest';
import { create } from '../../../src/core/math/transform.ts';
import type { ProgramMove } from '../../../src/core/scene/moves/moveProgram.ts';
import { InputError } from '../../../src/errors.ts';
import type { ScriptRobot } from '../../../src/formats/trajectories/urscript/scriptArm.ts';
import { readMoveExecutions } from '../../../src/formats/trajectories/urscriptReader.ts';
import { cases } from '../../cases.ts';
import { generator } from '../../fuzz/mutate.ts';

type Below = (below: number) => number;

/** A number of a controller with its type, or a list or pose of numbers. */
type Value = { readonly v: number; readonly isInt: boolean } | readonly Value[];
type Num = Exclude<Value, readonly Value[]>;

/** A typed semantics that no manual excludes. */
interface Semantics {
  /** Of integers: the quotient, and whether one without remainder is an integer beside fractions. */
  readonly quotient: Rounding | undefined;
  readonly isExactInt: boolean;
  /** Of variables with a type: what happens to a fraction in one of integers. Undefined: variables have no type. */
  readonly assigned: Rounding | undefined;
  /** Whether an integer that is assigned to a variable of floats, or is in a list of floats, remains one. */
  readonly staysInt: boolean;
  readonly staysIntInList: boolean;
  readonly isSingle: boolean;
}

type Rounding = (x: number) => number;

const even: Rounding = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
const away: Rounding = (x) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);
const ROUNDINGS: readonly (Rounding | undefined)[] = [undefined, Math.floor, Math.trunc, Math.round, even, away];

function randomSemantics(below: Below): Semantics {
  const isTrue = () => below(2) === 0;
  return {
    quotient: ROUNDINGS[below(6)],
    isExactInt: isTrue(),
    assigned: ROUNDINGS[below(6)],
    staysInt: isTrue(),
    staysIntInList: isTrue(),
    isSingle: isTrue(),
  };
}

type Environment = Map<string, Value>;
type Expression = { readonly text: string; readonly value: (machine: Machine) => Value };
type Statement = { readonly lines: readonly string[]; readonly run: (machine: Machine) => void };

/** Executes a program by one semantics. */
class Machine {
  readonly moves: string[] = [];
  private readonly values: Environment = new Map();
  private readonly isOfInts = new Map<string, boolean>();

  constructor(readonly by: Semantics) {}

  number(v: number, isInt: boolean): Num {
    return { v: this.by.isSingle && !isInt ? Math.fround(v) : v, isInt };
  }

  read(name: string): Value {
    const value = this.values.get(name);
    assert.isDefined(value, name);
    return value!;
  }

  assign(name: string, given: Value): void {
    const ints = this.isOfInts.get(name) ?? areInts(given);
    this.isOfInts.set(name, this.by.assigned === undefined ? areInts(given) : ints);
    this.values.set(name, this.converted(given, ints));
  }

  assignElement(name: string, index: number, given: Value): void {
    const list = [...(this.read(name) as readonly Value[])];
    const ints = this.isOfInts.get(name)!;
    list[index] = this.converted(given, ints);
    this.values.set(name, list);
  }

  list(items: readonly Value[]): Value {
    const isMixed = items.some((one) => !areInts(one));
    return isMixed && !this.by.staysIntInList ? items.map((one) => ({ ...(one as Num), isInt: false })) : items;
  }

  binary(op: string, a: Num, b: Num): Num {
    const isInt = a.isInt && b.isInt;
    if (op === '+') return this.number(a.v + b.v, isInt);
    if (op === '-') return this.number(a.v - b.v, isInt);
    if (op === '*') return this.number(a.v * b.v, isInt);
    const { quotient, isExactInt } = this.by;
    const v = a.v / b.v;
    if (!isInt) return this.number(v, false);
    if (quotient !== undefined) return this.number(quotient(v), true);
    return this.number(v, isExactInt && Number.isInteger(v));
  }

  private converted(given: Value, ints: boolean): Value {
    if (isList(given)) return given.map((one) => this.converted(one, ints));
    const { assigned, staysInt } = this.by;
    if (ints && !given.isInt) return assigned === undefined ? given : this.number(assigned(given.v), true);
    return !ints && given.isInt && !staysInt ? this.number(given.v, false) : given;
  }
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
const areInts = (value: Value): boolean => (isList(value) ? value.every(areInts) : value.isInt);

/** Shifted, so that values of few digits and their rounding errors have the same text. */
const shown = (value: number): string => (value + 1.3e-4).toFixed(2);

/** Numbers that are assigned and compared: of a few values, so that readings differ. */
const INTEGERS = [0, 1, 2, 3, 4, 5, 7, -1, -3];
const FLOATS = [0.5, 1.75, 2.5, -0.5, -1.25, 3.25, 1];

function expressionOf(below: Below, names: ReadonlyMap<string, boolean>, depth = 0): Expression {
  const one = <T>(list: readonly T[]) => list[below(list.length)];
  const die = below(10);
  if (die < 3 && depth < 2) {
    const op = one(['/', '/', '/', '+', '-', '*']);
    const [a, b] = [expressionOf(below, names, depth + 1), expressionOf(below, names, depth + 1)];
    return { text: `(${a.text} ${op} ${b.text})`, value: (m) => m.binary(op, a.value(m) as Num, b.value(m) as Num) };
  }
  if (die < 7 && names.size > 0) {
    const [name, isOfList] = one([...names]);
    const at = below(2);
    if (!isOfList) return { text: name, value: (m) => m.read(name) };
    return { text: `${name}[${at}]`, value: (m) => (m.read(name) as readonly Value[])[at] };
  }
  const isInt = below(2) === 0;
  const v = one(isInt ? INTEGERS : FLOATS);
  const text = isInt ? String(v) : v.toFixed(2);
  return { text: v < 0 ? `(${text})` : text, value: (m) => m.number(v, isInt) };
}

/** Returns a program of assignments, conditions and moves. */
function randomProgram(below: Below): readonly Statement[] {
  const names = new Map<string, boolean>();
  const numbers = () => new Map([...names].filter(([, isOfList]) => !isOfList));
  const statements: Statement[] = [];
  const expression = () => expressionOf(below, names);
  const moved = (a: Expression, b: Expression): Statement => ({
    lines: [`movej([${a.text}, ${b.text}])`],
    run: (m) => m.moves.push([a, b].map((one) => shown((one.value(m) as Num).v)).join()),
  });
  for (let i = 3 + below(6); i > 0; i--) {
    const die = below(7);
    const value = expression();
    if (die < 3) {
      const name = ['n', 'x', 'k'][below(3)];
      statements.push({ lines: [`${name} = ${value.text}`], run: (m) => m.assign(name, value.value(m)) });
      names.set(name, false);
    } else if (die === 3) {
      const [name, other] = [['q', 'r'][below(2)], expression()];
      statements.push({
        lines: [`${name} = [${value.text}, ${other.text}]`],
        run: (m) => m.assign(name, m.list([value.value(m), other.value(m)])),
      });
      names.set(name, true);
    } else if (die === 4 && names.get('q')) {
      const at = below(2);
      statements.push({ lines: [`q[${at}] = ${value.text}`], run: (m) => m.assignElement('q', at, value.value(m)) });
    } else if (die === 5 && numbers().size > 0) {
      const [name] = [...numbers().keys()];
      statements.push({
        lines: [`${name} = half(${value.text})`],
        run: (m) => m.assign(name, m.binary('/', value.value(m) as Num, m.number(2, true))),
      });
    } else {
      const [limit, move] = [[0.25, 0.7, 1.1, 1.6, 2.2][below(5)], moved(expression(), expression())];
      statements.push({
        lines: [`if ${value.text} > ${limit}:`, `  ${move.lines[0]}`, 'end'],
        run: (m) => (value.value(m) as Num).v > limit && move.run(m),
      });
    }
  }
  return [...statements, moved(expression(), expression())];
}

const robot = {
  model: { dof: 2, variables: [{ name: 'a' }, { name: 'b' }], links: [] },
  frame: { link: 0, T_link_frame: create() },
  start: Float64Array.of(9, 9),
  endOf: (_: unknown, { joints }: ProgramMove) => joints,
} as unknown as ScriptRobot;

const motionsOf = (moves: readonly string[]) => moves.map((to, i) => `${moves[i - 1] ?? 'start'} to ${to}`);

test('each motion by a typed semantics that no manual excludes is one of the executions', () => {
  const count = Number(process.env.ELBOWROOM_SCRIPTS ?? cases(20_000));
  let [compared, several] = [0, 0];
  for (let seed = 0; seed < count; seed++) {
    const below = generator(11, seed);
    const statements = randomProgram(below);
    const lines = statements.flatMap((one) => one.lines);
    const text = [
      'def p():',
      '  def half(given):',
      '    return given / 2',
      '  end',
      ...lines.map((one) => `  ${one}`),
      'end',
    ];
    let found: Set<string>;
    try {
      const executions = readMoveExecutions(`${text.join('\n')}\n`, 'p.script', robot);
      const positions = executions.map(({ program }) =>
        program.moves.map(({ joints }) => Array.from(joints!, shown).join()),
      );
      found = new Set(positions.flatMap(motionsOf));
      several += Number(executions.length > 1);
    } catch (error) {
      assert.instanceOf(error, InputError, text.join('\n'));
      continue;
    }
    compared++;
    for (let k = 0; k < 12; k++) {
      const machine = new Machine(randomSemantics(below));
      for (const one of statements) one.run(machine);
      for (const motion of motionsOf(machine.moves))
        assert.isTrue(
          found.has(motion),
          `seed ${seed}: ${motion} by ${JSON.stringify(machine.by)}\n${text.join('\n')}`,
        );
    }
  }
  assert.isAbove(compared, count / 10);
  assert.isAbove(several, count / 30);
}, 600_000);
