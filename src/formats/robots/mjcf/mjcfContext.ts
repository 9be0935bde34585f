import type { XmlNumbers } from '../../text/xmlNumbers.ts';
import type { Compiler } from './mjcfCompiler.ts';
import type { MjcfDefaults } from './mjcfDefaults.ts';
import type { MjcfDocument } from './mjcfDocument.ts';
import type { MjcfSchema } from './mjcfSchema.ts';

/** Settings and default classes that all elements of a model refer to. */
export interface MjcfContext {
  readonly document: MjcfDocument;
  readonly numbers: XmlNumbers;
  readonly schema: MjcfSchema;
  readonly compiler: Compiler;
  readonly defaults: MjcfDefaults;
}
