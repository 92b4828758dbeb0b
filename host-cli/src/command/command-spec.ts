import type { RequestFlag, ValueKind } from '@kebab/core/app';
import type { CommandContext } from './command-context.ts';
import type { ExitCode } from '../exit-codes.ts';

/** A flag of a command, as data: parsing, help and completion derive from it. Flags of requests derive from the request. */
export type FlagSpec = RequestFlag;

/**
 * A positional argument. `rest` joins all remaining words with spaces, so that a query needs no quotes; `repeats` makes each of them a
 * separate value, as when a shell expands a glob.
 */
export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  readonly rest?: boolean;
  readonly repeats?: boolean;
  /** Whether an empty word is a value. Elsewhere it is rejected, because an unset variable of the shell leaves one behind. */
  readonly acceptsEmpty?: boolean;
  /** Completions for its value: the listed values, values known to kebab, files, folders, or what can be installed. */
  readonly completes?: Completes;
  readonly summary: string;
}

/** The completions of a value. */
export type Completes = readonly string[] | ValueKind | 'file' | 'folder' | 'plugin_source';

/** Runs a command and returns the exit code of the process; one that can only succeed returns nothing. Errors are thrown, not printed. */
export type CommandRun = (context: CommandContext) => Promise<ExitCode> | Promise<void>;

/** A command as data. Listing commands does not load their code: `load` imports it when the command runs. */
export interface CommandSpec {
  /** One or two words: `search`, `fetch chunk`. */
  readonly name: string;
  /** The group whose name alone means this command if no command of the group follows: `fetch notes/a.md`. */
  readonly group?: string;
  readonly summary: string;
  readonly args?: readonly ArgumentSpec[];
  readonly flags?: readonly FlagSpec[];
  /** Whether it removes something that has to be made again: no mistyped word leads to it. */
  readonly removes?: boolean;
  /** The hint for a word that matches no argument. */
  readonly strayHint?: string;
  /** The wire objects that `--json` prints. */
  readonly output?: readonly string[];
  readonly load: () => Promise<CommandRun>;
}
