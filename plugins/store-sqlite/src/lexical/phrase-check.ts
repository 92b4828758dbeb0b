import { SearchedText, type QueryPhrase } from '@kebab/core';
import type { Statements } from '../database/statements.ts';
import { decodeHeadingPath } from '../documents/heading-columns.ts';
import { readText } from '../documents/text-segments.ts';

/** Everything of a chunk that can be searched and is stored. */
interface SearchedRow {
  readonly doc_seq: number;
  readonly text_start: number;
  readonly text_end: number;
  readonly ordinal: number;
  readonly heading_path_json: string;
  readonly section_label: string | null;
  readonly title: string;
  readonly workspace_path: string;
  readonly metadata_json: string;
}

const ROW = `SELECT c.doc_seq, c.text_start, c.text_end, c.ordinal, c.heading_path_json, c.section_label,
                    d.title, d.workspace_path, d.metadata_json
             FROM chunks c JOIN documents d ON d.seq = c.doc_seq WHERE c.seq = ?`;

/**
 * Tells whether phrases really stand in a chunk. The index knows stems and not what stood between two scripts: it finds
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
    const row = this.#statements.of(ROW).get(seq) as SearchedRow | undefined;
    if (row === undefined) return [];
    const headings = decodeHeadingPath(row.heading_path_json, row.title ?? '');
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
