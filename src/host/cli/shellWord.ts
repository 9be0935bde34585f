/** Returns a text as one word of a POSIX shell: quoted if it contains a character that the shell would interpret. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
