// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of xacro have the same syntax
import { assert, describe, test } from 'vitest';
import { InputError } from '../../../../src/errors.ts';
import { expandXacro } from '../../../../src/formats/robots/xacro/xacro.ts';
import { memoryFiles } from '../memoryFiles.ts';

const wrapped = (body: string) => `<robot xmlns:xacro="http://www.ros.org/wiki/xacro">${body}</robot>`;

/** An included file with a property, macros, and a property that is evaluated on first use. */
const included = wrapped(
  [
    '<xacro:property name="a" value="inner"/><xacro:property name="lazy" value="${a}${b}"/>',
    '<xacro:macro name="m" params="v:=5"><x v="${v}" a="${a}"/></xacro:macro>',
    '<xacro:macro name="by_default" params="v:=${a}"><x v="${v}"/></xacro:macro>',
    '<xacro:macro name="forward" params="a:=^"><x v="${a}"/></xacro:macro>',
    '<xacro:macro name="block" params="*p"><xacro:insert_block name="p"/></xacro:macro>',
    '<xacro:macro name="up" params=""><xacro:property name="b" value="up" scope="parent"/></xacro:macro>',
    '<xacro:macro name="top" params=""><xacro:property name="b" value="top" scope="global"/></xacro:macro>',
    '<xacro:macro name="helped" params=""><xacro:m v="${a}"/></xacro:macro>',
  ].join(''),
);

const start =
  '<xacro:property name="a" value="outer"/><xacro:property name="b" value="1"/><xacro:include filename="i.xacro" ns="n"/>';

async function expanded(body: string): Promise<string> {
  const files = memoryFiles({ '/i.xacro': included });
  const { text } = await expandXacro(wrapped(body), '/r.xacro', { args: {}, files });
  return text.replace(/^<\?xml.*\?>\n<robot[^>]*>|<\/robot>\n$/g, '').replace(/\n\s*/g, '');
}

/** Bodies after `start`, with what ROS xacro 2.1.1 makes of them. */
const expansions: readonly (readonly [string, string, string])[] = [
  ['arguments of a macro in a namespace are values of the caller', '<xacro:n.m v="${a}"/>', '<x v="outer" a="inner"/>'],
  ['so are its defaults', '<xacro:n.by_default/>', '<x v="outer"/>'],
  ['so are the properties that it passes on', '<xacro:n.forward/>', '<x v="outer"/>'],
  ['so are its blocks', '<xacro:n.block><y v="${a}"/></xacro:n.block>', '<y v="outer"/>'],
  ['its body sees the macros and properties of the namespace', '<xacro:n.helped/>', '<x v="inner" a="inner"/>'],
  [
    'scope="parent" of a macro in a namespace defines in the scope around the namespace',
    '<xacro:n.up/><x v="${b} ${n.b}"/>',
    '<x v="up up"/>',
  ],
  [
    'scope="global" defines outside all macros and namespaces',
    '<xacro:n.top/><x v="${b} ${n.b}"/>',
    '<x v="top top"/>',
  ],
  [
    'properties of a namespace are evaluated there, on first use',
    '<xacro:property name="b" value="2"/><x v="${n.lazy} ${n.a} ${n.b}"/>',
    '<x v="inner2 inner 2"/>',
  ],
  ['names of a namespace do not enter the file that includes it', '<x v="${a}"/>', '<x v="outer"/>'],
  [
    'scope="global" at the top evaluates at once',
    '<xacro:property name="c" value="${b}" scope="global"/><xacro:property name="b" value="2"/><x v="${c}"/>',
    '<x v="1"/>',
  ],
  [
    'a default can be defined in another scope',
    '<xacro:macro name="q" params=""><xacro:property name="c" default="${b}" scope="global"/></xacro:macro><xacro:q/><x v="${c}"/>',
    '<x v="1"/>',
  ],
  [
    'a default in the parameters of a macro is evaluated at each call',
    '<xacro:property name="c" value="${b}"/><xacro:macro name="q" params="v:=${c}"/><xacro:q v="0"/><xacro:property name="b" value="2"/><x v="${c}"/>',
    '<x v="1"/>',
  ],
  [
    'a missing property that is removed becomes an empty block',
    '<xacro:property name="c" remove="true"/><y><xacro:insert_block name="c"/></y>',
    '<y/>',
  ],
  [
    'remove takes a property out of all scopes',
    '<xacro:macro name="q" params="a"><xacro:property name="a" remove="true"/><xacro:property name="a" default="new"/><x v="${a}"/></xacro:macro><xacro:q a="1"/><xacro:property name="a" default="gone"/><x v="${a}"/>',
    '<x v="new"/><x v="gone"/>',
  ],
];

describe('scopes', () => {
  test.each(expansions)('%s', async (_, body, result) => {
    assert.equal(await expanded(start + body), result);
  });

  test('an attribute that hides a property of a namespace in Python is refused', async () => {
    const error: unknown = await expanded(`${start}<x v="\${n.parent}"/>`).catch((cause: unknown) => cause);
    assert.instanceOf(error, InputError);
    assert.include((error as Error).message, '"parent" of a namespace is not its property');
  });

  test('there is no scope around the global one', async () => {
    const error: unknown = await expanded('<xacro:property name="a" value="1" scope="parent"/>').catch(
      (cause: unknown) => cause,
    );
    assert.instanceOf(error, InputError);
    assert.include((error as Error).message, 'no scope around the global one');
  });
});
