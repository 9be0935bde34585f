import { missingGeometryWarning } from '../../../core/kinematics/collisionGeometry.ts';
import { compose, create, rotate, type Transform, transformPoint } from '../../../core/math/transform.ts';
import { attributeOf, childOf, lineOf, type XmlElement } from '../../text/xmlDocument.ts';
import { massOf, mjcfInertial, UNKNOWN_MASS, warnUnknown } from '../inertials.ts';
import { JointChains, type Triple } from '../jointChain.ts';
import type { JointPlace, LinkPlace } from '../sourceLocations.ts';
import type { CollisionDraft, LinkDraft, LinkGeometry } from '../urdfDocument.ts';
import { FixedJoints, readPairs } from './mjcfConstraints.ts';
import { classifyGeom, isSelected, type MjcfGeom, readGeom } from './mjcfGeoms.ts';
import { type MjcfJoint, readJoint, readJointType, statedName } from './mjcfJoints.ts';
import type { MjcfModel } from './mjcfModel.ts';
import { readOwnPose } from './mjcfPose.ts';

/** The link of the world body, root of every MJCF model. */
export const WORLD = 'world';

/** Contents of a body, those of its frames included. */
interface BodyContents {
  readonly joints: MjcfJoint[];
  readonly geoms: MjcfGeom[];
  readonly bodies: {
    readonly element: XmlElement;
    readonly T_body_child: Transform;
    readonly childClass: string | undefined;
  }[];
}

/** The bodies of a model as links, depth first, and the joints between them. */
export class MjcfBodies {
  readonly chains: JointChains;
  /** Lines of links and joints. */
  readonly places = { joints: new Map<string, JointPlace>(), links: new Map<string, LinkPlace>() };
  /** The joints by name, with their reference values. */
  readonly references = new Map<string, Pick<MjcfJoint, 'reference'>>();
  /** Elements of the joints by name. */
  readonly jointElements = new Map<string, XmlElement>();
  /** Ball and free joints, and the order of all joints in `qpos`. */
  readonly fixed: FixedJoints;
  /** Masks of the geoms that collide, without duplicates. */
  readonly masks = new Map<string, MjcfGeom['masks']>();
  /** Bodies by the names of their geoms. */
  private readonly bodyOf = new Map<string, string>();
  private readonly pairs: ReturnType<typeof readPairs>;
  private readonly paired: ReadonlySet<string>;
  private unnamed = 0;

  constructor(
    private readonly model: MjcfModel,
    private readonly geometry: LinkGeometry,
  ) {
    const names = this.checkNames();
    this.chains = new JointChains(names.body, names.joint);
    this.fixed = new FixedJoints(model.numbers);
    this.pairs = readPairs(names.geom, model);
    this.paired = new Set(this.pairs.flatMap(({ a, b }) => [a, b]));
  }

  /** Reads all bodies. */
  async read(): Promise<void> {
    const { document, schema } = this.model;
    const contents: BodyContents = { joints: [], geoms: [], bodies: [] };
    const sections = document.childrenOf(document.root, 'worldbody');
    for (const section of sections) {
      schema.checkAttributes(section, WORLD);
      this.collect(contents, section, create(), undefined, WORLD, WORLD);
    }
    for (const { element } of contents.joints)
      this.model.numbers.addProblem(element, WORLD, 'the world has no joints', 'Put it into a body.');
    const at = { line: sections[0] ? lineOf(sections[0]) : 1 };
    this.chains.links.push({ name: WORLD, collisions: await this.collisionsOf(contents.geoms, WORLD, at) });
    await this.readBodies(contents.bodies, WORLD);
  }

  /** Returns the pairs of bodies with geoms of which a `<pair>` states that they collide. */
  pairedBodies(): [string, string][] {
    return this.pairs.map(({ a, b }) => [this.bodyOf.get(a)!, this.bodyOf.get(b)!]);
  }

