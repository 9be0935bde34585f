// The parts of xmldom that are used, behind names of ours: loaded with `import('./xmlParser.ts')`, they survive bundling, which leaves a
// CommonJS package nothing but its default export when it is imported dynamically.
export { DOMParser, Document, Element, onWarningStopParsing } from '@xmldom/xmldom';
