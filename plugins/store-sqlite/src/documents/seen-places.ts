import type { SeenPlace, SeenScope } from '@kebab/core/store';
import { inList, itemsOf, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build } from '../database/tables.ts';

interface OfSource {
  readonly source_id: string;
}

const PLACE = ['path', 'kind', 'size', 'mtime_ms as mtimeMs'] as const;

/** Reads what was seen in a source: everything, or the places within a scope. */
export function readSeenPlaces(db: Connection, sourceId: string, only?: SeenScope): readonly SeenPlace[] {
  const { all, newest, at, inside } = statementsOn(db, statementsOf);
  const source = { source_id: sourceId };
  if (only === undefined) return placesOf(all.all(source));
  if ('newest' in only) return placesOf(newest.all({ ...source, limit: only.newest }));
  const paths = JSON.stringify(only.paths);
  if (only.inside === undefined) return placesOf(at.all({ ...source, paths }));
  const folders = only.inside.map((directory) => (directory === '' ? '' : `${directory}/`));
  return placesOf(inside.all({ ...source, paths, inside: JSON.stringify(folders) }));
}

/** The column of kinds holds nothing but kinds. */
function placesOf(rows: readonly (Omit<SeenPlace, 'kind'> & { readonly kind: string })[]): readonly SeenPlace[] {
  return rows as readonly SeenPlace[];
}

function statementsOf(db: Connection) {
  const places = build.selectFrom('seen_places').select(PLACE);
  return {
    all: statement(db, (value: Placeholder<OfSource>) =>
      places.where('source_id', '=', value('source_id')).orderBy('path'),
    ),
    at: statement(db, (value: Placeholder<OfSource & { readonly paths: string }>) =>
      places
        .where('source_id', '=', value('source_id'))
        .where('path', 'in', inList(value('paths')))
        .orderBy('path'),
    ),
    /** The direct entries of each directory: a range of paths, without those that contain a further slash. */
    inside: statement(db, (value: Placeholder<OfSource & { readonly paths: string; readonly inside: string }>) =>
      places
        .where('source_id', '=', value('source_id'))
        .where('kind', '=', 'directory')
        .union(places.where('source_id', '=', value('source_id')).where('path', 'in', inList(value('paths'))))
        .union(
          build
            .selectFrom(itemsOf(value('inside'), 'd'))
            .crossJoin('seen_places as place')
            .select(['place.path', 'place.kind', 'place.size', 'place.mtime_ms as mtimeMs'])
            .where('place.source_id', '=', value('source_id'))
            .whereRef('place.path', '>', 'd.value')
            .where((eb) =>
              eb.or([
                eb('d.value', '=', ''),
                eb(
                  'place.path',
                  '<',
                  eb(
                    eb.fn<string>('substr', [
                      'd.value',
                      eb.lit(1),
                      eb(eb.fn<number>('length', ['d.value']), '-', eb.lit(1)),
                    ]),
                    '||',
                    '0',
                  ),
                ),
              ]),
            )
            .where((eb) =>
              eb(
                eb.fn<number>('instr', [
                  eb.fn<string>('substr', ['place.path', eb(eb.fn<number>('length', ['d.value']), '+', eb.lit(1))]),
                  eb.val('/'),
                ]),
                '=',
                eb.lit(0),
              ),
            ),
        )
        .orderBy('path'),
    ),
    /** Unsettled places have a negative time. */
    newest: statement(db, (value: Placeholder<OfSource & { readonly limit: number }>) => {
      const files = places.where('source_id', '=', value('source_id')).where('kind', '=', 'file');
      const unsettled = files.where('mtime_ms', '<', (eb) => eb.lit(0)).limit(value('limit'));
      const settled = files
        .where('mtime_ms', '>=', (eb) => eb.lit(0))
        .orderBy('mtime_ms', 'desc')
        .limit(value('limit'));
      return places
        .where('source_id', '=', value('source_id'))
        .where('kind', 'in', ['directory', 'rules', 'left_out'])
        .unionAll(build.selectFrom(unsettled.as('unsettled')).selectAll())
        .unionAll(build.selectFrom(settled.as('settled')).selectAll())
        .limit(value('limit'));
    }),
  };
}
