// How long to wait before a daemon that ended by itself is started again.

/** Waits twice as long after each crash, and gives up on one that keeps crashing. */
export class Backoff {
  private crashes: number[] = [];

  /** A crash that is longer ago than windowMs does not count any more. */
  constructor(
    private readonly windowMs = 120_000,
    private readonly limit = 5,
    private readonly now: () => number = Date.now,
  ) {}

  /** Notes a crash and gives the delay in milliseconds, or undefined: leave it. */
  crashed(): number | undefined {
    const now = this.now();
    this.crashes = [...this.crashes.filter((t) => now - t < this.windowMs), now];
    return this.crashes.length > this.limit ? undefined : 250 * 2 ** (this.crashes.length - 1);
  }

  /** Forgets the crashes: the user has asked for a new start. */
  reset(): void {
    this.crashes = [];
  }
}
