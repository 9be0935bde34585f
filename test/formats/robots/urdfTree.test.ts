import { assert, describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { robotAllowedPairs } from '../../../src/core/scene/allowedCollisions.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { PlainElement } from '../../../src/formats/text/domGlobals.ts';
import { describeRobot } from '../../../src/tasks/robots/describeRobot.ts';
import { cases } from '../../cases.ts';
import { collision, limit, robot } from './robotTexts.ts';

interface Edge {
  readonly parent: string;
  readonly child: string;
  readonly axis: readonly number[] | undefined;
}

const escaped = (name: string) => name.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
const jointText = ({ parent, child, axis }: Edge) =>
  `<joint type="revolute" name="${escaped(`to ${child}`)}"><child link="${escaped(child)}"/>${limit}` +
  `${axis ? `<axis xyz="${axis.join('  ')}"/>` : ''}<parent link="${escaped(parent)}"/></joint>`;
const loaded = async (text: string) => buildRobot(await readUrdf(text, 'r.urdf'), new Map());

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random.next() * (i + 1));
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}

/**
 * Creates a random tree, in random order. Names include properties of every object, numbers, and text that needs
 * escaping.
 */
function randomTree(random: Random): { links: string[]; edges: Edge[]; root: string } {
  const odd = ['__proto__', 'constructor', 'toString', '0', '1', '-1', 'a"b]', 'x<&>', 'länk', ' padded '];
  const count = 1 + Math.floor(random.next() * 40);
  const names = shuffled([...odd, ...Array.from({ length: count }, (_, i) => `l${i}`)], random).slice(0, count);
  const deep = random.next() < 0.5;
  const edges = names.slice(1).map((child, i): Edge => {
    const parent = names[deep ? i : Math.floor(random.next() * (i + 1))];
    const axis = [random.next() - 0.5, random.next(), 3 * random.next()];
    return { parent, child, axis: random.next() < 0.2 ? undefined : axis };
  });
  return { links: shuffled(names, random), edges: shuffled(edges, random), root: names[0] };
}

describe('loadTree', () => {
  test('random trees are loaded as they were written, whatever their order', async () => {
    const random = new Random(23);
    for (let round = 0; round < cases(200); round++) {
      const { links, edges, root } = randomTree(random);
      const description = await loaded(
        robot(
          ...shuffled([...links.map((name) => `<link name="${escaped(name)}"/>`), ...edges.map(jointText)], random),
        ),
      );
      assert.equal(description.root, root);
      assert.sameMembers([...description.links.map(({ name }) => name)], links);
      assert.equal(description.joints.length, edges.length);
      for (const { name, parent, child, axis } of description.joints) {
        const edge = edges.find((one) => `to ${one.child}` === name)!;
        assert.deepEqual([parent, child], [edge.parent, edge.child]);
        const [x, y, z] = edge.axis ?? [1, 0, 0];
        for (const [i, value] of [x, y, z].entries()) assert.closeTo(axis[i], value / Math.hypot(x, y, z), 1e-15);
      }
    }
  });

  test('joints of the model follow in the order of the file, except behind their parents', async () => {
    const random = new Random(24);
    for (let round = 0; round < cases(100); round++) {
      const { links, edges } = randomTree(random);
      const description = await loaded(
        robot(...links.map((name) => `<link name="${escaped(name)}"/>`), ...edges.map(jointText)),
      );
      const known = new Set([description.root]);
      const rest = [...edges];
      const expected: string[] = [];
      while (rest.length > 0) {
        const [edge] = rest.splice(
          rest.findIndex(({ parent }) => known.has(parent)),
          1,
        );
        known.add(edge.child);
        expected.push(edge.child);
      }
      const model = createRobotModel(description);
      expect(model.links.slice(1).map(({ name }) => name)).toEqual(expected);
      expect(model.joints.map(({ name }) => name)).toEqual(expected.map((child) => `to ${child}`));
    }
  });

  test('leaves the globals of a browser as they were', async () => {
    const globals = ['Document', 'Element'].map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    await loaded(robot('<link name="a"/>'));
    assert.deepEqual(
      ['Document', 'Element'].map((name) => Object.getOwnPropertyDescriptor(globalThis, name)),
      globals,
    );
  });

  test('a plain element supports one kind of selector', () => {
    assert.throws(() => new PlainElement('robot', new Map()).querySelector('link > child'), /supports only/);
  });
});

const LINKS = 3000;
const box = collision('<box size="0.01 0.01 0.01"/>');
const link = (i: number, inside = '') => `<link name="l${i}">${inside}</link>`;
const chainJoint = (i: number, inside = '') =>
  `<joint name="j${i}" type="revolute"><parent link="l${i}"/><child link="l${i + 1}"/>` +
  `<origin xyz="0 0 0.02"/>${limit}${inside}</joint>`;
const numbers = Array.from({ length: LINKS - 1 }, (_, i) => i);

// Quadratic algorithms would take 5 s to minutes for this many links; everything else takes about 1 s.
describe(`a chain of ${LINKS} links is read in near-linear time`, () => {
  test.each([
    ['in order', (joints: string[]) => joints, box],
    ['from the tip to the root', (joints: string[]) => joints.reverse(), box],
    ['without collision geometry but at its ends', (joints: string[]) => joints, ''],
  ])('%s', { timeout: 30_000 }, async (_name, order, inside) => {
    const links = [link(0, box), ...numbers.map((i) => link(i + 1, i === LINKS - 2 ? box : inside))];
    const description = await loaded(robot(...links, ...order(numbers.map((i) => chainJoint(i)))));
    const model = createRobotModel(description);
    expect(model.joints.map(({ name }) => name)).toEqual(numbers.map((i) => `j${i}`));
    const summary = await describeRobot(description);
    expect(summary.links.map(({ parent }) => parent)).toEqual([null, ...numbers.map((i) => `l${i}`)]);
    const pairs = robotAllowedPairs(description).list();
    const adjacent = inside === box ? numbers.map((i) => [`l${i}`, `l${i + 1}`]) : [['l0', `l${LINKS - 1}`]];
    expect(pairs.map(([a, b]) => [a, b]).sort()).toEqual(adjacent.sort());
  });

  test('with joints that mimic each other in a chain, and in a loop', { timeout: 30_000 }, async () => {
    const links = [0, ...numbers.map((i) => i + 1)].map((i) => link(i));
    const followers = numbers.map((i) => chainJoint(i, i > 0 ? `<mimic joint="j${i - 1}"/>` : ''));
    const model = createRobotModel(await loaded(robot(...links, ...followers)));
    expect(model.joints[LINKS - 2]).toMatchObject({ variable: 0, multiplier: 1, offset: 0 });
    const loop = numbers.map((i) => chainJoint(i, `<mimic joint="j${i < 10 ? (i + 3) % 10 : i - 1}"/>`));
    await expect(loaded(robot(...links, ...loop.reverse()))).rejects.toThrow(
      'joint "j9": these joints mimic each other: j9, j2, j5, j8, j1, j4, j7, j0, j3, j6',
    );
  });
});
