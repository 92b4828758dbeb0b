import { type QueryPhrase, SearchedText } from '@kebab/core/store';
import { statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import { decodeHeadingPath, decoded, groupByPlace, sliceOf } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { chunksWithText } from '../documents/document-reader.ts';

/** The phrases that a row must and must not contain literally. */
export interface RowDemand {
  readonly row: number;
  readonly wanted: readonly QueryPhrase[];
  /** At least one phrase of each list is required. */
  readonly anyOf: readonly (readonly QueryPhrase[])[];
  readonly unwanted: readonly QueryPhrase[];
}

/**
 * The rows that meet their demands, in order. The index stores stems, and not what separates two scripts, so it finds every chunk that
 * contains a phrase, and some that contain only something similar. The texts of all rows are read in one query.
 */
export function rowsMeeting(db: Connection, demands: readonly RowDemand[]): readonly number[] {
  const open = demands.filter((demand) => !isEmpty(demand));
  const texts = open.length === 0 ? new Map<number, ChunkTexts>() : readTexts(db, open);
  return demands.filter((demand) => isEmpty(demand) || meets(demand, texts.get(demand.row))).map(({ row }) => row);
}

function isEmpty({ wanted, anyOf, unwanted }: RowDemand): boolean {
  return wanted.length === 0 && anyOf.length === 0 && unwanted.length === 0;
}

function meets({ wanted, anyOf, unwanted }: RowDemand, texts: ChunkTexts | undefined): boolean {
  const contains = (phrase: QueryPhrase): boolean => texts?.contain(phrase) === true;
  return wanted.every(contains) && anyOf.every((phrases) => phrases.some(contains)) && !unwanted.some(contains);
}

function readTexts(db: Connection, demands: readonly RowDemand[]): ReadonlyMap<number, ChunkTexts> {
  const found = statementsOn(db, searchedChunks).all({ rows: JSON.stringify(demands.map(({ row }) => row)) });
  return new Map(
    groupByPlace(found).map((segments) => {
      const [row] = segments as [SearchedChunk];
      return [row.row, new ChunkTexts(row, sliceOf(row, segments))];
    }),
  );
}

/** All stored fields of a chunk that can be searched, with one of the segments that contain its text. */
type SearchedChunk = ReturnType<ReturnType<typeof searchedChunks>['all']>[number];

function searchedChunks(db: Connection) {
  return statement(db, (value: Placeholder<{ readonly rows: string }>) =>
    chunksWithText<number>(value('rows'))
      .crossJoin('documents as d')
      .whereRef('c.seq', '=', 'j.value')
      .whereRef('d.seq', '=', 'c.doc_seq')
      .select((eb) => [
        'c.seq as row',
        'c.heading_path_json as headingPath',
        'c.section_label as sectionLabel',
        'd.title',
        'd.workspace_path as workspacePath',
        // Only for the first chunk of a document.
        eb.case().when('c.ordinal', '=', 0).then(eb.ref('d.metadata_json')).else(null).end().as('metadata'),
      ]),
  );
}

/** The text and fields of a chunk. The fields are read only if the text does not contain the phrase. */
class ChunkTexts {
  readonly #chunk: SearchedChunk;
  readonly #text: SearchedText;
  #fields: readonly SearchedText[] | undefined;

  constructor(chunk: SearchedChunk, text: string) {
    this.#chunk = chunk;
    this.#text = new SearchedText(text);
  }

  contain(phrase: QueryPhrase): boolean {
    if (this.#text.holds(phrase)) return true;
    this.#fields ??= fieldsOf(this.#chunk).map((field) => new SearchedText(field));
    return this.#fields.some((field) => field.holds(phrase));
  }
}

function fieldsOf({ headingPath, sectionLabel, title, workspacePath, metadata }: SearchedChunk): readonly string[] {
  const extras =
    metadata === null ? [] : stringsIn(decoded('documents', 'metadata_json', () => JSON.parse(metadata) as unknown));
  const fields = [title, sectionLabel, workspacePath, ...decodeHeadingPath(headingPath, title), ...extras];
  return fields.filter((field) => field !== null);
}

/** Every string and number inside a JSON value. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
