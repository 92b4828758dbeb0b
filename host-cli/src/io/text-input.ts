/** Where text comes from: standard input, or an array in a test. */
export interface TextInput {
  readonly isTerminal: boolean;
  /** The text in pieces of any length. Ends with an abort when the signal fires. */
  read(signal: AbortSignal): AsyncIterable<string>;
}

/** All of the text. */
export async function readAll(input: TextInput, signal: AbortSignal): Promise<string> {
  let text = '';
  for await (const piece of input.read(signal)) text += piece;
  return text;
}

/** The lines of the text without their ends, as they arrive; lines of white space only are left out. */
export async function* readLines(input: TextInput, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const piece of input.read(signal)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter(isNotBlank).map(withoutReturn);
  }
  if (isNotBlank(rest)) yield withoutReturn(rest);
}

function isNotBlank(line: string): boolean {
  return line.trim() !== '';
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