  /** Returns true if a `<pair>` states that geoms of two bodies collide. */
  arePaired(a: string, b: string): boolean {
    return this.pairedBodies().some(([one, other]) => (one === a && other === b) || (one === b && other === a));
  }

  private async readBodies(bodies: BodyContents['bodies'], parent: string): Promise<void> {
    for (const { element, T_body_child, childClass } of bodies) {
      const name = statedName(element) ?? this.chains.unusedLink(`body_${++this.unnamed}`);
      const contents: BodyContents = { joints: [], geoms: [], bodies: [] };
      this.collect(contents, element, create(), childClass, `body "${name}"`, name);
      this.fixed.checkBody(name, parent === WORLD, contents.joints.length);
      const collisions = await this.collisionsOf(contents.geoms, name, { line: lineOf(element) });
      this.chains.addLink(
        { name, collisions, ...this.massOf(element, name, contents.geoms.length > 0) },
        parent,
        T_body_child,
        contents.joints,
        `${name} weld`,
      );
      await this.readBodies(contents.bodies, name);
    }
  }

  /** Collects the contents of a body or frame; those of frames are transformed to the body. */
  private collect(
    into: BodyContents,
    around: XmlElement,
    T_body_frame: Transform,
    childClass: string | undefined,
    place: string,
    body: string,
  ): void {
    const { schema, defaults, compiler, numbers } = this.model;
    for (const element of schema.childrenOf(around, place)) {
      const kind = element.nodeName;
      if (kind === 'geom') {
        const what = statedName(element) === undefined ? `geom of ${place}` : `geom "${statedName(element)}"`;
        schema.checkAttributes(element, what);
        const name = statedName(element);
        if (name !== undefined) this.bodyOf.set(name, body);
        const isPaired = name !== undefined && this.paired.has(name);
        const given = defaults.apply(element, 'geom', childClass, what);
        into.geoms.push(classifyGeom(given, T_body_frame, isPaired));
      } else if (kind === 'joint' || kind === 'freejoint') {
        this.collectJoint(into, element, T_body_frame, childClass, body);
      } else if (kind === 'body' || kind === 'frame') {
        const what = statedName(element) === undefined ? `${kind} of ${place}` : `${kind} "${statedName(element)}"`;
        schema.checkAttributes(element, what);
        const T = readOwnPose(element, compiler, what, numbers);
        compose(T, T_body_frame, T);
        if (attributeOf(element, 'mocap') === 'true') this.checkMocap(element, what, body);
        const inner = defaults.childClass(element, childClass, what);
        if (kind === 'frame') this.collect(into, element, T, inner, place, body);
        else into.bodies.push({ element, T_body_child: T, childClass: inner });
      }
    }
  }

  /** Adds a problem for a mocap body that MuJoCo refuses: it has joints, or is not a child of the world. */
  private checkMocap(element: XmlElement, place: string, parent: string): void {
    const { document, numbers } = this.model;
    const hasJoints = (around: XmlElement): boolean =>
      document
        .childrenOf(around)
        .some((child) => child.nodeName === 'joint' || (child.nodeName === 'frame' && hasJoints(child)));
    if (parent !== WORLD || hasJoints(element)) {
      const what = parent === WORLD ? 'it is a mocap body and has a joint' : 'it is a mocap body inside another body';
      numbers.addProblem(element, place, what, 'A mocap body is a child of the world without joints.');
    } else numbers.warn(element, place, 'it is a mocap body: it stays at its stated pose');
  }

