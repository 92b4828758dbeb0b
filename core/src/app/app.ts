import type { MethodOf } from './operation.ts';
import type { OPERATIONS } from './operations.ts';

type Methods = { readonly [Name in keyof typeof OPERATIONS]: MethodOf<(typeof OPERATIONS)[Name]> };

/**
 * All of kebab, as hosts see it: one method an operation, in and out as domain values and wire objects. Failures are
 * `KebabError`s; refusals, no hits and unhealthy checks are results. Every operation stops when its signal fires.
 */
export interface App extends Methods {
  /** Things worth saying once: ignored keys, unknown variables, plugins that failed. */
  readonly notices: readonly string[];
  /** Frees everything, the last opened first. */
  readonly close: () => Promise<void>;
}
