// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of xacro have the same syntax
import { readFileSync } from 'node:fs';
import { assert, describe, test } from 'vitest';
import { InputError } from '../../../../src/errors.ts';
import { expandXacro, readXacro } from '../../../../src/formats/robots/xacro/xacro.ts';
import { memoryFiles } from '../memoryFiles.ts';

type Texts = Readonly<Record<string, string>>;

const wrapped = (body: string) => `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n${body}\n</robot>`;

/** Expands a body and returns it without declaration, root and line ends. */
async function expanded(body: string, files: Texts = {}, args: Texts = {}): Promise<string> {
  const { text } = await expandXacro(wrapped(body), '/r.xacro', { args, files: memoryFiles(files) });
  return text
    .replace(/^<\?xml.*\?>\n<robot name="r"[^>]*>|<\/robot>\n$/g, '')
    .replace(/\n\s*/g, '')
    .replace(/^\/>$/, '');
}

async function refusal(body: string, files: Texts = {}): Promise<InputError> {
  const error = await expanded(body, files).catch((cause: unknown) => cause);
  assert.instanceOf(error, InputError, `accepted: ${String(error)}`);
  return error as InputError;
}

/** Bodies with what ROS xacro (branch ros2, commit 9d05b0e) makes of them. */
const expansions: readonly (readonly [string, string, string])[] = [
  [
    'properties are evaluated when they are used',
    '<xacro:property name="b" value="${2*a}"/><xacro:property name="a" value="3"/><x v="${b}"/>',
    '<x v="6"/>',
  ],
  [
    'a property that was used keeps its value',
    '<xacro:property name="a" value="1"/><xacro:property name="b" value="${a}"/><x v="${b}"/><xacro:property name="a" value="2"/><x v="${b} ${a}"/>',
    '<x v="1"/><x v="1 2"/>',
  ],
  [
    'lazy_eval="false" evaluates at once',
    '<xacro:property name="a" value="1"/><xacro:property name="b" value="${a}" lazy_eval="false"/><xacro:property name="a" value="2"/><x v="${b}"/>',
    '<x v="1"/>',
  ],
  [
    'default defines only what is missing',
    '<xacro:property name="a" default="1"/><xacro:property name="a" default="2"/><x v="${a}"/>',
    '<x v="1"/>',
  ],
  [
    'quotes keep a parameter a text, but not a property that is evaluated later',
    `<xacro:macro name="m" params="a b"><x v="\${a + '2'} \${b + 2}"/></xacro:macro><xacro:m a="'1'" b="1"/><xacro:property name="c" value="'1'"/><x v="\${c + 2}"/>`,
    '<x v="12 3"/><x v="3"/>',
  ],
  ['numbers with underscores are text', '<xacro:property name="a" value="1_0"/><x v="${a + \'\'}"/>', '<x v="1_0"/>'],
  [
    'a removed property can be defined by default',
    '<xacro:property name="a" value="1"/><xacro:property name="a" remove="true"/><xacro:property name="a" default="2"/><x v="${a}"/>',
    '<x v="2"/>',
  ],
  [
    'single expressions keep their type',
    '<xacro:property name="l" value="${[1, 2]}"/><xacro:property name="t" value="${l} "/><x v="${len(l)} ${len(t)}"/>',
    '<x v="2 7"/>',
  ],
  ['$$ writes a dollar', '<x v="$${a} $$(b) $$$${c} $5 $"/>', '<x v="${a} $(b) $$${c} $5 $"/>'],
  [
    'macros have defaults, also of expressions and quoted text',
    `<xacro:macro name="m" params="a b:=\${1 + 1} c='x y' d:=z"><x v="\${a},\${b},\${c},\${d}"/></xacro:macro><xacro:m a="1"/><xacro:m a="1" d="" b="5"/>`,
    '<x v="1,2,x y,z"/><x v="1,5,x y,"/>',
  ],
  [
    '^ passes on a property of the caller',
    '<xacro:macro name="m" params="a:=^ b:=^|7"><x v="${a} ${b}"/></xacro:macro><xacro:property name="a" value="1"/><xacro:m/><xacro:property name="b" value="2"/><xacro:m a="3"/>',
    '<x v="1 7"/><x v="3 2"/>',
  ],
  [
    'properties of a macro stay inside',
    '<xacro:property name="a" value="1"/><xacro:macro name="m" params=""><xacro:property name="a" value="2"/><x v="${a}"/></xacro:macro><xacro:m/><x v="${a}"/>',
    '<x v="2"/><x v="1"/>',
  ],
  [
    'scope parent and global',
    '<xacro:macro name="m" params="a"><xacro:property name="b" value="${a}" scope="parent"/><xacro:property name="c" value="${a}" scope="global"/></xacro:macro><xacro:macro name="n" params=""><xacro:m a="5"/><x v="${b}"/></xacro:macro><xacro:n/><x v="${c}"/>',
    '<x v="5"/><x v="5"/>',
  ],
  [
    'blocks: an element, and the content of an element',
    '<xacro:macro name="m" params="*p **q"><x><xacro:insert_block name="q"/><xacro:insert_block name="p"/></x></xacro:macro><xacro:m><o v="${1+1}"/><any><a/><b/></any></xacro:m>',
    '<x><a/><b/><o v="2"/></x>',
  ],
  [
    'a block is evaluated in the scope of the caller',
    '<xacro:property name="a" value="1"/><xacro:macro name="m" params="a *p"><xacro:insert_block name="p"/></xacro:macro><xacro:m a="2"><x v="${a}"/></xacro:m>',
    '<x v="1"/>',
  ],
  [
    'blocks of properties are evaluated where they are inserted',
    '<xacro:property name="p"><x v="${a}"/></xacro:property><xacro:property name="a" value="4"/><y><xacro:insert_block name="p"/></y>',
    '<y><x v="4"/></y>',
  ],
  [
    'macros may be redefined and call themselves',
    '<xacro:macro name="m" params="i"><x v="${i}"/><xacro:if value="${i > 1}"><xacro:m i="${i - 1}"/></xacro:if></xacro:macro><xacro:m i="2"/><xacro:macro name="m" params="i"><y/></xacro:macro><xacro:m i="1"/>',
    '<x v="2"/><x v="1"/><y/>',
  ],
  [
    'conditions',
    `<xacro:if value="true"><a/></xacro:if><xacro:if value="0"><b/></xacro:if><xacro:unless value="\${[]}"><c/></xacro:unless><xacro:if value="\${'a' in 'ab'}"><d/></xacro:if>`,
    '<a/><c/><d/>',
  ],
  [
    'names of elements, attributes and macros',
    '<xacro:property name="n" value="m"/><xacro:macro name="m" params="a"><x v="${a}"/></xacro:macro><xacro:call macro="${n}" a="1"/><xacro:element xacro:name="y${1}" b="2"/><z><xacro:attribute name="c${2}" value="${3}"/></z>',
    '<x v="1"/><y1 b="2"/><z c2="3"/>',
  ],
  [
    'arguments: given ones before defaults',
    '<xacro:arg name="a" default="0"/><xacro:arg name="b" default="$(arg a)1"/><x v="$(arg a) $(arg b) ${xacro.arg(\'a\')}"/>',
    '<x v="5 51 5"/>',
  ],
  [
    'substitutions',
    '<x a="$(find parts)/m" b="$(env SIDE)" c="$(optenv NO x y)" d="$(eval 1 + a * 2)" e="$(dirname)" f="$(find ${\'parts\'})"/>',
    '<x a="/parts/m" b="left" c="x y" d="11" e="/home/" f="/parts"/>',
  ],
  [
    'texts are evaluated, CDATA and comments are not',
    '<x>a${1+1}</x><y><![CDATA[${1}]]></y><!-- ${nothing} -->',
    '<x>a2</x><y>${1}</y>',
  ],
  [
    'attributes of xacro and its namespace are left out',
    '<x xacro:note="${nothing}" xmlns:xacro="x" v="1"/>',
    '<x v="1"/>',
  ],
  ['special characters survive', '<x v="&lt;&amp;&quot;&gt;${\'&lt;\'}"/>', '<x v="&lt;&amp;&quot;&gt;&lt;"/>'],
];

