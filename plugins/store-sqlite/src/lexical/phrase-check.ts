import { SearchedText, type QueryPhrase } from '@kebab/core/store';
import { rowsOf, type Statements } from '../database/statements.ts';
import type { Row } from '../database/tables.ts';
import { decodeHeadingPath } from '../documents/columns.ts';
import { readText } from '../documents/text-segments.ts';

/** Everything of a chunk that can be searched and is stored. */
type SearchedRow = Pick<
  Row<'chunks'>,
  'doc_seq' | 'text_start' | 'text_end' | 'ordinal' | 'heading_path_json' | 'section_label'
> &
  Pick<Row<'documents'>, 'title' | 'workspace_path' | 'metadata_json'>;

const SEARCHED = rowsOf<SearchedRow>(`SELECT c.doc_seq, c.text_start, c.text_end, c.ordinal, c.heading_path_json,
    c.section_label, d.title, d.workspace_path, d.metadata_json
  FROM chunks c JOIN documents d ON d.seq = c.doc_seq WHERE c.seq = @seq`);

/**
 * Decides whether phrases really stand in a chunk. The index knows stems and not what stood between two scripts: it finds
 * every chunk that holds a phrase, and some that only nearly do.
 */
export class PhraseCheck {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Whether all of `wanted` and none of `unwanted` stand in a chunk. */
  passes(row: number, wanted: readonly QueryPhrase[], unwanted: readonly QueryPhrase[]): boolean {
    const texts = this.#textsOf(row).map((text) => new SearchedText(text));
    const stands = (phrase: QueryPhrase): boolean => texts.some((text) => text.holds(phrase));
    return wanted.every(stands) && !unwanted.some(stands);
  }

  #textsOf(seq: number): readonly string[] {
    const row = this.#statements.first(SEARCHED, { seq });
    if (row === undefined) return [];
    const headings = decodeHeadingPath(row.heading_path_json, row.title);
    const extras = row.ordinal === 0 ? stringsIn(JSON.parse(row.metadata_json)) : [];
    const fields = [row.title, row.section_label, row.workspace_path, ...headings, ...extras];
    const text = readText(this.#statements, row.doc_seq, row.text_start, row.text_end);
    return [text, ...fields.filter((field) => field !== null)];
  }
}

/** Every string and number inside a JSON value. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
