import type { CallContext } from '../../contracts/contribution.ts';
import type { DocumentStore } from '../../contracts/document-store.ts';
import type { SourceEntry } from '../../contracts/source-connector.ts';
import { mediaTypeOf } from '../../domain/media.ts';
import type { IngestReport } from '../../wire/index.ts';
import type { IngestPorts } from '../ingest-context.ts';
import { performIngest } from '../perform-ingest.ts';
import { isMassDelete } from '../purge.ts';
import { LIGHT_MEDIA } from '../run/prepare-file.ts';
import { sourcesToWalk, type WalkedSource } from '../run/scan-sources.ts';
import { withScan } from '../scan/connectors.ts';
import { findChanged, type SourceChanges } from './find-changed.ts';
import type { StaleSource } from './find-stale-sources.ts';

/** Limits on ingesting the changes that a check found. */
export interface IngestChangesOptions {
  readonly signal: AbortSignal;
  /** Time budget; null means no limit. */
  readonly budgetMs: number | null;
  /** Called with the number of files that are not in the index yet: when they have been found, and after each one. */
  readonly onRemaining?: ((files: number) => void) | undefined;
}

/** The result of ingesting the changes that a check found. */
export interface IngestedChanges {
  /** Number of new, changed and deleted files that were not ingested. */
  readonly left: number;
  /** The reason; null when nothing is left. */
  readonly reason: 'budget' | 'mass_delete' | null;
  /** The report of the run; null when there was nothing to do. */
  readonly report: IngestReport | null;
}

/**
 * Ingests the changes that a check found: new and changed files, newest first, as far as the budget allows, and removes the documents of
 * deleted files under the same guard as an ingest. Throws `locked` at once while another process is writing.
 */
export async function ingestChanges(
  ports: IngestPorts,
  stale: readonly StaleSource[],
  options: IngestChangesOptions,
): Promise<IngestedChanges> {
  const sources = await findIn(ports, stale, options.signal);
  return perform(ports, fit(sources.map(withoutLostFolder), options.budgetMs), options);
}

/** Counts the new, changed and deleted files that a check found, for use where nothing can be written. */
export async function countIn(
  ports: IngestPorts,
  stale: readonly StaleSource[],
  { signal }: Pick<IngestChangesOptions, 'signal'>,
): Promise<number> {
  const sources = await findIn(ports, stale, signal);
  return countOf(sources);
}

function countOf(sources: readonly Pick<ChangedSource, 'changes'>[]): number {
  return sources.reduce((sum, { changes }) => sum + changes.entries.filter(counts).length + changes.goneFiles, 0);
}

async function findIn(
  ports: IngestPorts,
  stale: readonly StaleSource[],
  signal: AbortSignal,
): Promise<readonly ChangedSource[]> {
  const store = await ports.documents.read();
  const call: CallContext = { signal, log: ports.log, progress: () => {} };
  const changed: ChangedSource[] = [];
  const sources = sourcesToWalk(ports.config, await store.indexedRoots(), undefined);
  for (const one of stale) {
    const source = sources.find(({ id }) => id === one.sourceId);
    if (source === undefined) continue;
    const connector = await ports.connectors.get(source.connectorId);
    const walked = { ...source, root: one.root, connector };
    const lookedAtMs = ports.clock.now().getTime();
    changed.push({ source: walked, changes: await findChanged(one, walked, { ...call, lookedAtMs }) });
  }
  return changed;
}

/** A source with its changes to ingest. */
interface ChangedSource {
  readonly source: WalkedSource;
  readonly changes: SourceChanges;
  /** How many of its files are gone, if these are too many. */
  readonly lost?: number;
}

/**
 * A folder that lost half of its files at once and has no new ones may be an unmounted disk: nothing of it is changed, as in an ingest, and
 * the record is kept, so that the folder counts as unchanged when it is mounted again.
 */
function withoutLostFolder({ source, changes }: ChangedSource): ChangedSource {
  const { entries, goneFiles, known } = changes;
  if (entries.length > 0 || !isMassDelete(goneFiles, known)) return { source, changes };
  return { source, changes: { ...changes, gone: [], goneFiles: 0, places: [] }, lost: goneFiles };
}

