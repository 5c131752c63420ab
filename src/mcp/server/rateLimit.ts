/** Requests that may come at once, and how many more per second. */
const BURST = 200;
const PER_SECOND = 50;

/** Bounds how many requests are served: a token bucket. */
export class RateLimit {
  private tokens = BURST;
  private refilledAt = performance.now();

  /** Whether one more request may be served now. */
  take(): boolean {
    const now = performance.now();
    const refill = ((now - this.refilledAt) / 1000) * PER_SECOND;
    this.tokens = Math.min(BURST, this.tokens + refill);
    this.refilledAt = now;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
