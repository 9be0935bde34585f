import { InputError } from '../errors.ts';
import { MOST_TRIANGLES } from './meshLimits.ts';
import { childrenOf, descendants, lineOf, type XmlElement } from './xmlDocument.ts';

/** Nodes that stand in the scene once those that are named several times are counted as often. */
const MOST_NODES = 100_000;

/** Nodes within nodes. */
const DEEPEST = 256;

/** What stands in the scene by way of an element. */
interface Weight {
  readonly nodes: number;
  readonly triangles: number;
}

const NONE: Weight = { nodes: 0, triangles: 0 };

/** A few nodes that name each other, or one mesh named by many, make a scene far larger than its file: it is counted before it is built. */
export function checkInstances(root: XmlElement, words: ReadonlyMap<XmlElement, number>, file: string): void {
  const weights = new Weights(root, words, file);
  for (const { element } of descendants(root)) {
    if (element.nodeName !== 'node') continue;
    const { nodes, triangles } = weights.of(element);
    const large =
      nodes > MOST_NODES ? `${MOST_NODES} nodes` : triangles > MOST_TRIANGLES ? `${MOST_TRIANGLES} triangles` : '';
    if (large === '') continue;
    throw new InputError(
      `${file}:${lineOf(element)}: this node stands for more than ${large}, as it names others`,
      'Export only what collision needs.',
    );
  }
}

class Weights {
  private readonly byId = new Map<string, XmlElement>();
  private readonly known = new Map<XmlElement, Weight>();
  private readonly open = new Set<XmlElement>();

  constructor(
    root: XmlElement,
    private readonly words: ReadonlyMap<XmlElement, number>,
    private readonly file: string,
  ) {
    for (const { element } of descendants(root)) {
      const id = element.getAttribute('id');
      const key = `${element.nodeName} ${id}`;
      if (id !== null && !this.byId.has(key)) this.byId.set(key, element);
    }
  }

  of(element: XmlElement): Weight {
    const known = this.known.get(element);
    if (known !== undefined) return known;
    if (this.open.has(element))
      throw new InputError(
        `${this.file}:${lineOf(element)}: this node leads back to itself`,
        'Nodes must form a tree.',
      );
    if (this.open.size > DEEPEST)
      throw new InputError(`${this.file}:${lineOf(element)}: nodes name nodes more than ${DEEPEST} deep`);
    this.open.add(element);
    let [nodes, triangles] = [1, 0];
    for (const child of childrenOf(element)) {
      const weight = this.ofChild(child);
      nodes += weight.nodes;
      triangles += weight.triangles;
    }
    this.open.delete(element);
    this.known.set(element, { nodes, triangles });
    return { nodes, triangles };
  }

  private ofChild(child: XmlElement): Weight {
    const named = (kind: string, attribute: string) =>
      this.byId.get(`${kind} ${child.getAttribute(attribute)?.slice(1)}`);
    switch (child.nodeName) {
      case 'node':
        return this.of(child);
      case 'instance_node':
        return this.ofNamed(named('node', 'url'));
      case 'instance_geometry':
        return this.ofGeometry(named('geometry', 'url'));
      case 'instance_controller':
        return this.ofNamed(named('controller', 'url'));
      case 'skin':
        return this.ofGeometry(named('geometry', 'source'));
      default:
        return NONE;
    }
  }

  private ofNamed(element: XmlElement | undefined): Weight {
    return element === undefined ? NONE : this.of(element);
  }

  /** Polygons make fewer triangles than they have corners; lines are taken for such. */
  private ofGeometry(geometry: XmlElement | undefined): Weight {
    if (geometry === undefined) return NONE;
    const known = this.known.get(geometry);
    if (known !== undefined) return known;
    let triangles = 0;
    for (const { element } of descendants(geometry)) {
      if (element.nodeName !== 'p') continue;
      const primitive = element.parentNode as XmlElement;
      const offsets = childrenOf(primitive, 'input').map((input) => Number(input.getAttribute('offset')));
      const corners = this.words.get(element)! / (1 + Math.max(0, ...offsets));
      triangles += primitive.nodeName === 'triangles' ? corners / 3 : corners;
    }
    this.known.set(geometry, { nodes: 1, triangles });
    return { nodes: 1, triangles };
  }
}
