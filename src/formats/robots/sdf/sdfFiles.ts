import { InputError } from '../../../errors.ts';
import { baseName } from '../../text/fileText.ts';
import { decodePercent, encodePercent } from '../../text/percentEncoding.ts';
import { attributeOf, childrenOf, parseXml, withPrefixesDeclared, type XmlElement } from '../../text/xmlDocument.ts';
import type { RobotFileAccess } from '../robotFormat.ts';

/** Maximum nesting depth of includes. */
const MAX_DEPTH = 16;
/** Maximum number of includes, each counted as often as it is read. */
const MAX_INCLUDES = 200;
/** Maximum length of the texts of all includes, characters. */
const MAX_INCLUDED = 32_000_000;
/** Minor versions of SDF 1 that are read. */
const VERSIONS = { oldest: 3, newest: 12 };

/** An SDF file. */
export interface SdfFile {
  /** Path for messages. */
  readonly path: string;
  /** Minor version: 9 for SDF 1.9. */
  readonly version: number;
  /** Folder of the file as an address relative to the main file: empty, `folder`, `model://NAME`. */
  readonly folder: string;
  /** The files around it that include it, outermost first. */
  readonly includedBy: readonly string[];
}

/** A model with the file that contains it. */
export interface SdfSource {
  readonly model: XmlElement;
  readonly file: SdfFile;
  readonly warnings: readonly string[];
}

/** Opens the SDF files of a robot. */
export class SdfFiles {
  private readonly pathOf = new Map<unknown, string>();
  private count = 0;
  private included = 0;

  constructor(private readonly files: RobotFileAccess) {}

  /** Returns the path of the file that contains an element; undefined if it is unknown. */
  fileOf(element: XmlElement): string | undefined {
    return this.pathOf.get(element.ownerDocument);
  }

  /** Parses a file and finds its only model. */
  async open(text: string, path: string, folder = '', includedBy: readonly string[] = []): Promise<SdfSource> {
    const root = await parseXml(withPrefixesDeclared(text, 'sdf'), path, 'sdf');
    this.pathOf.set(root.ownerDocument, path);
    const version = versionOf(root, path);
    const { model, warnings } = onlyModel(root, path);
    return { model, warnings, file: { path, version, folder, includedBy } };
  }

  /** Opens the model of an `<include>`. @param place `FILE:LINE` of the include */
  async include(uri: string, from: SdfFile, place: string): Promise<SdfSource> {
    const chain = [...from.includedBy, from.path];
    if (chain.length > MAX_DEPTH) throw new InputError(`${place}: includes are nested more than ${MAX_DEPTH} deep`);
    if (++this.count > MAX_INCLUDES) throw new InputError(`${place}: more than ${MAX_INCLUDES} models are included`);
    const { path, address, text } = this.find(uri, from, place);
    this.included += text.length;
    if (this.included > MAX_INCLUDED)
      throw new InputError(`${place}: the included models have more than ${MAX_INCLUDED} characters`);
    const known = chain.find((one) => this.files.resolve(baseName(one), one) === path || one === path);
    if (known !== undefined) throw new InputError(`${place}: <include> ${uri}: this file includes itself`);
    return this.open(text, path, address.replace(/\/?[^/]*$/, ''), chain);
  }

  /** Finds the file of a URI: an SDF file, or the one that the `model.config` of a folder names. */
  private find(uri: string, from: SdfFile, place: string): { path: string; address: string; text: string } {
    const located = this.locate(uri, from, place);
    const read = (path: string) => {
      try {
        return this.files.readText(path);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        throw new InputError(`${place}: <include> ${uri}: ${error.message}`, error.note);
      }
    };
    if (/\.(urdf|xacro|xml|dae|toml)$/i.test(uri))
      throw new InputError(`${place}: <include> ${uri}: only SDF can be included`, 'Convert it: gz sdf -p FILE.urdf');
    if (/\.(sdf|world)$/i.test(uri)) return { ...located, text: read(located.path) };
    const folder = located.path.replace(/\/+$/, '');
    const hasConfiguration = this.files.exists(`${folder}/model.config`) || !this.files.exists(`${folder}/model.sdf`);
    const name = hasConfiguration ? configuredFile(read(`${folder}/model.config`)) : 'model.sdf';
    if (name === undefined || /[\\/]/.test(name))
      throw new InputError(`${place}: <include> ${uri}: its model.config names no SDF file`);
    const address = joined(located.address.replace(/\/+$/, ''), name);
    return { path: `${folder}/${name}`, address, text: read(`${folder}/${name}`) };
  }

