// Re-exports the used parts of yaml. Bundlers keep only the default export of a CommonJS package that is imported
// dynamically; with `import('./yamlParser.ts')` the named exports remain.
export { Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
