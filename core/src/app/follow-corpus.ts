import { setTimeout as sleep } from 'node:timers/promises';
import type { AbortOptions } from '../contracts/contribution.ts';
import { openStore } from '../documents/open-store.ts';
import { identityOf } from '../files/file-identity.ts';
import type { Ports } from '../ports.ts';

/** Reading the revision takes a few microseconds; no file system reports reliably that another process has written. */
const POLL_MS = 1000;

/**
 * The revision of the corpus as it is now, and each later one within a second, whoever wrote: this process or another. It is null while
 * there is no database. Goes on until the signal fires, or until the database is another file than it was: `replaced` is the last value then.
 */
export async function* followCorpus(
  { documents }: { readonly documents: Pick<Ports['documents'], 'read'> },
  { signal }: AbortOptions = {},
): AsyncGenerator<number | 'replaced' | null, void, undefined> {
  let identity: string | null | undefined;
  let last: number | null | undefined;
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    const store = await openStore(documents);
    if (store !== null) {
      const now = identityOf(store.location);
      identity ??= now;
      if (now !== identity) {
        yield 'replaced';
        return;
      }
    }
    const revision = (await store?.corpusRevision()) ?? null;
    if (revision !== last) yield (last = revision);
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => {}); // whether it fired is asked next
  }
}