describe('expansion', () => {
  test.each(expansions)('%s', async (_, body, result) => {
    assert.equal(await expanded(body, {}, { a: '5' }), result);
  });

  test('an include by pattern includes the files that match, in the order of their names', async () => {
    const part = (name: string) => `<robot><${name}/></robot>`;
    const files = {
      '/sub/part_b.xacro': part('b'),
      '/sub/part_a.xacro': part('a'),
      '/sub/part_10.xacro': part('ten'),
      '/sub/.part_c.xacro': part('hidden'),
      '/sub/other.xacro': part('other'),
      '/sub/deep/part_d.xacro': part('deep'),
    };
    assert.equal(await expanded('<xacro:include filename="sub/part_*.xacro"/>', files), '<ten/><a/><b/>');
    assert.equal(await expanded('<xacro:include filename="sub/part_[!b].xacro"/>', files), '<a/>');
    assert.equal(await expanded('<xacro:include filename="/sub/part_??.xacro"/>', files), '<ten/>');
    assert.match((await refusal('<xacro:include filename="package://no/*.xacro"/>')).message, /"no" is not known/);
    const none = { args: {}, files: memoryFiles(files) };
    const { warnings } = await expandXacro(wrapped('<xacro:include filename="sub/no_*"/>'), '/r.xacro', none);
    assert.match(warnings.join(), /no file matches "sub\/no_\*"/);
  });

  test('included files share or separate their names', async () => {
    const files = {
      '/sub/a.xacro':
        '<robot xmlns:xacro="x" xmlns:g="y"><xacro:include filename="b.xacro"/><xacro:property name="p" value="1"/></robot>',
      '/sub/b.xacro': '<any xmlns:xacro="x"><xacro:macro name="m" params="v"><x v="${v} ${p}"/></xacro:macro></any>',
    };
    const shared = '<xacro:include filename="sub/a.xacro"/><xacro:m v="0"/>';
    assert.equal(await expanded(shared, files), '<x v="0 1"/>');
    const separate =
      '<xacro:property name="p" value="9"/><xacro:include filename="sub/a.xacro" ns="s"/><xacro:s.m v="${s.p + p}"/>';
    assert.equal(await expanded(separate, files), '<x v="10 1"/>');
    assert.match(
      (await refusal('<xacro:include filename="sub/a.xacro" ns="s"/><xacro:m v="0"/>', files)).note,
      /"s\.m"/,
    );
    assert.equal(await expanded('<xacro:include filename="none.xacro" optional="true"/><y/>', files), '<y/>');
  });

  test('YAML is read as PyYAML does: y is a name, 1e3 and 010 are what they are there', async () => {
    const yaml =
      'y: 1\nn: {on: yes}\nf: [1e3, 1.0e+3, 010, 0x1f, 1_000, ~, "1", 1:30]\nbase: &b {u: 1, v: 2}\nmore: {<<: *b, v: 3}\na: !degrees 90\nr: !radians pi / 2\n';
    const body = `<xacro:property name="d" value="\${xacro.load_yaml('d.yaml')}"/><x v="\${d.y} \${d.n[True]} \${d.f} \${d.more.u} \${d.more.v} \${d.a == d.r == pi / 2}"/>`;
    assert.equal(
      await expanded(body, { '/d.yaml': yaml }),
      `<x v="1 True ['1e3', 1000.0, 8, 31, 1000, None, '1', 90] 1 3 True"/>`,
    );
  });

  test('paths are relative to the file that is processed, or else to the file that holds them', async () => {
    const files = {
      '/sub/a.xacro': `<robot xmlns:xacro="x"><xacro:property name="d" value="\${xacro.load_yaml('d.yaml')}"/><xacro:macro name="m"><x v="\${xacro.load_yaml('d.yaml')}"/></xacro:macro></robot>`,
      '/sub/d.yaml': '1',
    };
    assert.equal(await expanded('<xacro:include filename="sub/a.xacro"/><xacro:m/>', files), '<x v="1"/>');
  });

  test('the file of the fixtures becomes the robot that it describes', async () => {
    const folder = new URL('../../../fixtures/xacro/', import.meta.url);
    const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
    const files = Object.fromEntries(
      ['arm_macro.xacro', 'gripper.xacro', 'limits.yaml'].map((file) => [`/x/${file}`, read(file)]),
    );
    const reading = { geometry: 'collision', args: { prefix: 'l_' }, files: memoryFiles(files) } as const;
    const { tree, links, packages } = await readXacro(read('arm.urdf.xacro'), '/x/arm.urdf.xacro', reading);
    assert.deepEqual(
      tree.joints.map(({ name }) => name),
      ['l_joint_1', 'l_joint_2', 'l_joint_3', 'l_palm_joint', 'l_left_finger_joint', 'l_right_finger_joint'],
    );
    const [first, second] = tree.joints;
    // numbers of limits.yaml; 0.8 = 2 × half_height
    assert.deepEqual(
      [first.lower, first.velocity, first.effort, first.axis],
      [(-170 * Math.PI) / 180, 1.5, 33, [0, 0, 1]],
    );
    assert.deepEqual([second.lower, second.upper, second.velocity, second.axis], [-Math.PI / 2, 1.5, 2, [0, 1, 0]]);
    assert.deepEqual(first.origin.xyz, [0, 0, 0.8]);
    assert.equal(tree.joints[5].mimic?.joint, 'l_left_finger_joint');
    assert.deepEqual(
      links.find(({ name }) => name === 'l_link_3')!.collisions.map(({ shape }) => shape!.type),
      ['cylinder', 'sphere'],
    );
    assert.deepEqual(packages, { parts: '/parts' });
  });
});

