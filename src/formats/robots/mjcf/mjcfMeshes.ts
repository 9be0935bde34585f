import { convexHull } from '../../../core/hulls/hull.ts';
import { convexSpec } from '../../../core/hulls/meshParts.ts';
import { lengthProblem } from '../../../core/math/magnitudes.ts';
import { create, invert, type Transform, transformPoint } from '../../../core/math/transform.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { attributeOf, type XmlElement } from '../../text/xmlDocument.ts';
import type { Triple } from '../jointChain.ts';
import type { CollisionDraft } from '../urdfDocument.ts';
import type { MjcfContext, WithDefaults } from './mjcfDefaults.ts';
import { fromQuaternion } from './mjcfPose.ts';

/** A mesh as the geometry of a geom. */
export interface MeshGeometry {
  /** Pose of the vertices in the frame of the geom. */
  readonly T_geom_mesh: Transform;
  /** File of the mesh; undefined if its vertices are in the model. */
  readonly mesh?: NonNullable<CollisionDraft['mesh']>;
  /** Hull of the vertices in the model. */
  readonly shape?: ShapeSpec;
}

/** The meshes of a model by name. Only those that geoms use are read. */
export class MjcfMeshes {
  private readonly elements = new Map<string, XmlElement>();

  constructor(
    elements: readonly XmlElement[],
    private readonly context: MjcfContext,
  ) {
    for (const element of elements) {
      const name = attributeOf(element, 'name') ?? nameOfFile(attributeOf(element, 'file') ?? '');
      const place = `mesh "${name}"`;
      if (name === '') context.numbers.addProblem(element, 'mesh', 'it has neither a name nor a file');
      else if (this.elements.has(name)) context.numbers.addProblem(element, place, 'there are two meshes of this name');
      context.schema.checkAttributes(element, place);
      this.elements.set(name, element);
    }
  }

  /** Reads a mesh that a geom uses. Returns undefined if a problem was added. */
  async use(name: string, geom: XmlElement, place: string): Promise<MeshGeometry | undefined> {
    const { numbers, defaults } = this.context;
    const element = this.elements.get(name);
    if (element === undefined) {
      numbers.addProblem(geom, place, `there is no mesh "${name}"`, numbers.suggest(name, this.elements.keys()));
      return undefined;
    }
    const mesh = `mesh "${name}"`;
    const given = defaults.apply(element, 'mesh', undefined, mesh);
    if (attributeOf(element, 'builtin') !== undefined) {
      numbers.addProblem(element, mesh, 'built-in meshes are not supported', 'Write it to a file, or use a primitive.');
      return undefined;
    }
    const scale = this.scaleOf(given);
    const T_mesh_reference = this.reference(element, mesh);
    if (scale === undefined || T_mesh_reference === undefined) return undefined;
    const hasFile = attributeOf(element, 'file') !== undefined;
    if (hasFile === (attributeOf(element, 'vertex') !== undefined)) {
      numbers.addProblem(element, mesh, 'it needs either a file or vertices');
      return undefined;
    }
    return hasFile
      ? this.fileMesh(element, scale, T_mesh_reference, mesh)
      : this.inlineMesh(element, scale, T_mesh_reference, mesh);
  }

  private scaleOf(given: WithDefaults): Triple | undefined {
    if (given.holder('scale') === undefined) return [1, 1, 1];
    const scale = given.list('scale', 3) as Triple | undefined;
    if (scale === undefined || scale.every((factor) => factor !== 0)) return scale;
    given.addProblem('scale', `scale of the mesh is ${scale.join(' ')}, no factor may be 0`);
    return undefined;
  }

  /** Reads `refpos` and `refquat`: the frame that becomes the frame of the mesh. */
  private reference(element: XmlElement, place: string): Transform | undefined {
    const { numbers } = this.context;
    const p = numbers.lengths(element, 'refpos', place);
    const q = numbers.list(element, 'refquat', 4, place);
    const R = q && fromQuaternion(q[0], q[1], q[2], q[3]);
    if (q !== undefined && R === undefined) numbers.addProblem(element, place, `refquat is ${q.join(' ')}`);
    const isWrong = (attribute: string, value: unknown) => attributeOf(element, attribute) !== undefined && !value;
    if (isWrong('refpos', p) || isWrong('refquat', R)) return undefined;
    const T = R ?? create();
    for (const [i, k] of [3, 7, 11].entries()) T[k] = p?.[i] ?? 0;
    return T;
  }

  /**
   * The vertices of a file, v, become S Rᵀ (v − p) with scale S and reference R, p. Unless the rotation is the
   * identity, S must be uniform, so that the two commute.
   */
  private fileMesh(
    element: XmlElement,
    scale: Triple,
    T_mesh_reference: Transform,
    place: string,
  ): MeshGeometry | undefined {
    const { numbers } = this.context;
    if (attributeOf(element, 'refquat') !== undefined && (scale[0] !== scale[1] || scale[1] !== scale[2])) {
      numbers.addProblem(
        element,
        place,
        'refquat together with different scales is not supported',
        'Apply it to the file.',
      );
      return undefined;
    }
    const T_geom_mesh = create();
    const T = T_mesh_reference.slice();
    for (const [i, k] of [3, 7, 11].entries()) T[k] *= scale[i];
    invert(T_geom_mesh, T);
    return { T_geom_mesh, mesh: { address: this.addressOf(element), scale } };
  }

  private async inlineMesh(
    element: XmlElement,
    scale: Triple,
    T_mesh_reference: Transform,
    place: string,
  ): Promise<MeshGeometry | undefined> {
    const { numbers } = this.context;
    const values = numbers.bounded(element, 'vertex', [12, Number.MAX_SAFE_INTEGER], place, lengthProblem);
    if (values === undefined) return undefined;
    if (values.length % 3 !== 0) {
      numbers.addProblem(element, place, `vertex has ${values.length} numbers, it must have three for each vertex`);
      return undefined;
    }
    const T_reference_mesh = create();
    invert(T_reference_mesh, T_mesh_reference);
    const points = Float64Array.from(values);
    for (let i = 0; i < points.length; i += 3) {
      const point = points.subarray(i, i + 3);
      transformPoint(point, T_reference_mesh, point);
      for (const [k, factor] of scale.entries()) point[k] *= factor;
    }
    const beyond = points.find((x) => lengthProblem(x) !== undefined);
    if (beyond !== undefined) {
      numbers.addProblem(element, place, `the scaled coordinate ${beyond} ${lengthProblem(beyond)}`);
      return undefined;
    }
    return { T_geom_mesh: create(), shape: convexSpec(await convexHull(points)) };
  }

  /** Returns the address of a mesh file relative to the folder of the main file. */
  private addressOf(element: XmlElement): string {
    const file = attributeOf(element, 'file')!;
    const { compiler, document } = this.context;
    const { meshFolder, stripsPaths } = compiler;
    const path = (stripsPaths ? file.replace(/^.*[\\/]/s, '') : file).trim().replaceAll('\\', '/');
    const folder = meshFolder.trim().replaceAll('\\', '/').replace(/\/+$/, '');
    return document.addressOf(folder === '' || path.startsWith('/') ? path : `${folder}/${path}`, element);
  }
}

/** Returns the name of a mesh that has none: its file without folders and extension. */
const nameOfFile = (file: string): string => file.replace(/^.*[\\/]/s, '').replace(/\.[^.]*$/, '');
