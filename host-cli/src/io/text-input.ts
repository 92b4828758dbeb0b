import type { TextInput } from './streams.ts';

/** Standard input; opened when it is first read or asked about. */
export const standardInput: TextInput = {
  get isTerminal() {
    return (process.stdin as { readonly isTTY?: boolean }).isTTY === true; // a pipe has no such member
  },
  async *read(signal) {
    const { addAbortSignal } = await import('node:stream');
    process.stdin.setEncoding('utf8');
    yield* addAbortSignal(signal, process.stdin) as AsyncIterable<string>;
  },
};

/** All of the text. */
export async function readAll(input: TextInput, signal: AbortSignal): Promise<string> {
  let text = '';
  for await (const piece of input.read(signal)) text += piece;
  return text;
}

/** The lines of the text without their ends, as they arrive; blank lines are skipped. */
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
