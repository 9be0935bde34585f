/** True if an address is a pattern of several files, as the reference decides it. */
export const isPattern = (address: string): boolean => /[*[?]/.test(address);

/**
 * Returns whether a file name matches a pattern of Python's glob: `*` any characters, `?` one character, `[a-z]` one of
 * a set, `[!a-z]` one that is not in it; `[` without end is that character. Names that begin with a dot match only
 * patterns that do. Takes time in proportion to the product of the lengths.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  const [characters, items] = [[...name], itemsOf([...pattern])];
  let [i, k, star, next] = [0, 0, -1, 0];
  while (i < characters.length) {
    if (k < items.length && items[k] === '*') [star, next, k] = [k, i, k + 1];
    else if (k < items.length && matches(items[k], characters[i])) [i, k] = [i + 1, k + 1];
    else if (star < 0) return false;
    else [i, k, next] = [next + 1, star + 1, next + 1]; // the last star takes one more character
  }
  return items.slice(k).every((item) => item === '*');
}

/** Divides a pattern into characters, `*`, `?` and sets in brackets. */
function itemsOf(characters: readonly string[]): string[] {
  const items: string[] = [];
  for (let i = 0; i < characters.length; i++) {
    // A `]` directly after the opening bracket, or after its `!`, is a member of the set.
    const end = characters[i] === '[' ? characters.indexOf(']', i + (characters[i + 1] === '!' ? 3 : 2)) : -1;
    items.push(end < 0 ? characters[i] : characters.slice(i, end + 1).join(''));
    if (end >= 0) i = end;
  }
  return items;
}

function matches(item: string, character: string): boolean {
  if (item.length < 3 || !item.startsWith('[')) return item === '?' || item === character;
  const isNegated = item[1] === '!';
  const members = [...item.slice(isNegated ? 2 : 1, -1)];
  for (let i = 0; i < members.length; i++) {
    const isRange = members[i + 1] === '-' && i + 2 < members.length;
    const last = isRange ? members[i + 2] : members[i];
    if (character >= members[i] && character <= last) return !isNegated;
    if (isRange) i += 2;
  }
  return isNegated;
}
