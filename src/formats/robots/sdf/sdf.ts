import { compose, composed, create, isIdentity, type Transform } from '../../../core/math/transform.ts';
import { InputErrors } from '../../../errors.ts';
import { attributeOf, lineOf, type XmlElement } from '../../text/xmlDocument.ts';
import { XmlNumbers } from '../../text/xmlNumbers.ts';
import { restingPairs } from '../heldJoints.ts';
import { JointChains, type PivotJoint } from '../jointChain.ts';
import { movingPlaneProblems } from '../movingPlanes.ts';
import type { RobotReading } from '../robotFormat.ts';
import type { JointPlace, LinkPlace } from '../sourceLocations.ts';
import { farthestJoint, meshAddresses, noGeometryWarning } from '../urdf.ts';
import type { LinkDraft, LinkGeometry, Urdf } from '../urdfDocument.ts';
import { refuseMimicLoops } from '../urdfJoints.ts';
import { SdfFiles } from './sdfFiles.ts';
import { resolved, SdfFrames } from './sdfFrames.ts';
import { readSdfJoint, relativeTo } from './sdfJoints.ts';
import { readSdfLink } from './sdfLinks.ts';
import { MODEL_FRAME, placeOf, type SdfFrame, type SdfModel, SdfModelReader, WORLD } from './sdfModel.ts';
import { SdfText } from './sdfText.ts';

/**
 * Reads the model of an SDF file: links and joints of nested models are named `MODEL::NAME`, poses are in the frame of
 * the model, whose own pose in a world is left out. Throws one error that lists all problems, with file and line.
 * [SDFormat, Specification]
 */
export async function readSdf(text: string, file: string, { geometry, files }: RobotReading): Promise<Urdf> {
  const sources = new SdfFiles(files);
  const { model: element, file: main, warnings } = await sources.open(text, file);
  const numbers = new XmlNumbers(file, (one) => sources.fileOf(one) ?? file);
  const values = new SdfText(numbers);
  values.pose(element, placeOf('model', attributeOf(element, 'name') ?? '')); // left out, but its numbers must be valid
  values.flag(element, 'static', placeOf('model', attributeOf(element, 'name') ?? ''));
  const model = await new SdfModelReader(values, sources).read(element, main, '');
  if (numbers.problems.length > 0) throw new InputErrors(numbers.problems);
  const robot = new SdfRobot(model, values, geometry, file);
  robot.read();
  const name = attributeOf(element, 'name') || file.replace(/^.*[\\/]|\.[^.]*$/g, '');
  if (robot.links.every(({ collisions }) => collisions.length === 0)) numbers.warnings.push(noGeometryWarning(name));
  const { links, places } = robot;
  const { joints } = robot.chains;
  const tree = { root: robot.root, joints };
  const allowed = restingPairs(robot.loose, links, joints);
  const all = [...warnings, ...numbers.warnings, ...values.warnings()];
  return { file, name, geometry, meshes: meshAddresses(links), links, tree, warnings: all, allowed, places };
}

/** A part of a model with the model, and the pose of the model in that of the robot. */
interface Placed {
  readonly frame: SdfFrame;
  readonly model: SdfModel;
  readonly T_robot_model: Transform;
}

/** A joint between two links; the parent may be the world. */
interface Edge extends Placed {
  readonly parent: string;
  readonly child: string;
  readonly pivot: PivotJoint;
}

/** Links and joints of a model and of those nested in it; those of a model come before those of its nested models. */
class SdfRobot {
  readonly links: LinkDraft[] = [];
  readonly places = { joints: new Map<string, JointPlace>(), links: new Map<string, LinkPlace>() };
  chains = new JointChains([], []);
  root = '';
  /** Links that no joint holds, other than the base. */
  loose: readonly string[] = [];
  private readonly frames: SdfFrames;
  private readonly numbers: XmlNumbers;
  private readonly placedLinks = new Map<string, Placed>();
  private readonly placedJoints = new Map<string, Placed>();

  constructor(
    model: SdfModel,
    private readonly text: SdfText,
    private readonly geometry: LinkGeometry,
    private readonly file: string,
  ) {
    this.numbers = text.numbers;
    this.frames = new SdfFrames(text.numbers);
    this.collect(model, create());
  }

