import { cos, PI, sin } from '../../core/math/trigonometry.ts';
import type { XmlElement } from '../text/xmlDocument.ts';
import type { DaeDocument } from './daeDocument.ts';

/** An affine map: three rows of four numbers, translation last. */
export type Affine = readonly number[];

/**
 * Returns the map of a transformation element of a `<node>`. Throws for `<lookat>` and `<skew>`, which no robot needs.
 */
export function transformOf(document: DaeDocument, element: XmlElement): Affine {
  switch (element.localName) {
    case 'matrix': {
      const m = [...document.finite(element, 16)];
      if (m[12] !== 0 || m[13] !== 0 || m[14] !== 0 || m[15] !== 1)
        throw document.error(element, `the last row of <matrix> is ${m.slice(12).join(' ')}, it must be 0 0 0 1`);
      return m.slice(0, 12);
    }
    case 'translate': {
      const [x, y, z] = document.finite(element, 3);
      return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
    }
    case 'scale': {
      const [x, y, z] = document.finite(element, 3);
      return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0];
    }
    case 'rotate':
      return rotation(document, element);
    default: {
      const note = 'Export the node with a <matrix>.';
      throw document.error(element, `<${element.localName}> of a node with geometry is not supported`, note);
    }
  }
}

/** Computes a rotation from axis and degrees: R = cos θ I + sin θ [a]ₓ + (1 − cos θ) a aᵀ. */
function rotation(document: DaeDocument, element: XmlElement): Affine {
  const [ax, ay, az, degrees] = document.finite(element, 4);
  const length = Math.sqrt(ax * ax + ay * ay + az * az);
  if (degrees === 0) return identity;
  if (!(length > 0 && length < Number.POSITIVE_INFINITY))
    throw document.error(element, `the axis of <rotate> is ${ax} ${ay} ${az}, it needs a direction`);
  const [x, y, z] = [ax / length, ay / length, az / length];
  const [s, c] = exactAt90(degrees);
  const d = 1 - c;
  return [
    ...[c + d * x * x, d * x * y - s * z, d * x * z + s * y, 0],
    ...[d * x * y + s * z, c + d * y * y, d * y * z - s * x, 0],
    ...[d * x * z - s * y, d * y * z + s * x, c + d * z * z, 0],
  ];
}

const identity: Affine = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Computes sine and cosine, exactly at multiples of 90 degrees. */
function exactAt90(degrees: number): readonly [number, number] {
  const quarter = (((degrees / 90) % 4) + 4) % 4;
  if (Number.isInteger(quarter))
    return (
      [
        [0, 1],
        [1, 0],
        [0, -1],
        [-1, 0],
      ] as const
    )[quarter];
  const angle = ((degrees % 360) / 180) * PI;
  return [sin(angle), cos(angle)];
}

/** Computes the product a · b. */
export function multiply(a: Affine, b: Affine): Affine {
  return Array.from({ length: 12 }, (_, i) => {
    const [row, column] = [i - (i % 4), i % 4];
    const sum = a[row] * b[column] + a[row + 1] * b[column + 4] + a[row + 2] * b[column + 8];
    return column === 3 ? sum + a[row + 3] : sum;
  });
}

/** Computes the determinant of the linear part: negative for reflections. */
export function determinant(m: Affine): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}
