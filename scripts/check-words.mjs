// Lists comment, message and documentation words that docs/glossary.md replaces, and lines over 120 columns, each with
// its place. `node scripts/check-words.mjs [FILE…]` checks these files, or all of the project; `--counts` prints words
// per 10,000 comment words instead.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Words that the field does not use, and the field's word. `in`: only in files whose path matches. */
const replaced = [
  { word: /\blook(s|ed|ing)?\b(?!-?up| ahead)/i, say: 'check, search, iteration, support call, evaluate' },
  { word: /\bask(s|ed|ing)?\b/i, say: 'call, query, request, require' },
  { word: /\b(tell|tells|told|telling)\b/i, say: 'state, return, report, distinguish' },
  { word: /\b(hear|hears|heard)\b/i, say: 'receive' },
  { word: /\b(at hand|in the way|put right|whole or not at all|of its own accord)\b/i, say: 'a plain term (WORDS)' },
  {
    word: /\b(stands? for|body that stands|standing (part|body|bodies))\b/i,
    say: 'represent, obstacle, static object',
  },
  { word: /\b(hand over|hands over|handed over|goes on|go on)\b/i, say: 'pass, continue' },
  { word: /\b(mend|mends|mended|mending)\b/i, say: 'fix, repair' },
  { word: /\b(parted|parts them|that parts)\b/i, say: 'separate, separating' },
  { word: /\b(complaint|complaints|complain|complains)\b/i, say: 'diagnostic, error' },
  { word: /\bcorners?\b/i, say: 'vertex', in: /^src\/(shapes|hulls|narrowphase|collision|certificate|optimization)\// },
  { word: /\b(balls?)\b/i, say: 'sphere', in: /^src\/(shapes|hulls|narrowphase|collision|certificate|formats)\// },
  { word: /\b(bodies|body)\b/i, say: 'collision object, obstacle, link', in: /^src\/(collision|tasks\/(?!settling))/ },
  { word: /\b(its|the) begin\b/i, say: 'start, beginning' },
  { word: /\bquick looks?\b|\bsecond looks?\b/i, say: 'approximate check, path improvement' },
];

/** Places where a replaced word is right: a quotation, a name of another program, a word of the field. At most 20. */
const exceptions = [
  { file: /^src\/formats\/robots\/mjcf\//, word: /^balls?$/i }, // the joint type of MJCF
  { file: /^src\/formats\/clouds\/sphereClusters\.ts$/, word: /^balls$/ }, // a public key
  { file: /^test\/tasks\/validation\/stateValidityChecker\.test\.ts$/, word: /^ask$/ }, // code of a child process
];

const LONGEST_LINE = 120;
/** Code whose lines end within the limit; a line that begins inside a template is output and stays whole. */
const isWrapped = (file) => /^(src|viewer\/src)\//.test(file);
const isCode = (file) => /\.(ts|mjs|js)$/.test(file);
const folders = ['src', 'test', 'bench', 'scripts', 'examples', 'viewer', 'docs'];
const isOurs = (file) => /\.(ts|mjs|js|md)$/.test(file) && !/(^|\/)(fixtures|dist|node_modules|api)\//.test(file);

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(file);
    else if (isOurs(file)) yield file;
  }
}

/** Yields `{ text, position, isComment }` of each comment and each string of a source file. */
function* wordsOfCode(text) {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  const template = [];
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === ts.SyntaxKind.SlashToken || token === ts.SyntaxKind.SlashEqualsToken)
      token = scanner.reScanSlashToken();
    if (token === ts.SyntaxKind.TemplateHead) template.push(0);
    if (template.length > 0 && token === ts.SyntaxKind.OpenBraceToken) template[template.length - 1]++;
    if (template.length > 0 && token === ts.SyntaxKind.CloseBraceToken) {
      if (template.at(-1) > 0) template[template.length - 1]--;
      else {
        token = scanner.reScanTemplateToken(false);
        if (token === ts.SyntaxKind.TemplateTail) template.pop();
      }
    }
    const isComment = token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia;
    const isText = [
      ts.SyntaxKind.StringLiteral,
      ts.SyntaxKind.NoSubstitutionTemplateLiteral,
      ts.SyntaxKind.TemplateHead,
      ts.SyntaxKind.TemplateMiddle,
      ts.SyntaxKind.TemplateTail,
    ].includes(token);
    if (!isComment && !isText) continue;
    const given = scanner.getTokenText();
    if (isText && !/ /.test(given)) continue; // names, keys, paths
    yield { text: given, position: scanner.getTokenStart(), isComment };
  }
}