  read(): void {
    this.throwProblems();
    const drafts = new Map<string, LinkDraft>();
    for (const [name, placed] of this.placedLinks) drafts.set(name, this.readLink(name, placed));
    const edges = [...this.placedJoints.values()].flatMap((placed) => resolved(() => this.readEdge(placed)) ?? []);
    if (drafts.size === 0) this.numbers.addProblem(this.modelElement, 'model', 'there is no <link>');
    this.throwProblems();
    this.requireTree(edges);
    this.throwProblems();
    this.build(drafts, edges);
    const elementOf = new Map(edges.map(({ pivot, frame }) => [pivot.joint.name, frame.element]));
    const elements = this.chains.joints.map(({ name }) => elementOf.get(name) ?? this.modelElement);
    this.requireLeaders(edges);
    refuseMimicLoops(elements, this.chains.joints, this.numbers);
    this.numbers.problems.push(...movingPlaneProblems(this.links, this.chains.joints, this.file));
    const far = farthestJoint(this.chains.joints);
    if (far !== undefined) {
      const element = elements[this.chains.joints.findIndex(({ name }) => name === far.name)];
      this.numbers.addProblem(
        element,
        `joint "${far.name}"`,
        `poses and slides add up to ${far.distance} m from the model`,
      );
    }
    this.throwProblems();
  }

  private get modelElement(): XmlElement {
    return this.outermost!.element;
  }

  private outermost: SdfModel | undefined;

  private collect(model: SdfModel, T_robot_model: Transform): void {
    this.outermost ??= model;
    this.collectParts(model, T_robot_model);
    if (this.numbers.problems.length === 0) this.collectNested(model, T_robot_model);
  }

  /** Collects the links and joints of a model; those of merged models in their place. */
  private collectParts(model: SdfModel, T_robot_model: Transform): void {
    for (const frame of model.frames.values()) {
      const T_model_frame = resolved(() => this.frames.poseOfFrame(frame, model));
      if (frame.kind === 'frame')
        resolved(() =>
          this.frames.linkOf(frame.name, model, frame.element, placeOf('frame', model.prefix + frame.name)),
        );
      if (frame.isMerged && T_model_frame !== undefined)
        this.collectParts(frame.model!, composed(T_robot_model, T_model_frame));
      const placed = { frame, model, T_robot_model };
      if (frame.kind !== 'link' && frame.kind !== 'joint') continue;
      const name = model.prefix + frame.name;
      const placedParts = frame.kind === 'link' ? this.placedLinks : this.placedJoints;
      if (placedParts.has(name))
        this.numbers.addProblem(frame.element, placeOf(frame.kind, name), `there are two ${frame.kind}s of this name`);
      placedParts.set(name, placed);
    }
  }

  /** Collects what the nested models of a model contain. */
  private collectNested(model: SdfModel, T_robot_model: Transform): void {
    for (const frame of model.frames.values()) {
      if (frame.model === undefined) continue;
      const T = composed(T_robot_model, this.frames.poseOfFrame(frame, model));
      if (frame.isMerged) this.collectNested(frame.model, T);
      else this.collect(frame.model, T);
    }
  }

  private throwProblems(): void {
    if (this.numbers.problems.length > 0) throw new InputErrors(this.numbers.problems);
  }

  private readLink(name: string, { frame, model }: Placed): LinkDraft {
    const { frames, text } = this;
    const link = readSdfLink(name, frame, this.geometry, { model, frames, text, mainFile: this.file });
    const collisions = link.collisions.map(({ line }) => line);
    this.places.links.set(name, { line: lineOf(frame.element), collisions });
    return link;
  }

  private readEdge(placed: Placed): Edge | undefined {
    const { frame, model } = placed;
    const { element } = frame;
    const name = model.prefix + frame.name;
    const place = placeOf('joint', name);
    this.places.joints.set(name, { line: lineOf(element), limit: undefined, axis: undefined });
    const [parent, child] = ['parent', 'child'].map((end) => this.text.text(element, end, place) ?? '');
    if (parent === '' || child === '') {
      this.numbers.addProblem(element, place, `there is no <${parent === '' ? 'parent' : 'child'}>`);
      return undefined;
    }
    const isWorld = (end: string) => end === WORLD && !model.frames.has(WORLD);
    if (isWorld(child)) {
      this.numbers.addProblem(element, place, 'the world cannot be the child of a joint', 'Make it the parent.');
      return undefined;
    }
    if (isWorld(parent) && this.placedLinks.has(WORLD)) {
      const what = 'its parent is the world, but a link of the robot has the name "world" as well';
      this.numbers.addProblem(element, place, what, 'Rename the link.');
      return undefined;
    }
    const moved = this.frames.linkOf(child, model, element, place);
    const held = isWorld(parent) ? undefined : this.frames.linkOf(parent, model, element, place);
    const childName = moved.model.prefix + moved.frame.name;
    const parentName = held === undefined ? WORLD : held.model.prefix + held.frame.name;
    if (parentName === childName) this.numbers.addProblem(element, place, `it connects link "${childName}" to itself`);
    const T_model_child = relativeTo(placed.T_robot_model, this.poseOfLink(childName));
    const pivot = readSdfJoint(frame, T_model_child, { model, frames: this.frames, text: this.text });
    return { ...placed, parent: parentName, child: childName, pivot };
  }