/** Bodies with the line of the error (the first line of the body is 2) and words of its message. */
const refusals: readonly (readonly [string, number, RegExp])[] = [
  ['<link/>\n<x v="${lenght}"/>', 3, /"lenght" is not defined/],
  ['<x v="${1 +"/>', 2, /invalid expression/],
  ['<xacro:weel/>', 2, /no macro "weel"/],
  ['<xacro:macro name="m" params="a"/>\n<xacro:m b="1"/>', 3, /macro "m" has no parameter "b"/],
  ['<xacro:macro name="m" params="a b"/>\n<xacro:m/>', 3, /macro "m": "a", "b" have no value/],
  ['<xacro:macro name="m" params="*a"/>\n<xacro:m/>', 3, /needs the block "a"/],
  ['<xacro:macro name="m"/>\n<xacro:m><x/></xacro:m>', 3, /takes no block <x>/],
  ['<xacro:macro name="m" params="a:=^"/>\n<xacro:m/>', 3, /no property "a" to pass on/],
  ['<xacro:insert_block name="p"/>', 2, /no block "p"/],
  ['<xacro:if value="maybe"/>', 2, /"maybe" is neither true nor false/],
  ['<xacro:if value="${1.5}x"/>', 2, /"1.5x", which is neither/],
  [
    '<xacro:property name="a" value="${b}"/>\n<xacro:property name="b" value="${a}"/>\n<x v="${a}"/>',
    4,
    /needs the property itself; in property "b"/,
  ],
  ['<xacro:property name="a b" value="1"/>', 2, /"a b" cannot be the name of a property/],
  ['<xacro:property name="__a" value="1"/>', 2, /two underscores/],
  ['<xacro:property name="a" value="1" default="2"/>', 2, /exclude each other/],
  ['<xacro:arg name="a"/>', 2, /<xacro:arg> has no default/],
  ['<x v="$(arg no)"/>', 2, /argument "no" has no value/],
  ['<x v="$(nothing a)"/>', 2, /unknown substitution "nothing"/],
  ['<x v="$(env NO)"/>', 2, /variable NO is not set/],
  ['<x v="$(eval a__b)"/>', 2, /two underscores/],
  ['<xacro:include filename="$(find none)/a.xacro"/>', 2, /package "none" is not known/],
  ['<xacro:include filename="no.xacro"/>', 2, /no\.xacro: there is no such file/],
  ['<xacro:include filename="*/a.xacro"/>', 2, /the name of a folder cannot be a pattern/],
  ['<xacro:macro name="call"/>', 2, /name "call"/],
  ['<xacro:macro name="a.b"/>', 2, /dot in its name/],
  ['<xacro:element xacro:name="a b"/>', 2, /"a b" cannot be the name of an element/],
  [
    '<xacro:macro name="m" params="i"><xacro:m i="${i + 1}"/></xacro:macro>\n<xacro:m i="0"/>',
    2,
    /more than 300 deep; in macro "m", called at \/r\.xacro:2.*… 2\d\d more.*called at \/r\.xacro:3/,
  ],
  [
    '<xacro:macro name="m" params="*p"><xacro:m><xacro:insert_block name="p"/></xacro:m></xacro:macro>\n<xacro:m><x/></xacro:m>',
    2,
    /300 deep/,
  ],
];

