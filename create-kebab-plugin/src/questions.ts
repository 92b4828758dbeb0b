import { createInterface, type Interface } from 'node:readline';

/** Asks a person for lines, one after the other. */
export class Questions {
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;
  readonly #output: NodeJS.WritableStream;

  /** Questions are written to `output`; answers are the lines of `input`, also of one that is no terminal. */
  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
    this.#lines = createInterface({ input });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    this.#output = output;
  }

  /** The answer to one question. Throws when there is nobody to answer. */
  async ask(what: string, choices: readonly string[] = []): Promise<string> {
    this.#output.write(`${what}${choices.length === 0 ? '' : ` (${choices.join(', ')})`}: `);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`no ${what} was given`);
    return value;
  }

  close(): void {
    this.#lines.close();
  }
}
