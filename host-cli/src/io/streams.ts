import type { Printer } from './printer.ts';

/** Where text comes from: standard input, or an array in a test. */
export interface TextInput {
  readonly isTerminal: boolean;
  /** The text in pieces of any length. Ends with an abort when the signal fires. */
  read(signal: AbortSignal): AsyncIterable<string>;
}

/** Where text goes: a stream of the process, or a string in a test. */
export interface TextOutput {
  readonly isTerminal: boolean;
  /** Width of the terminal in columns; null when the text does not go to one. */
  readonly columns: number | null;
  /** Height of the terminal in rows; null where it is not known, or the text does not go to one. */
  readonly rows: number | null;
  /** True once the reader is gone, as behind `| head`: writing is pointless then, not wrong. */
  readonly closed: boolean;
  /** Queues text; it leaves at once unless the reader is slow. Throws when the text cannot be stored (a full disk). */
  write(text: string): void;
  /** Forgets what the reader has not taken. */
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
