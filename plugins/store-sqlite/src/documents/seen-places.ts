import type { SeenPlace, SeenScope } from '@kebab/core/store';
import { type Statements, tuplesOf } from '../database/statements.ts';

type PlaceTuple = readonly [path: string, kind: SeenPlace['kind'], size: number, mtimeMs: number];
/** Read as tuples, because a search may read thousands of them before it checks the folders. */
const SEEN_PLACES = tuplesOf<PlaceTuple>(
  'SELECT path, kind, size, mtime_ms FROM seen_places WHERE source_id = @source_id ORDER BY path',
);
const SEEN_PLACES_AT = tuplesOf<PlaceTuple>(
  `SELECT path, kind, size, mtime_ms FROM seen_places
    WHERE source_id = @source_id AND path IN (SELECT value FROM json_each(@paths)) ORDER BY path`,
);
/** The direct entries of each directory: a range of paths, without those that contain a further slash. */
const SEEN_PLACES_INSIDE = tuplesOf<PlaceTuple>(
  `SELECT path, kind, size, mtime_ms FROM seen_places
    WHERE source_id = @source_id AND kind = 'directory'
    UNION SELECT path, kind, size, mtime_ms FROM seen_places
    WHERE source_id = @source_id AND path IN (SELECT value FROM json_each(@paths))
    UNION SELECT place.path, place.kind, place.size, place.mtime_ms
    FROM json_each(@inside) AS d CROSS JOIN seen_places AS place
    WHERE place.source_id = @source_id AND place.path > d.value
      AND (d.value = '' OR place.path < substr(d.value, 1, length(d.value) - 1) || '0')
      AND instr(substr(place.path, length(d.value) + 1), '/') = 0
    ORDER BY 1`,
);
/** Unsettled places have a negative time. */
const NEWEST_PLACES = tuplesOf<PlaceTuple>(
  `SELECT path, kind, size, mtime_ms FROM seen_places
      WHERE source_id = @source_id AND kind IN ('directory', 'rules', 'left_out')
    UNION ALL SELECT * FROM (SELECT path, kind, size, mtime_ms FROM seen_places
      WHERE source_id = @source_id AND kind = 'file' AND mtime_ms < 0 LIMIT @limit)
    UNION ALL SELECT * FROM (SELECT path, kind, size, mtime_ms FROM seen_places
      WHERE source_id = @source_id AND kind = 'file' AND mtime_ms >= 0 ORDER BY mtime_ms DESC LIMIT @limit)
    LIMIT @limit`,
);

/** Reads what was seen in a source: everything, or the places within a scope. */
export function readSeenPlaces(statements: Statements, sourceId: string, only?: SeenScope): readonly SeenPlace[] {
  const source = { source_id: sourceId };
  if (only === undefined) return placesOf(statements.tuples(SEEN_PLACES, source));
  if ('newest' in only) return placesOf(statements.tuples(NEWEST_PLACES, { ...source, limit: only.newest }));
  const paths = JSON.stringify(only.paths);
  if (only.inside === undefined) return placesOf(statements.tuples(SEEN_PLACES_AT, { ...source, paths }));
  const inside = JSON.stringify(only.inside.map((directory) => (directory === '' ? '' : `${directory}/`)));
  return placesOf(statements.tuples(SEEN_PLACES_INSIDE, { ...source, paths, inside }));
}

function placesOf(tuples: readonly PlaceTuple[]): readonly SeenPlace[] {
  return tuples.map(([path, kind, size, mtimeMs]) => ({ path, kind, size, mtimeMs }));
}
