import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { allDocuments } from '../documents/open-store.ts';
import { allTags } from '../domain/metadata.ts';
import type { SearchFilters } from '../domain/query.ts';
import { nearestName } from '../errors/invalid-input.ts';
import type { SearchResponse } from '../wire/index.ts';

type FilterSuggestion = NonNullable<SearchResponse['suggestions']>['filters'][number];

/** The filters whose values are looked for among what there is, by the names that requests give them. */
const LISTS = {
  source: { member: 'source', valuesOf: ({ sourceId }) => [sourceId] },
  lang: { member: 'lang', valuesOf: ({ lang }) => [lang] },
  media: { member: 'media', valuesOf: ({ media }) => [media] },
  tag: { member: 'tag', valuesOf: (document) => allTags(document).map((tag) => tag.replace(/^#+/, '')) },
  path_glob: { member: 'pathGlob', valuesOf: ({ workspacePath }) => placesOf(workspacePath) },
  repo: { member: 'repo', valuesOf: ({ repo }) => (repo === null ? [] : [repo]) },
  code_lang: { member: 'codeLang', valuesOf: ({ codeLang }) => (codeLang === null ? [] : [codeLang]) },
} as const satisfies Record<
  string,
  { readonly member: keyof SearchFilters; readonly valuesOf: (document: DocumentRow) => readonly string[] }
>;

type ListKey = keyof typeof LISTS;

/** So many documents are looked at; more would make a search that found nothing a slow one. */
const MAX_DOCUMENTS = 20_000;
const SHOWN = 10;

/** Values of filters that no document has, each with the nearest value that there is, and the most common ones. */
export async function suggestFilters(
  store: DocumentStore,
  filters: SearchFilters,
): Promise<readonly FilterSuggestion[]> {
  const vain = await vainValues(store, filters);
  if (vain.length === 0) return [];
  const counts = new Map(vain.map(({ key }) => [key, new Map<string, number>()]));
  let seen = 0;
  for await (const document of allDocuments(store)) {
    for (const [key, values] of counts)
      for (const value of LISTS[key].valuesOf(document)) values.set(value, (values.get(value) ?? 0) + 1);
    if (++seen === MAX_DOCUMENTS) break;
  }
  return vain.map(({ key, value }): FilterSuggestion => {
    const known = [...(counts.get(key) ?? [])]
      .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([name]) => name);
    const shown = key === 'path_glob' ? known.filter((path) => path.endsWith('/')) : known;
    return { filter: key, value, nearest: nearestTo(key, value, known), known: shown.slice(0, SHOWN) };
  });
}

/** A path has many parts that may be mistyped, and people leave out folders: the name alone is compared as well. */
function nearestTo(key: ListKey, value: string, known: readonly string[]): string | null {
  const same = known.find((one) => one.toLowerCase() === value.toLowerCase());
  if (same !== undefined) return same;
  if (key === 'lang')
    return known.find((code) => nameOfLanguage(code) === value.toLowerCase()) ?? nearestName(value, known) ?? null;
  if (key !== 'path_glob') return nearestName(value, known) ?? null;
  const bare = withoutStars(value);
  if (bare === '') return null;
  const names = known.map((path) => path.replace(/\/$/, '').split('/').at(-1) ?? path);
  const name = nearestName(bare.replace(/\/$/, '').split('/').at(-1) ?? bare, names);
  return nearestName(bare, known) ?? known[names.indexOf(name ?? '')] ?? null;
}

/** In English, as people write `--lang german`. */
function nameOfLanguage(code: string): string | undefined {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code)?.toLowerCase();
  } catch {
    return undefined; // what front matter says need not be a code
  }
}

function withoutStars(glob: string): string {
  return glob
    .replace(/(?:\/?\*+)+$/, '')
    .replaceAll('*', '')
    .replace(/^\/+/, '');
}

interface VainValue {
  readonly key: ListKey;
  readonly value: string;
}

async function vainValues(store: DocumentStore, filters: SearchFilters): Promise<readonly VainValue[]> {
  const vain: VainValue[] = [];
  for (const key of Object.keys(LISTS) as ListKey[]) {
    const { member } = LISTS[key];
    const values = filters[member] ?? [];
    // The globs of one path field are alternatives for one place.
    const isField = key === 'path_glob' && values.every((value) => value.startsWith('**/*'));
    const groups: readonly (readonly string[])[] = isField ? [values] : values.map((value) => [value]);
    for (const group of groups) {
      if (group.length === 0 || (await store.documentIds({ [member]: group })).size > 0) continue;
      vain.push({ key, value: isField ? withoutStars(group[0] ?? '') : (group[0] ?? '') });
    }
  }
  return vain;
}

/** The path itself and the folders it lies in, each with a slash behind it. */
function placesOf(path: string): readonly string[] {
  const folders = path.split('/').slice(0, -1);
  return [path, ...folders.map((_, at) => `${folders.slice(0, at + 1).join('/')}/`)];
}
