import { invalidInput } from '@kebab/core/app';
import type { TextInput } from './printer.ts';

/** Standard input, opened on first use. */
export const standardInput: TextInput = {
  get isTerminal() {
    return (process.stdin as { readonly isTTY?: boolean }).isTTY === true; // undefined for a pipe
  },
  async *read(signal) {
    const { addAbortSignal } = await import('node:stream');
    process.stdin.setEncoding('utf8');
    yield* addAbortSignal(signal, process.stdin) as AsyncIterable<string>;
  },
};

const CHARS_A_MB = 1_048_576;
/** Longer than any query, citation or program output. */
const MAX_LINE_CHARS = CHARS_A_MB;

/** Reads all of the text. Throws `invalid_input` as soon as it exceeds the given number of megabytes. */
export async function readAll(
  input: TextInput,
  { signal, maxMb, hint }: { readonly signal: AbortSignal; readonly maxMb: number; readonly hint: string },
): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of input.read(signal)) {
    length += piece.length;
    if (length > maxMb * CHARS_A_MB) throw tooLong(`standard input holds more than ${maxMb} MB`, hint);
    pieces.push(piece);
  }
  return pieces.join('');
}

/**
 * Yields the lines of the text without line ends, as they arrive; blank lines are skipped. Throws `invalid_input` for a line of more than a
 * million characters, before it is read to its end.
 */
export async function* readLines(input: TextInput, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  let parts: string[] = [];
  let length = 0;
  let number = 1;
  for await (const piece of input.read(signal)) {
    let from = 0;
    for (let to = piece.indexOf('\n'); to !== -1; to = piece.indexOf('\n', from)) {
      keep(piece.slice(from, to));
      const line = parts.join('');
      parts = [];
      length = 0;
      number++;
      from = to + 1;
      if (isNotBlank(line)) yield withoutReturn(line);
    }
    keep(piece.slice(from));
  }
  const last = parts.join('');
  if (isNotBlank(last)) yield withoutReturn(last);

  function keep(part: string): void {
    length += part.length;
    if (length > MAX_LINE_CHARS)
      throw tooLong(`line ${number} of standard input has more than ${MAX_LINE_CHARS} characters`, SHORTER);
    parts.push(part);
  }
}

const SHORTER = 'give one query or citation per line';

function tooLong(message: string, hint: string): Error {
  return invalidInput(message, { field: 'stdin', hint });
}

function isNotBlank(line: string): boolean {
  return line.trim() !== '';
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
