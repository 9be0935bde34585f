import { quickHull } from '../../../core/hulls/quickHull.ts';
import type { JointDescription, MassProperties, Pose } from '../../../core/kinematics/robotModel.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { InputError } from '../../../errors.ts';
import { INERTIA } from '../inertials.ts';
import type { CollisionDraft, LinkDraft, Urdf } from '../urdfDocument.ts';
import { XacroElement, type XacroNode } from '../xacro/xacroTree.ts';
import { rpyOf } from './rollPitchYaw.ts';
import { withUnknownMass } from './urdfEdits.ts';

/** Version of URDF that has capsules. */
const VERSION = '1.2';

/** A robot as elements of URDF, and files in OBJ of shapes that URDF has no element for, by their address. */
export interface WrittenUrdf {
  readonly root: XacroElement;
  readonly meshes: ReadonlyMap<string, string>;
}

/**
 * Converts a robot that was read from another format to URDF. Convex shapes become meshes in Wavefront OBJ, the other
 * shapes, all poses, masses and friction are written with the digits that reproduce them. Throws `InputError` for
 * shapes that URDF does not have. It has no armature either: see `inexpressible`.
 */
export function writeUrdf(urdf: Urdf): WrittenUrdf {
  const writer = new UrdfWriter(urdf.file);
  const root = writer.element('robot', { name: urdf.name, version: VERSION }, [
    ...urdf.links.map((link) => writer.link(link)),
    ...urdf.tree.joints.map((joint) => writer.joint(joint)),
  ]);
  return { root, meshes: writer.meshes };
}

/** Converts the parts of a robot to elements, and collects the meshes that they refer to. */
class UrdfWriter {
  readonly meshes = new Map<string, string>();

  /** @param file the file that the robot was read from */
  constructor(private readonly file: string) {}

  element(name: string, attributes: Readonly<Record<string, string>>, children: XacroNode[] = []): XacroElement {
    return new XacroElement(name, new Map(Object.entries(attributes)), children, { file: this.file, line: 1 });
  }

  link({ name, collisions, inertial }: LinkDraft): XacroElement {
    const isKnown = inertial !== undefined && !Number.isNaN(inertial.mass);
    const written = this.element('link', { name }, [
      ...(isKnown ? [this.inertial(inertial)] : []),
      ...collisions.map((draft) => this.collision(draft, name)),
    ]);
    return inertial !== undefined && !isKnown ? withUnknownMass(written) : written;
  }

  joint(joint: JointDescription): XacroElement {
    const { name, type, parent, child, axis, mimic } = joint;
    const limit = limitAttributes(joint);
    const drive = driveAttributes(joint);
    const written = mimic && {
      joint: mimic.joint,
      multiplier: String(mimic.multiplier),
      offset: String(mimic.offset),
    };
    return this.element('joint', { name, type }, [
      this.element('parent', { link: parent }),
      this.element('child', { link: child }),
      ...this.origin(joint.origin),
      ...(type === 'fixed' ? [] : [this.element('axis', { xyz: axis.join(' ') })]),
      ...(Object.keys(limit).length === 0 ? [] : [this.element('limit', limit)]),
      ...(Object.keys(drive).length === 0 ? [] : [this.element('dynamics', drive)]),
      ...(written === undefined ? [] : [this.element('mimic', written)]),
    ]);
  }

  private inertial({ mass, center, inertia }: MassProperties): XacroElement {
    return this.element('inertial', {}, [
      this.element('origin', { xyz: center.join(' ') }),
      this.element('mass', { value: String(mass) }),
      this.element('inertia', Object.fromEntries(INERTIA.map((key, i) => [key, String(inertia[i])]))),
    ]);
  }

  private collision(draft: CollisionDraft, link: string): XacroElement {
    const { mesh } = draft;
    const shape = mesh
      ? this.element('mesh', { filename: mesh.address, ...scaleAttribute(mesh.scale) })
      : this.shape(draft.shape!, draft, link);
    return this.element('collision', {}, [...this.origin(draft.pose), this.element('geometry', {}, [shape])]);
  }

