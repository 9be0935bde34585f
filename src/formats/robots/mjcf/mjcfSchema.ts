import { suggestion } from '../../../errors.ts';
import type { XmlElement } from '../../text/xmlDocument.ts';
import type { XmlNumbers } from '../../text/xmlNumbers.ts';
import type { MjcfDocument } from './mjcfDocument.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const ORIENTATION = 'quat axisangle euler xyaxes zaxis';

/** Attributes of the elements that are read [MuJoCo, XML reference], with those that have no meaning here. */
const attributes: Readonly<Record<string, readonly string[]>> = {
  mujoco: words('model'),
  compiler: words(`alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict convexhull
    coordinate discardvisual eulerseq exactmeshinertia fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir
    saveinertial settotalmass strippath texturedir usethread`),
  worldbody: [],
  body: words(`name childclass pos ${ORIENTATION} mocap gravcomp user simple sleep`),
  frame: words(`name childclass pos ${ORIENTATION}`),
  joint: words(`name class type group pos axis range limited ref actuatorfrclimited actuatorfrcrange actuatorgravcomp
    armature damping frictionloss margin solimpfriction solimplimit solreffriction solreflimit springdamper
    springinertial springref stiffness user`),
  freejoint: words('name group align'),
  geom: words(`name class type size pos ${ORIENTATION} fromto contype conaffinity mesh hfield group adhesion condim
    density fitscale fluidcoef fluidshape friction gap margin mass material priority rgba shellinertia solimp solmix
    solref surfacevel user`),
  mesh: words(`name class file content_type scale refpos refquat vertex builtin face inertia material maxhullvert normal
    params smoothnormal texcoord`),
  'equality joint': words('name class active joint1 joint2 polycoef solimp solref'),
  equality: words('active solimp solref'),
  exclude: words('name body1 body2'),
  pair: words('name class geom1 geom2 condim friction gap margin solimp solref solreffriction'),
  default: words('class'),
  key: words('name qpos act ctrl mpos mquat qvel time'),
};

/** Treatment of the children of an element: `read`, `ignored` (with one warning for all of them), or refused. */
interface Children {
  readonly read: readonly string[];
  readonly ignored: readonly string[];
  /** Refused elements, and what to do instead. */
  readonly refused: Readonly<Record<string, string>>;
}

const ONLY_RIGID = 'Only rigid bodies are checked for collisions.';

const PARTS_OF_BODIES: Children = {
  read: words('body frame joint freejoint geom inertial'),
  ignored: words('site camera light plugin'),
  refused: {
    composite: 'Write its bodies out.',
    flexcomp: ONLY_RIGID,
    attach: 'Write the attached model out, or save the compiled model with MuJoCo.',
    replicate: 'Write the copies out, or save the compiled model with MuJoCo.',
  },
};

const children: Readonly<Record<string, Children>> = {
  mujoco: {
    read: words('compiler default asset worldbody contact equality keyframe deformable'),
    ignored: words('option size statistic visual custom extension tendon actuator sensor'),
    refused: {},
  },
  worldbody: PARTS_OF_BODIES,
  body: PARTS_OF_BODIES,
  frame: PARTS_OF_BODIES,
  asset: { read: ['mesh'], ignored: words('hfield skin texture material model'), refused: {} },
  contact: { read: ['exclude', 'pair'], ignored: [], refused: {} },
  equality: { read: ['joint'], ignored: words('connect weld tendon flex flexvert flexstrain distance'), refused: {} },
  keyframe: { read: ['key'], ignored: [], refused: {} },
  deformable: { read: [], ignored: ['skin'], refused: { flex: ONLY_RIGID } },
  default: {
    read: words('default joint geom mesh equality'),
    ignored: words(`material site camera light pair tendon general motor position velocity intvelocity orientation pid
      damper cylinder muscle adhesion dcmotor plugin`),
    refused: {},
  },
};

/** Ignored child elements of elements that are not in `children`. */
const innerElements: Readonly<Record<string, readonly string[]>> = {
  compiler: ['lengthrange'],
  geom: ['plugin'],
  mesh: ['plugin'],
};

/** Ignored elements that do not affect planning: no warning names them. */
const SILENT = new Set(words('option size statistic visual custom material texture'));

/** Checks elements against the schema, and collects the names of those that are ignored. */
export class MjcfSchema {
  private readonly ignored = new Set<string>();
  /** Ignored equalities: they couple bodies. */
  private readonly couplings = new Set<string>();

  constructor(
    private readonly document: MjcfDocument,
    private readonly numbers: XmlNumbers,
  ) {}

  /** Returns the child elements that are read; adds a problem for refused and unknown ones. */
  childrenOf(element: XmlElement, place: string, kind: string = element.nodeName): XmlElement[] {
    const { read, ignored, refused } = children[kind];
    return this.document.childrenOf(element).filter((child) => {
      const name = child.nodeName;
      if (read.includes(name)) return true;
      if (ignored.includes(name)) {
        if (kind === 'equality') this.couplings.add(name);
        else if (!SILENT.has(name)) this.ignored.add(name);
      } else if (Object.hasOwn(refused, name)) {
        this.numbers.addProblem(child, place, `<${name}> is not supported`, refused[name]);
      } else {
        const known = [...read, ...ignored];
        this.numbers.addProblem(child, place, `unknown element <${name}>`, suggestion(name, known));
      }
      return false;
    });
  }

  /** Adds a problem for each unknown attribute, and for each child element of one that has none. */
  checkAttributes(element: XmlElement, place: string, kind: string = element.nodeName): void {
    for (const { name } of Array.from(element.attributes)) {
      if (attributes[kind].includes(name) || name === 'xmlns' || name.includes(':')) continue;
      const what = `unknown attribute "${name}" of <${element.nodeName}>`;
      this.numbers.addProblem(element, place, what, suggestion(name, attributes[kind]));
    }
    if (Object.hasOwn(children, kind)) return;
    const known = innerElements[kind] ?? [];
    const inner = this.document.childrenOf(element).find(({ nodeName }) => !known.includes(nodeName));
    if (inner === undefined) return;
    const what = `<${inner.nodeName}> has no meaning in <${element.nodeName}>`;
    this.numbers.addProblem(inner, place, what, `Is <${element.nodeName}> not closed?`);
  }

  /** Returns the warnings about ignored elements; none if nothing is ignored. */
  warnings(): string[] {
    const list = (names: ReadonlySet<string>) => [...names].map((name) => `<${name}>`).join(', ');
    const lines: string[] = [];
    if (this.couplings.size > 0) {
      lines.push(`equalities are ignored, ${list(this.couplings)}: what they couple moves independently`);
    }
    if (this.ignored.size > 0) {
      lines.push(`ignored, because they do not matter to motion planning: ${list(this.ignored)}`);
    }
    return lines;
  }
}
