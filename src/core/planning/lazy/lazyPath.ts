import type { Configuration } from '../../math/configuration.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import type { JointSpace, MotionValidator, PlanningProblem } from '../planner.ts';

/**
 * Result of the certification of a lazy path: all edges are certified, or an edge of the given path is not valid.
 * `discarded`: the path is not used, and was not certified.
 */
export type LazyVerdict = 'certified' | 'invalid' | 'discarded';

/** Problem of a planner with lazy collision checking, of which only RRT-Connect uses `finish`. */
export interface LazyProblem extends PlanningProblem {
  /** Shortens and certifies a path that was found; default: removes states, so that fewer edges are certified. */
  readonly finish?: ((path: LazyPath) => LazyVerdict) | undefined;
}

/** Replacement of the states between two states of a path. */
interface Replacement {
  /** First and last state of the replaced subpath; they stay. */
  readonly head: Configuration;
  readonly tail: Configuration;
  /** The states after the head and before the tail, if the first and the last new edge are parts of these edges. */
  readonly cut: { readonly next: Configuration; readonly previous: Configuration } | undefined;
  /** The new states between head and tail. */
  readonly states: readonly Configuration[];
}

/** Owner of an edge that is certified, or part of a certified edge. */
const CERTIFIED = -1;

/**
 * A path that is shortened before it is certified [SanchezLatombe01]: replacements are checked approximately, at the
 * fine resolution of the validator, and only the edges that are left in the end are certified. A replacement with an
 * invalid edge is then undone. Under path constraints, or if the validator has no approximate check, each edge is
 * certified when it is added.
 */
export class LazyPath {
  /** The current states. */
  states: readonly Configuration[];
  /** Lengths of the edges. */
  steps: readonly number[] = [];
  /** Sum of the lengths. */
  length = 0;
  /** Index of the edge of the given path that is not valid; −1: none was found. */
  invalid = -1;
  /** Number of replacements that were undone. */
  undone = 0;
  private readonly isLazy: boolean;
  private replacements: Replacement[] = [];
  /** For each edge: CERTIFIED, the index of the replacement that added it, or −2 − the index of a given edge. */
  private owners: number[] = [];

  /**
   * @param given at least one state
   * @param isGivenValid true if the edges of the given path are certified
   * @param known results for edges between the given states, extended by this path
   */
  constructor(
    private readonly given: readonly Configuration[],
    private readonly space: JointSpace,
    private readonly motions: MotionValidator,
    private readonly isGivenValid = true,
    private readonly known = new KnownEdges(),
  ) {
    this.isLazy = motions.isMotionLikelyValid !== undefined && space.constraints === undefined;
    this.states = given;
    this.owners = this.givenOwners();
    this.measure();
  }

  /** Checks an edge that may be added; approximately, if the path is certified later. */
  isEdgeValid(qFrom: Configuration, qTo: Configuration, endIsValid = false): boolean {
    const { motions, isLazy } = this;
    if (isLazy) return motions.isMotionLikelyValid!(qFrom, qTo, true);
    return this.isCertified(qFrom, qTo) || this.certifyEdge(qFrom, qTo, endIsValid);
  }

  /**
   * Connects each state to the farthest later state to which the straight edge is valid by `isEdgeValid`; so are then
   * all edges. Returns false if an edge of the given path is not, which then is `invalid`.
   */
  removeStates(interrupt: Interrupt = never): boolean {
    for (let i = 0; i < this.states.length - 1 && this.invalid < 0; i++) {
      const { states, owners } = this;
      let next = states.length - 1;
      while (next > i + 1 && (interrupt() || !this.isStraightEdgeValid(states[i], states[next]))) next--;
      if (next > i + 1) this.apply({ head: states[i], tail: states[next], cut: undefined, states: [] });
      else if (owners[i] < CERTIFIED && !this.isKnownValid(states[i], states[next])) this.invalid = -2 - owners[i];
    }
    this.measure();
    return this.invalid < 0;
  }

  /** Replaces the subpath from the first of `states`, on edge `from`, to the last one, on edge `to`. */
  replace(from: number, to: number, states: readonly Configuration[]): void {
    const { states: old } = this;
    const cut = { next: old[from + 1], previous: old[to] };
    this.apply({ head: old[from], tail: old[to + 1], cut, states });
    this.measure();
  }

  /**
   * Certifies all edges. Undoes the replacements with invalid edges; `invalid` if an edge of the given path is not
   * valid.
   */
  certify(): LazyVerdict {
    if (this.invalid >= 0) return 'invalid';
    for (;;) {
      const given = this.firstInvalid((owner) => owner < CERTIFIED); // first: all else is lost with such an edge
      if (given >= 0) {
        this.invalid = -2 - this.owners[given];
        return 'invalid';
      }
      const added = this.firstInvalid((owner) => owner > CERTIFIED);
      if (added < 0) return 'certified';
      this.undo(this.owners[added]);
    }
  }

