import { type PathConstraint, type Pose, type RobotModel, tcpOf } from 'elbowroom';
import type { LinkFrame, ToolCenterPoint } from 'elbowroom/types';
import {
  ArrowHelper,
  BufferGeometry,
  type Color,
  DoubleSide,
  EdgesGeometry,
  Group,
  LatheGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector2,
  Vector3,
} from 'three';
import { bodyGeometry } from './bodyGeometry.ts';
import { place } from './figure.ts';
import type { Palette } from './palette.ts';
import type { RobotFigure } from './robotFigure.ts';
import { poseOf } from './rollPitchYaw.ts';

/** Length of the side of a cone, and of the axes of an orientation, metres. */
const LENGTH = 0.2;
/** Minimum angle between two faces of a region whose edge is drawn, degrees. */
const SHARP = 25;

type Drawn = Extract<PathConstraint, { type: 'tilt' | 'orientation' | 'region' }>;

/**
 * Returns the pose of the figure of a constraint: that of a region, an orientation, or of a tilt a turn of axis z to
 * its direction. Orientations and tilts are drawn at the frame that they concern.
 */
export function constraintPose(given: Drawn): Pose {
  if (given.type === 'region') return given.pose;
  if (given.type === 'orientation') return { xyz: [0, 0, 0], quat_wxyz: given.quat_wxyz };
  const towards = new Vector3(...given.towards).normalize();
  return poseOf(new Vector3(), new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), towards));
}

/** One constraint on the stage. */
interface Shape {
  readonly label: string;
  readonly group: Group;
  readonly frame: LinkFrame;
  readonly given: Drawn;
  /** The direction that a tilt constrains. */
  readonly arrow?: ArrowHelper;
  readonly materials: readonly (MeshBasicMaterial | LineBasicMaterial)[];
}

/**
 * Cones of tilts and axes of orientations at the frame that they concern, and regions. Constraints of joints and speeds
 * have no figure.
 */
export class ConstraintFigures extends Group {
  private readonly shapes = new Map<PathConstraint, Shape>();

  constructor(
    private readonly robot: RobotFigure,
    private readonly model: RobotModel,
    private readonly tcp: ToolCenterPoint | undefined,
    private readonly palette: Palette,
  ) {
    super();
  }

  /** Shows these constraints at the last pose of the robot. */
  pose(constraints: readonly PathConstraint[]): void {
    for (const shape of this.shapes.values()) shape.group.visible = false;
    for (const given of constraints) {
      if (given.type === 'joint' || 'most' in given) continue;
      const shape = this.shapes.get(given) ?? this.create(given);
      shape.group.visible = true;
      const { xyz, quat_wxyz } = this.robot.poseOf(shape.frame);
      if (given.type !== 'region') shape.group.position.set(...xyz);
      if (given.type !== 'tilt') continue;
      const [w, x, y, z] = quat_wxyz;
      const axis = new Vector3(...given.axis).applyQuaternion(new Quaternion(x, y, z, w)).normalize();
      shape.arrow?.setDirection(axis.applyQuaternion(shape.group.quaternion.clone().invert()));
    }
  }

  /** Returns the figure of a constraint that has been shown: its frame is the orientation, or the axis z of a tilt. */
  figureOf(given: PathConstraint): Group | undefined {
    return this.shapes.get(given)?.group;
  }

  /** Removes the figures of constraints that an edited scene no longer has. */
  forget(): void {
    this.release();
    for (const { group } of this.shapes.values()) this.remove(group);
    this.shapes.clear();
  }

  /** Colours the constraints of these names red, and all others in their own colour. */
  judge(violated: readonly string[]): void {
    const { palette } = this;
    for (const { label, materials, arrow } of this.shapes.values()) {
      const color = violated.includes(label) ? palette.collision : palette.constraint;
      for (const material of materials) material.color.copy(color);
      arrow?.setColor(color);
    }
  }

  private create(given: Drawn): Shape {
    const group = new Group();
    const faces = new MeshBasicMaterial({
      color: this.palette.constraint,
      transparent: true,
      opacity: given.type === 'region' ? 0.1 : 0.25,
      depthWrite: false,
      depthTest: given.type === 'region', // cones are seen through the robot
      side: DoubleSide,
    });
    const edges = new LineBasicMaterial({ color: this.palette.constraint, depthTest: given.type === 'region' });
    const drawn = drawnOf(given, this.palette.constraint);
    if (drawn.surface) group.add(new Mesh(drawn.surface, faces));
    if (drawn.outline) group.add(new LineSegments(drawn.outline, edges));
    place(group, constraintPose(given));
    if (drawn.arrow) group.add(drawn.arrow);
    this.add(group);
    const shape: Shape = {
      label: given.name ?? given.type,
      group,
      frame: tcpOf(this.model, given.frame ?? this.tcp),
      given,
      materials: [faces, edges],
      ...(drawn.arrow && { arrow: drawn.arrow }),
    };
    this.shapes.set(given, shape);
    return shape;
  }

  release(): void {
    this.traverse((part) => {
      if (part instanceof Mesh || part instanceof LineSegments) (part.geometry as BufferGeometry).dispose();
    });
    for (const { materials } of this.shapes.values()) for (const material of materials) material.dispose();
  }
}

interface Geometry {
  readonly surface?: BufferGeometry;
  readonly outline?: BufferGeometry;
  readonly arrow?: ArrowHelper;
}

function drawnOf(given: Drawn, color: Color): Geometry {
  if (given.type === 'region') {
    const surface = bodyGeometry(given.shape);
    return { surface, outline: new EdgesGeometry(surface, SHARP) };
  }
  if (given.type === 'orientation') {
    const ends = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
    const points = ends.flatMap((end) => [new Vector3(), end.multiplyScalar(LENGTH)]);
    return { outline: new BufferGeometry().setFromPoints(points) };
  }
  const surface = sector(given.within).rotateX(Math.PI / 2);
  const arrow = new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1.25 * LENGTH, color, 0.2 * LENGTH, 0.1 * LENGTH);
  return { surface, outline: new EdgesGeometry(surface, SHARP), arrow };
}

/** Returns the part of a ball about the origin within an angle of the y axis: a cone with a round cap. */
function sector(within: number): BufferGeometry {
  const cap = Array.from({ length: 13 }, (_, i) => {
    const angle = (Math.min(within, Math.PI) * (12 - i)) / 12;
    return new Vector2(LENGTH * Math.sin(angle), LENGTH * Math.cos(angle));
  });
  return new LatheGeometry([new Vector2(0, 0), ...cap], 40);
}