  private locate(uri: string, from: SdfFile, place: string): { path: string; address: string } {
    const [, scheme, rest] = /^([a-z][a-z0-9+.-]+):\/\/(.*)$/is.exec(uri) ?? [];
    if (scheme === undefined) {
      const address = joined(from.folder, uri.replaceAll('\\', '/'));
      return { address, path: this.files.resolve(uri.replaceAll('\\', '/'), from.path) };
    }
    const [, encodedName, encoded = ''] = /^([^/]+)\/?(.*)$/s.exec(rest) ?? [];
    if (!/^(model|package)$/i.test(scheme) || encodedName === undefined)
      throw new InputError(
        `${place}: <include> ${uri}: addresses of this kind are not supported`,
        'Use model://NAME, package://NAME/…, or a path relative to the file.',
      );
    const at = `${place}: <include> ${uri}`;
    const [name, path] = [decodePercent(encodedName, at), decodePercent(encoded, at)];
    const folder = this.files.packageFolder(name);
    if (folder === undefined)
      throw new InputError(
        `${place}: <include> ${uri}: package "${name}" is not known`,
        `Say where it is: --package ${name}=DIR.`,
      );
    return { address: uri, path: path === '' ? folder : `${folder}/${path}` };
  }
}

const isUri = (address: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(address);

/** Joins the address of a folder and a path below it, which is encoded if the address is a URI. */
export function joined(folder: string, path: string): string {
  if (folder === '' || path.startsWith('/') || isUri(path)) return path;
  return `${folder}/${isUri(folder) ? encodePercent(path) : path}`;
}

/** Returns the minor version. */
function versionOf(root: XmlElement, path: string): number {
  const version = attributeOf(root, 'version') ?? '';
  const [, minor] = /^\s*1\.(\d+)(?:\.\d+)?\s*$/.exec(version) ?? [];
  const { oldest, newest } = VERSIONS;
  if (minor !== undefined && Number(minor) >= oldest && Number(minor) <= newest) return Number(minor);
  throw new InputError(
    `${path}:${root.lineNumber ?? 1}: sdf: version ${JSON.stringify(version.slice(0, 20))} is not supported`,
    `Versions 1.${oldest} to 1.${newest} are supported.`,
  );
}

/** Finds the only model of a file, also in a world. */
function onlyModel(root: XmlElement, path: string): { readonly model: XmlElement; readonly warnings: string[] } {
  const worlds = childrenOf(root, 'world');
  const models = [root, ...worlds].flatMap((around) => childrenOf(around, 'model'));
  const others = worlds.flatMap((world) => [...childrenOf(world, 'include'), ...childrenOf(world, 'joint')]);
  const names = models.map((model) => `"${(attributeOf(model, 'name') ?? '').slice(0, 60)}"`);
  const second = models[1] ?? (models.length === 0 ? undefined : others[0]);
  if (models.length === 1 && others.length === 0) {
    const inWorld = worlds.length > 0 ? [`only the model ${names[0]} of the world is read`] : [];
    return { model: models[0], warnings: inWorld };
  }
  const what =
    models.length === 0
      ? 'there is no <model>'
      : 'there are several models: ' +
        `${names.slice(0, 5).join(', ')}${others.length > 0 ? ' and what the world includes' : ''}`;
  throw new InputError(
    `${path}:${(second ?? root).lineNumber ?? 1}: sdf: ${what}`,
    'Give a file with the one model of the robot.',
  );
}

/** Returns the SDF file that a `model.config` names, the last if there are several. */
const configuredFile = (text: string): string | undefined =>
  [...text.matchAll(/<sdf(?:\s[^>]*)?>\s*([^<]*?)\s*<\/sdf>/g)].at(-1)?.[1] || undefined;
