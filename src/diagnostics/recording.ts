import { Listeners, type Subscription } from '../util/listeners';

/**
 * Whether the contents of messages are kept. Recording is off until the person opens a trace or switches it on. While
 * it is off, the cost of a message is only that of reading this flag.
 */
export class Recording {
  private on = false;
  private readonly listeners = new Listeners();

  get isOn(): boolean {
    return this.on;
  }

  set(on: boolean): void {
    if (on === this.on) return;
    this.on = on;
    this.listeners.notify();
  }

  onDidChange(listener: () => void): Subscription {
    return this.listeners.add(listener);
  }
}