/** The changes that fit into a budget. */
interface Fitting {
  readonly sources: readonly ChangedSource[];
  readonly left: number;
  readonly lost: number;
}

/** Estimated cost per file: the actual time is measured during the run, so this only avoids starting what cannot finish. */
const FILE_MS = 4;
const CODE_MS = 12;
const HEAVY_MS = 400;
const BYTES_A_MS = 20_000;

function costOf(entry: SourceEntry): number {
  if (entry.kind !== 'file') return 0;
  const { kind } = entry.mediaType;
  if (kind === 'other') return 0;
  const each = kind === 'code' ? CODE_MS : LIGHT_MEDIA.has(kind) ? FILE_MS : HEAVY_MS;
  return each + entry.size / BYTES_A_MS;
}

/** The first files that fit, across all sources; a single small file always does. */
function fit(sources: readonly ChangedSource[], budgetMs: number | null): Fitting {
  let room = budgetMs ?? Infinity;
  let fitted = 0;
  let left = 0;
  const fitting = sources.map(({ source, changes }) => {
    const entries = changes.entries.filter((entry) => {
      const cost = costOf(entry);
      const fits = cost <= room || (fitted === 0 && cost < HEAVY_MS && room > 0);
      if (fits) room -= cost;
      if (fits) fitted++;
      else if (counts(entry)) left++;
      return fits;
    });
    const isWhole = entries.length === changes.entries.length;
    // While changes in a directory are left, it has to be listed again.
    return { source, changes: { ...changes, entries, places: isWhole ? changes.places : [] } };
  });
  return { sources: fitting, left, lost: sources.reduce((sum, source) => sum + (source.lost ?? 0), 0) };
}

async function perform(
  ports: IngestPorts,
  { sources, left, lost }: Fitting,
  { signal, budgetMs, onRemaining = () => {} }: IngestChangesOptions,
): Promise<IngestedChanges> {
  const outcome = { left: left + lost, reason: left > 0 ? 'budget' : lost > 0 ? 'mass_delete' : null } as const;
  if (sources.every(({ changes }) => changes.entries.length + changes.gone.length === 0)) {
    await recordPlaces(ports, sources);
    return { ...outcome, report: null };
  }
  const all = countOf(sources);
  let done = 0;
  onRemaining(all);
  const report = await performIngest(ports, {
    options: {
      verify: true, // the named files must be read, whatever their size and time
      onProgress: ({ kind }) => {
        if (kind === 'asset_finished') onRemaining(Math.max(0, all - ++done));
      },
      signal: budgetMs === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, budgetMs))]),
    },
    open: async () =>
      sources.map(({ source, changes }) => ({
        ...source,
        connector: withScan(source.connector, async function* () {
          yield* changes.entries;
        }),
      })),
    changes: new Map(sources.map(({ changes }) => [changes.sourceId, changes])),
    embeds: false,
  });
  if (report.aborted) {
    const { scanned, purged } = report;
    return { left: outcome.left + Math.max(1, all - scanned - purged), reason: 'budget', report };
  }
  const refused = report.purge_refused.reduce((sum, { vanished }) => sum + vanished, 0);
  return refused === 0 ? { ...outcome, report } : { left: outcome.left + refused, reason: 'mass_delete', report };
}

/** Avoids walking directories again whose changes did not affect the index. */
async function recordPlaces(
  { documents }: Pick<IngestPorts, 'documents'>,
  found: readonly ChangedSource[],
): Promise<void> {
  const changedSources = found.filter(({ changes }) => changes.places.length > 0);
  if (changedSources.length === 0) return;
  const store: DocumentStore = await documents.write();
  const writer = await store.openWriter({ waitMs: 0 });
  try {
    for (const { changes } of changedSources)
      await writer.setSeen(changes.sourceId, { put: changes.places, remove: [] });
  } finally {
    await writer.close();
  }
}

/** Whether the change of such an entry matters to a user. */
function counts(entry: SourceEntry): boolean {
  return entry.kind === 'error' || (entry.kind === 'file' && mediaTypeOf(entry.workspacePath).kind !== 'other');
}
