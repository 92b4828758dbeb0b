import type { CallContext } from '../../contracts/contribution.ts';
import type { DocumentStore } from '../../contracts/document-store.ts';
import type { SourceEntry } from '../../contracts/source-connector.ts';
import { mediaTypeOf } from '../../domain/media.ts';
import type { IngestReport } from '../../wire/index.ts';
import type { IngestPorts } from '../ingest-context.ts';
import { performIngest } from '../perform-ingest.ts';
import { LIGHT_MEDIA } from '../run/prepare-file.ts';
import { sourcesToWalk, type WalkedSource } from '../run/scan-sources.ts';
import { ChangedConnector, findChanged, type SourceChanges } from './find-changed.ts';
import type { SourceLook } from './look.ts';

/** How much of what a look found is taken in. */
export interface TakeInOptions {
  readonly signal: AbortSignal;
  /** How long it may take; null takes in everything. */
  readonly budgetMs: number | null;
}

/** What came of taking in what a look found. */
export interface TakenIn {
  /** Files that are new, changed or gone, and not taken in. */
  readonly left: number;
  /** Why; null when nothing is left. */
  readonly reason: 'budget' | 'mass_delete' | null;
  /** What was done; null when there was nothing to do. */
  readonly report: IngestReport | null;
}

/**
 * Takes in what a look found: new and changed files, the newest first, as far as the budget goes, and removes the documents of files
 * that are gone under the guard of an ingest. Throws `locked` at once while another process writes.
 */
export async function takeIn(
  ports: IngestPorts,
  looks: readonly SourceLook[],
  { signal, budgetMs }: TakeInOptions,
): Promise<TakenIn> {
  const found = await findIn(ports, looks, signal);
  return perform(ports, fit(found.map(withoutLostFolder), budgetMs), { signal, budgetMs });
}

/** How many files a look found new, changed or gone, where nothing can be written. */
export async function countIn(
  ports: IngestPorts,
  looks: readonly SourceLook[],
  { signal }: Pick<TakeInOptions, 'signal'>,
): Promise<number> {
  const found = await findIn(ports, looks, signal);
  return found.reduce((sum, { changes }) => sum + changes.entries.filter(counts).length + changes.goneFiles, 0);
}

async function findIn(
  ports: IngestPorts,
  looks: readonly SourceLook[],
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const store = await ports.documents.read();
  const call: CallContext = { signal, log: ports.log, progress: () => {} };
  const found: Found[] = [];
  const sources = sourcesToWalk(ports.config, await store.indexedRoots(), undefined);
  for (const look of looks) {
    const source = sources.find(({ id }) => id === look.sourceId);
    if (source === undefined) continue;
    const connector = await ports.connectors.get(source.connectorId);
    const walked = { ...source, root: look.root, connector };
    const lookedAtMs = ports.clock.now().getTime();
    found.push({ source: walked, changes: await findChanged(look, walked, { ...call, lookedAtMs }) });
  }
  return found;
}

/** A source with what is to be taken in of it. */
interface Found {
  readonly source: WalkedSource;
  readonly changes: SourceChanges;
  /** How many of its files are gone where they are too many. */
  readonly lost?: number;
}

/**
 * A folder of which half the files are gone at once and nothing has come may be a disk that is not mounted: nothing of it is
 * touched, as in an ingest, and the record stays, so that the folder counts as unchanged when it is back.
 */
function withoutLostFolder({ source, changes }: Found): Found {
  const { entries, goneFiles, known } = changes;
  if (entries.length > 0 || goneFiles === 0 || goneFiles * 2 < known) return { source, changes };
  return { source, changes: { ...changes, gone: [], goneFiles: 0, surroundings: [] }, lost: goneFiles };
}

/** What a budget is spent on. */
interface Fitting {
  readonly found: readonly Found[];
  readonly left: number;
  readonly lost: number;
}

/** Roughly what a file takes: what is taken in is measured as it goes, so that this only spares beginning what cannot end. */
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

/** The first files that fit, of all sources together; a single small file always does. */
function fit(found: readonly Found[], budgetMs: number | null): Fitting {
  let room = budgetMs ?? Infinity;
  let taken = 0;
  let left = 0;
  const fitting = found.map(({ source, changes }) => {
    const entries = changes.entries.filter((entry) => {
      const cost = costOf(entry);
      const fits = cost <= room || (taken === 0 && cost < HEAVY_MS && room > 0);
      if (fits) room -= cost;
      if (fits) taken++;
      else if (counts(entry)) left++;
      return fits;
    });
    const isWhole = entries.length === changes.entries.length;
    // While something of a directory is left, it has to be listed again.
    return { source, changes: { ...changes, entries, surroundings: isWhole ? changes.surroundings : [] } };
  });
  return { found: fitting, left, lost: found.reduce((sum, source) => sum + (source.lost ?? 0), 0) };
}

async function perform(
  ports: IngestPorts,
  { found, left, lost }: Fitting,
  { signal, budgetMs }: TakeInOptions,
): Promise<TakenIn> {
  const outcome = { left: left + lost, reason: left > 0 ? 'budget' : lost > 0 ? 'mass_delete' : null } as const;
  if (found.every(({ changes }) => changes.entries.length + changes.gone.length === 0)) {
    await recordSurroundings(ports, found);
    return { ...outcome, report: null };
  }
  const report = await performIngest(ports, {
    options: {
      verify: true, // what is named is to be read, whatever its size and time say
      signal: budgetMs === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, budgetMs))]),
    },
    open: async () =>
      found.map(({ source, changes }) => ({
        ...source,
        connector: new ChangedConnector(source.connector, changes.entries),
      })),
    hints: null,
    isWhole: false,
    changes: new Map(found.map(({ changes }) => [changes.sourceId, changes])),
    embeds: false,
  });
  if (report.aborted) {
    const { scanned, purged } = report;
    const all = found.reduce((sum, { changes }) => sum + changes.entries.filter(counts).length + changes.goneFiles, 0);
    return { left: outcome.left + Math.max(1, all - scanned - purged), reason: 'budget', report };
  }
  const refused = report.purge_refused.reduce((sum, { vanished }) => sum + vanished, 0);
  return refused === 0 ? { ...outcome, report } : { left: outcome.left + refused, reason: 'mass_delete', report };
}

/** Directories that changed without a change for the index are not walked again. */
async function recordSurroundings(
  { documents }: Pick<IngestPorts, 'documents'>,
  found: readonly Found[],
): Promise<void> {
  const changed = found.filter(({ changes }) => changes.surroundings.length > 0);
  if (changed.length === 0) return;
  const store: DocumentStore = await documents.write();
  const writer = await store.openWriter({ waitMs: 0 });
  try {
    for (const { changes } of changed) writer.setSeen(changes.sourceId, { put: changes.surroundings, remove: [] });
  } finally {
    writer.close();
  }
}

/** Whether a person would say that such a file has changed. */
function counts(entry: SourceEntry): boolean {
  return entry.kind === 'error' || (entry.kind === 'file' && mediaTypeOf(entry.workspacePath).kind !== 'other');
}
