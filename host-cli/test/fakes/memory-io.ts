import type { TextInput, TextOutput } from '../../src/io/printer.ts';

/** An output that keeps the written text. */
export class MemoryOutput implements TextOutput {
  readonly isTerminal: boolean;
  readonly columns: number | null;
  readonly rows: number | null;
  text = '';
  closed = false;

  constructor(columns: number | null = null, rows: number | null = null) {
    this.isTerminal = columns !== null;
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    if (!this.closed) this.text += text;
  }

  discard(): void {}

  async flush(): Promise<void> {}

  /** The written text, parsed as lines of JSON. */
  get json(): readonly unknown[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }
}

/** An input that yields these pieces. */
export function memoryInput(pieces: readonly string[] = [], isTerminal = false): TextInput {
  return {
    isTerminal,
    async *read() {
      yield* pieces;
    },
  };
}
