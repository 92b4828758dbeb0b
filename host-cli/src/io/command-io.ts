import type { Printer } from './printer.ts';
import type { TextInput } from './text-input.ts';
import type { TextOutput } from './text-output.ts';

/** The three streams of a command: data on stdout, diagnostics on stderr. */
export interface CommandIo {
  readonly stdin: TextInput;
  readonly stdout: Printer;
  readonly stderr: Printer;
}

/** The same streams as the host has them, on which nothing is printed but through a {@link Printer}. */
export interface HostIo {
  readonly stdin: TextInput;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
}
