import type { SeenPlace, SeenScope } from '@kebab/core/store';
import { sql } from 'kysely';
import type { Db } from '../database/tables.ts';
import { isAnyOf } from '../database/query-parts.ts';

/** Reads what was seen in a source: everything, or the places within a scope. */
export async function readSeenPlaces(tx: Db, sourceId: string, only?: SeenScope): Promise<readonly SeenPlace[]> {
  const places = tx
    .selectFrom('seen_places')
    .select(['path', 'kind', 'size', 'mtime_ms as mtimeMs'])
    .where('source_id', '=', sourceId);
  if (only === undefined) return placesOf(await places.orderBy('path').execute());
  if ('newest' in only) return newest(tx, sourceId, only.newest);
  const named = isAnyOf('path', only.paths);
  if (only.inside === undefined) return placesOf(await places.where(named).orderBy('path').execute());
  const folders = only.inside.map((directory) => (directory === '' ? '' : `${directory}/`));
  // The direct entries of each directory: a range of paths, without those that have a further slash.
  const inside = sql<boolean>`EXISTS (SELECT FROM unnest(${folders}::text[]) AS f(folder)
    WHERE path > f.folder COLLATE "C" AND starts_with(path, f.folder)
      AND strpos(substr(path, length(f.folder) + 1), '/') = 0)`;
  const found = places.where((eb) => eb.or([eb('kind', '=', 'directory'), named, inside])).orderBy('path');
  return placesOf(await found.execute());
}

/** Unsettled places have a negative time. */
async function newest(tx: Db, sourceId: string, limit: number): Promise<readonly SeenPlace[]> {
  const { rows } = await sql<StoredPlace>`
    WITH places AS NOT MATERIALIZED (SELECT path, kind, size, mtime_ms AS "mtimeMs" FROM seen_places WHERE source_id = ${sourceId})
    (SELECT * FROM places WHERE kind IN ('directory', 'rules', 'left_out'))
    UNION ALL (SELECT * FROM places WHERE kind = 'file' AND "mtimeMs" < 0 LIMIT ${limit})
    UNION ALL (SELECT * FROM places WHERE kind = 'file' AND "mtimeMs" >= 0 ORDER BY "mtimeMs" DESC LIMIT ${limit})
    LIMIT ${limit}`.execute(tx);
  return placesOf(rows);
}

type StoredPlace = Omit<SeenPlace, 'kind'> & { readonly kind: string };

/** The column of kinds holds nothing but kinds. */
function placesOf(rows: readonly StoredPlace[]): readonly SeenPlace[] {
  return rows as readonly SeenPlace[];
}