  private collectJoint(
    into: BodyContents,
    element: XmlElement,
    T: Transform,
    childClass: string | undefined,
    body: string,
  ): void {
    const { schema, defaults } = this.model;
    const name = statedName(element) ?? this.chains.unusedJoint(`${body} joint`);
    schema.checkAttributes(element, `joint "${name}"`);
    const given = defaults.apply(element, 'joint', childClass, `joint "${name}"`);
    const type = element.nodeName === 'freejoint' ? 'free' : readJointType(given);
    if (type === undefined) return;
    this.fixed.add({ element, name, type, body });
    if (type === 'free' || type === 'ball') return;
    const joint = readJoint(given, type, name, this.model.compiler);
    this.jointElements.set(name, element);
    this.places.joints.set(name, { line: lineOf(element), limit: undefined, axis: undefined });
    if (joint === undefined) return;
    this.references.set(name, joint);
    const axis = Float64Array.from(joint.axis);
    const pivot = Float64Array.from(joint.pivot);
    rotate(axis, T, axis);
    transformPoint(pivot, T, pivot);
    into.joints.push({ ...joint, axis: tripleOf(axis), pivot: tripleOf(pivot) });
  }

  /**
   * Reads the geometry of a body that is checked for collisions. If visual geometry is requested and the body has none,
   * its collision geometry is read.
   */
  private async collisionsOf(
    geoms: readonly MjcfGeom[],
    link: string,
    at: { line: number },
  ): Promise<CollisionDraft[]> {
    const { numbers } = this.model;
    let selected = geoms.filter((geom) => isSelected(geom, this.geometry));
    if (selected.length === 0 && geoms.length > 0) {
      if (this.geometry === 'collision') numbers.warnings.push(missingGeometryWarning(link));
      selected = geoms.filter((geom) => isSelected(geom, 'collision'));
      if (selected.length > 0)
        numbers.warnings.push(`link "${link}" has no visual geometry: its collision geometry is used`);
    }
    const collisions: CollisionDraft[] = [];
    for (const geom of selected) {
      this.masks.set(`${geom.masks.type} ${geom.masks.affinity}`, geom.masks);
      const draft = await readGeom(geom, this.model);
      if (draft !== undefined) collisions.push(draft);
    }
    this.places.links.set(link, { line: at.line, collisions: collisions.map(({ line }) => line) });
    return collisions;
  }

  /** Returns the stated mass of a body. MuJoCo computes that of a body with geoms and no `<inertial>` from them all. */
  private massOf(body: XmlElement, name: string, hasGeoms: boolean): Pick<LinkDraft, 'mass' | 'inertial'> {
    const { compiler, numbers } = this.model;
    const inertial = childOf(body, 'inertial');
    if (inertial === undefined) return massOf(undefined, hasGeoms ? UNKNOWN_MASS : undefined);
    const place = `body "${name}"`;
    const mass = numbers.number(inertial, 'mass', place);
    const isAsStated = !compiler.changesInertias;
    if (!isAsStated) return massOf(mass, UNKNOWN_MASS);
    const stated = mjcfInertial(inertial, readOwnPose(inertial, compiler, place, numbers));
    warnUnknown(numbers, place, inertial, stated);
    return massOf(mass, stated);
  }

  /** Adds a problem for names that occur twice; returns all names. */
  private checkNames(): Readonly<Record<'body' | 'joint' | 'geom', Set<string>>> {
    const { document, numbers } = this.model;
    const names = { body: new Set([WORLD]), joint: new Set<string>(), geom: new Set<string>() };
    const visit = (around: XmlElement): void => {
      for (const element of document.childrenOf(around)) {
        const kind = element.nodeName;
        if (kind === 'body' || kind === 'frame') visit(element);
        const group = kind === 'freejoint' ? 'joint' : kind;
        if (group !== 'body' && group !== 'joint' && group !== 'geom') continue;
        const name = statedName(element);
        if (name === undefined) continue;
        if (names[group].has(name)) {
          const plural = group === 'body' ? 'bodies' : `${group}s`;
          numbers.addProblem(element, `${group} "${name}"`, `there are two ${plural} of this name`);
        }
        names[group].add(name);
      }
    };
    for (const section of document.childrenOf(document.root, 'worldbody')) visit(section);
    return names;
  }
}

const tripleOf = ([x, y, z]: Float64Array): Triple => [x, y, z];