describe('a broken file is refused with its line', () => {
  test.each(refusals)('%s', async (body, line, message) => {
    const error = await refusal(body);
    assert.match(error.message, message);
    assert.isTrue(error.message.startsWith(`/r.xacro:${line}: `), error.message);
  });

  test('through macros and included files', async () => {
    const files = {
      '/i.xacro': '<robot xmlns:xacro="x">\n<xacro:macro name="m">\n<y v="${no}"/></xacro:macro></robot>',
    };
    const { message } = await refusal('<xacro:include filename="i.xacro"/>\n<xacro:m/>', files);
    assert.equal(message, '/i.xacro:3: ${no}: the name "no" is not defined; in macro "m", called at /r.xacro:3');
    const inside = await refusal('\n<xacro:include filename="i.xacro"/>', {
      '/i.xacro': '<robot>\n\n<x v="${no}"/></robot>',
    });
    assert.match(inside.message, /^\/i\.xacro:3: .*; in the file \/i\.xacro, included at \/r\.xacro:3$/);
    const broken = await refusal('<xacro:include filename="i.xacro"/>', { '/i.xacro': '<robot>\n<x></robot>' });
    assert.match(broken.message, /^\/i\.xacro:2: this is not well-formed XML.*read by \/r\.xacro:2/);
    const nameless = await refusal(`<x v="\${xacro.load_yaml('')}"/>`, {});
    assert.include(nameless.message, 'the name of the file is empty');
    const yaml = await refusal(`<x v="\${xacro.load_yaml('d.yaml')}"/>`, { '/d.yaml': 'a: 1\nb: !meters 3\n' });
    assert.match(yaml.message, /^\/d\.yaml:2: unknown tag !meters.*read by \/r\.xacro:2/);
  });

  test('files that include each other', async () => {
    const files = {
      '/a.xacro': '<robot xmlns:xacro="x"><xacro:include filename="b.xacro"/></robot>',
      '/b.xacro': '<robot xmlns:xacro="x">\n<xacro:include filename="a.xacro"/></robot>',
    };
    const { message } = await refusal('<xacro:include filename="a.xacro"/>', files);
    assert.match(message, /^\/b\.xacro:2: the file includes itself: \/r\.xacro → \/a\.xacro → \/b\.xacro → \/a\.xacro/);
  });

  test('what grows without bound, before it takes memory', async () => {
    const doubling = Array.from(
      { length: 40 },
      (_, i) => `<xacro:macro name="m${i + 1}"><xacro:m${i}/><xacro:m${i}/></xacro:macro>`,
    );
    const { message } = await refusal(`<xacro:macro name="m0"><x/></xacro:macro>${doubling.join('')}<xacro:m40/>`);
    assert.match(message, /too large: it needs more than 5,000,000 steps/);
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x]',
      ...'bcdefgh'.split('').map((name, i) => `${name}: &${name} [${Array(8).fill(`*${'abcdefg'[i]}`).join(', ')}]`),
    ];
    const aliases = await refusal(`<x v="\${xacro.load_yaml('d.yaml')}"/>`, { '/d.yaml': bomb.join('\n') });
    assert.match(aliases.message, /too large/);
    const loop = await refusal(`<x v="\${xacro.load_yaml('d.yaml')}"/>`, { '/d.yaml': '&a [*a]' });
    assert.match(loop.message, /nested more than 100 deep|not defined/);
  });

  test('errors of the URDF name the line of the xacro file', async () => {
    const files = {
      '/i.xacro':
        '<robot xmlns:xacro="x">\n<xacro:macro name="m">\n<link name="a"><collision><geometry>\n<box size="1 0 1"/></geometry></collision></link></xacro:macro></robot>',
    };
    const text = wrapped('<xacro:include filename="i.xacro"/>\n<xacro:m/>');
    const reading = { geometry: 'collision', args: {}, files: memoryFiles(files) } as const;
    const error: unknown = await readXacro(text, '/r.xacro', reading).catch((cause: unknown) => cause);
    assert.match((error as InputError).message, /^\/i\.xacro:4: link "a": size of the box is 1 0 1/);
  });
});

