import { createShape, type ShapeSpec } from 'elbowroom';
import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  IcosahedronGeometry,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js';

/** Extent of the drawn part of a half-space to each side of its origin, metres. */
const HALFSPACE_REACH = 2;
/** Subdivisions of the sphere of directions that samples the support function of shapes without a closed form. */
const DIRECTION_DETAIL = 12;

type Draw = (spec: ShapeSpec) => BufferGeometry;
const number = (spec: ShapeSpec, field: string) => spec[field] as number;
const list = (spec: ShapeSpec, field: string) => spec[field] as readonly number[];
/** Rotates a round shape from the y axis (three.js) to the z axis (URDF). */
const upright = (geometry: BufferGeometry) => geometry.rotateX(Math.PI / 2);

const drawings: Readonly<Record<string, Draw>> = {
  box: (spec) => new BoxGeometry(...(list(spec, 'size') as [number, number, number])),
  sphere: (spec) => new SphereGeometry(number(spec, 'radius'), 32, 20),
  cylinder: (spec) =>
    upright(new CylinderGeometry(number(spec, 'radius'), number(spec, 'radius'), number(spec, 'length'), 40)),
  capsule: (spec) => upright(new CapsuleGeometry(number(spec, 'radius'), number(spec, 'length'), 10, 32)),
  cone: (spec) => upright(new CylinderGeometry(0, number(spec, 'radius'), number(spec, 'length'), 40)),
  frustum: (spec) =>
    upright(new CylinderGeometry(number(spec, 'radiusTop'), number(spec, 'radiusBottom'), number(spec, 'length'), 40)),
  ellipsoid(spec) {
    const [x, y, z] = list(spec, 'radii');
    return new SphereGeometry(1, 40, 24).scale(x, y, z);
  },
  convex(spec) {
    const points = (spec['points'] as readonly (readonly number[])[]).map(([x, y, z]) => new Vector3(x, y, z));
    return new ConvexGeometry(points);
  },
  halfspace(spec) {
    const [x, y, z] = list(spec, 'normal');
    const up = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(x, y, z).normalize());
    return new PlaneGeometry(2 * HALFSPACE_REACH, 2 * HALFSPACE_REACH).applyQuaternion(up);
  },
};

/**
 * Returns the surface of a convex part in its own frame. Rounded shapes, flat hulls and other kinds are sampled by
 * their support function.
 */
export function bodyGeometry(spec: ShapeSpec): BufferGeometry {
  const draw = drawings[spec.type];
  if (!draw || (spec.margin ?? 0) > 0) return fromSupports(spec);
  try {
    return draw(spec);
  } catch {
    return fromSupports(spec); // three.js has no hull of flat input
  }
}

/** Decodes the triangles of the page data: base64 of 32-bit floats. */
export function triangleGeometry(triangles: string): BufferGeometry {
  const bytes = Uint8Array.from(atob(triangles), (letter) => letter.charCodeAt(0));
  const surface = new BufferGeometry();
  surface.setAttribute('position', new Float32BufferAttribute(new Float32Array(bytes.buffer), 3));
  surface.computeVertexNormals();
  return surface;
}

/** Moves each vertex of a sphere of directions to the support point in its direction. */
function fromSupports(spec: ShapeSpec): BufferGeometry {
  const shape = createShape(spec);
  const ball = new IcosahedronGeometry(1, DIRECTION_DETAIL);
  const directions = ball.getAttribute('position');
  const points = new Float32Array(3 * directions.count);
  const p = new Float64Array(3);
  for (let i = 0; i < directions.count; i++) {
    const d = [directions.getX(i), directions.getY(i), directions.getZ(i)];
    shape.support(p, shape, Float64Array.from(d), -1);
    for (let k = 0; k < 3; k++) points[3 * i + k] = p[k] + shape.margin * d[k];
  }
  const surface = new BufferGeometry();
  surface.setAttribute('position', new Float32BufferAttribute(points, 3));
  surface.computeVertexNormals();
  return surface;
}
