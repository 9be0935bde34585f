import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import type { Obstacle } from '../../../src/core/scene/scene.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ConvexShape } from '../../../src/core/shapes/shape.ts';
import {
  areSeparated,
  areSeparatedNearby,
  type Matrix,
  matrixOf,
  multiply,
} from '../../tasks/programs/programOracle.ts';
import type { ChainOracle } from './chainOracle.ts';

/** A convex part in the frame of its link, or of the world; its ball encloses it. */
interface Part {
  readonly link: number;
  readonly shape: ConvexShape;
  readonly T: Matrix;
  readonly centre: readonly number[];
  readonly radius: number;
}

/** Collisions of a robot with itself and with obstacles: by balls, then by Gilbert's algorithm. */
export class LineWorld {
  private readonly parts: readonly Part[];
  private readonly pairs: readonly (readonly [number, number])[];
  private readonly obstacles: readonly Part[];

  constructor(
    private readonly chain: ChainOracle,
    { allowed }: RobotDescription,
    obstacles: readonly Obstacle[],
  ) {
    const { links } = chain.model;
    this.parts = links.flatMap(({ index, parts }) =>
      parts.map(({ shape, T_link_part }) => partOf(index, shape, Array.from(T_link_part))),
    );
    this.obstacles = obstacles.flatMap(({ parts, pose }) =>
      parts.map(({ shape }) => partOf(-1, createShape(shape), matrixOf(pose))),
    );
    const solid = (link: number): number => {
      const { parent } = links[link];
      if (parent < 0) return -1;
      return links[parent].parts.length > 0 ? parent : solid(parent);
    };
    const isAllowed = (a: number, b: number) =>
      solid(a) === b ||
      solid(b) === a ||
      allowed.some(
        ([one, other]) =>
          (one === links[a].name && other === links[b].name) || (one === links[b].name && other === links[a].name),
      );
    this.pairs = this.parts.flatMap((a, i) =>
      this.parts.flatMap((b, k) => (k > i && a.link !== b.link && !isAllowed(a.link, b.link) ? [[i, k] as const] : [])),
    );
  }

  /** Names of two bodies that are not separated; undefined if there are none. */
  collision(q: ArrayLike<number>): string | undefined {
    const { chain, parts, pairs, obstacles } = this;
    chain.forward(q);
    const centres = parts.map(({ link, centre: c }) => {
      const T = chain.T[link];
      return [0, 4, 8].map((r) => T[r] * c[0] + T[r + 1] * c[1] + T[r + 2] * c[2] + T[r + 3]);
    });
    const placed = (i: number): Part => ({
      ...parts[i],
      T: multiply(Array.from(chain.T[parts[i].link]), parts[i].T),
      centre: centres[i],
    });
    for (const [i, k] of pairs)
      if (areNear(parts[i], centres[i], parts[k], centres[k]) && areTouching(placed(i), placed(k)))
        return [i, k].map((one) => chain.model.links[parts[one].link].name).join(' and ');
    for (const [i, part] of parts.entries())
      for (const [k, one] of obstacles.entries())
        if (areNear(part, centres[i], one, one.centre) && areTouching(placed(i), one))
          return `${chain.model.links[part.link].name} and obstacle ${k}`;
    return undefined;
  }
}

function partOf(link: number, shape: ConvexShape, T: Matrix): Part {
  const { bounds: b, margin } = shape;
  const middle = [0, 1, 2].map((i) => (b[i] + b[3 + i]) / 2);
  const centre = [0, 4, 8].map((r) => T[r] * middle[0] + T[r + 1] * middle[1] + T[r + 2] * middle[2] + T[r + 3]);
  return { link, shape, T, centre, radius: Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]) / 2 + margin };
}

/** True if the bounding spheres of two parts intersect. */
function areNear(a: Part, p: readonly number[], b: Part, q: readonly number[]): boolean {
  const [x, y, z] = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
  const reach = a.radius + b.radius;
  return x * x + y * y + z * z <= reach * reach;
}

const areTouching = (a: Part, b: Part) => !areSeparated(a, b) && !areSeparatedNearby(a, b);
