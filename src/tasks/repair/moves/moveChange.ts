/** A change of the text of a program at the move in a line. */
export interface MoveChange {
  readonly line: number;
  readonly what: string;
  /** Number of lines that are added before it. */
  readonly added: number;
  /** The changed texts, in order of preference. */
  readonly texts: readonly string[];
}
