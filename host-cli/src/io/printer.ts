import { printable, printableJson, printableLines } from '@kebab/core/app';

/** Makes a text look different on a terminal: bold, red. */
export type Formatter = (text: string) => string;

const ERASE_LINE = '\r\u001b[2K';
/** A mark that is not a style: text that is printed unchanged in a pipe. */
const EXACT = 'exact';

/**
 * The only way to print to standard output and standard error. Whatever the input, the reader gets no control characters except line ends
 * and tabs, no bidirectional controls and no lone surrogates: each becomes visible instead, on a terminal and in a pipe.
 *
 * Only this class writes escape sequences. A style is not a sequence in the text but a mark around it, which contains a key that only this
 * object knows; the sequences are inserted after everything else was made visible. A file that is named like a mark is therefore shown, not
 * interpreted, and a caller that forgets to make a value printable only affects its layout.
 */
export class Printer {
  readonly #output: TextOutput;
  /** Created with the first mark: loading `node:crypto` would cost a cold search, which marks nothing, three milliseconds. */
  #key: string | undefined;
  readonly #styles = new Map<string, Formatter>();
  #links = 0;

  constructor(output: TextOutput) {
    this.#output = output;
  }

  get isTerminal(): boolean {
    return this.#output.isTerminal;
  }

  /** Width of the terminal in columns; null when the text does not go to one. */
  get columns(): number | null {
    return this.#output.columns;
  }

  /** Height of the terminal in rows; null where it is not known. */
  get rows(): number | null {
    return this.#output.rows;
  }

  /** True once the reader is gone. */
  get closed(): boolean {
    return this.#output.closed;
  }

  /** Drops output that the reader has not read. */
  discard(): void {
    this.#output.discard();
  }

  /** Prints laid-out text and keeps its line ends and tabs, so single-line values in it must be made {@link printable} first. */
  print(text: string, layOut: Formatter = String): void {
    this.#output.write(layOut(this.#shown(text)));
  }

  /** Prints laid-out text through a pager, which gets the final output, and returns whether the pager has shown it. */
  async printThrough(pager: (shown: string) => Promise<boolean>, text: string): Promise<void> {
    const shown = this.#shown(text);
    if (!(await pager(shown))) this.#output.write(shown);
  }

  /** Prints one line, which stays a single line whatever it contains. */
  line(text: string): void {
    this.#output.write(`${printable(text)}\n`);
  }

  /** Prints a value as one line of JSON, or over several with an indent. */
  json(value: unknown, indent?: number): void {
    this.jsonLine(JSON.stringify(value, null, indent));
  }

  /** Prints serialised JSON. */
  jsonLine(json: string): void {
    this.#output.write(`${printableJson(json)}\n`);
  }

  /** Draws a line over the previous one, on a terminal. */
  draw(line: string): void {
    this.#output.write(`${ERASE_LINE}${printable(line)}`);
  }

  /** Erases the drawn line. */
  erase(): void {
    this.#output.write(ERASE_LINE);
  }

  /**
   * Takes back text that was just printed, on a terminal: `rows` is the number of rows it takes, the last of which the cursor is on. Returns
   * false, and does nothing, where the text began above the screen.
   */
  retract(rows: number): boolean {
    if (!this.isTerminal || rows >= (this.rows ?? 0)) return false;
    this.#output.write(`${rows > 1 ? `\u001b[${rows - 1}A` : ''}\r\u001b[0J`);
    return true;
  }

  /** Formatters for text printed by this object; their results are not valid elsewhere. */
  styles<S extends Readonly<Record<string, Formatter>>>(formatters: S): S {
    const marking = Object.entries(formatters).map(([name, format]) => {
      this.#styles.set(name, format);
      return [name, (text: string) => this.#marked(name, text)] as const;
    });
    return Object.fromEntries(marking) as S;
  }

  /**
   * Makes a text a link, in a terminal that supports links. An address that is not plain ASCII is ignored, and the text is printed without
   * a link.
   */
  link(text: string, url: string): string {
    if (!/^[!-~]+$/.test(url)) return text;
    const name = `link${letters(this.#links++)}`;
    this.#styles.set(name, (shown) => `\u001b]8;;${url}\u001b\\${shown}\u001b]8;;\u001b\\`);
    return this.#marked(name, text);
  }

  /** Marks the text of a document, which is printed unchanged in a pipe: `fetch` returns a file's text byte for byte. */
  exact(text: string): string {
    return this.isTerminal ? text : this.#marked(EXACT, text);
  }

  #marked(name: string, text: string): string {
    const key = (this.#key ??= crypto.randomUUID());
    return `\u0002${key}${name}\u0003${text}\u0002${key}\u0003`;
  }

  #shown(text: string): string {
    if (this.#key === undefined || !text.includes(this.#key)) return printableLines(text);
    const open = [{ name: '', text: '' }];
    const add = (piece: string): void => {
      const last = open.at(-1);
      if (last !== undefined) last.text += piece;
    };
    const close = (): void => {
      const closed = open.length > 1 ? open.pop() : undefined;
      if (closed !== undefined) add(this.#styles.get(closed.name)?.(closed.text) ?? closed.text);
    };
    // oxlint-disable-next-line no-control-regex
    const pieces = text.split(new RegExp(`\u0002${this.#key}([a-z]*)\u0003`, 'u'));
    for (const [at, piece] of pieces.entries()) {
      const isMark = at % 2 === 1; // odd pieces are the names in the marks between the others
      if (!isMark) add(open.at(-1)?.name === EXACT ? piece : printableLines(piece));
      else if (piece === '') close();
      else open.push({ name: piece, text: '' });
    }
    while (open.length > 1) close();
    return open[0]?.text ?? '';
  }
}

/** A number written in letters, for names of styles. */
function letters(number: number): string {
  return Array.from(String(number), (digit) => 'abcdefghij'[Number(digit)]).join('');
}

/** A source of text: standard input, or an array in a test. */
export interface TextInput {
  readonly isTerminal: boolean;
  /** The text in pieces of any length. Ends with an abort when the signal fires. */
  read(signal: AbortSignal): AsyncIterable<string>;
}

/** A destination of text: a stream of the process, or a string in a test. */
export interface TextOutput {
  readonly isTerminal: boolean;
  /** Width of the terminal in columns; null if the output is not a terminal. */
  readonly columns: number | null;
  /** Height of the terminal in rows; null if unknown, or if the output is not a terminal. */
  readonly rows: number | null;
  /** True once the reader is gone, as with `| head`: further writes are ignored, not errors. */
  readonly closed: boolean;
  /** Queues text; it is written immediately unless the reader is slow. Throws if the text cannot be stored (a full disk). */
  write(text: string): void;
  /** Drops output that the reader has not read. */
  discard(): void;
  /** Resolves when everything written has left the process, or the reader is gone. */
  flush(): Promise<void>;
}

/** The streams of the process, on which only a {@link Printer} prints. */
export interface HostIo {
  readonly stdin: TextInput;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
}

/** The streams of a command: data on stdout, diagnostics on stderr. */
export interface CommandIo {
  readonly stdin: TextInput;
  readonly stdout: Printer;
  readonly stderr: Printer;
}
