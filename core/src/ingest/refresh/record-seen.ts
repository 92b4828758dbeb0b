import type { KnownDocument } from '../../contracts/document-store.ts';
import type { SeenPlace } from '../../contracts/seen-places.ts';
import type { IngestContext } from '../ingest-context.ts';
import type { FailedFile } from '../run/report-builder.ts';
import type { SourceScan } from '../run/scan-sources.ts';
import { changesBetween, leftOut, mayBeThere, seenUnreadable } from '../scan/seen-places.ts';

type SeenContext = Pick<IngestContext, 'store' | 'writer' | 'report' | 'config' | 'isWhole' | 'changes'>;

/** Records what a run saw of a source that it completed, so that later checks find subsequent changes. */
export async function recordSeen(
  { source, seen, rootFailure }: SourceScan,
  known: ReadonlyMap<string, KnownDocument>,
  { store, writer, report, config, isWhole, changes }: SeenContext,
): Promise<void> {
  if (rootFailure !== null || source.connectorId !== 'fs') return;
  const unread = new Set(report.failed.flatMap((file) => (isUnread(file, source.id) ? [file.workspacePath] : [])));
  const withUnread = (places: readonly SeenPlace[]): readonly SeenPlace[] =>
    unread.size === 0
      ? places
      : places.map((place) => (unread.has(place.path) ? seenUnreadable(source.root, place) : place));
  const changed = changes?.get(source.id);
  if (isWhole && changed === undefined) {
    const paths = new Set<string>();
    for (const { path } of seen) paths.add(path);
    const place = { root: source.root, linksOutside: config.workspace.symlinksOutside };
    const missed: string[] = [];
    for (const path of known.keys()) if (!paths.has(path) && mayBeThere(place, path)) missed.push(path);
    writer.setSeen(
      source.id,
      changesBetween(await store.seenPlaces(source.id), [...withUnread(seen), ...missed.map(leftOut)]),
    );
    return;
  }
  const refused = report.hasRefused(source.id);
  const now = [...seen.filter(({ kind }) => kind !== 'directory'), ...(refused ? [] : (changed?.surroundings ?? []))];
  writer.setSeen(source.id, {
    put: [...new Map(withUnread(now).map((place) => [place.path, place])).values()], // a dangling link is in both
    remove: refused ? [] : (changed?.gone ?? []),
  });
}

function isUnread({ sourceId, code }: FailedFile, id: string): boolean {
  return sourceId === id && code === 'io_error';
}

/** Does so for a run that was ended by its budget: only for the files that it reached, so that the rest is found again. */
export function recordHandled({ source, seen }: SourceScan, { writer, report, changes }: SeenContext): void {
  if (changes === null) return;
  const handled = report.handled(source.id);
  writer.setSeen(source.id, { put: seen.filter(({ path }) => handled.has(path)), remove: [] });
}
