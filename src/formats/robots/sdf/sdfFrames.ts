import { compose, create, invert, type Transform } from '../../../core/math/transform.ts';
import type { XmlElement } from '../../text/xmlDocument.ts';
import type { XmlNumbers } from '../../text/xmlNumbers.ts';
import { MODEL_FRAME, mergedWith, placeOf, type SdfFrame, type SdfModel } from './sdfModel.ts';

/** Maximum length of a chain of frames that are relative to each other; longer ones would overflow the stack. */
const MAX_DEPTH = 1000;

/** A link with the model that contains it. */
export interface SdfLink {
  readonly frame: SdfFrame;
  readonly model: SdfModel;
}

/** Thrown after a problem was added that leaves a frame without a pose or a link. */
class UnresolvedFrame extends Error {}

/** Returns the result of a function; undefined if it throws `UnresolvedFrame`, whose problem has been added. */
export function resolved<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof UnresolvedFrame)) throw error;
    return undefined;
  }
}

/**
 * Resolves the frames of a model and of those nested in it [SDFormat, Pose frame semantics]. Names are relative to the
 * model in which they are written; `a::b` is frame b of the nested model a.
 */
export class SdfFrames {
  private readonly poses = new Map<SdfFrame, Transform | 'resolving'>();
  private readonly links = new Map<SdfFrame, SdfLink | 'resolving'>();
  private readonly failed = new Set<SdfFrame>();
  private readonly canonical = new Map<SdfModel, SdfLink>();
  /** Number of frames that are being resolved. */
  private depth = 0;

  constructor(private readonly numbers: XmlNumbers) {}

  /**
   * Returns the pose of a frame in the frame of the model in which it is named. Throws `UnresolvedFrame` if a problem
   * was added.
   * @param element that contains the name
   */
  poseOf(name: string, model: SdfModel, element: XmlElement, place: string): Transform {
    if (name === MODEL_FRAME) return create();
    const { path, frame } = this.find(name, model, element, place);
    const T = create();
    for (const { frame: nested, model: around } of path) compose(T, T, this.poseOfFrame(nested, around));
    compose(T, T, this.poseOfFrame(frame.frame, frame.model));
    return T;
  }

  /** Returns the pose of a link, joint, frame or nested model in the frame of the model that contains it. */
  poseOfFrame(frame: SdfFrame, model: SdfModel): Transform {
    const place = model.prefix + frame.name;
    const known = this.poses.get(frame);
    if (known === 'resolving') throw this.loop(frame, model, this.poses, 'their poses are relative to each other');
    if (known !== undefined) return known;
    if (this.failed.has(frame)) throw new UnresolvedFrame();
    this.poses.set(frame, 'resolving');
    this.depth++;
    try {
      this.requireDepth(frame, model);
      const { T, relativeTo, element } = frame.pose;
      const base = relativeTo ?? (frame.kind === 'joint' || frame.kind === 'frame' ? frame.attachedTo : undefined);
      const T_model_frame = this.poseOf(base ?? MODEL_FRAME, model, element, placeOf(frame.kind, place)).slice();
      compose(T_model_frame, T_model_frame, T);
      if (frame.model?.placementFrame !== undefined) this.place(T_model_frame, frame.model);
      this.poses.set(frame, T_model_frame);
      return T_model_frame;
    } catch (error) {
      this.poses.delete(frame);
      this.failed.add(frame);
      throw error;
    } finally {
      this.depth--;
    }
  }

  /** Returns the link that a name refers to: itself, or the one to which the frame, joint or model is attached. */
  linkOf(name: string, model: SdfModel, element: XmlElement, place: string): SdfLink {
    if (name === MODEL_FRAME) return this.canonicalLink(model, element, place);
    const { frame } = this.find(name, model, element, place);
    return this.linkOfFrame(frame.frame, frame.model);
  }

  private linkOfFrame(frame: SdfFrame, model: SdfModel): SdfLink {
    if (frame.kind === 'link') return { frame, model };
    const known = this.links.get(frame);
    if (known === 'resolving') throw this.loop(frame, model, this.links, 'they are attached to each other');
    if (known !== undefined) return known;
    this.links.set(frame, 'resolving');
    this.depth++;
    const place = placeOf(frame.kind, model.prefix + frame.name);
    try {
      this.requireDepth(frame, model);
      const link =
        frame.model === undefined
          ? this.linkOf(frame.attachedTo ?? MODEL_FRAME, model, frame.element, place)
          : this.canonicalLink(frame.model, frame.element, place);
      this.links.set(frame, link);
      return link;
    } catch (error) {
      this.links.delete(frame);
      throw error;
    } finally {
      this.depth--;
    }
  }

