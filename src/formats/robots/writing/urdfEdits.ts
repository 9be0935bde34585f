import type { Calibration } from '../calibration/calibration.ts';
import { XacroElement, type XacroNode } from '../xacro/xacroTree.ts';
import type { StatedLimits } from './jointLimitsFile.ts';

/** A reference of a URDF to a file: a mesh of a link, or a texture of its appearance. */
export interface FileReference {
  /** Address as written. */
  readonly address: string;
  readonly line: number;
  /** Link that uses the file; empty for materials outside of links. */
  readonly link: string;
  /** True if it is a mesh of a `<collision>`. */
  readonly isCollision: boolean;
}

/** Lists the files that a URDF refers to, in the order of the file. */
export function fileReferences(root: XacroElement): FileReference[] {
  const found: FileReference[] = [];
  visit(root, '', false, found);
  return found;
}

function visit(element: XacroElement, link: string, isCollision: boolean, found: FileReference[]): void {
  const address = addressOf(element);
  if (address !== undefined) found.push({ address, line: element.place.line, link, isCollision });
  for (const child of element.elements()) {
    if (link === '' && child.name !== 'link' && child.name !== 'material') continue;
    const name = child.name === 'link' ? (child.attributes.get('name') ?? '') : link || ' ';
    visit(child, name, isCollision || child.name === 'collision', found);
  }
}

const addressOf = ({ name, attributes }: XacroElement): string | undefined =>
  name === 'mesh' || name === 'texture' ? attributes.get('filename')?.trim() : undefined;

/**
 * Returns the URDF with other addresses of files. A `<visual>` or `<texture>` whose file has no new address is left
 * out, but for a dot in a link that nothing else shows to have mass.
 * @param addresses new address of each address
 */
export function withAddresses(root: XacroElement, addresses: ReadonlyMap<string, string>): XacroElement {
  const edit = (element: XacroElement): XacroElement | undefined => {
    const address = addressOf(element);
    if (address !== undefined) {
      const given = addresses.get(address);
      return given === undefined
        ? undefined
        : changed(element, new Map(element.attributes).set('filename', given), element.children);
    }
    const children = element.children.map((child) => (child instanceof XacroElement ? edit(child) : child));
    const isLost = element.name === 'geometry' || element.name === 'visual';
    if (isLost && children.some((child, i) => child === undefined && isGeometry(element.children[i]))) return undefined;
    return changed(
      element,
      element.attributes,
      children.filter((child) => child !== undefined),
    );
  };
  const children = root.children.map((child) => {
    const isRead = child instanceof XacroElement && (child.name === 'link' || child.name === 'material');
    if (!isRead) return child;
    const edited = edit(child)!;
    return isMassUnknown(child) && !isMassUnknown(edited) ? withUnknownMass(edited) : edited;
  });
  return changed(root, root.attributes, children);
}

/** Returns true if a link is known to have mass by its visual geometry alone, as the reader of URDF decides. */
const isMassUnknown = (link: XacroElement): boolean =>
  has(link, 'visual') && !has(link, 'inertial') && !has(link, 'collision');

const has = (element: XacroElement, name: string): boolean => element.elements().some((child) => child.name === name);

/** Returns a link with a dot as visual geometry: readers then do not take it for a frame, which has no mass. */
export function withUnknownMass(link: XacroElement): XacroElement {
  const wrap = (name: string, child: XacroElement) => new XacroElement(name, new Map(), [child], link.place);
  const dot = new XacroElement('sphere', new Map([['radius', '0.001']]), [], link.place);
  return changed(link, link.attributes, [...link.children, wrap('visual', wrap('geometry', dot))]);
}

const isGeometry = (node: XacroNode): boolean =>
  node instanceof XacroElement && (node.name === 'mesh' || node.name === 'geometry');

/** Returns the URDF with other limits of joints; a joint without `<limit>` is given one. */
export function withStatedLimits(root: XacroElement, limits: ReadonlyMap<string, StatedLimits>): XacroElement {
  const children = root.children.map((child) => {
    if (!(child instanceof XacroElement) || child.name !== 'joint') return child;
    const stated = limits.get(child.attributes.get('name') ?? '');
    if (stated === undefined) return child;
    const pairs = Object.entries(stated).map(([key, value]): [string, string] => [key, String(value)]);
    const known = child.elements().find(({ name }) => name === 'limit');
    const limit = new XacroElement('limit', new Map([...(known?.attributes ?? []), ...pairs]), [], child.place);
    const others = child.children.map((one) => (one === known ? limit : one));
    return changed(child, child.attributes, known === undefined ? [...others, limit] : others);
  });
  return changed(root, root.attributes, children);
}

/** Returns the URDF with the origins of a calibration, whose hash the root states. */
export function withCalibration(root: XacroElement, { hash, origins }: Calibration): XacroElement {
  const children = root.children.map((child) => {
    if (!(child instanceof XacroElement) || child.name !== 'joint') return child;
    const stated = origins.get(child.attributes.get('name') ?? '');
    if (stated === undefined) return child;
    const pairs = Object.entries(stated).map(([key, values]): [string, string] => [key, values.join(' ')]);
    const origin = new XacroElement('origin', new Map(pairs), [], child.place);
    const others = child.children.filter((one) => !(one instanceof XacroElement && one.name === 'origin'));
    return changed(child, child.attributes, [origin, ...others]);
  });
  return changed(root, new Map(root.attributes).set('calibration', hash), children);
}

const changed = ({ name, place }: XacroElement, attributes: Map<string, string>, children: XacroNode[]): XacroElement =>
  new XacroElement(name, attributes, children, place);
