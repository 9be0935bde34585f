import { PI } from '../../core/math/trigonometry.ts';
import { cameraDefaults, View } from '../../formats/picture/camera.ts';
import { outlineOf } from '../../formats/picture/patches.ts';
import type { Picture } from '../../formats/picture/picture.ts';
import { boundingSphere, ghostsOf, type Solid, solidsOf } from '../../formats/picture/solids.ts';

/** Number of azimuths that are evaluated, evenly around z. */
const AZIMUTHS = 16;

/** Stride of the points of a tool path that are evaluated. */
const POINT_STRIDE = 4;

/**
 * Computes the azimuth from which most of the tool paths is visible: a point counts if no obstacle occludes it, by the
 * outlines of the obstacles and the depth of their centres. Ties are resolved towards the default azimuth.
 */
export async function bestAzimuth(picture: Picture, elevation: number): Promise<number> {
  const { bodies, paths = [] } = picture;
  const obstacles = await solidsOf({ ...picture, bodies: bodies.filter(({ kind }) => kind === 'obstacle') });
  const all = [...(await solidsOf(picture)), ...(await ghostsOf(picture))];
  const ball = boundingSphere([...all.map(({ points }) => points), ...paths]);
  let best = cameraDefaults.azimuth;
  let most = -1;
  for (let side = 0; side < AZIMUTHS; side++) {
    const turn = (side % 2 === 0 ? side / 2 : -(side + 1) / 2) * ((2 * PI) / AZIMUTHS);
    const view = new View(ball, {
      azimuth: cameraDefaults.azimuth + turn,
      elevation,
      distance: cameraDefaults.distance,
    });
    const seen = visiblePoints(paths, obstacles, view);
    if (seen > most) [best, most] = [cameraDefaults.azimuth + turn, seen];
  }
  return best;
}

function visiblePoints(paths: readonly (readonly number[])[], obstacles: readonly Solid[], view: View): number {
  const screens = obstacles.map((solid) => outlineOf(solid, view));
  let seen = 0;
  for (const path of paths) {
    for (let k = 0; k < path.length; k += 3 * POINT_STRIDE) {
      const [x, y, z] = view.project(path[k], path[k + 1], path[k + 2]);
      if (screens.every(({ outline, depth }) => depth < z || !isInside(outline, x, y))) seen++;
    }
  }
  return seen;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function isInside(outline: readonly Point[], x: number, y: number): boolean {
  return outline.every((a, i) => {
    const b = outline[(i + 1) % outline.length];
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) >= 0;
  });
}
