import { InputError } from '../../errors.ts';
import { decodeNumbers } from '../text/fileText.ts';
import { descendants, parseXml, quote, type XmlElement } from '../text/xmlDocument.ts';
import { childOf, childrenOf, DaeDocument } from './daeDocument.ts';
import { DaeScene } from './daeScene.ts';
import type { Mesh } from './mesh.ts';

/**
 * Reads the triangles of a COLLADA 1.4 or 1.5 file as its scene places them. Lengths are multiplied by the file's
 * `<unit>`. Its `<up_axis>` is ignored, as in RViz and MoveIt: coordinates are used as they are in the file. Materials,
 * cameras, lights, animations, kinematics and physics are not read. If the scene places no geometry, every geometry is
 * read, with a warning.
 */
export async function readDae(bytes: Uint8Array, file: string): Promise<Mesh> {
  const root = await parseXml(decodeNumbers(bytes, file), file, 'COLLADA', 'any-prefix');
  const document = new DaeDocument(root, file);
  const version = root.getAttribute('version');
  if (version !== null && !/^1\.[45](\.|$)/.test(version.trim()))
    throw document.error(root, `version of <COLLADA> is ${quote(version)}, only 1.4 and 1.5 are supported`);
  const scene = new DaeScene(document);
  const meter = unitOf(document);
  const placed = scene.place(rootsOf(document), meter);
  const points = placed.length > 0 ? placed : scene.place(unplacedGeometries(document), meter);
  if (points.length === 0) throw new InputError(`${file}: the mesh is empty: there are no triangles in it`);
  return { points, triangles: points.length / 9, warnings: document.warnings };
}

/** Returns the visual scene that the file selects, or its only one. */
function rootsOf(document: DaeDocument): readonly XmlElement[] {
  const scene = document.onlyChild(document.root, 'scene');
  const instance = scene && document.onlyChild(scene, 'instance_visual_scene');
  if (instance !== undefined) return [document.target(instance, 'url', 'visual_scene')];
  const scenes = inLibraries(document, 'library_visual_scenes', 'visual_scene');
  if (scenes.length > 1) {
    const what = `there is no <scene> that selects one of ${scenes.length} visual scenes`;
    throw document.error(document.root, what, 'Export one scene.');
  }
  if (scenes.length === 1) document.warn(document.root, 'there is no <scene>: the only visual scene is taken');
  return scenes;
}

/** Returns all geometries of a file whose scene places none, such as one of physics shapes. */
function unplacedGeometries(document: DaeDocument): readonly XmlElement[] {
  const geometries = inLibraries(document, 'library_geometries', 'geometry');
  document.warn(document.root, 'no scene places the geometry: every <geometry> is taken once, untransformed');
  return geometries;
}

function inLibraries(document: DaeDocument, library: string, name: string): readonly XmlElement[] {
  return childrenOf(document.root, library).flatMap((element) => childrenOf(element, name));
}

/** Returns the metres per unit of the file; 1 if it states no unit. */
function unitOf(document: DaeDocument): number {
  const { root } = document;
  const asset = childOf(root, 'asset');
  const meter = (asset && metersOf(document, asset)) ?? 1;
  for (const { element } of descendants(root)) {
    if (element.localName !== 'asset' || (metersOf(document, element) ?? meter) === meter) continue;
    throw document.error(element, 'its <unit> differs from that of the file', 'Export the model in one unit.');
  }
  return meter;
}

function metersOf(document: DaeDocument, asset: XmlElement): number | undefined {
  const unit = childOf(asset, 'unit');
  const text = unit?.getAttribute('meter')?.trim();
  if (unit === undefined || text === undefined) return undefined;
  const meter = /^[+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : 0;
  if (meter > 0 && Number.isFinite(meter)) return meter;
  const note = /^\d+,\d+$/.test(text) ? `Use a decimal point: ${text.replace(',', '.')}.` : '';
  throw document.error(unit, `meter of <unit> is ${quote(text)}, it must be a number greater than 0`, note);
}
