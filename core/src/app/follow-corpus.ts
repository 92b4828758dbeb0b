import { setTimeout as sleep } from 'node:timers/promises';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { openStore } from '../documents/open-store.ts';
import type { AppPorts } from './app-ports.ts';

/** Polling costs a few microseconds, and no file system reports reliably that another process has written. */
const POLL_MS = 1000;

/**
 * Yields the current revision of the corpus, and each later one within a second, whichever process wrote it; null while there is no
 * database. Ends when the signal fires, or when the database or the configuration has been replaced. A store that reports changes is not
 * asked meanwhile.
 */
export async function* followCorpus(
  { documents, openedFiles }: Pick<AppPorts, 'documents' | 'openedFiles'>,
  { signal }: AbortOptions = {},
): AsyncGenerator<number | null, void, undefined> {
  const ended = new AbortController();
  let last: number | null | undefined;
  let reporting: DocumentStore | null = null;
  let isStale = true;
  let pause = new AbortController();
  const isOver = (): boolean => signal?.aborted === true;
  const listener = (event: 'changed' | 'lost'): void => {
    isStale = true;
    if (event === 'lost') reporting = null;
    pause.abort();
  };
  try {
    while (!isOver()) {
      pause = new AbortController();
      const store = await openStore(documents);
      if (openedFiles.outdated !== null) return;
      if (isStale || store !== reporting) {
        isStale = false;
        const revision = (await store?.corpusRevision()) ?? null;
        if (revision !== last) yield (last = revision);
      }
      if (store?.onRevision !== undefined && store !== reporting && !isOver()) {
        reporting = store;
        await store.onRevision(listener, { signal: ended.signal });
        isStale = true; // it may have changed before the store reported changes
      } else {
        const woken = AbortSignal.any(signal === undefined ? [pause.signal] : [pause.signal, signal]);
        await sleep(POLL_MS, undefined, { signal: woken, ref: false }).catch(() => {}); // the loop says why it ended
      }
    }
  } finally {
    ended.abort();
  }
}
