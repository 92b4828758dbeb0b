import type { TextInput } from './text-input.ts';

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
