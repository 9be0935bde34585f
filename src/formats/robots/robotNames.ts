import { followerContradiction, type Leader, leadersOf } from '../../core/kinematics/mimics.ts';
import { attributeOf, childrenOf, type XmlElement } from '../text/xmlDocument.ts';
import type { Urdf } from './urdfDocument.ts';

/** The names of a robot, and the unknown names to which its SRDF refers. */
export class RobotNames {
  readonly unknown = new Set<string>();
  private readonly virtual: ReadonlySet<string>;
  private readonly links: ReadonlySet<string>;
  private readonly joints: ReadonlyMap<string, { moves: boolean }>;
  /** Joints that follow others, and what follows what. */
  private readonly followers: ReadonlySet<string>;
  private readonly leaders: () => ReadonlyMap<string, Leader>;
  /** The joint above each link, by the name of the link. */
  private readonly above: ReadonlyMap<string, { name: string; parent: string }>;

  constructor({ links, tree }: Pick<Urdf, 'links' | 'tree'>, root: XmlElement) {
    this.virtual = new Set(childrenOf(root, 'virtual_joint').map((joint) => attributeOf(joint, 'name') ?? ''));
    this.links = new Set(links.map((link) => link.name));
    this.joints = new Map(
      tree.joints.map(({ name, type, mimic }) => [name, { moves: type !== 'fixed' && mimic === undefined }]),
    );
    this.followers = new Set(tree.joints.flatMap(({ name, mimic }) => (mimic === undefined ? [] : [name])));
    this.leaders = () =>
      leadersOf(attributeOf(root, 'name') ?? '', new Map(tree.joints.map((joint) => [joint.name, joint])));
    this.above = new Map(tree.joints.map(({ name, parent, child }) => [child, { name, parent }]));
  }

  hasLink(name: string): boolean {
    if (!this.links.has(name)) this.unknown.add(`link "${name}"`);
    return this.links.has(name);
  }

  /**
   * Returns true if the joint belongs to the robot; records unknown ones. Virtual joints, which place the robot in the
   * world, are neither.
   */
  hasJoint(name: string): boolean {
    if (!this.joints.has(name) && !this.virtual.has(name)) this.unknown.add(`joint "${name}"`);
    return this.joints.has(name);
  }

  /** Returns what contradicts the value of a joint of the robot: it follows another one. */
  contradiction(joint: string, values: ReadonlyMap<string, number>): string | undefined {
    return this.followers.has(joint) ? followerContradiction(joint, values, this.leaders()) : undefined;
  }

  /**
   * Returns the joints between two links: those above one of them but not above both, as in MoveIt. Empty if a link is
   * unknown, which is recorded.
   */
  chain(base: string, tip: string): string[] {
    if (!this.hasLink(base) || !this.hasLink(tip)) return [];
    const [ofBase, ofTip] = [this.jointsAbove(base), this.jointsAbove(tip)];
    return [...[...ofTip].filter((name) => !ofBase.has(name)), ...[...ofBase].filter((name) => !ofTip.has(name))];
  }

  private jointsAbove(link: string): Set<string> {
    const names = new Set<string>();
    for (let above = this.above.get(link); above !== undefined; above = this.above.get(above.parent))
      names.add(above.name);
    return names;
  }

  jointAbove(link: string): string[] {
    const above = this.hasLink(link) ? this.above.get(link) : undefined;
    return above === undefined ? [] : [above.name];
  }

  /** Returns those of the joints that are movable and neither mimic nor passive joints, in the order of the URDF. */
  moving(names: ReadonlySet<string>, passive: ReadonlySet<string>): string[] {
    const isPlannable = (name: string) => this.joints.get(name)!.moves && names.has(name) && !passive.has(name);
    return [...this.joints.keys()].filter(isPlannable);
  }
}
