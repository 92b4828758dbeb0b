import type { MethodOf } from './operation.ts';
import type { OPERATIONS } from './operations.ts';

type Methods = { readonly [Name in keyof typeof OPERATIONS]: MethodOf<(typeof OPERATIONS)[Name]> };

/** One line that the user should know, with the part of kebab that it is about. */
export interface Notice {
  readonly kind: 'configuration' | 'plugin' | 'service';
  readonly text: string;
}

/**
 * All of kebab, as hosts see it: one method an operation, in and out as domain values and wire objects. Failures are
 * `KebabError`s; refusals, no hits and unhealthy checks are results. Every operation stops when its signal fires.
 */
export interface App extends Methods {
  /** What the user should know, each once: ignored keys, unknown variables, plugins that failed. Only grows, at its end. */
  readonly notices: readonly Notice[];
  /** Frees everything, the last opened first. */
  readonly close: () => Promise<void>;
}
