import type { SeenPlace, SeenScope } from '@kebab/core/store';
import { rowsOf, type Build, type Engine, type Steps } from './engine.ts';

/** Reads what was seen in a source: everything, or the places within a scope. */
export function* readSeenPlaces(
  build: Build,
  { source, only }: { readonly source: string; readonly only: SeenScope | undefined },
  { isAnyOf, positionOf }: Pick<Engine, 'isAnyOf' | 'positionOf'>,
): Steps<readonly SeenPlace[]> {
  const places = build
    .selectFrom('seen_places')
    .select(['path', 'kind', 'size', 'mtime_ms as mtimeMs'])
    .where('source_id', '=', source);
  if (only === undefined) return placesOf(yield* rowsOf(places.orderBy('path')));
  if ('newest' in only) {
    const files = places.where('kind', '=', 'file').limit(only.newest);
    // Unsettled places have a negative time.
    const unsettled = files.where('mtime_ms', '<', 0);
    const settled = files.where('mtime_ms', '>=', 0).orderBy('mtime_ms', 'desc');
    const newest = places
      .where('kind', 'in', ['directory', 'rules', 'left_out'])
      .unionAll(build.selectFrom(unsettled.as('unsettled')).selectAll())
      .unionAll(build.selectFrom(settled.as('settled')).selectAll())
      .limit(only.newest);
    return placesOf(yield* rowsOf(newest));
  }
  const named = places.where(isAnyOf('path', only.paths));
  if (only.inside === undefined) return placesOf(yield* rowsOf(named.orderBy('path')));
  // The direct entries of each directory: a range of paths, without those that have a further slash.
  const entries = only.inside.map((directory) => {
    const folder = directory === '' ? '' : `${directory}/`;
    return places
      .where('path', '>', folder)
      .$if(folder !== '', (query) => query.where('path', '<', `${directory}0`)) // the character after the slash
      .where((eb) => eb(positionOf(eb.fn<string>('substr', ['path', eb.lit(folder.length + 1)]), '/'), '=', eb.lit(0)));
  });
  const all = [named, ...entries].reduce((query, more) => query.union(more), places.where('kind', '=', 'directory'));
  return placesOf(yield* rowsOf(all.orderBy('path')));
}

/** The column of kinds holds nothing but kinds. */
function placesOf(rows: readonly (Omit<SeenPlace, 'kind'> & { readonly kind: string })[]): readonly SeenPlace[] {
  return rows as readonly SeenPlace[];
}
