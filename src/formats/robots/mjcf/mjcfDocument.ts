import { InputError } from '../../../errors.ts';
import { attributeOf, childrenOf, parseXml, type XmlElement } from '../../text/xmlDocument.ts';
import { XmlNumbers } from '../../text/xmlNumbers.ts';
import type { RobotFileAccess } from '../robotFormat.ts';

/** Maximum nesting depth of includes. */
const MAX_DEPTH = 16;
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
    files: ReadonlyMap<unknown, string>,
  ) {
    this.fileOf = (element) => files.get(element.ownerDocument) ?? file;
    this.numbers = new XmlNumbers(file, this.fileOf);
  }

  /** Returns the child elements, all or those of one name; each `<include>` is replaced by what the file contains. */
  childrenOf(element: XmlElement, name?: string): XmlElement[] {
    return childrenOf(element).flatMap((child) => {
      if (child.nodeName === 'include') return this.childrenOf(this.included.get(child)!, name);
      return name === undefined || child.nodeName === name ? [child] : [];
    });
  }

  /** Returns the file of an element as a property of drafts: absent for the main file. */
  otherFile(element: XmlElement): { readonly file?: string } {
    const file = this.fileOf(element);
    return file === this.file ? {} : { file };
  }
}

/** Parses an MJCF file and all files that it includes; each may be included once, as in MuJoCo. */
export async function loadMjcf(text: string, file: string, files: RobotFileAccess): Promise<MjcfDocument> {
  const root = await parseXml(text, file, 'mujoco');
  const included = new Map<XmlElement, XmlElement>();
  const fileOf = new Map<unknown, string>([[root.ownerDocument, file]]);
  const seen = new Set([files.resolve(baseName(file), file)]);

  async function load(element: XmlElement, from: string, depth: number): Promise<void> {
    for (const child of childrenOf(element)) {
      if (child.nodeName !== 'include') {
        await load(child, from, depth);
        continue;
      }
      const place = new XmlNumbers(from).placeOf(child);
      const address = (attributeOf(child, 'file') ?? '').trim();
      if (address === '') throw new InputError(`${place}: <include> has no file`);
      if (childrenOf(child).length > 0) throw new InputError(`${place}: <include> has child elements`);
      const { path, text: content } = openIncluded(address, [file, from], files, place);
      if (seen.has(path)) {
        throw new InputError(
          `${place}: <include> ${address}: this file is already included`,
          'MuJoCo reads each file once.',
        );
      }
      seen.add(path);
      if (depth >= MAX_DEPTH) throw new InputError(`${place}: includes are nested more than ${MAX_DEPTH} deep`);
      if (seen.size > MAX_FILES) throw new InputError(`${place}: more than ${MAX_FILES} files are included`);
      const inner = await parseXml(content, path, rootOf(content));
      fileOf.set(inner.ownerDocument, path);
      included.set(child, inner);
      await load(inner, path, depth + 1);
    }
  }

  await load(root, file, 0);
  return new MjcfDocument(root, file, included, fileOf);
}

/** Opens a file relative to the folder of the main file, or else of the file that includes it. */
function openIncluded(
  address: string,
  bases: readonly string[],
  files: RobotFileAccess,
  place: string,
): { readonly path: string; readonly text: string } {
  let first: InputError | undefined;
  for (const base of bases) {
    const path = files.resolve(address.replaceAll('\\', '/'), base);
    try {
      return { path, text: files.readText(path) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      first ??= error;
    }
  }
  throw new InputError(`${place}: <include> ${address}: ${first!.message}`, first!.note);
}

/** The root element of an included file; MuJoCo accepts any, here it must be one of MJCF. */
function rootOf(text: string): string {
  return INCLUDED_ROOTS.find((root) => text.includes(`<${root}`)) ?? INCLUDED_ROOTS[0];
}

const baseName = (file: string): string => file.replace(/^.*[\\/]/s, '');
