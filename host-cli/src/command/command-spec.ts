import type { CommandContext } from './command-context.ts';
import type { ExitCode } from '../exit-codes.ts';

/** A flag of a command, as data: parsing, help and completion derive from it. */
export interface FlagSpec {
  readonly name: string;
  readonly short?: string;
  readonly kind: 'boolean' | 'string' | 'integer' | 'number';
  /** Shown in help behind the name, as `N` or `PATH`. */
  readonly value?: string;
  /** May be given more than once. */
  readonly repeats?: boolean;
  /** One value may also list several, separated by commas. */
  readonly commas?: boolean;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  readonly summary: string;
}

/** A positional argument. `rest` joins all remaining words with spaces, so that a query needs no quotes. */
export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  readonly rest?: boolean;
  readonly summary: string;
}

/** Runs a command and returns the exit code of the process. Errors are thrown, not printed. */
export type CommandRun = (context: CommandContext) => Promise<ExitCode>;

/** A command as data. Listing commands loads no code of theirs: `load` imports it when the command runs. */
export interface CommandSpec {
  /** One or two words: `search`, `fetch chunk`. */
  readonly name: string;
  readonly summary: string;
  readonly args: readonly ArgumentSpec[];
  readonly flags: readonly FlagSpec[];
  /** The wire objects that `--json` prints. */
  readonly output: readonly string[];
  readonly load: () => Promise<CommandRun>;
}
