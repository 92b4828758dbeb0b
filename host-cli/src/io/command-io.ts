import type { TextInput } from './text-input.ts';
import type { TextOutput } from './text-output.ts';

/** The three streams of a command: data on stdout, diagnostics on stderr. */
export interface CommandIo {
  readonly stdin: TextInput;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
}
