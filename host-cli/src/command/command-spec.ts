import type { RequestFlag, ValueKind } from '@kebab/core/app';
import type { CommandContext } from './command-context.ts';
import type { ExitCode } from '../exit-codes.ts';

/** A flag of a command, as data: parsing, help and completion derive from it. Those of requests derive from the request. */
export type FlagSpec = RequestFlag;

/**
 * A positional argument. `rest` joins all remaining words with spaces, so that a query needs no quotes; `repeats` takes each of
 * them as a value of its own, as a shell makes them of a glob.
 */
export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  readonly rest?: boolean;
  readonly repeats?: boolean;
  /** What a shell offers for it: these values, those that kebab knows, files, or folders. */
  readonly completes?: Completes;
  readonly summary: string;
}

/** What a shell offers for a value. */
export type Completes = readonly string[] | ValueKind | 'file' | 'folder';

/** Runs a command and returns the exit code of the process. Errors are thrown, not printed. */
export type CommandRun = (context: CommandContext) => Promise<ExitCode>;

/** A command as data. Listing commands loads no code of theirs: `load` imports it when the command runs. */
export interface CommandSpec {
  /** One or two words: `search`, `fetch chunk`. */
  readonly name: string;
  /** A group whose name alone means this command, when no command of the group follows: `fetch notes/a.md`. */
  readonly group?: string;
  readonly summary: string;
  readonly args: readonly ArgumentSpec[];
  readonly flags: readonly FlagSpec[];
  /** What to do with a word that it takes no argument for. */
  readonly strayHint?: string;
  /** The wire objects that `--json` prints. */
  readonly output: readonly string[];
  readonly load: () => Promise<CommandRun>;
}
