import { InputError } from '../../../errors.ts';
import { baseName } from '../../text/fileText.ts';
import { attributeOf, childrenOf, parseXml, type XmlElement } from '../../text/xmlDocument.ts';
import { XmlNumbers } from '../../text/xmlNumbers.ts';
import type { RobotFileAccess } from '../robotFormat.ts';

/** Maximum nesting depth of includes. */
const MAX_DEPTH = 16;
/** Maximum depth of nested elements, those of included files counted from the main file. */
const MAX_LEVEL = 300;
/** Maximum length of all included files, characters. */
const MAX_INCLUDED = 32_000_000;
/** Maximum number of included files. */
const MAX_FILES = 200;

/** The root elements that a file may have that another one includes. */
const INCLUDED_ROOTS = ['mujocoinclude', 'mujoco'] as const;

/** An MJCF file with the files that it includes. */
export class MjcfDocument {
  /** Reads numbers and collects problems and warnings. */
  readonly numbers: XmlNumbers;
  private readonly fileOf: (element: XmlElement) => string;

  constructor(
    readonly root: XmlElement,
    readonly file: string,
    private readonly included: ReadonlyMap<XmlElement, XmlElement>,
    private readonly sources: ReadonlyMap<unknown, MjcfSource>,
    private readonly files: RobotFileAccess,
  ) {
    this.fileOf = (element) => sources.get(element.ownerDocument)?.path ?? file;
    this.numbers = new XmlNumbers(file, this.fileOf);
  }

  /** Returns the child elements, all or those of one name; each `<include>` is replaced by what the file contains. */
  childrenOf(element: XmlElement, name?: string): XmlElement[] {
    return childrenOf(element).flatMap((child) => {
      if (child.nodeName === 'include') return this.childrenOf(this.included.get(child)!, name);
      return name === undefined || child.nodeName === name ? [child] : [];
    });
  }

  /**
   * Returns the address, relative to the folder of the main file, of a file that an element names: relative to the main
   * file, or else to the file that contains the element, if it exists only there.
   */
  addressOf(path: string, element: XmlElement): string {
    const { folder = '', path: own = this.file } = this.sources.get(element.ownerDocument) ?? {};
    const isOnlyThere =
      !this.files.exists(this.files.resolve(path, this.file)) && this.files.exists(this.files.resolve(path, own));
    return isOnlyThere && !path.startsWith('/') ? folder + path : path;
  }

  /** Returns the file of an element as a property of drafts: absent for the main file. */
  otherFile(element: XmlElement): { readonly file?: string } {
    const file = this.fileOf(element);
    return file === this.file ? {} : { file };
  }
}

/** A file of a model. */
interface MjcfSource {
  readonly path: string;
  /** Folder of the file relative to that of the main file, empty or ending in a slash. */
  readonly folder: string;
}

/** Parses an MJCF file and all files that it includes; each may be included once, as in MuJoCo. */
export async function loadMjcf(text: string, file: string, files: RobotFileAccess): Promise<MjcfDocument> {
  const root = await parseXml(text, file, 'mujoco');
  const included = new Map<XmlElement, XmlElement>();
  const main: MjcfSource = { path: file, folder: '' };
  const sources = new Map<unknown, MjcfSource>([[root.ownerDocument, main]]);
  const seen = new Set([files.resolve(baseName(file), file)]);

  let length = 0;
  async function load(element: XmlElement, from: MjcfSource, depth: number, level: number): Promise<void> {
    for (const child of childrenOf(element)) {
      if (child.nodeName !== 'include') {
        await load(child, from, depth, level + 1);
        continue;
      }
      const place = new XmlNumbers(from.path).placeOf(child);
      const address = (attributeOf(child, 'file') ?? '').trim();
      if (address === '') throw new InputError(`${place}: <include> has no file`);
      const other = Array.from(child.attributes).find(({ name }) => name !== 'file');
      if (other !== undefined) throw new InputError(`${place}: unknown attribute "${other.name}" of <include>`);
      if (childrenOf(child).length > 0) throw new InputError(`${place}: <include> has child elements`);
      const { source, text: content } = openIncluded(address.replaceAll('\\', '/'), [main, from], files, place);
      const { path } = source;
      if (seen.has(path)) {
        throw new InputError(
          `${place}: <include> ${address}: this file is already included`,
          'MuJoCo reads each file once.',
        );
      }
      seen.add(path);
      if (depth >= MAX_DEPTH) throw new InputError(`${place}: includes are nested more than ${MAX_DEPTH} deep`);
      if (level > MAX_LEVEL) throw new InputError(`${place}: elements are nested more than ${MAX_LEVEL} deep`);
      length += content.length;
      if (length > MAX_INCLUDED)
        throw new InputError(`${place}: the included files have more than ${MAX_INCLUDED} characters`);
      if (seen.size > MAX_FILES) throw new InputError(`${place}: more than ${MAX_FILES} files are included`);
      const inner = await parseXml(content, path, rootOf(content));
      sources.set(inner.ownerDocument, source);
      included.set(child, inner);
      await load(inner, source, depth + 1, level + 1);
    }
  }

  await load(root, main, 0, 0);
  return new MjcfDocument(root, file, included, sources, files);
}

/** Opens a file relative to the folder of the main file, or else of the file that includes it. */
function openIncluded(
  address: string,
  bases: readonly MjcfSource[],
  files: RobotFileAccess,
  place: string,
): { readonly source: MjcfSource; readonly text: string } {
  const base = bases.find(({ path }) => files.exists(files.resolve(address, path))) ?? bases[0];
  const path = files.resolve(address, base.path);
  const folder = (address.startsWith('/') ? address : base.folder + address).replace(/[^/]*$/, '');
  try {
    return { source: { path, folder }, text: files.readText(path) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${place}: <include> ${address}: ${error.message}`, error.note);
  }
}

/** The root element of an included file; MuJoCo accepts any, here it must be one of MJCF. */
function rootOf(text: string): string {
  return INCLUDED_ROOTS.find((root) => text.includes(`<${root}`)) ?? INCLUDED_ROOTS[0];
}
