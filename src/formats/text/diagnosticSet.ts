import type { Diagnostic } from './sourceText.ts';

/** Number of errors after which the remaining problems of a suite are not read. */
export const MAX_DIAGNOSTICS = 1000;

/** Collects diagnostics without duplicates: an error in the suite's common keys occurs in each of its problems. */
export class DiagnosticSet {
  private readonly seen = new Map<string, Diagnostic>();

  add(diagnostic: Diagnostic): void {
    this.seen.set(JSON.stringify([diagnostic.path, diagnostic.what]), diagnostic);
  }

  get size(): number {
    return this.seen.size;
  }

  get list(): readonly Diagnostic[] {
    return [...this.seen.values()];
  }
}
