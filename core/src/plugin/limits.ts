import type { QuarantinedFile } from '../contracts/document-store.ts';
import { withDeadline } from '../errors/abort.ts';

/** The stage named in a failure when the process of a plugin crashed or was killed. */
export const CRASH_STAGE = 'crash';

/** The files on which each version of a plugin crashed, by `plugin@version`, according to the quarantine. */
export function crashesByAgent(files: readonly QuarantinedFile[]): ReadonlyMap<string, readonly QuarantinedFile[]> {
  const crashes = new Map<string, QuarantinedFile[]>();
  for (const file of files) {
    if (!file.reason.startsWith(`${file.agent}/${CRASH_STAGE}/`)) continue;
    crashes.set(file.agent, [...(crashes.get(file.agent) ?? []), file]);
  }
  return crashes;
}

/** A time limit for plugin code that cannot be interrupted, only abandoned. */
interface TimeLimit {
  /** Null for none. */
  readonly ms: number | null;
  /** The beginning of the message: `its module did not finish loading`. */
  readonly what: string;
}

/**
 * Waits for a promise with a time limit: throws `<what> within <n> s` when it has passed. The timer keeps the process alive, so that a
 * promise that never settles ends in an error rather than in a silent exit.
 */
export async function withinLimit<T>(work: T | PromiseLike<T>, { ms, what }: TimeLimit): Promise<T> {
  const late = (): Error => new Error(`${what} within ${(ms ?? 0) / 1000} s`);
  return withDeadline(async () => work, { operation: what, timeoutMs: ms, late });
}
