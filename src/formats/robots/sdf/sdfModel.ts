import { InputErrors } from '../../../errors.ts';
import { attributeOf, childrenOf, type XmlElement } from '../../text/xmlDocument.ts';
import type { SdfFile, SdfFiles } from './sdfFiles.ts';
import type { SdfText, StatedPose } from './sdfText.ts';

/** Frame of a model itself. */
export const MODEL_FRAME = '__model__';
/** The parent of joints that hold a model in the world. */
export const WORLD = 'world';

/** Kinds of things that have a frame. */
export type FrameKind = 'link' | 'joint' | 'frame' | 'model';

/** A link, joint, explicit frame or nested model of a model. */
export interface SdfFrame {
  readonly kind: FrameKind;
  /** Name within its model. */
  readonly name: string;
  readonly element: XmlElement;
  readonly pose: StatedPose;
  /** `attached_to` of an explicit frame; child of a joint. */
  readonly attachedTo?: string;
  /** A nested model. */
  readonly model?: SdfModel;
  /** True if the nested model is merged: the names of its parts belong to the model around it. */
  readonly isMerged?: boolean;
}

/** A model: the scope in which names are resolved. */
export interface SdfModel {
  /** Prefix of the names of its parts: empty, or ending in `::`. */
  readonly prefix: string;
  readonly element: XmlElement;
  readonly file: SdfFile;
  /** Links, joints, frames and nested models by name, in the order of the file. */
  readonly frames: ReadonlyMap<string, SdfFrame>;
  readonly canonicalLink: string | undefined;
  /** Name of the frame whose pose the pose of a nested model states. */
  readonly placementFrame: string | undefined;
}

const KINDS: readonly string[] = ['link', 'joint', 'frame', 'model'];
/** Elements that describe how a model is simulated or shown. */
const SILENT = ['static', 'self_collide', 'allow_auto_disable', 'enable_wind', 'gripper', 'material', 'audio_sink'];

/** Reads the structure of models, included ones as well. */
export class SdfModelReader {
  constructor(
    private readonly text: SdfText,
    private readonly files: SdfFiles,
  ) {}

  /** Reads a model. @param prefix of the names of its parts */
  async read(element: XmlElement, file: SdfFile, prefix: string, override: ModelOverride = {}): Promise<SdfModel> {
    const { text } = this;
    const place = placeOf('model', prefix.slice(0, -2) || (attributeOf(element, 'name') ?? ''));
    text.checkAttributes(element, ['name', 'canonical_link', 'placement_frame'], place);
    text.checkChildren(element, [...KINDS, 'include', 'pose'], SILENT, place);
    const frames = new Map<string, SdfFrame>();
    const model: SdfModel = {
      prefix,
      element,
      file,
      frames,
      canonicalLink: attributeOf(element, 'canonical_link') || undefined,
      placementFrame: override.placementFrame ?? (attributeOf(element, 'placement_frame') || undefined),
    };
    for (const child of childrenOf(element)) {
      if (child.nodeName === 'include') await this.include(child, model, frames);
      else if (KINDS.includes(child.nodeName)) await this.addFrame(child, model, frames);
    }
    this.refuseSharedNames(model);
    return model;
  }

  private async addFrame(child: XmlElement, { prefix, file }: SdfModel, frames: Map<string, SdfFrame>): Promise<void> {
    const { text } = this;
    const kind = child.nodeName as FrameKind;
    const name = attributeOf(child, 'name') ?? '';
    const place = placeOf(kind, prefix + name);
    this.requireName(child, name, frames, place, file.version);
    const pose = text.pose(child, place);
    if (kind === 'model') {
      const model = await this.read(child, file, `${prefix}${name}::`);
      frames.set(name, { kind, name, element: child, pose, model });
      return;
    }
    if (kind === 'frame') {
      text.checkAttributes(child, ['name', 'attached_to'], place);
      text.checkChildren(child, ['pose'], [], place);
    }
    const attachedTo =
      kind === 'frame'
        ? attributeOf(child, 'attached_to') || undefined
        : kind === 'joint'
          ? text.text(child, 'child', place)
          : undefined;
    // Before SDF 1.7 a link and a joint may share a name, which then refers to the link.
    if (kind === 'link' && frames.has(name)) renameKey(frames, name, `joint ${name}`);
    const key = frames.has(name) ? `${kind} ${name}` : name;
    frames.set(key, { kind, name, element: child, pose, ...(attachedTo === undefined ? {} : { attachedTo }) });
  }

