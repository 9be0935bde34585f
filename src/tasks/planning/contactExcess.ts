import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { type CoveredMesh, meshOf, NOTABLE_EXCESS } from '../../core/hulls/coveredMesh.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { Separation } from '../../core/narrowphase/solver.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import { millimetres } from './millimetres.ts';

/** A mesh of a link or object in collision that its convex parts exceed by more than `NOTABLE_EXCESS`. */
export interface MeshExcess {
  /** Link, attached object or obstacle. */
  readonly body: string;
  /** File of the mesh. */
  readonly mesh: string;
  /** Number of convex parts that cover the mesh. */
  readonly parts: number;
  /** Lower bound on the distance by which the parts exceed the mesh, metres. */
  readonly excess: number;
}

/** Returns the meshes in contact in a configuration that are exceeded notably by their convex parts. */
export function contactExcess(
  manager: CollisionManager,
  q: Configuration,
  pairs: readonly (readonly [string, string])[],
): MeshExcess[] {
  const { model, posed } = manager;
  const wanted = new Set(pairs.map((pair) => pair.join('\n')));
  const separation = new Separation();
  const found = new Map<CoveredMesh, MeshExcess>();
  posed.pose(q);
  for (let pair = 0; pair < model.pairCount; pair++) {
    if (!wanted.has(model.namesOf(pair).join('\n')) || !posed.boxesNear(pair, model.scene.padding)) continue;
    const meshes = [model.pairA[pair], model.pairB[pair]].map((part) => meshOfPart(manager, part));
    if (meshes.every((mesh) => mesh === undefined)) continue;
    manager.pairDistance(separation, pair, Number.POSITIVE_INFINITY);
    if (separation.distance.lower > model.scene.padding) continue;
    for (const [k, mesh] of meshes.entries()) {
      if (mesh === undefined || found.has(mesh) || !(mesh.excess() > NOTABLE_EXCESS)) continue;
      const body = model.partOf(k === 0 ? model.pairA[pair] : model.pairB[pair]).name;
      found.set(mesh, { body, mesh: mesh.name, parts: mesh.parts.length, excess: mesh.excess() });
    }
  }
  return [...found.values()];
}

function meshOfPart({ model }: CollisionManager, index: number): CoveredMesh | undefined {
  const { name, part } = model.partOf(index);
  const { obstacles, attached } = model.scene;
  const link = model.robot.description.links.find((one) => one.name === name);
  const body = [...attached, ...obstacles].find((one) => one.name === name);
  const shape: ShapeSpec | undefined = link ? link.collisions[part]?.shape : body?.parts[part]?.shape;
  return shape && meshOf(shape);
}

/** Describes each mesh in a clause that is appended to the reason of a collision; empty if there is none. */
export function describeExcess(meshes: readonly MeshExcess[]): string {
  const amount = millimetres(NOTABLE_EXCESS);
  return meshes
    .map(({ body, mesh, parts, excess }) => {
      const by = `by ${millimetres(Number(excess.toPrecision(2)))} or more (over ${amount})`;
      if (parts > 1) return `; the ${parts} convex parts of ${mesh} (${body}) exceed the mesh ${by}`;
      return (
        `; the convex hull of ${mesh} (${body}) exceeds the mesh ${by}: "parts: decompose" may cover it more ` +
        'closely'
      );
    })
    .join('');
}
