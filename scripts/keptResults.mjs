// Results of scripts that may be stopped and called again: a line of JSON each, in a file.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/**
 * The results that a file has, and what appends one; without a file, none and nothing. A line that was cut off when a
 * script was stopped is no result.
 */
export function keptResults(file) {
  const text = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
  let separator = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    results: text.split('\n').flatMap(parsed),
    append(result) {
      if (file === undefined) return;
      appendFileSync(file, `${separator}${JSON.stringify(result)}\n`);
      separator = '';
    },
  };
}

function parsed(line) {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}
