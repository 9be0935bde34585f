import type { XmlNumbers } from '../../text/xmlNumbers.ts';
import type { Compiler } from './mjcfCompiler.ts';
import type { MjcfDefaults } from './mjcfDefaults.ts';
import type { MjcfDocument } from './mjcfDocument.ts';
import type { MjcfSchema } from './mjcfSchema.ts';

/** What every element of a model refers to: settings and default classes. */
export interface MjcfContext {
  readonly document: MjcfDocument;
  readonly numbers: XmlNumbers;
  readonly schema: MjcfSchema;
  readonly compiler: Compiler;
  readonly defaults: MjcfDefaults;
}