/** Yields the prose of a Markdown file: code blocks left out. */
function* wordsOfText(text) {
  let position = 0;
  let isBlock = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) isBlock = !isBlock;
    else if (!isBlock && !/^ {4}/.test(line))
      yield { text: line.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length)), position, isComment: true };
    position += line.length + 1;
  }
}

/** Returns the lines (from 1) that a template of several lines touches, and those of a regular expression. */
function linesOfOutput(text) {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
  const lines = new Set();
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node) => {
    const [first, last] = [lineOf(node.getStart(source)), lineOf(node.end)];
    const isTemplate = ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
    if ((isTemplate && last > first) || node.kind === ts.SyntaxKind.RegularExpressionLiteral)
      for (let line = first; line <= last; line++) lines.add(line);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

const lineAt = (text, position) => text.slice(0, position).split('\n').length;

function findingsIn(file) {
  const text = readFileSync(file, 'utf8');
  const findings = [];
  for (const { text: words, position } of isCode(file) ? wordsOfCode(text) : wordsOfText(text)) {
    for (const { word, say, in: where } of replaced) {
      if (where && !where.test(file)) continue;
      for (const match of words.matchAll(new RegExp(word.source, 'gi'))) {
        if (exceptions.some((one) => one.file.test(file) && one.word.test(match[0]))) continue;
        findings.push(`${file}:${lineAt(text, position + match.index)}: "${match[0]}": say ${say}`);
      }
    }
  }
  if (isCode(file)) {
    let outputs;
    for (const [i, line] of text.split('\n').entries()) {
      if (line.length <= LONGEST_LINE) continue;
      const isComment = /^\s*(\/\/|\*|\/\*)/.test(line);
      if (!isComment && !isWrapped(file)) continue;
      outputs ??= linesOfOutput(text);
      if (isComment || !outputs.has(i + 1))
        findings.push(`${file}:${i + 1}: line of ${line.length} columns, at most ${LONGEST_LINE}`);
    }
  }
  return findings;
}

function counts(files) {
  const groups = {
    'look*': /^look(s|ed|ing)?$/,
    'ask*': /^ask(s|ed|ing)?$/,
    'tell*': /^(tell|tells|told)$/,
    'way(s)': /^ways?$/,
    'check*': /^check/,
    'return*': /^return/,
    'compute*': /^comput/,
  };
  const found = Object.fromEntries(Object.keys(groups).map((name) => [name, 0]));
  let all = 0;
  for (const file of files.filter(isCode)) {
    for (const { text, isComment } of wordsOfCode(readFileSync(file, 'utf8'))) {
      if (!isComment) continue;
      for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
        all++;
        for (const [name, pattern] of Object.entries(groups)) if (pattern.test(word)) found[name]++;
      }
    }
  }
  return Object.entries(found)
    .map(([name, n]) => `${name} ${((n / all) * 1e4).toFixed(1)}`)
    .join(' · ');
}

const given = process.argv.slice(2);
const named = given
  .filter((word) => !word.startsWith('--'))
  .flatMap((path) => (statSync(path).isDirectory() ? [...filesIn(path)] : [path]));
const files =
  named.length > 0
    ? named
    : [...folders.flatMap((folder) => [...filesIn(folder)]), 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
if (given.includes('--counts')) {
  console.log(counts(files.filter((file) => named.length > 0 || file.startsWith('src/'))));
} else {
  const findings = files.flatMap(findingsIn);
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) console.log(`${findings.length} findings`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
