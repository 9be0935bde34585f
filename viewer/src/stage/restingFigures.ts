import {
  BufferGeometry,
  type Color,
  Float32BufferAttribute,
  Group,
  type LineBasicMaterial,
  LineSegments,
  Matrix3,
  Matrix4,
  Mesh,
  type Object3D,
  type Quaternion,
  Vector3,
} from 'three';
import { edgeMaterial, type Figure, faceMaterial } from './figure.ts';

/** First vertex and number of vertices of a figure in a merged geometry. */
interface Range {
  readonly from: number;
  readonly count: number;
}

interface Resting {
  readonly figure: Figure;
  readonly position: Vector3;
  readonly quaternion: Quaternion;
  readonly faces: Range;
  readonly lines: Range;
  /** Whether it is drawn as a part of the merged geometry. */
  isMerged: boolean;
}

/**
 * Draws obstacles at rest by two draw calls instead of two each. An obstacle that is moved, attached, hidden, faded or
 * painted draws itself until it is as it was.
 */
export class RestingFigures extends Group {
  private readonly resting: readonly Resting[];
  private readonly faces: Mesh;
  private readonly lines: LineSegments;

  /** @param figures that are in place, children of `owner` */
  constructor(
    figures: readonly Figure[],
    private readonly owner: Object3D,
    private readonly color: Color,
  ) {
    super();
    const [faces, lines] = [new Merged(), new Merged()];
    this.resting = figures.map((figure) => {
      figure.updateMatrix();
      const [fromFace, fromLine] = [faces.count, lines.count];
      for (const part of figure.children) {
        if (!(part instanceof Mesh)) continue;
        const T = new Matrix4().multiplyMatrices(figure.matrix, part.matrix);
        faces.add(part.geometry, T);
        for (const edges of part.children) if (edges instanceof LineSegments) lines.add(edges.geometry, T);
      }
      return {
        figure,
        position: figure.position.clone(),
        quaternion: figure.quaternion.clone(),
        faces: { from: fromFace, count: faces.count - fromFace },
        lines: { from: fromLine, count: lines.count - fromLine },
        isMerged: false,
      };
    });
    this.faces = new Mesh(faces.geometry(), faceMaterial(color, 1));
    this.lines = new LineSegments(lines.geometry(), edgeMaterial(color));
    this.add(this.faces, this.lines);
    this.update();
  }

  /** Decides for each obstacle whether it is drawn as a part of the merged geometry. Called before each frame. */
  update(): void {
    let isChanged = false;
    for (const one of this.resting) {
      const { figure } = one;
      const isMerged =
        figure.visible &&
        figure.parent === this.owner &&
        figure.isPlain(this.color) &&
        figure.position.equals(one.position) &&
        figure.quaternion.equals(one.quaternion);
      if (isMerged === one.isMerged) continue;
      one.isMerged = isMerged;
      figure.drawItself(!isMerged);
      isChanged = true;
    }
    if (!isChanged) return;
    const merged = this.resting.filter((one) => one.isMerged);
    this.faces.geometry.setIndex(merged.flatMap(({ faces }) => indices(faces)));
    this.lines.geometry.setIndex(merged.flatMap(({ lines }) => indices(lines)));
  }

  release(): void {
    this.removeFromParent();
    this.faces.geometry.dispose();
    this.lines.geometry.dispose();
    for (const { material } of [this.faces, this.lines]) (material as LineBasicMaterial).dispose();
  }
}

const indices = ({ from, count }: Range) => Array.from({ length: count }, (_, i) => from + i);

/** Vertices of several geometries in one frame, without an index. */
class Merged {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];

  get count(): number {
    return this.positions.length / 3;
  }

  add(geometry: BufferGeometry, T: Matrix4): void {
    const { position, normal } = geometry.attributes;
    const turn = new Matrix3().getNormalMatrix(T);
    const at = new Vector3();
    const count = geometry.index?.count ?? position.count;
    for (let i = 0; i < count; i++) {
      const vertex = geometry.index ? geometry.index.getX(i) : i;
      this.positions.push(...at.fromBufferAttribute(position, vertex).applyMatrix4(T).toArray());
      if (normal) this.normals.push(...at.fromBufferAttribute(normal, vertex).applyMatrix3(turn).normalize().toArray());
    }
  }

  geometry(): BufferGeometry {
    const merged = new BufferGeometry();
    merged.setAttribute('position', new Float32BufferAttribute(this.positions, 3));
    if (this.normals.length > 0) merged.setAttribute('normal', new Float32BufferAttribute(this.normals, 3));
    return merged;
  }
}
