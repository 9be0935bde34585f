import { cos, sin } from '../../core/math/trigonometry.ts';

/** Viewpoint of a picture. */
export interface Camera {
  /** Direction of the viewer from the centre: angle about z from the x axis, rad. */
  readonly azimuth: number;
  /** Angle of the viewer above the floor, rad. */
  readonly elevation: number;
  /**
   * Distance of the viewer from the centre, in radii of the bounding sphere; Infinity for an orthographic projection.
   */
  readonly distance: number;
}

export const cameraDefaults: Camera = { azimuth: 0.9, elevation: 0.36, distance: 5 };

/** Bounding sphere of the picture's contents, metres. */
export interface BoundingSphere {
  readonly center: readonly [number, number, number];
  readonly radius: number;
}

type Triple = readonly [number, number, number];

/**
 * Projects world points to the screen: x to the right, y downwards, z towards the viewer. The projection maps planes to
 * planes, and of two points on one ray the nearer one has the greater z: depth comparison and splitting by planes can
 * be done on the screen.
 */
export class View {
  readonly right: Triple;
  readonly up: Triple;
  /** Unit vector from the centre to the viewer. */
  readonly toViewer: Triple;
  private scale = 1;
  private offset: readonly [number, number] = [0, 0];

  constructor(
    private readonly sphere: BoundingSphere,
    private readonly camera: Camera,
  ) {
    const [ca, sa] = [cos(camera.azimuth), sin(camera.azimuth)];
    const [ce, se] = [cos(camera.elevation), sin(camera.elevation)];
    this.right = [-sa, ca, 0];
    this.up = [-se * ca, -se * sa, ce];
    this.toViewer = [ce * ca, ce * sa, se];
  }

  /** Scales and shifts the screen: screen coordinates are multiplied by `scale`, then `offset` is added. */
  fit(scale: number, offset: readonly [number, number]): void {
    this.scale = scale;
    this.offset = offset;
  }

  /** Computes the screen coordinates of a world point. */
  project(x: number, y: number, z: number): [number, number, number] {
    const { right, up, toViewer, sphere: ball, camera, scale, offset } = this;
    const [dx, dy, dz] = [x - ball.center[0], y - ball.center[1], z - ball.center[2]];
    const distance = camera.distance * ball.radius;
    const near = toViewer[0] * dx + toViewer[1] * dy + toViewer[2] * dz;
    const factor = Number.isFinite(distance) ? distance / (distance - near) : 1;
    const depth = Number.isFinite(distance) ? distance * (factor - 1) : near;
    const u = (right[0] * dx + right[1] * dy + right[2] * dz) * factor;
    const v = (up[0] * dx + up[1] * dy + up[2] * dz) * factor;
    return [scale * u + offset[0], -scale * v + offset[1], scale * depth];
  }

  /**
   * Computes a measure, proportional to the cosine of the viewing angle, of how a face with this normal at this point
   * is oriented to the viewer: positive if its outside is visible.
   */
  facing(normal: Triple, x: number, y: number, z: number): number {
    const { toViewer, sphere: ball, camera } = this;
    const distance = camera.distance * ball.radius;
    if (!Number.isFinite(distance)) return normal[0] * toViewer[0] + normal[1] * toViewer[1] + normal[2] * toViewer[2];
    const ray = [0, 1, 2].map((k) => ball.center[k] + distance * toViewer[k] - [x, y, z][k]);
    return (normal[0] * ray[0] + normal[1] * ray[1] + normal[2] * ray[2]) / distance;
  }
}