  /** Adds the model of an `<include>` as a nested model; its name and pose replace those of the file. */
  private async include(element: XmlElement, model: SdfModel, frames: Map<string, SdfFrame>): Promise<void> {
    const { text } = this;
    const { numbers } = text;
    const place = placeOf('include', text.text(element, 'uri', 'include') ?? '');
    text.checkAttributes(element, ['merge'], place);
    text.checkChildren(element, ['uri', 'name', 'pose', 'placement_frame'], ['static'], place);
    for (const parameters of childrenOf(element).filter(({ nodeName }) => /(^|:)params$/.test(nodeName)))
      numbers.addProblem(parameters, place, `<${parameters.nodeName}> is not supported`, 'Change the included file.');
    const uri = text.text(element, 'uri', place) ?? '';
    if (uri === '') numbers.addProblem(element, place, 'it has no <uri>');
    const isMerged = text.truth(element, attributeOf(element, 'merge') ?? 'false', 'merge', place);
    if (numbers.problems.length > 0) throw new InputErrors(numbers.problems);
    const included = await this.files.include(uri, model.file, numbers.placeOf(element));
    const inner = included.model;
    const stated = text.text(element, 'name', place) || (attributeOf(inner, 'name') ?? '');
    const name = isMerged ? `_merged__${stated}__model__` : stated;
    this.requireName(element, name, frames, place, model.file.version);
    const hasPose = childrenOf(element, 'pose').length > 0;
    const placementFrame = text.text(element, 'placement_frame', place) || undefined;
    const own = text.pose(inner, place); // read also if another one replaces it: its numbers must be valid
    const pose = hasPose ? text.pose(element, place) : own;
    const override = placementFrame === undefined ? {} : { placementFrame };
    const prefix = isMerged ? model.prefix : `${model.prefix}${name}::`;
    const nested = await this.read(inner, included.file, prefix, override);
    frames.set(name, { kind: 'model', name, element, pose, model: nested, isMerged });
  }

  /** Adds a problem for each name in a merged model that the model around it, or another merged one, has as well. */
  private refuseSharedNames(model: SdfModel): void {
    const merged = mergedFrames(model);
    if (merged.length === 0) return;
    const names = new Set(model.frames.keys());
    for (const { model: inner, element } of merged)
      for (const { kind, name } of partsOf(inner!)) {
        if (names.has(name))
          this.text.numbers.addProblem(element, placeOf(kind, model.prefix + name), 'there are two parts of this name');
        names.add(name);
      }
  }

  /** Returns true if a joint may have the name of a link, or a link that of a joint. */
  private mayShare(
    { nodeName: kind }: XmlElement,
    name: string,
    frames: ReadonlyMap<string, SdfFrame>,
    version: number,
  ): boolean {
    const kinds = [frames.get(name)!.kind, kind];
    return version < 7 && !frames.has(`${kind} ${name}`) && kinds.includes('link') && kinds.includes('joint');
  }

  private requireName(
    element: XmlElement,
    name: string,
    frames: ReadonlyMap<string, SdfFrame>,
    place: string,
    version: number,
  ): void {
    const { numbers } = this.text;
    if (name === '') numbers.addProblem(element, element.nodeName, 'it has no name');
    else if (frames.has(name) && !this.mayShare(element, name, frames, version)) {
      const kind = element.nodeName;
      const other = frames.get(name)!.kind;
      const what = other === kind ? `there are two ${kind}s of this name` : `a ${other} has the same name`;
      numbers.addProblem(element, place, what);
    } else if (/^__.*__$/.test(name))
      numbers.addProblem(element, place, 'names between double underscores are reserved');
  }
}

/** Returns the models that are merged into a model. */
const mergedFrames = ({ frames }: SdfModel): SdfFrame[] =>
  [...frames.values()].filter(({ isMerged }) => isMerged === true);

/** Returns the parts of a model in the order of the file, those of merged models in their place. */
export function partsOf({ frames }: SdfModel): SdfFrame[] {
  return [...frames.values()].flatMap((frame) => (frame.isMerged ? partsOf(frame.model!) : [frame]));
}

/** Returns the merged model that has a part of a name; undefined if none has. */
export const mergedWith = (name: string, model: SdfModel): SdfFrame | undefined =>
  mergedFrames(model).find(({ model: inner }) => inner!.frames.has(name) || mergedWith(name, inner!) !== undefined);

/** Renames a key of a map, and keeps the order. */
function renameKey<T>(map: Map<string, T>, from: string, to: string): void {
  const entries = [...map];
  map.clear();
  for (const [key, value] of entries) map.set(key === from ? to : key, value);
}

/** What an `<include>` states about the model that it includes. */
export interface ModelOverride {
  readonly placementFrame?: string;
}

/** Place of an element for messages. */
export const placeOf = (kind: string, name: string): string => `${kind} "${name}"`;
