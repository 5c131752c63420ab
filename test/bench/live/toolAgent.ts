import { told } from '../bugs/toolStepper';
import { Agent } from './agent';

/** Finds a cause with the tools of the extension. It reads the program only where a call needs a name or a line of it. */
export class ToolAgent extends Agent {
  /** Calls a tool. @throws if it fails */
  async tell(name: string, input: object): Promise<void> {
    this.results.push(await told(this.cost, name, input));
  }

  /** A request to the server, sent when it listens. */
  get(pathname: string): object {
    return { url: this.urlOf(pathname), after: '^listening' };
  }

  urlOf(pathname: string): string {
    return `http://127.0.0.1:${this.port}${pathname}`;
  }

  /** The start of the server. */
  server(): { readonly program: string; readonly args: readonly string[] } {
    return { program: this.file, args: [String(this.port)] };
  }
}
