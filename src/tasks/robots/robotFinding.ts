/** A diagnostic about a robot. */
export interface RobotFinding {
  /** `problem`: results for this robot are wrong or missing; `advice`: results could be improved. */
  readonly kind: 'problem' | 'advice';
  /** `FILE:LINE`. */
  readonly place: string;
  /** What is wrong. */
  readonly what: string;
  /** How to fix it: the line to write, if one line is enough. */
  readonly remedy: string;
}