  private shape(shape: ShapeSpec, draft: CollisionDraft, link: string): XacroElement {
    const write = SHAPES[shape.type];
    if (write !== undefined) return this.element(shape.type, write(shape));
    const mesh = shape.type === 'convex' ? objText(shape.points as readonly (readonly number[])[]) : undefined;
    if (mesh === undefined)
      throw new InputError(
        `${draft.file ?? this.file}:${draft.line}: link "${link}": URDF has no ` +
          `${shape.type === 'convex' ? 'flat mesh without a file' : shape.type}`,
        'Use the file itself in a scene, or replace the shape by a box, cylinder, sphere, capsule or mesh file.',
      );
    const address = `convex_${this.meshes.size + 1}.obj`;
    this.meshes.set(address, mesh);
    return this.element('mesh', { filename: address });
  }

  private origin(pose: Pose): XacroElement[] {
    return isIdentity(pose) ? [] : [this.element('origin', poseAttributes(pose))];
  }
}

/** Attributes of the elements of URDF for shapes. */
const SHAPES: Readonly<Record<string, ((shape: ShapeSpec) => Record<string, string>) | undefined>> = {
  box: ({ size }) => ({ size: (size as number[]).join(' ') }),
  sphere: ({ radius }) => ({ radius: String(radius) }),
  cylinder: ({ radius, length }) => ({ radius: String(radius), length: String(length) }),
  capsule: ({ radius, length }) => ({ radius: String(radius), length: String(length) }),
};

function limitAttributes(joint: JointDescription): Record<string, string> {
  const keys = ['lower', 'upper', 'velocity', 'effort', 'acceleration', 'jerk'] as const;
  return Object.fromEntries(keys.flatMap((key) => (joint[key] === undefined ? [] : [[key, String(joint[key])]])));
}

function driveAttributes({ drive }: JointDescription): Record<string, string> {
  const keys = ['damping', 'friction'] as const;
  return Object.fromEntries(keys.flatMap((key) => (drive?.[key] === undefined ? [] : [[key, String(drive[key])]])));
}

/** Returns a warning for each joint with properties that URDF cannot state. */
export function inexpressible({ tree }: Urdf): string[] {
  return tree.joints.flatMap(({ name, drive }) =>
    drive?.armature === undefined
      ? []
      : [`joint "${name}"`, 'URDF has no armature', remedy(name, drive.armature)].join(': '),
  );
}

const remedy = (joint: string, armature: number) =>
  `for torques, state it in the scene (robot: {motors: {${joint}: {armature: ${armature}}}})`;

function scaleAttribute(scale: readonly number[]): Record<string, string> {
  return scale.every((factor) => factor === 1) ? {} : { scale: scale.join(' ') };
}

const poseAttributes = ({ xyz, quat_wxyz }: Pose): Record<string, string> => ({
  xyz: xyz.join(' '),
  rpy: rpyOf(quat_wxyz).join(' '),
});

const isIdentity = ({ xyz, quat_wxyz }: Pose): boolean => quat_wxyz[0] === 1 && xyz.every((x) => x === 0);

/**
 * Writes the convex hull of points as an OBJ file. Vertices of no facet, which rounding errors cause, are triangles
 * without area. Returns undefined for flat hulls.
 */
function objText(points: readonly (readonly number[])[]): string | undefined {
  const facets = quickHull(Float64Array.from(points.flat()));
  if (facets === undefined) return undefined;
  const used = new Set(facets.flat());
  const others = points.flatMap((_, i) => (used.has(i) ? [] : [[i, i, i]]));
  return [
    ...points.map((point) => `v ${point.join(' ')}`),
    ...[...facets, ...others].map((facet) => `f ${facet.map((i) => i + 1).join(' ')}`),
    '',
  ].join('\n');
}
