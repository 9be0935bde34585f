import { depthInBox } from './depth.ts';
import { ConvexShape, type ShapeDefinition, type ShapeSpec, type SupportFunction } from './shape.ts';

/** Box centred in its own frame. `size` holds full edge lengths in a scene and half edge lengths in `ConvexShape`. */
export const box: ShapeDefinition = {
  summary: 'box with edges along the axes: size [x, y, z]',
  fields: { size: 'lengths' },
  create,
  samples: [
    { type: 'box', size: [1, 1, 1] },
    { type: 'box', size: [1, 0.6, 0.01] }, // a plate: errors that equal edge lengths hide
    { type: 'box', size: [0.02, 0.01, 1], margin: 0.05 },
  ],
};

function create(spec: ShapeSpec, center: ArrayLike<number> = [0, 0, 0]): ConvexShape {
  const { size: full, margin = 0 } = spec as ShapeSpec & { size: ArrayLike<number> };
  const [x, y, z] = [full[0] / 2, full[1] / 2, full[2] / 2];
  const [cx, cy, cz] = [Math.abs(center[0]), Math.abs(center[1]), Math.abs(center[2])];
  const coreInnerRadius = depthInBox([x - cx, y - cy, z - cz]);
  const outerRadius = Math.sqrt((x + cx) * (x + cx) + (y + cy) * (y + cy) + (z + cz) * (z + cz)) + margin;
  const bounds = Float64Array.of(-x - margin, -y - margin, -z - margin, x + margin, y + margin, z + margin);
  return new ConvexShape(
    { type: 'box', size: [x, y, z], support, coreInnerRadius, margin, center },
    outerRadius,
    bounds,
  );
}

/** Writes the support vertex: the sign of each coordinate selects the face, so no search is needed. */
const support: SupportFunction = (out, shape, d, hint) => {
  const half = shape.size;
  out[0] = d[0] < 0 ? -half[0] : half[0];
  out[1] = d[1] < 0 ? -half[1] : half[1];
  out[2] = d[2] < 0 ? -half[2] : half[2];
  return hint;
};
