import type { Caller } from '../access/caller.ts';
import type { OpenedState } from './opened-files.ts';
import type { MethodOf, OPERATIONS } from './operations.ts';

type Methods = { readonly [Name in keyof typeof OPERATIONS]: MethodOf<(typeof OPERATIONS)[Name]> };

/** One line for the user, with the part of kebab that it concerns. */
export interface Notice {
  readonly kind: 'configuration' | 'plugin';
  readonly text: string;
}

/**
 * All of kebab, as hosts see it: one method per operation, with domain values and wire objects as input and output. Failures are
 * `KebabError`s; refusals, empty results and unhealthy checks are results. Every operation stops when its signal fires.
 */
export interface App extends Methods {
  /** Notices for the user, each once: ignored keys, unknown variables, failed plugins. New ones are appended. */
  readonly notices: readonly Notice[];
  /** Says when the App has to be opened again. */
  readonly openedFiles: OpenedState;
  /**
   * This App for someone else: with the operations that the scopes of the caller allow, the documents that the rules of `access.rules` let
   * it read, and its own conversations. Others are refused with `invalid_input` for the field `scope`. Its `close` does nothing.
   */
  readonly as: (caller: Caller) => Promise<App>;
  /** Releases everything, in reverse order of opening. */
  readonly close: () => Promise<void>;
}
