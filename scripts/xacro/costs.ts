// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of xacro have the same syntax
import { mathModule } from '../../src/formats/python/mathModule.ts';
import { commonBuiltins, deprecatedBuiltins, moreBuiltins } from '../../src/formats/python/pyBuiltins.ts';
import { methodsByType } from '../../src/formats/python/pyMethods.ts';
import { PyFunction } from '../../src/formats/python/pyValues.ts';
import { readXacro } from '../../src/formats/robots/xacro/xacro.ts';

/** A robot that takes work or memory: its text, and further files by name. */
export interface Costly {
  readonly name: string;
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Properties with large values. */
const OPERANDS: Readonly<Record<string, string>> = {
  s: "${'a' * 8000000}",
  t: "${'a' * 7999999 + 'b'}",
  m: "${'a' * 4000}",
  w: "${'a ' * 200000}",
  z: "${'\\n' * 200000}",
  n: '${2 ** 1000}',
  l: '${[0] * 500000}',
  k: "${['a' * 4000] * 1000}",
  d: '${dict(python.zip(range(200000), range(200000)))}',
  r: '${range(1000000000000)}',
  q: '${[[[0] * 100] * 100] * 100}',
};

const SMALL = ["'a'", '0', '3', "','", "' '", "'%s'", '[]', 'str', 'float', '2000000'];

const OPERATORS = '+ - * / // % ** << >> & | ^ == != < in is'.split(' ');

const wrapped = (body: string) =>
  `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n${body}\n<link name="base"/>\n</robot>`;

/** Returns a robot that evaluates an expression a million times, keeps the results, and compares them with nothing. */
function repeated(name: string, expression: string): Costly {
  const used = Object.entries(OPERANDS).filter(([operand]) => new RegExp(`\\b${operand}\\b`).test(expression));
  const properties = used.map(([operand, value]) => `<xacro:property name="${operand}" value="${value}"/>`);
  const loop = `<link name="l_\${len([${expression.replaceAll('&', '&amp;').replaceAll('<', '&lt;')} for _ in range(1000000)])}"/>`;
  return { name, text: wrapped([...properties, loop].join('\n')), files: {} };
}

/** Each function and method of the evaluator's tables with each large operand, alone, twice and with small ones. */
export function expressionCases(): Costly[] {
  const functions = [...commonBuiltins, ...deprecatedBuiltins, ...moreBuiltins].map(({ name }) => `python.${name}`);
  const maths = Object.entries(mathModule).flatMap(([name, value]) =>
    value instanceof PyFunction ? [`math.${name}`] : [],
  );
  const ownFunctions = ['dotify', 'tokenize', 'message', 'warning', 'error', 'fatal', 'arg', 'abs_filename'];
  const operands = Object.keys(OPERANDS);
  const calls = operands.map((operand) => `python.map(str, ${operand})`);
  for (const name of [...functions, ...maths, ...ownFunctions.map((own) => `xacro.${own}`)]) {
    for (const operand of operands) calls.push(`${name}(${operand})`, `${name}(${operand}, ${operand})`);
  }
  for (const [type, operandsOfType] of [
    ['str', 'stmwz'],
    ['list', 'lkq'],
    ['dict', 'd'],
  ] as const) {
    for (const name of Object.keys(methodsByType[type])) {
      for (const self of operandsOfType) {
        calls.push(`${self}.${name}()`);
        for (const other of [...operands, ...SMALL])
          calls.push(`${self}.${name}(${other})`, `${self}.${name}(${other}, ${other})`);
        calls.push(`'a'.${name}(${self})`, `'a'.${name}(${self}, 2000000)`, `m.${name}('a', ${self})`);
      }
    }
  }
  for (const operator of OPERATORS) {
    for (const operand of operands) {
      calls.push(`${operand} ${operator} ${operand}`, `'%s' ${operator} ${operand}`);
      for (const small of ["'b'", '3', 't', 'str(s)'])
        calls.push(`${operand} ${operator} ${small}`, `${small} ${operator} ${operand}`);
    }
  }
  for (const operand of operands) {
    calls.push(
      `${operand}[0]`,
      `${operand}[::-1]`,
      `${operand}[-1:]`,
      `dict(a=1).get(${operand})`,
      `dict([(${operand}, 1)])`,
    );
    calls.push(
      `[v for v in ${operand}]`,
      `[*${operand}]`.replace('[*', 'max(*').replace(']', ')'),
      `(${operand}, ${operand}) == (t, t)`,
      `-${operand}`,
      `not ${operand}`,
    );
  }
  return [...new Set(calls)].map((call) => repeated(call, call));
}

/** Robots whose structure, files or texts grow. */
export function structureCases(): Costly[] {
  const chain = (count: number, first: string, next: (i: number) => string) =>
    [
      `<xacro:property name="p0" value="${first}"/>`,
      ...Array.from({ length: count }, (_, i) => `<xacro:property name="p${i + 1}" value="${next(i)}"/>`),
    ].join('\n');
  const big = `<xacro:property name="s" value="\${'x' * 1000000}"/>`;
  const macro = (name: string, params: string, body: string) =>
    `<xacro:macro name="${name}" params="${params}">${body}</xacro:macro>`;
  const nested = (depth: number, body: string) => `${'<a>'.repeat(depth)}${body}${'</a>'.repeat(depth)}`;
  const loop = (count: number, body: string) =>
    `${macro('loop', 'i', `${body}<xacro:if value="\${i > 0}"><xacro:loop i="\${i - 1}"/></xacro:if>`)}${Array.from({ length: Math.ceil(count / 200) }, () => '<xacro:loop i="200"/>').join('')}`;
  const yaml = (text: string) => ({ '/d.yaml': text });
  const use = '<link name="l_${len(str(xacro.load_yaml(\'d.yaml\')))}"/>';
  const keys = Array.from({ length: 100_000 }, (_, i) => `k${i}: 1`).join(', ');
  const cases: [string, string, Readonly<Record<string, string>>?][] = [
    ['a million elements', '<a/>'.repeat(1_000_000)],
    ['190,000 elements', '<a/>'.repeat(190_000)],
    ['elements of a macro', `${macro('m', '', '<a x="1" y="2" z="3"/>'.repeat(1000))}${'<xacro:m/>'.repeat(1000)}`],
    [
      'doubling macros',
      `${macro('m0', '', '<x/>')}${Array.from({ length: 40 }, (_, i) => macro(`m${i + 1}`, '', `<xacro:m${i}/><xacro:m${i}/>`)).join('')}<xacro:m40/>`,
    ],
    ['large attributes', `${big}${'<a x="${s}"/>'.repeat(1000)}`],
    [
      'large attributes that are escaped',
      `<xacro:property name="s" value="\${'&quot;' * 1000000}"/>${'<a x="${s}"/>'.repeat(1000)}`,
    ],
    ['large texts', `${big}${'<a>${s}</a>'.repeat(1000)}`],
    ['large parameters', `${big}${macro('m', 'a', '')}${'<xacro:m a="${s}"/>'.repeat(10_000)}`],
    [
      'large properties',
      `${big}${Array.from({ length: 10_000 }, (_, i) => `<xacro:property name="p${i}" value="\${s}" lazy_eval="false"/>`).join('')}`,
    ],
    [
      'large digits',
      `<xacro:property name="s" value="\${'9' * 1000000}"/>${Array.from({ length: 10_000 }, (_, i) => `<xacro:property name="p${i}" value="\${s}x" lazy_eval="false"/>`).join('')}`,
    ],
    ['joined texts', `${big}${'<a x="${s}${s}${s}${s}"/>'.repeat(1000)}`],
    ['doubling texts', `${chain(60, 'x', (i) => `\${p${i}}\${p${i}}`)}<a x="\${p60}"/>`],
    ['doubling lists', `${chain(60, '${[0]}', (i) => `\${p${i} + p${i}}`)}<a x="\${len(p60)}"/>`],
    ['shared lists, printed', `${chain(60, '${[0]}', (i) => `\${[p${i}, p${i}]}`)}<a x="\${p60}"/>`],
    [
      'shared lists, compared',
      `${chain(60, '${[0]}', (i) => `\${[p${i}, p${i}]}`)}<a x="\${p60 == [p59, p59] and p60 == p59}"/>`,
    ],
    ['shared tuples as keys', `${chain(60, '${(1,)}', (i) => `\${(p${i}, p${i})}`)}<a x="\${dict([(p60, 1)])}"/>`],
    [
      'shared dictionaries, dotified',
      `${chain(60, '${dict(a=1)}', (i) => `\${dict(a=p${i}, b=p${i})}`)}<a x="\${xacro.dotify(p60)}"/>`,
    ],
    [
      'deep scopes',
      `${macro('m', 'i', `<xacro:if value="\${i > 0}"><xacro:m i="\${i - 1}"/></xacro:if><xacro:unless value="\${i > 0}"><a x="\${len([pi for _ in range(100000000)])}"/></xacro:unless>`)}<xacro:m i="140"/>`,
    ],
    [
      'deep macros with large bodies',
      `${macro('m', 'i', `${'<a/>'.repeat(1000)}<xacro:if value="\${i > 0}"><xacro:m i="\${i - 1}"/></xacro:if>`)}<xacro:m i="140"/>`,
    ],
    [
      'deep macros around many elements',
      `${macro('m', 'i', `<xacro:if value="\${i > 0}"><xacro:m i="\${i - 1}"/></xacro:if><xacro:unless value="\${i > 0}">${'<a/>'.repeat(50_000)}</xacro:unless>`)}<xacro:m i="140"/>`,
    ],
    [
      'deep elements',
      `${macro('m', 'i', nested(200, `<xacro:if value="\${i > 0}"><xacro:m i="\${i - 1}"/></xacro:if>`))}<xacro:m i="140"/>`,
    ],
    ['deep elements around many', nested(250, '<a/>'.repeat(150_000))],
    [
      'warnings',
      loop(300_000, '<a x="${xacro.warning(i)}${xacro.warning(-i)}"/>').replaceAll(
        'xacro.warning(',
        "xacro.warning('w', ",
      ),
    ],
    ['warnings of a list', `<a x="\${len([xacro.warning(i) for i in range(300000)])}"/>`],
    ['a large warning', `<xacro:property name="s" value="\${'x' * 60000000}"/><a x="\${xacro.warning(s)}"/>`],
    ['a large error', `<xacro:property name="s" value="\${'x' * 60000000}"/><a x="\${xacro.fatal(s)}"/>`],
    ['a large unknown key', `<xacro:property name="s" value="\${'x' * 1000000}"/><a x="\${dict(a=1)[s]}"/>`],
    [
      'similar long names',
      `${Array.from({ length: 300 }, (_, i) => `<xacro:property name="${'x'.repeat(5000)}${i}" value="1"/>`).join('')}<a x="\${${'x'.repeat(5000)}y}"/>`,
    ],
    [
      'similar long macros',
      `${Array.from({ length: 300 }, (_, i) => macro('x'.repeat(5000) + i, '', '')).join('')}<xacro:${'x'.repeat(5000)}y/>`,
    ],
    [
      'many names',
      `${Array.from({ length: 60_000 }, (_, i) => `<xacro:property name="name${i}" value="1"/>`).join('')}<a x="\${nane1}"/>`,
    ],
    ['a large name', `<xacro:property name="s" value="\${'x' * 1000000}"/><xacro:element xacro:name="\${s}"/>`],
    ['many parts', `<a x="${'$ $x'.repeat(1000)}"/>`.repeat(1000)],
    [
      'many comments and blanks',
      `${macro('m', '', `${' \n'.repeat(100_000)}<!-- x -->`.repeat(10))}${'<xacro:m/>'.repeat(10_000)}`,
    ],
    [
      'many unused parameters',
      `${macro('m', Array.from({ length: 2000 }, (_, i) => `a${i}:=1`).join(' '), '')}${'<xacro:m/>'.repeat(10_000)}`,
    ],
    [
      'macros defined often',
      macro('m', '', macro('n', Array.from({ length: 2000 }, (_, i) => `a${i}:=1`).join(' '), '')) +
        '<xacro:m/>'.repeat(10_000),
    ],
    [
      'many blocks',
      `${macro('m', '*b', '<xacro:insert_block name="b"/>'.repeat(100))}<xacro:m><a>${'<b/>'.repeat(10_000)}</a></xacro:m>`,
    ],
    [
      'a file included often',
      '<xacro:include filename="i.xacro"/>'.repeat(10_000),
      { '/i.xacro': `<robot xmlns:xacro="x"><!--${'x'.repeat(1_000_000)}-->${'<a/>'.repeat(1000)}</robot>` },
    ],
    [
      'a file of macros included often',
      '<xacro:include filename="i.xacro"/>'.repeat(10_000),
      { '/i.xacro': `<robot xmlns:xacro="x">${macro('m', 'a b c', '').repeat(1000)}</robot>` },
    ],
    [
      'a file of blanks included often',
      '<xacro:include filename="i.xacro"/>'.repeat(10_000),
      { '/i.xacro': `<robot>${' '.repeat(10_000_000)}</robot>` },
    ],
    ['a large file of text', `<a>${'x'.repeat(15_000_000)}</a>`],
    ['a large comment', `<!--${'x'.repeat(15_000_000)}-->`],
    [
      'YAML, merges',
      use,
      yaml(`a: &a {${keys}}\n${Array.from({ length: 300 }, (_, i) => `m${i}: {<<: *a}`).join('\n')}`),
    ],
    ['YAML, a large list', use, yaml(`[${'1, '.repeat(1_000_000)}1]`)],
    ['YAML, a large mapping', use, yaml(`{${keys}}`)],
    ['YAML, many small lists', use, yaml('- [[], [], [], []]\n'.repeat(100_000))],
    [
      'YAML, aliases',
      use,
      yaml(
        [
          'a: &a [x, x, x, x, x, x, x, x]',
          ...'bcdefghijkl'
            .split('')
            .map((name, i) => `${name}: &${name} [${Array(8).fill(`*${'abcdefghijkl'[i]}`).join(', ')}]`),
        ].join('\n'),
      ),
    ],
    ['YAML, many aliases', use, yaml(`- &a [1]\n${'- *a\n'.repeat(150_000)}`)],
    ['YAML, a large text', use, yaml(`a: ${'x'.repeat(3_900_000)}`)],
    [
      'YAML, loaded often',
      '<a x="${len([xacro.load_yaml(\'d.yaml\') for _ in range(100000)])}"/>',
      yaml(`{${keys.slice(0, 10_000)}}`),
    ],
    ['YAML, angles', use, yaml(Array.from({ length: 30_000 }, (_, i) => `- !degrees ${i} * 2`).join('\n'))],
  ];
  return cases.map(([name, body, files = {}]) => ({ name, text: wrapped(body), files }));
}

/** Reads a robot from files in memory. Returns what came of it: `read`, or the message of the refusal. */
export async function outcomeOf({ text, files }: Costly): Promise<string> {
  const access = {
    resolve: (address: string) => (address.startsWith('/') ? address : `/${address}`),
    exists: (file: string) => Object.hasOwn(files, file),
    readText: (file: string) => files[file],
    inSources: () => undefined,
    fileNames: () => '',
    packageFolder: () => undefined,
    absoluteFolder: () => '/',
    workingFolder: '/',
    environment: () => undefined,
  };
  try {
    await readXacro(text, '/r.xacro', { geometry: 'collision', args: {}, files: access });
    return 'read';
  } catch (error) {
    if ((error as Error).name !== 'InputError') throw error;
    return (error as Error).message;
  }
}
