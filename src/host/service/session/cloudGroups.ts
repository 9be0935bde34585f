import type { CollisionObject } from '../../../core/scene/scene.ts';
import { clustersOf } from '../../../formats/clouds/sphereClusters.ts';
import { pointsOf } from './objectBytes.ts';

type Parts = CollisionObject['parts'];

/** A sphere of the same radius about each point. */
interface Cloud {
  /** Metres. x, y, z of each point; no two points are equal. */
  readonly points: Float64Array;
  /** Metres. */
  readonly radius: number;
  /** Groups of an obstacle of the scene file. */
  readonly original?: Parts;
}

/**
 * Groups of the point clouds of a session. An obstacle has many groups, whose spheres are checked one by one; an object
 * on a link has few, which are checked as hulls. So a cloud is grouped anew when it is attached or detached.
 */
export class CloudGroups {
  private readonly clouds = new WeakMap<Parts, Cloud>();

  /** Groups the points of a cloud. */
  group(cloud: Cloud, isAttached: boolean): Parts {
    const parts = clustersOf(cloud.points.slice(), cloud.radius, isAttached);
    this.clouds.set(parts, cloud);
    return parts;
  }

  /**
   * Returns the parts of an object as they are on a link, or as those of an obstacle: other ones if it is a cloud; for
   * a cloud of the scene file that is detached those of the file.
   */
  regroup(parts: Parts, isAttached: boolean): Parts {
    if (!this.isRegrouped(parts, isAttached)) return this.clouds.get(parts)?.original ?? parts;
    return this.group(this.clouds.get(parts) ?? cloudOf(parts), isAttached);
  }

  /** Returns the number of points that `regroup` copies; 0: it returns known parts. */
  regroupedPoints(parts: Parts, isAttached: boolean): number {
    return this.isRegrouped(parts, isAttached) ? countOf(parts) : 0;
  }

  /** Returns true if parts are those of a cloud of the scene file that was attached. */
  isOriginal(parts: Parts): boolean {
    return this.clouds.get(parts)?.original !== undefined;
  }

  private isRegrouped(parts: Parts, isAttached: boolean): boolean {
    const cloud = this.clouds.get(parts);
    return cloud ? isAttached || !cloud.original : isAttached && parts.some(({ balls }) => balls);
  }
}

const countOf = (parts: Parts): number => parts.reduce((sum, { shape }) => sum + pointsOf(shape), 0);

/** Returns the cloud of an obstacle of a scene file. */
function cloudOf(parts: Parts): Cloud {
  const shapes = parts.map(({ shape }) => shape as unknown as { points: readonly number[][]; margin: number });
  const points = new Float64Array(3 * countOf(parts));
  let at = 0;
  for (const { points: group } of shapes) {
    for (const point of group) {
      points.set(point, at);
      at += 3;
    }
  }
  return { points, radius: shapes[0].margin, original: parts };
}
