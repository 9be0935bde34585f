// Re-exports the used parts of xmldom. Bundlers keep only the default export of a CommonJS package that is imported
// dynamically; with `import('./xmlParser.ts')` the named exports remain.
export { DOMParser, Document, Element, onWarningStopParsing } from '@xmldom/xmldom';