test('merged keys of YAML come first, own keys and the first of several mappings replace their values', async () => {
  const yaml = 'a: &a {q: 1, w: 2}\nb: &b {w: 3, e: 4}\nc: {w: 5, <<: *a}\nd: {r: 6, <<: [*a, *b]}';
  const body = "<x v=\"${xacro.load_yaml('d.yaml').c} ${xacro.load_yaml('d.yaml').d}\"/>";
  assert.equal(await expanded(body, { '/d.yaml': yaml }), `<x v="{'q': 1, 'w': 5} {'w': 2, 'e': 4, 'q': 1, 'r': 6}"/>`);
  const refused = await refusal('<x v="${xacro.load_yaml(\'d.yaml\')}"/>', { '/d.yaml': 'a: 1\nb: {<<: 3}' });
  assert.include(refused.message, 'd.yaml:2: << needs a mapping');
});

test('texts are split from the right, and widths of formats are arguments', async () => {
  const body = `<x v="\${'a b  c'.rsplit(None, 1)} \${'a,b,c'.rsplit(',', 1)} \${'%*d|%-*s|' % (4, 7, 3, 'x')}"/>`;
  assert.equal(await expanded(body), `<x v="['a b', 'c'] ['a,b', 'c']    7|x  |"/>`);
});