  /** Certifies the edges with the selected owners; returns the index of the first one that is not valid, or −1. */
  private firstInvalid(isSelected: (owner: number) => boolean): number {
    const { states, owners } = this;
    for (let i = 0; i < owners.length; i++) {
      if (!isSelected(owners[i])) continue;
      if (!this.isCertified(states[i], states[i + 1]) && !this.certifyEdge(states[i], states[i + 1], true)) return i;
      owners[i] = CERTIFIED;
    }
    return -1;
  }

  /** Applies all replacements but one to the given path, as far as the edges that they cut are still there. */
  private undo(wrong: number): void {
    const { replacements } = this;
    this.undone++;
    this.replacements = [];
    this.states = this.given;
    this.owners = this.givenOwners();
    for (const [k, replacement] of replacements.entries()) if (k !== wrong) this.apply(replacement);
    this.measure();
  }

  private givenOwners(): number[] {
    return this.given.slice(1).map((_, i) => (this.isGivenValid ? CERTIFIED : -2 - i));
  }

  /** Applies a replacement, unless states or edges that it keeps or cuts are no longer part of the path. */
  private apply(replacement: Replacement): void {
    const { states, owners, replacements } = this;
    const { head, tail, cut } = replacement;
    const from = states.indexOf(head);
    const to = states.lastIndexOf(tail);
    if (from < 0 || to <= from) return;
    if (cut && (states[from + 1] !== cut.next || states[to - 1] !== cut.previous)) return;
    const index = replacements.length;
    replacements.push(replacement);
    const added = [head, ...replacement.states, tail];
    const last = added.length - 2;
    const addedOwners = added.slice(1).map((q, i) => {
      if (this.isCertified(added[i], q)) return CERTIFIED;
      if (cut && i === 0) return owners[from];
      return cut && i === last ? owners[to - 1] : index;
    });
    this.states = [...states.slice(0, from), ...added, ...states.slice(to + 1)];
    this.owners = [...owners.slice(0, from), ...addedOwners, ...owners.slice(to)];
  }

  private isStraightEdgeValid(qFrom: Configuration, qTo: Configuration): boolean {
    const { constraints } = this.space;
    return (!constraints || constraints.curve(qFrom, qTo, 1) !== undefined) && this.isKnownValid(qFrom, qTo);
  }

  /** As `isEdgeValid`, for an edge between states of the path, which another path of the search may contain. */
  private isKnownValid(qFrom: Configuration, qTo: Configuration): boolean {
    const { likely, invalid } = this.known;
    if (invalid.has(qFrom, qTo)) return false;
    if (this.isLazy && likely.has(qFrom, qTo)) return true;
    const isValid = this.isLazy
      ? this.motions.isMotionLikelyValid!(qFrom, qTo, true, true) // the states of the path have been checked
      : this.isEdgeValid(qFrom, qTo, true);
    if (!isValid) invalid.add(qFrom, qTo);
    else if (this.isLazy) likely.add(qFrom, qTo);
    return isValid;
  }

  private certifyEdge(qFrom: Configuration, qTo: Configuration, endIsValid: boolean): boolean {
    // An edge of a lazy path has passed the fine check, at a quarter of the step of the check before a proof.
    if (!this.motions.isMotionValid(qFrom, qTo, endIsValid, this.isLazy)) return false;
    this.known.certified.add(qFrom, qTo);
    return true;
  }

  private isCertified(qFrom: Configuration, qTo: Configuration): boolean {
    return this.known.certified.has(qFrom, qTo);
  }

  private measure(): void {
    const { states, space } = this;
    const steps: number[] = [];
    let length = 0;
    for (let i = 1; i < states.length; i++) {
      const step = space.distance(states[i - 1], states[i]);
      steps.push(step);
      length += step;
    }
    this.steps = steps;
    this.length = length;
  }
}

/** Set of directed edges. States are compared by identity: an edge between copies of its ends is another one. */
export class EdgeSet {
  /** Last states by first states. */
  private readonly ends = new Map<Configuration, Configuration[]>();

  has(qFrom: Configuration, qTo: Configuration): boolean {
    return this.ends.get(qFrom)?.includes(qTo) === true;
  }

  add(qFrom: Configuration, qTo: Configuration): void {
    const ends = this.ends.get(qFrom);
    if (ends) ends.push(qTo);
    else this.ends.set(qFrom, [qTo]);
  }
}

/**
 * Results of the edge checks of paths. The paths that one search finds share most of their states, the nodes of its
 * trees, so that edges between them are checked once.
 */
export class KnownEdges {
  /** Edges that were certified. */
  readonly certified = new EdgeSet();
  /** Edges that passed the approximate check. */
  readonly likely = new EdgeSet();
  /** Edges that are not valid, by the approximate check or, where there is none, by `isMotionValid`. */
  readonly invalid = new EdgeSet();
}
