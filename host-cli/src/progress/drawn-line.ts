import type { CommandContext } from '../command/command-context.ts';
import type { Printer } from '../io/printer.ts';

const REFRESH_MS = 100;

/** A line on a terminal that is redrawn in place, at most ten times a second, and erased at the end. */
export class DrawnLine {
  readonly #output: Printer;
  readonly #now: () => number;
  #drawnAt = -Infinity;

  constructor(output: Printer, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#now = now;
  }

  /**
   * Draws the text for a number of columns, unless the last one is too recent. A text of the full width would wrap, and so would the `^C`
   * that a terminal appends to an almost full line.
   */
  draw(text: (columns: number) => string): void {
    const now = this.#now();
    if (now - this.#drawnAt < REFRESH_MS) return;
    this.#drawnAt = now;
    this.#output.draw(text((this.#output.columns ?? Infinity) - 3));
  }

  /** Removes the line, if one was drawn. */
  erase(): void {
    if (this.#drawnAt !== -Infinity) this.#output.erase();
    this.#drawnAt = -Infinity;
  }
}

const NOTHING: Pick<DrawnLine, 'draw' | 'erase'> = { draw: () => undefined, erase: () => undefined };

/** The progress of a command as a drawn line: nothing with `--json` or `--quiet`, and where there is no terminal. */
export function drawnProgress({ io: { stderr }, json, quiet }: CommandContext): typeof NOTHING {
  return json || quiet || !stderr.isTerminal ? NOTHING : new DrawnLine(stderr);
}
