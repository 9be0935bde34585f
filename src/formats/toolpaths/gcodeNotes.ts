const DELETE = 'It does not move the tool: delete it.';
const ASSUMED = 'It states what is the case here anyway: delete it.';
const FRAME = 'Delete it; "frame" and "scale" of the step state where the coordinates are.';
const EXPAND = 'Let the CAM program write the motions themselves.';
const STOP = 'The motion does not stop: delete it, or divide the path into several steps.';
const SWITCH = `${DELETE} A tool is switched by "on" of way points, in a CSV file.`;

/** What to do about G words that move no tool along a known path, by their number. */
const G_NOTES: readonly (readonly [readonly number[], string])[] = [
  [[5, 5.1, 5.2, 5.3, 33, 73, 74, 76, 81, 82, 83, 84, 85, 86, 87, 88, 89], EXPAND],
  [[40, 49, 50, 54, 69, 80, 91.1, 94], ASSUMED],
  [[96, 97, 98, 99], DELETE],
  [[41, 42, 41.1, 42.1], 'Let the CAM program compensate for the radius of the tool.'],
  [[43, 43.1, 44], 'Delete it; "tcp" of the scene states where the tip of the tool is.'],
  [[10, 52, 55, 56, 57, 58, 59, 68, 92, 92.1, 92.2, 92.3], FRAME],
  [[28, 30, 53], 'A move to a place that only the machine knows: delete it.'],
  [[4, 9], STOP],
  [[61, 61.1, 64], 'Delete it; "tolerance" and "blend" of the step state how corners are passed.'],
  [[93, 95], 'Feeds are lengths per minute here.'],
  [[70, 71], 'Write G20 for inches, G21 for millimetres.'],
  [[90.1], 'Centres of arcs are relative to their start here.'],
];

/** What to do about words of other letters, and about signs that begin no word. */
const NOTES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'ABC'].map((axis) => [axis, 'The orientation of the tool is that at the start: use CSV.'])),
  ...Object.fromEntries([...'STDH'].map((letter) => [letter, DELETE])),
  E: 'Delete it: an extruder is no part of the path.',
  M: 'An action of the machine: delete it if the path is the same without it.',
  O: `A subprogram, or its name. ${EXPAND}`,
  '%': DELETE,
  ':': DELETE,
  '/': 'A line that may be skipped: delete it, or the slash.',
  '*': 'A checksum: delete it.',
  '#': `A parameter. ${EXPAND}`,
};

/** Returns what to do about a word that the reader of G-code does not know; '' if nothing is known about it either. */
export function noteOnWord(letter: string, value = Number.NaN): string {
  if (letter === 'G') return G_NOTES.find(([numbers]) => numbers.includes(value))?.[1] ?? '';
  if (letter === 'M' && value >= 3 && value <= 9 && value !== 6) return SWITCH;
  if (letter === 'M' && (value <= 1 || value === 60)) return STOP;
  if (letter === 'M' && (value === 98 || value === 99)) return NOTES.O;
  return NOTES[letter] ?? '';
}
