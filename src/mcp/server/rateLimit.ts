/** The number of requests that may arrive at once, and the number of further requests per second. */
const BURST = 200;
const PER_SECOND = 50;

/** Limits the rate of requests with a token bucket. */
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
