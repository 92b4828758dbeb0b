import type { QuarantinedFile } from '../contracts/document-store.ts';
import { withDeadline } from '../errors/abort.ts';

/** The stage that a failure names when the process of a plugin ended, or was ended, under it. */
export const CRASH_STAGE = 'crash';

/** The files on which each version of a plugin crashed, by `plugin@version`, read from what is in quarantine. */
export function crashesByAgent(files: readonly QuarantinedFile[]): ReadonlyMap<string, readonly QuarantinedFile[]> {
  const crashes = new Map<string, QuarantinedFile[]>();
  for (const file of files) {
    if (!file.reason.startsWith(`${file.agent}/${CRASH_STAGE}/`)) continue;
    crashes.set(file.agent, [...(crashes.get(file.agent) ?? []), file]);
  }
  return crashes;
}

/** How long code of a plugin may take where nothing can interrupt it but giving up waiting. */
interface TimeLimit {
  readonly ms: number;
  /** What was waited for, as the message says it: `its module did not finish loading`. */
  readonly what: string;
}

/**
 * Waits for a promise, but not for ever: throws `<what> within <n> s` when the limit has passed. The limit keeps the process
 * alive, so that a promise that never settles ends in an error rather than in a silent exit.
 */
export async function withinLimit<T>(promise: PromiseLike<T>, { ms, what }: TimeLimit): Promise<T> {
  const late = (): Error => new Error(`${what} within ${ms / 1000} s`);
  return withDeadline(() => promise, { operation: what, timeoutMs: ms, late });
}
