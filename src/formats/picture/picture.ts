import type { Transform } from '../../core/math/transform.ts';
import type { ConvexShape } from '../../core/shapes/shape.ts';

/** A convex body with its pose; no half-space. */
export interface PosedShape {
  /** Shape in its own frame. */
  readonly shape: ConvexShape;
  /** Pose of the shape in the world. */
  readonly T_world_shape: Transform;
}

/** The parts that are drawn under one name. */
export interface PictureBody {
  /** Name of the link or object, for its label. */
  readonly name: string;
  /** Convex parts in the world. */
  readonly parts: readonly PosedShape[];
  /** Kind of the body: links alternate between two tones, obstacles cycle through five. */
  readonly kind: 'link' | 'carried' | 'obstacle';
  /** Obstacles of one family have one tone; default: the name without a number at its end. */
  readonly family?: string;
}

/** A short text at a point, in a circle on top of everything. */
export interface Mark {
  /** The text: a number. */
  readonly text: string;
  /** The point in the world. */
  readonly at: readonly [number, number, number];
}

/** A part of a tool path. */
export interface PathLine {
  /** Determines the colour. */
  readonly status: 'reachable' | 'slow' | 'blocked';
  /** Its points in the world: x, y, z each. */
  readonly points: readonly number[];
}

/** The robot at another time of the same motion, drawn translucent. */
export interface Ghost {
  /** 0 at the start of the motion, 1 at its goal: determines the colour. */
  readonly when: number;
  /** Convex parts of the robot in the world. */
  readonly parts: readonly PosedShape[];
}

/** Contents of a picture. Metres, world frame, z up. */
export interface Picture {
  /** Title of the document, for screen readers. */
  readonly title: string;
  /** A line below the picture; undefined: no caption. */
  readonly caption?: string;
  /** Further lines below it. */
  readonly legend?: readonly string[];
  /** Links, attached objects and obstacles. */
  readonly bodies: readonly PictureBody[];
  /** Further poses of the robot; default: none. */
  readonly ghosts?: readonly Ghost[];
  /** Paths of points during the motion: x, y, z each, at equal time intervals. */
  readonly paths?: readonly (readonly number[])[];
  /** Tool paths, drawn on top of everything but marks. */
  readonly lines?: readonly PathLine[];
  /** Names of bodies that fill the picture, with some of what surrounds them; default: everything is shown. */
  readonly focus?: ReadonlySet<string>;
  /** Marks; those that would overlap are joined. */
  readonly marks?: readonly Mark[];
  /** Height of the floor; default: the lowest point of the bodies. */
  readonly floor?: number;
}
