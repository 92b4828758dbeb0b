import { setTimeout as sleep } from 'node:timers/promises';
import type { AbortOptions } from '../contracts/contribution.ts';
import { openStore } from '../documents/open-store.ts';
import type { AppPorts } from './app-ports.ts';

/** Polling costs a few microseconds, and no file system reports reliably that another process has written. */
const POLL_MS = 1000;

/**
 * Yields the current revision of the corpus, and each later one within a second, whichever process wrote it; null while there is no
 * database. Ends when the signal fires, or when the database or the configuration has been replaced.
 */
export async function* followCorpus(
  { documents, openedFiles }: Pick<AppPorts, 'documents' | 'openedFiles'>,
  { signal }: AbortOptions = {},
): AsyncGenerator<number | null, void, undefined> {
  let last: number | null | undefined;
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    const store = await openStore(documents);
    if (openedFiles.outdated !== null) return;
    const revision = (await store?.corpusRevision()) ?? null;
    if (revision !== last) yield (last = revision);
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => {}); // the loop condition checks the signal
  }
}
