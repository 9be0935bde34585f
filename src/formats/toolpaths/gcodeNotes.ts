const DELETE = 'It does not move the tool: delete it.';
const ONE_FRAME = 'It moves the origin of the coordinates: let the CAM program write them in one frame.';
const EXPAND = 'Let the CAM program write the motions themselves.';
const STOP = 'The motion does not stop: delete it, or divide the path into several steps.';
const KEPT = 'delete its line but for G0 to G3, G20, G21, G90 and G91';
const DWELL = `A dwell is not part of the path: ${KEPT}, or divide the path into several steps.`;
const ELSEWHERE = `is not part of the path: ${KEPT}; then state X, Y and Z in G90.`;
const SWITCH = `${DELETE} A tool is switched by "on" of way points, in a CSV file.`;

/** What to do about G words that move no tool along a known path, by their number. */
const G_NOTES: readonly (readonly [readonly number[], string])[] = [
  [[5, 5.1, 5.2, 5.3, 33, 73, 74, 76, 81, 82, 83, 84, 85, 86, 87, 88, 89], EXPAND],
  [[69, 91.1], 'It states what is the case here anyway: delete it.'],
  [[96, 97], DELETE],
  [[98, 99], 'It is for canned cycles, which are not read: delete it.'],
  [[41, 42, 41.1, 42.1], 'Let the CAM program compensate for the radius of the tool.'],
  [[43, 43.1, 44], 'Delete it; "tcp" of the scene states where the tip of the tool is.'],
  [[10, 50, 51, 52, 54.1, 55, 56, 57, 58, 59, 59.1, 59.2, 59.3, 68, 92, 92.1, 92.2, 92.3], ONE_FRAME],
  [[28, 30], `A move to the home of the machine ${ELSEWHERE}`],
  [[53], `A move in the frame of the machine ${ELSEWHERE}`],
  [[4], DWELL],
  [[9], STOP],
  [[61, 61.1, 64], 'Delete it; "tolerance" and "blend" of the step state how corners are passed.'],
  [[93, 95], 'Let the CAM program write feeds per minute (G94).'],
  [[70, 71], 'Write G20 for inches, G21 for millimetres.'],
  [[90.1], 'Let the CAM program write the centres of arcs relative to their start.'],
];

/** What to do about words of other letters, and about signs that begin no word. */
const NOTES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'ABC'].map((axis) => [axis, 'The orientation of the tool is that at the start: use CSV.'])),
  ...Object.fromEntries([...'UVW'].map((axis) => [axis, 'The path has the axes X, Y and Z only.'])),
  ...Object.fromEntries([...'STDH'].map((letter) => [letter, DELETE])),
  E: 'Delete it: an extruder is no part of the path.',
  M: 'An action of the machine: delete it if the path is the same without it.',
  O: `A subprogram. ${EXPAND}`,
  '%': 'It stands in a line of its own, before and after the program.',
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
