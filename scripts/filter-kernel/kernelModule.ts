import {
  ALL_LANES,
  cluster,
  group,
  header,
  IN_COLLISION,
  obstacle,
  open,
  part,
  selfPair,
} from '../../src/core/collision/filter/layout.ts';
import { type Code, control, I32, i32, i32x4, ModuleBuilder } from './assembler.ts';
import {
  addClusterPlacement,
  addObstacleTest,
  addPartPlacement,
  addSelfTest,
  addSphereTest,
  placedBoxesApart,
  worldBoxesApart,
} from './boxes.ts';
import { addKinematics } from './kinematics.ts';

/**
 * Returns the module of the kernel, in plain 128-bit SIMD without relaxed instructions: its results are identical on
 * every engine (docs/filter.md). `scripts/filter-kernel.mjs` stores it in the package.
 */
export function kernelModule(): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder();
  const kinematics = addKinematics(module);
  const placeCluster = addClusterPlacement(module);
  const placePart = addPartPlacement(module);
  const obstacleTest = addObstacleTest(module);
  const selfTest = addSelfTest(module);
  const sphereTest = addSphereTest(module);

  const fn = module.function(1, true, 'check');
  const [limit] = fn.parameters;
  const variable = () => fn.local(I32);
  const [at, end, other, othersEnd, own, ownEnd, otherPart, lanes, count, out, pair, collided, overlap] = Array.from(
    { length: 13 },
    variable,
  );
  const step = (local: typeof at, size: number) => local.set(i32.add(local.get, i32.const(size)));
  const load = (offset: number) => i32.load(i32.const(0), offset);
  const note = (index: Code, inCollision: Code): Code => [
    i32.store(out.get, open.pair, index),
    i32.store(out.get, open.lanes, lanes.get),
    i32.store(out.get, open.collided, inCollision),
    step(out, open.SIZE),
    step(count, 1),
  ];
  const boxOf = (record: typeof at) => i32.load(record.get, cluster.box);
  const halfOf = (record: typeof at, layout: typeof cluster | typeof part) =>
    i32.add(record.get, i32.const(layout.half));
  const placeOnce = control.if(i32.isZero(i32.load(at.get, cluster.isPlaced)), [
    i32.store(at.get, cluster.isPlaced, i32.const(1)),
    own.set(i32.load(at.get, cluster.parts)),
    control.while(i32.less(own.get, i32.load(at.get, cluster.partsEnd)), [
      placePart.call(own.get),
      step(own, part.SIZE),
    ]),
  ]);
  const index = i32.load(i32.add(i32.load(own.get, part.pairs), pair.get), 0);

  fn.emit(kinematics.call(), out.set(load(header.open)));
  // Robot parts against obstacles: boxes of clusters, then of parts.
  fn.emit(
    at.set(load(header.clusters)),
    end.set(load(header.clustersEnd)),
    othersEnd.set(load(header.obstaclesEnd)),
    control.while(i32.less(at.get, end.get), [
      placeCluster.call(at.get),
      i32.store(at.get, cluster.isPlaced, i32.const(0)),
      other.set(load(header.obstacles)),
      pair.set(i32.const(0)),
      control.while(i32.less(other.get, othersEnd.get), [
        control.if(
          i32.isZero(i32x4.allTrue(worldBoxesApart(boxOf(at), other.get))),
          control.if(obstacleTest.call(boxOf(at), halfOf(at, cluster), other.get), [
            placeOnce,
            own.set(i32.load(at.get, cluster.parts)),
            ownEnd.set(i32.load(at.get, cluster.partsEnd)),
            control.while(i32.less(own.get, ownEnd.get), [
              control.if(i32.less(i32.const(-1), index), [
                lanes.set(obstacleTest.call(i32.load(own.get, part.box), halfOf(own, part), other.get)),
                control.if(lanes.get, [
                  overlap.set(sphereTest.call(own.get, other.get)),
                  control.if(limit.get, [
                    collided.set(i32.or(collided.get, overlap.get)),
                    control.if(i32.isZero(i32.less(collided.get, limit.get)), control.return(i32.const(IN_COLLISION))),
                    lanes.set(i32.and(lanes.get, i32.xor(collided.get, i32.const(ALL_LANES)))),
                  ]),
                  control.if(lanes.get, note(index, i32.and(lanes.get, overlap.get))),
                ]),
              ]),
              step(own, part.SIZE),
            ]),
          ]),
        ),
        step(other, obstacle.SIZE),
        step(pair, 4),
      ]),
      step(at, cluster.SIZE),
    ]),
  );
  // Robot parts against each other: boxes of two clusters, then of their parts.
  const placeAll = (record: typeof at): Code => [at.set(record.get), placeOnce];
  const [groupAt, groupsEnd, a, b] = Array.from({ length: 4 }, variable);
  fn.emit(
    groupAt.set(load(header.groups)),
    groupsEnd.set(load(header.groupsEnd)),
    control.while(i32.less(groupAt.get, groupsEnd.get), [
      a.set(i32.load(groupAt.get, group.a)),
      b.set(i32.load(groupAt.get, group.b)),
      control.if(i32.isZero(i32x4.allTrue(placedBoxesApart(boxOf(a), boxOf(b)))), [
        placeAll(a),
        placeAll(b),
        pair.set(i32.load(groupAt.get, group.pairs)),
        control.while(i32.less(pair.get, i32.load(groupAt.get, group.pairsEnd)), [
          own.set(i32.load(pair.get, selfPair.a)),
          otherPart.set(i32.load(pair.get, selfPair.b)),
          lanes.set(
            selfTest.call(
              ...[i32.load(own.get, part.box), halfOf(own, part)],
              ...[i32.load(otherPart.get, part.box), halfOf(otherPart, part)],
            ),
          ),
          control.if(lanes.get, note(i32.load(pair.get, selfPair.index), i32.const(0))),
          step(pair, selfPair.SIZE),
        ]),
      ]),
      step(groupAt, group.SIZE),
    ]),
    i32.store(i32.const(0), header.collided, collided.get),
    count.get,
  );
  return module.build();
}
