import type { CommandContext } from './command-context.ts';
import type { ExitCode } from '../exit-codes.ts';

/** A flag of a command, as data: parsing, help and documents are made of it. */
export interface FlagSpec {
  readonly name: string;
  readonly short?: string | undefined;
  readonly kind: 'boolean' | 'string' | 'integer' | 'number';
  /** Shown in help behind the name, as `N` or `PATH`. */
  readonly value?: string | undefined;
  /** May be given more than once. */
  readonly repeats?: boolean | undefined;
  /** Values may also be separated by commas. */
  readonly commas?: boolean | undefined;
  /** The only values it takes. */
  readonly choices?: readonly string[] | undefined;
  readonly summary: string;
}

/** A positional argument. `rest` joins all remaining words with spaces, so that a query needs no quotes. */
export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  readonly rest?: boolean;
  readonly summary: string;
}

/** Runs a command and says how the process ends. Errors are thrown, not printed. */
export type CommandRun = (context: CommandContext) => Promise<ExitCode>;

/** A command: what it takes, and where its code is. */
export interface CommandSpec {
  /** One or two words: `search`, `fetch chunk`. */
  readonly name: string;
  readonly summary: string;
  readonly args: readonly ArgumentSpec[];
  readonly flags: readonly FlagSpec[];
  /** The wire objects that `--json` prints. */
  readonly output: readonly string[];
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}
