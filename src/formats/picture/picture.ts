import type { Transform } from '../../math/transform.ts';
import type { ConvexShape } from '../../shapes/shape.ts';

/** A convex body where it stands; no half-space. */
export interface PosedShape {
  readonly shape: ConvexShape;
  readonly T_world_shape: Transform;
}

/** What is drawn under one name. */
export interface PictureBody {
  readonly name: string;
  readonly parts: readonly PosedShape[];
  /** What it is of: links take turns in two tones, obstacles in five. */
  readonly kind: 'link' | 'carried' | 'obstacle';
}

/** Another moment of the same motion, seen through. */
export interface Ghost {
  /** 0 at the start of the motion, 1 at its goal: gives the colour. */
  readonly when: number;
  readonly parts: readonly PosedShape[];
}

/** What a picture shows. Metres, world frame, z up. */
export interface Picture {
  readonly title: string;
  /** A line under it; none: nothing is written. */
  readonly caption?: string;
  readonly bodies: readonly PictureBody[];
  readonly ghosts?: readonly Ghost[];
  /** Ways that points take during the motion: x, y, z each, evenly over its time. */
  readonly paths?: readonly (readonly number[])[];
  /** Height of the floor; default: the lowest point of the bodies. */
  readonly floor?: number;
}
