import type { XmlElement } from '../../text/xmlDocument.ts';
import type { RobotFileAccess } from '../robotFormat.ts';
import { readCompiler } from './mjcfCompiler.ts';
import { type MjcfContext, MjcfDefaults } from './mjcfDefaults.ts';
import { loadMjcf } from './mjcfDocument.ts';
import { MjcfMeshes } from './mjcfMeshes.ts';
import { MjcfSchema } from './mjcfSchema.ts';

/** A model: its context, the meshes, and the sections. */
export interface MjcfModel extends MjcfContext {
  readonly meshes: MjcfMeshes;
  /** Returns the elements in all sections of a name, in the order of the file. */
  readonly inSections: (section: string) => readonly XmlElement[];
}

/** Reads the sections that other sections refer to, at any position in the file. */
export async function readMjcfModel(text: string, file: string, files: RobotFileAccess): Promise<MjcfModel> {
  const document = await loadMjcf(text, file, files);
  const { root, numbers } = document;
  const schema = new MjcfSchema(document, numbers);
  schema.checkAttributes(root, 'mujoco');
  const sections = schema.childrenOf(root, 'mujoco');
  const named = (name: string) => sections.filter((section) => section.nodeName === name);
  for (const section of named('compiler')) schema.checkAttributes(section, 'compiler');
  const compiler = readCompiler(named('compiler'), numbers);
  const defaults = new MjcfDefaults(named('default'), schema, numbers);
  const inSections = (name: string) => named(name).flatMap((section) => schema.childrenOf(section, name));
  inSections('deformable'); // refuses deformable bodies, which would collide
  const meshes = new MjcfMeshes(inSections('asset'), { document, numbers, schema, compiler, defaults });
  return { document, numbers, schema, compiler, defaults, meshes, inSections };
}