  /** Returns the pose of a link in the frame of the robot. */
  private poseOfLink(name: string): Transform {
    const { frame, model, T_robot_model } = this.placedLinks.get(name)!;
    const T = create();
    compose(T, T_robot_model, this.frames.poseOfFrame(frame, model));
    return T;
  }

  /** Adds a problem for links that are the child of several joints, and for loops. */
  private requireTree(edges: readonly Edge[]): void {
    const above = new Map<string, Edge>();
    for (const edge of edges) {
      const other = above.get(edge.child);
      if (other !== undefined) {
        const joint = other.pivot.joint.name;
        const what = `link "${edge.child}" is also the child of joint "${joint}": a robot must be a tree`;
        this.numbers.addProblem(edge.frame.element, placeOf('joint', edge.pivot.joint.name), what);
      } else above.set(edge.child, edge);
    }
    const rooted = new Set<string>([WORLD]);
    for (const edge of edges) {
      const path: string[] = [];
      const seen = new Set<string>();
      for (let link = edge.child; !rooted.has(link); link = above.get(link)!.parent) {
        if (seen.has(link)) {
          const list = path.slice(path.indexOf(link)).map((one) => `"${one}"`);
          this.numbers.addProblem(
            edge.frame.element,
            placeOf('joint', edge.pivot.joint.name),
            `these links form a loop: ${list.join(', ')}`,
            'A robot must be a tree.',
          );
          return;
        }
        seen.add(link);
        path.push(link);
        if (!above.has(link)) break;
      }
      for (const link of path) rooted.add(link);
    }
  }

  private requireLeaders(edges: readonly Edge[]): void {
    const types = new Map(edges.map(({ pivot: { joint } }) => [joint.name, joint.type]));
    for (const { pivot, frame } of edges) {
      const leader = pivot.joint.mimic?.joint;
      if (leader === undefined || (types.has(leader) && types.get(leader) !== 'fixed')) continue;
      const what = types.has(leader) ? 'is fixed' : 'is not a joint';
      this.numbers.addProblem(
        frame.element,
        placeOf('joint', pivot.joint.name),
        `it mimics "${leader}", which ${what}`,
      );
    }
  }

  /** Warns about loose links: in a simulation they would fall unless the model is static. */
  private warnOfLooseLinks(): void {
    const { loose: links } = this;
    if (links.length === 0 || this.text.flag(this.modelElement, 'static', 'model')) return;
    const names = links
      .slice(0, 5)
      .map((name) => `"${name}"`)
      .join(', ');
    const list = links.length > 5 ? `${names} and ${links.length - 5} more` : names;
    this.numbers.warnings.push(
      `no joint holds ${links.length > 1 ? 'links' : 'link'} ${list}: fixed at the stated pose`,
    );
  }

  /** Builds the tree; links without a joint are fixed to the world or to the frame of the model. */
  private build(drafts: ReadonlyMap<string, LinkDraft>, edges: readonly Edge[]): void {
    const held = new Set(edges.map(({ child }) => child));
    const free = [...drafts.keys()].filter((name) => !held.has(name));
    const usesWorld = edges.some(({ parent }) => parent === WORLD) && !drafts.has(WORLD);
    this.loose = usesWorld ? free : free.slice(1);
    this.warnOfLooseLinks();
    const isRoot = !usesWorld && free.length === 1 && isIdentity(this.poseOfLink(free[0]));
    this.root = usesWorld ? WORLD : isRoot ? free[0] : MODEL_FRAME;
    this.chains = new JointChains(
      [...drafts.keys(), this.root],
      edges.map(({ pivot }) => pivot.joint.name),
    );
    for (const edge of edges) {
      const T_robot_parent = this.placedLinks.has(edge.parent) ? this.poseOfLink(edge.parent) : create();
      const T = relativeTo(T_robot_parent, this.poseOfLink(edge.child));
      this.chains.addLink(drafts.get(edge.child)!, edge.parent, T, [edge.pivot], '');
    }
    if (!isRoot)
      for (const name of free)
        this.chains.addLink(drafts.get(name)!, this.root, this.poseOfLink(name), [], `${name} fixed`);
    const added = this.chains.links.filter(({ name }) => !drafts.has(name));
    if (!drafts.has(this.root)) this.links.push({ name: this.root, collisions: [] });
    this.links.push(...drafts.values(), ...added);
  }
}
