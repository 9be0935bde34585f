import { Random } from '../../../../src/core/math/random.ts';
import { about, chained, fromRpy, identity, inverted, type Rigid, rotated, unit } from '../rigid.ts';

/** A random model, and the poses of its links, computed by plain code. */
export interface RandomSdf {
  readonly text: string;
  readonly joints: readonly string[];
  readonly poses: (values: Readonly<Record<string, number>>) => ReadonlyMap<string, Rigid>;
}

interface Link {
  readonly name: string;
  readonly rest: Rigid;
}

interface Joint {
  readonly name: string;
  readonly type: 'revolute' | 'prismatic' | 'fixed';
  readonly parent: Link;
  readonly child: Link;
  readonly rest: Rigid;
  /** In the frame of the joint. */
  readonly axis: readonly number[];
}

/**
 * Writes a random tree of links whose poses are stated relative to other links, frames and joints, in degrees, radians
 * or as quaternions, with joint frames apart from the link frames and axes expressed in any frame.
 */
export function randomSdf(seed: number): RandomSdf {
  const random = new Random(seed);
  const numbers = (count: number) => Array.from({ length: count }, () => random.between(-1, 1));
  const known = new Map<string, Rigid>([['__model__', identity]]); // in the frame of the model
  const parts: string[] = [];
  const links: Link[] = [];
  const joints: Joint[] = [];

  const frameBelow = (): string => [...known.keys()][random.below(known.size)];

  /** States a random pose relative to a known frame; returns the pose in the frame of the model. */
  function stated(defaultFrame: string): { text: string; rest: Rigid } {
    const isDefault = random.below(3) === 0;
    const base = isDefault ? defaultFrame : frameBelow();
    const t = numbers(3);
    const attribute = isDefault ? '' : ` relative_to="${base}"`;
    const kind = random.below(3);
    const [rpy, quaternion] = [numbers(3).map((x) => 3 * x), unit(numbers(4))];
    const rest = chained(known.get(base)!, { q: kind === 2 ? quaternion : fromRpy(rpy), t });
    if (kind === 2) {
      const [w, x, y, z] = quaternion.map((value) => 2 * value);
      const text = `<pose${attribute} rotation_format="quat_xyzw">${[...t, x, y, z, w].join(' ')}</pose>`;
      return { text, rest };
    }
    const inDegrees = kind === 1;
    const angles = inDegrees ? rpy.map((x) => (x * 180) / Math.PI) : rpy;
    return {
      text: `<pose${attribute}${inDegrees ? ' degrees="true"' : ''}>${[...t, ...angles].join(' ')}</pose>`,
      rest,
    };
  }

  function addFrame(): void {
    const name = `f${known.size}`;
    const attached = random.below(2) === 0 || links.length === 0 ? undefined : links[random.below(links.length)].name;
    const { text, rest } = stated(attached ?? '__model__');
    known.set(name, rest);
    parts.push(`<frame name="${name}"${attached === undefined ? '' : ` attached_to="${attached}"`}>${text}</frame>`);
  }

  function addLink(): Link {
    const name = `l${links.length}`;
    const { text, rest } = stated('__model__');
    const link = { name, rest };
    known.set(name, rest);
    links.push(link);
    parts.push(`<link name="${name}">${text}</link>`);
    return link;
  }

  function addJoint(parent: Link, child: Link): void {
    const name = `j${joints.length}`;
    const type = (['revolute', 'revolute', 'prismatic', 'fixed'] as const)[random.below(4)];
    const { text, rest } = stated(child.name);
    const axis = numbers(3);
    const expressed = random.below(2) === 0 ? undefined : frameBelow();
    const inModel = rotated((expressed === undefined ? rest : known.get(expressed)!).q, axis);
    known.set(name, rest);
    joints.push({ name, type, parent, child, rest, axis: rotated(inverted(rest).q, inModel) });
    const attribute = expressed === undefined ? '' : ` expressed_in="${expressed}"`;
    const axisText = type === 'fixed' ? '' : `<axis><xyz${attribute}>${axis.join(' ')}</xyz></axis>`;
    const ends = `<parent>${parent.name}</parent><child>${child.name}</child>`;
    parts.push(`<joint name="${name}" type="${type}">${text}${ends}${axisText}</joint>`);
  }

  addLink();
  for (let i = 0; i < 5; i++) {
    if (random.below(2) === 0) addFrame();
    const parent = links[random.below(links.length)];
    addJoint(parent, addLink());
  }
  return {
    text: `<sdf version="1.9"><model name="random">${parts.join('\n')}</model></sdf>`,
    joints: joints.filter(({ type }) => type !== 'fixed').map(({ name }) => name),
    poses: (values) => linkPoses(links[0], joints, values),
  };
}

/** Moves the links below a joint about its frame: T_child = T_parent · (parent to joint) · motion · (joint to child) */
function linkPoses(
  root: Link,
  joints: readonly Joint[],
  values: Readonly<Record<string, number>>,
): ReadonlyMap<string, Rigid> {
  const poses = new Map<string, Rigid>([[root.name, root.rest]]);
  for (const { name, type, parent, child, rest, axis } of joints) {
    const value = type === 'fixed' ? 0 : values[name];
    const motion: Rigid =
      type === 'prismatic'
        ? { q: identity.q, t: unit(axis).map((x) => x * value) }
        : { q: about(axis, value), t: [0, 0, 0] };
    const T_parent_joint = chained(inverted(parent.rest), rest);
    const T_joint_child = chained(inverted(rest), child.rest);
    poses.set(child.name, chained(poses.get(parent.name)!, T_parent_joint, motion, T_joint_child));
  }
  return poses;
}
