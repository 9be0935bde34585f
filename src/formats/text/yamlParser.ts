// The parts of yaml that are used, behind names of ours: loaded with `import('./yamlParser.ts')`, they survive bundling, which leaves a
// CommonJS package nothing but its default export when it is imported dynamically.
export { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
