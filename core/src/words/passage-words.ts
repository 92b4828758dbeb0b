import type { QueryDemand, QueryPhrase } from '../analysis/analyse-query.ts';
import { COLUMN_WEIGHTS, indexTokens } from '../analysis/index-tokens.ts';
import { analyseChunk } from '../analysis/index-text.ts';
import { SearchedText } from '../analysis/searched-text.ts';
import type { ChunkWithDocument } from '../contracts/document-store.ts';
import { runsOf, type WordRun } from './ranking-units.ts';

type Near = Extract<QueryDemand, { kind: 'near' }>;

/** The words of one passage, for what terms cannot tell: phrases as they are written, and the order of tokens. */
export class PassageWords {
  readonly #passage: ChunkWithDocument;
  readonly #extra: readonly string[];
  #fields: readonly SearchedText[] | undefined;
  #columns: readonly Column[] | undefined;

  /** `extra`: aliases, tags and values of metadata by which the first chunk of a document is found besides its text. */
  constructor(passage: ChunkWithDocument, extra: readonly string[]) {
    this.#passage = passage;
    this.#extra = extra;
  }

  get isCode(): boolean {
    return this.#passage.document.media === 'code';
  }

  /** The number of tokens in all columns. */
  get length(): number {
    return this.#read().reduce((sum, { count }) => sum + count, 0);
  }

  /** Whether the passage contains a phrase literally, in its text or one of its fields. */
  holds(phrase: QueryPhrase): boolean {
    this.#fields ??= this.#searched().map((field) => new SearchedText(field));
    return this.#fields.some((field) => field.holds(phrase));
  }

  /** Whether it contains a phrase in any form that the index matches. */
  matches(phrase: QueryPhrase): boolean {
    return runsOf(phrase).every((run) => this.count(run) > 0);
  }

  /** How often a run stands in it, weighted by column. */
  count(run: WordRun): number {
    return this.#read().reduce((sum, column) => sum + column.weight * startsOf(column, run).length, 0);
  }

  /** Whether one field contains all phrases of a demand, with at most its distance between them. */
  isNear({ phrases, distance }: Near): boolean {
    const runs = phrases.flatMap(runsOf);
    return this.#read().some((column) => {
      const starts = runs.map((run) => startsOf(column, run));
      return starts.flat().some((last) =>
        starts.every((own, at) => {
          const min = last - lengthOf(runs[at] as WordRun) - distance;
          return own.some((start) => start <= last && start >= min);
        }),
      );
    });
  }

  #searched(): readonly string[] {
    const { chunk, document } = this.#passage;
    const label = chunk.sectionLabel === null ? [] : [chunk.sectionLabel];
    return [chunk.text, document.title, ...label, document.workspacePath, ...chunk.headingPath, ...this.#extra];
  }

  #read(): readonly Column[] {
    if (this.#columns !== undefined) return this.#columns;
    const { chunk, document } = this.#passage;
    const index = analyseChunk({
      text: chunk.text,
      title: document.title,
      headingPath: chunk.headingPath,
      workspacePath: document.workspacePath,
      symbol: this.isCode ? chunk.sectionLabel : null,
      extra: this.#extra,
      prefix: null,
    });
    this.#columns = (['text', 'heading', 'symbol', 'cjk'] as const).map((name) => {
      const tokens = indexTokens(index[name]).map(({ token }) => token);
      return { weight: COLUMN_WEIGHTS[name], count: tokens.length, tokens };
    });
    return this.#columns;
  }
}

interface Column {
  readonly weight: number;
  readonly count: number;
  readonly tokens: readonly string[];
}

/** Where a run begins in a column. */
function startsOf({ tokens }: Column, run: WordRun): readonly number[] {
  const row = tokensOf(run);
  const [first] = row;
  if (first === undefined) return [];
  const last = row.length - 1;
  const isAt = (start: number): boolean =>
    row.every((token, at) => {
      const own = tokens[start + at];
      return own === token || (run.isPrefix && at === last && own?.startsWith(token) === true);
    });
  return tokens.flatMap((_, start) => (isAt(start) ? [start] : []));
}

function tokensOf(run: WordRun): readonly string[] {
  return run.words.flatMap((word) => indexTokens(word).map(({ token }) => token));
}

function lengthOf(run: WordRun): number {
  return tokensOf(run).length;
}
