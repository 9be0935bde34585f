import type { Document, Pair } from 'yaml';

/** True of texts that may have a number with leading zeros; cheaper than a search in the document. */
export const mayHaveLeadingZeros = (text: string): boolean => /(?:^|[\s,[{:"'])[-+]?0[0-9]/.test(text);

/** A number as it is written, and its place in the text. */
export interface WrittenNumber {
  readonly text: string;
  readonly offset: number;
}

/** Returns the first number of a document that begins with 0 and a further digit, such as 010. */
export async function leadingZero(document: Document): Promise<WrittenNumber | undefined> {
  const { isMap, isScalar, isSeq } = await import('./yamlParser.ts');
  let found: WrittenNumber | undefined;
  const stack: unknown[] = [document.contents];
  while (stack.length > 0) {
    const node = stack.pop();
    if (isSeq(node)) for (const item of node.items) stack.push(item);
    else if (isMap(node)) for (const { value } of node.items as Pair[]) stack.push(value);
    else if (isScalar(node) && typeof node.value === 'number' && /^[-+]?0[0-9]+$/.test(node.source ?? '')) {
      const offset = node.range?.[0] ?? 0;
      if (found === undefined || offset < found.offset) found = { text: node.source!, offset };
    }
  }
  return found;
}
