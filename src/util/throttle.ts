/** Runs an action immediately, then at most once per interval. The last request is never lost. */
export class Throttle {
  private timer: NodeJS.Timeout | undefined;
  private isPending = false;

  constructor(
    private readonly action: () => void,
    private readonly milliseconds: number,
  ) {}

  request(): void {
    if (this.timer !== undefined) {
      this.isPending = true;
      return;
    }
    this.timer = setTimeout(() => this.ended(), this.milliseconds);
    this.timer.unref();
    this.action();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isPending = false;
  }

  private ended(): void {
    this.timer = undefined;
    if (!this.isPending) return;
    this.isPending = false;
    this.request();
  }
}
