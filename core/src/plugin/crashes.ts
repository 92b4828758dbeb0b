import type { QuarantinedFile } from '../contracts/document-store.ts';

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
