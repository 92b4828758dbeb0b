import type { IngestPorts } from '../ingest/ingest-context.ts';
import { ToldChanges } from '../ingest/watch/told-changes.ts';
import { watchSources, type WatchOptions } from '../ingest/watch/watch-sources.ts';
import type { WatchEvent } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';

/** Follows the folders such that searches of the same App know whether anything has changed without looking. */
export async function* watchLiving(
  { extraction, living, ...ports }: Omit<IngestPorts, 'isolated'> & Pick<AppPorts, 'extraction' | 'living'>,
  options: WatchOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const state = { told: new ToldChanges(), isCurrent: false, tells: false };
  living.follow(state);
  try {
    yield* watchSources({ ...ports, isolated: await extraction() }, state, options);
  } finally {
    living.follow(null);
  }
}
