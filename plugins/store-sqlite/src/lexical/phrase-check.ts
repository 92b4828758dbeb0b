import { type QueryPhrase, SearchedText } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { LRU } from 'tiny-lru';
import { build, inList, statement, type Placeholder } from '../database/statements.ts';
import { decoded } from '../database/store-failure.ts';
import { decodeHeadingPath } from '../documents/columns.ts';

/** The phrases that a row must and must not contain literally. */
export interface RowDemand {
  readonly row: number;
  readonly wanted: readonly QueryPhrase[];
  /** At least one phrase of each list is required. */
  readonly anyOf: readonly (readonly QueryPhrase[])[];
  readonly unwanted: readonly QueryPhrase[];
}

/** The verdicts of this many demands are cached, and for each those of at most `MAX_ROWS` rows. */
const MAX_DEMANDS = 8;
const MAX_ROWS = 10_000;

/**
 * Checks whether chunks contain phrases literally. The index stores stems, and not what separates two scripts, so it finds every chunk that
 * contains a phrase, and some that contain only something similar.
 */
export class PhraseCheck {
  readonly #searched: ReturnType<typeof searchedOf>;
  readonly #known = new LRU<Map<number, boolean>>(MAX_DEMANDS);

  constructor(db: Connection) {
    this.#searched = searchedOf(db);
  }

  /** Whether each row meets its demand. Texts of rows without a cached verdict are read in one query. */
  passing(demands: readonly RowDemand[]): readonly boolean[] {
    let [last, verdictsOfLast]: [RowDemand | undefined, Map<number, boolean> | null] = [undefined, null];
    const known = demands.map((demand) => {
      if (last === undefined || !sharesPhrases(last, demand))
        verdictsOfLast = isEmpty(demand) ? null : this.#knownOf(demand);
      last = demand;
      return verdictsOfLast;
    });
    const unknown = demands.filter(({ row }, i) => known[i]?.has(row) === false);
    const texts = unknown.length === 0 ? new Map<number, Texts>() : this.#textsOf(unknown.map(({ row }) => row));
    return demands.map((demand, i) => {
      const verdicts = known[i] ?? null;
      if (verdicts === null) return true;
      const remembered = verdicts.get(demand.row);
      if (remembered !== undefined) return remembered;
      const passes = meets(demand, texts.get(demand.row) ?? NOTHING);
      if (verdicts.size < MAX_ROWS) verdicts.set(demand.row, passes);
      return passes;
    });
  }

  /** Empties the cache; must be called when the corpus has changed. */
  clear(): void {
    this.#known.clear();
  }

  #knownOf({ wanted, anyOf, unwanted }: RowDemand): Map<number, boolean> {
    const key = JSON.stringify([textsIn(wanted), anyOf.map(textsIn), textsIn(unwanted)]);
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = new Map()));
    return known;
  }

  #textsOf(rows: readonly number[]): ReadonlyMap<number, Texts> {
    const found = new Map<number, SearchedRow[]>();
    for (const one of this.#searched.all({ rows: JSON.stringify(rows) })) {
      const known = found.get(one.row);
      if (known === undefined) found.set(one.row, [one]);
      else known.push(one);
    }
    return new Map([...found].map(([row, segments]) => [row, new Texts(segments)]));
  }
}

function textsIn(phrases: readonly QueryPhrase[]): readonly string[] {
  return phrases.map(({ text }) => text);
}

function isEmpty({ wanted, anyOf, unwanted }: RowDemand): boolean {
  return wanted.length === 0 && anyOf.length === 0 && unwanted.length === 0;
}

/** Fast comparison by identity, which suffices because nearly all rows of a list share their demands. */
function sharesPhrases(a: RowDemand, b: RowDemand): boolean {
  return a.wanted === b.wanted && a.unwanted === b.unwanted && a.anyOf.length === 0 && b.anyOf.length === 0;
}

function meets({ wanted, anyOf, unwanted }: RowDemand, texts: Texts): boolean {
  const stands = (phrase: QueryPhrase): boolean => texts.hold(phrase);
  return wanted.every(stands) && anyOf.every((phrases) => phrases.some(stands)) && !unwanted.some(stands);
}

/** All stored fields of a chunk that can be searched, with one of the segments that contain its text. */
type SearchedRow = ReturnType<ReturnType<typeof searchedOf>['all']>[number];

function searchedOf(db: Connection) {
  return statement(db, (value: Placeholder<{ readonly rows: string }>) =>
    build
      .selectFrom('chunks as c')
      .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
      .leftJoin('document_texts as t', (join) =>
        join
          .onRef('t.doc_seq', '=', 'c.doc_seq')
          .onRef('t.start', '<', 'c.text_end')
          .on('t.start', '>=', (at) =>
            at.fn.coalesce(
              at
                .selectFrom('document_texts as before')
                .select(({ fn }) => fn.max<number>('before.start').as('start'))
                .whereRef('before.doc_seq', '=', 'c.doc_seq')
                .whereRef('before.start', '<=', 'c.text_start'),
              at.val(0),
            ),
          ),
      )
      .select((eb) => [
        'c.seq as row',
        't.start as segmentStart',
        't.text as segment',
        'c.text_start as textStart',
        'c.text_end as textEnd',
        'c.heading_path_json as headingPath',
        'c.section_label as sectionLabel',
        'd.title',
        'd.workspace_path as workspacePath',
        // Only for the first chunk of a document.
        eb.case().when('c.ordinal', '=', 0).then(eb.ref('d.metadata_json')).else(null).end().as('metadata'),
      ])
      .where('c.seq', 'in', inList<number>(value('rows'))),
  );
}

/** The text and fields of a chunk. The fields are read only if the text does not contain the phrase. */
class Texts {
  readonly #segments: readonly SearchedRow[];
  #text: SearchedText | undefined;
  #fields: readonly SearchedText[] | undefined;

  constructor(segments: readonly SearchedRow[]) {
    this.#segments = segments;
  }

  hold(phrase: QueryPhrase): boolean {
    if (this.#segments.length === 0) return false;
    this.#text ??= new SearchedText(this.#readText());
    if (this.#text.holds(phrase)) return true;
    this.#fields ??= this.#readFields().map((field) => new SearchedText(field));
    return this.#fields.some((field) => field.holds(phrase));
  }

  #readText(): string {
    const sorted = this.#segments.toSorted((a, b) => (a.segmentStart ?? 0) - (b.segmentStart ?? 0));
    const { segmentStart, textStart, textEnd } = sorted[0] as SearchedRow;
    const start = segmentStart ?? textStart;
    const stretch = sorted.map(({ segment }) => segment ?? '').join('');
    return stretch.slice(Math.max(0, textStart - start), Math.max(0, textEnd - start));
  }

  #readFields(): readonly string[] {
    const { headingPath, sectionLabel, title, workspacePath, metadata } = this.#segments[0] as SearchedRow;
    const extras =
      metadata === null ? [] : stringsIn(decoded('documents', 'metadata_json', () => JSON.parse(metadata) as unknown));
    const fields = [title, sectionLabel, workspacePath, ...decodeHeadingPath(headingPath, title), ...extras];
    return fields.filter((field) => field !== null);
  }
}

/** The texts of a row that is gone. */
const NOTHING = new Texts([]);

/** Every string and number inside a JSON value. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
