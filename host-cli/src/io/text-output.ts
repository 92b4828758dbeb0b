/** Where text goes: a stream of the process, or a string in a test. */
export interface TextOutput {
  readonly isTerminal: boolean;
  /** Width of the terminal in columns; null when the text does not go to one. */
  readonly columns: number | null;
  /** True once nobody reads any more, as behind `| head`: writing is pointless then, not wrong. */
  readonly closed: boolean;
  /** Queues text; it leaves at once unless the reader is slow. Throws when the text cannot be stored (a full disk). */
  write(text: string): void;
  /** Resolves when everything written has left the process, or nobody reads any more. */
  flush(): Promise<void>;
}
