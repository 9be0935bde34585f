import { attachedClusters, clustersInSlices, sphereClusters } from '../../formats/clouds/sphereClusters.ts';
import type { Slices } from '../../math/slices.ts';
import type { CollisionObject, CollisionObjectPart } from '../../scene/scene.ts';

type Parts = CollisionObject['parts'];

/** A sphere of the same radius about each point. */
interface Cloud {
  /** Metres. x, y, z of each point. */
  readonly points: Float64Array;
  /** Metres. */
  readonly radius: number;
}

/**
 * The groups of point clouds of a session. An obstacle has many groups, whose spheres are checked one by one; an object
 * on a link has few, which are checked as hulls. So a cloud is grouped anew when it is attached or detached.
 */
export class CloudGroups {
  private readonly clouds = new WeakMap<Parts, Cloud>();

  /** Groups the points of a new cloud, in slices. */
  *grouping(cloud: Cloud, isAttached: boolean): Slices<CollisionObjectPart[]> {
    const { points, radius } = cloud;
    const parts = yield* clustersInSlices(points, radius, isAttached);
    this.clouds.set(parts, cloud);
    return parts;
  }

  /** Returns the parts of an obstacle as they are on a link. */
  attached(parts: Parts): Parts {
    const cloud = this.clouds.get(parts) ?? cloudOf(parts);
    return cloud ? this.known(attachedClusters(cloud.points, cloud.radius), cloud) : parts;
  }

  /** Returns the parts of an attached object as those of an obstacle. */
  detached(parts: Parts): Parts {
    const cloud = this.clouds.get(parts);
    return cloud ? this.known(sphereClusters(cloud.points, cloud.radius), cloud) : parts;
  }

  private known(parts: Parts, cloud: Cloud): Parts {
    this.clouds.set(parts, cloud);
    return parts;
  }
}

/** Returns the cloud of an obstacle of a scene file; undefined if it is none. */
function cloudOf(parts: Parts): Cloud | undefined {
  if (!parts.some(({ balls }) => balls)) return undefined;
  const shapes = parts.map(({ shape }) => shape as unknown as { points: number[][]; margin: number });
  return { points: Float64Array.from(shapes.flatMap(({ points }) => points.flat())), radius: shapes[0].margin };
}
