import type { DocumentStore } from '../contracts/document-store.ts';
import type { AskedFilters, SearchFilters } from '../domain/query.ts';
import { parseUri } from '../domain/uri.ts';
import { resolveFilterDates } from '../requests/filters.ts';
import type { SourceConfig } from './source-roots.ts';

/** The context of filters: relative times are counted from `now`, absolute paths lie in the folders of sources. */
export interface FilterScope {
  readonly now: Date;
  readonly store: Pick<DocumentStore, 'indexedRoots'>;
  readonly config: SourceConfig;
}

/**
 * Resolves filters as a caller writes them. A glob may be a name, in any folder, or any path that kebab prints: with its source
 * (`work:notes/a.md`), with a place (`notes/a.md#L3`), and absolute, with `*` in it or not.
 */
export async function resolveFilters(filters: AskedFilters, scope: FilterScope): Promise<SearchFilters> {
  const { within, pathGlob, ...others } = resolveFilterDates(filters, scope.now);
  const globs = pathGlob === undefined ? [] : await Promise.all(pathGlob.map((glob) => printedGlobs(glob, scope)));
  return {
    ...others,
    ...(pathGlob === undefined ? {} : { pathGlob: globs.flat() }),
    ...(within === undefined ? {} : { within: await resolveFilters(within, scope) }),
  };
}

const WILDCARD = /[*?[{]/;
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;

/** A name without a folder is in any folder, as for git and ripgrep; with its source before it, it is a path as printed unless it is a glob. */
function inAnyFolder(glob: string): string {
  const [, source = '', name] = /^([^/:]*:)?([^/]+)$/.exec(glob) ?? [];
  return name === undefined || (source !== '' && !WILDCARD.test(name)) ? glob : `${source}**/${name}`;
}

/** The globs on paths inside of sources that a text means; the text itself if it is one already. */
async function printedGlobs(glob: string, { store, config }: FilterScope): Promise<readonly string[]> {
  const path = withoutPlace(glob);
  const decoded = path.replaceAll('%23', '#').replaceAll('%25', '%'); // as URIs encode them
  if (!ABSOLUTE.test(path))
    return [...new Set([path, decoded])].map((text) => (path === glob ? inAnyFolder(text) : text));
  const segments = path.split('/');
  const firstGlob = segments.findIndex((segment) => WILDCARD.test(segment));
  const fixed = firstGlob === -1 ? segments : segments.slice(0, firstGlob);
  const rest = firstGlob === -1 ? [] : segments.slice(firstGlob);
  const { sourcePathsOf } = await import('./find-document.ts');
  const places = await sourcePathsOf(store, fixed.join('/') || '/', { cwd: '/', config });
  const inside = places.map(({ sourceId, path: folder }) => {
    const whole = [...(folder === '' ? [] : [folder]), ...rest].join('/');
    return `${sourceId}:${whole === '' ? '**' : whole}`;
  });
  return inside.length > 0 ? [...new Set(inside)] : [path];
}

/** A path without the place that a citation URI adds; everything else, such as `C#/notes`, is a path. */
function withoutPlace(glob: string): string {
  if (!glob.includes('#')) return glob;
  try {
    const { fragment, pin } = parseUri(glob);
    return fragment === null && pin === undefined ? glob : glob.slice(0, glob.indexOf('#'));
  } catch {
    return glob;
  }
}