  /**
   * Returns the link that the frame of a model is attached to: the stated one, otherwise the first link of the model,
   * otherwise that of a nested model.
   */
  private canonicalLink(model: SdfModel, element: XmlElement, place: string): SdfLink {
    const known = this.canonical.get(model);
    if (known !== undefined) return known;
    const link = this.statedOrFirstLink(model, element, place);
    if (link === undefined) {
      this.numbers.addProblem(element, place, 'the model has no link');
      throw new UnresolvedFrame();
    }
    this.canonical.set(model, link);
    return link;
  }

  private statedOrFirstLink(model: SdfModel, element: XmlElement, place: string): SdfLink | undefined {
    if (model.canonicalLink !== undefined) return this.linkOf(model.canonicalLink, model, model.element, place);
    for (const frame of model.frames.values()) {
      if (frame.kind === 'link') return { frame, model };
      if (frame.isMerged && hasLink(frame.model!)) return this.canonicalLink(frame.model!, element, place);
    }
    for (const { model: nested } of model.frames.values())
      if (nested !== undefined && hasLink(nested)) return this.canonicalLink(nested, element, place);
    return undefined;
  }

  /** Moves a nested model so that its placement frame has the stated pose. */
  private place(T_around_model: Transform, model: SdfModel): void {
    const place = placeOf('model', model.prefix.slice(0, -2));
    const T = this.poseOf(model.placementFrame!, model, model.element, place);
    const inverse = create();
    invert(inverse, T);
    compose(T_around_model, T_around_model, inverse);
  }

  /** Resolves a name to a frame, and the nested models that contain it. */
  private find(name: string, model: SdfModel, element: XmlElement, place: string): { path: SdfLink[]; frame: SdfLink } {
    const path: SdfLink[] = [];
    let scope = model;
    for (let rest = name; ; ) {
      const whole = scope.frames.get(rest); // old files have names with ::
      if (whole !== undefined) return { path, frame: { frame: whole, model: scope } };
      const at = rest.indexOf('::');
      const merged = mergedWith(at < 0 ? rest : rest.slice(0, at), scope);
      if (merged !== undefined) {
        path.push({ frame: merged, model: scope });
        scope = merged.model!;
        continue;
      }
      const nested = at < 0 ? undefined : scope.frames.get(rest.slice(0, at));
      if (nested?.model === undefined) {
        this.numbers.addProblem(
          element,
          place,
          `there is no link, joint, frame or model "${name}"`,
          this.numbers.suggest(rest, scope.frames.keys()),
        );
        throw new UnresolvedFrame();
      }
      path.push({ frame: nested, model: scope });
      scope = nested.model;
      rest = rest.slice(at + 2);
      if (rest === MODEL_FRAME) return { path: path.slice(0, -1), frame: path[path.length - 1] };
    }
  }

  private requireDepth({ kind, name, element }: SdfFrame, model: SdfModel): void {
    if (this.depth <= MAX_DEPTH) return;
    const what = `more than ${MAX_DEPTH} frames are relative to each other in a chain`;
    this.numbers.addProblem(element, placeOf(kind, model.prefix + name), what);
    throw new UnresolvedFrame();
  }

  private loop(
    { kind, name, element }: SdfFrame,
    model: SdfModel,
    states: ReadonlyMap<SdfFrame, unknown>,
    what: string,
  ): UnresolvedFrame {
    const members = [...states].filter(([, state]) => state === 'resolving').map(([frame]) => `"${frame.name}"`);
    const list = `${members.slice(0, 10).join(', ')}${members.length > 10 ? ', …' : ''}`;
    this.numbers.addProblem(element, placeOf(kind, model.prefix + name), `${what}: ${list}`);
    return new UnresolvedFrame();
  }
}

const hasLink = ({ frames }: SdfModel): boolean =>
  [...frames.values()].some(({ kind, model }) => kind === 'link' || (model !== undefined && hasLink(model)));
