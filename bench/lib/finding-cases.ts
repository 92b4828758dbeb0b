import { readFileSync } from 'node:fs';
import type { SearchHit, SearchResponse } from '@kebab/core/app';

/** A query with the passage that a person expects first. */
export interface FindingCase {
  readonly id: string;
  readonly kind: string;
  /** The corpus that it is asked in. */
  readonly base: string;
  /** `all` is lexical and hybrid. */
  readonly modes: string;
  readonly query: string;
  /** Alternatives, as the README of the cases describes them. */
  readonly expect: readonly string[];
}

/** Reads the cases of a table with one case per line, separated by tabs; lines that begin with `# ` are remarks. */
export function readFindingCases(file: string): readonly FindingCase[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [id = '', kind = '', base = '', modes = '', query = '', expect = ''] = line.split('\t');
    if (line.startsWith('# ') || kind === '' || kind === 'kind') return [];
    return [{ id, kind, base, modes, query: query.replace(/^-- /, ''), expect: expect.split(' | ') }];
  });
}

/** How a case came out. */
export interface FindingOutcome {
  readonly isRight: boolean;
  /** Whether one of the first three hits is right; equals `isRight` for cases that are not about hits. */
  readonly isNear: boolean;
  /** The first hit, or what was said, for people. */
  readonly shown: string;
}

/** A hit with its whole text. */
export interface ReadHit {
  readonly hit: SearchHit;
  readonly text: string;
}

const MAX_CLAIMED = 0.9;

/** Judges the answer to a case; `hits` are the first hits with their texts. */
export function judgeFinding(
  { kind, expect }: FindingCase,
  response: SearchResponse,
  hits: readonly ReadHit[],
): FindingOutcome {
  const [first] = response.hits;
  const shown = first === undefined ? 'no hits' : `${first.citation.uri} (${first.score.toFixed(2)})`;
  const outcome = (isRight: boolean, said = shown): FindingOutcome => ({ isRight, isNear: isRight, shown: said });
  if (kind === 'unknown') {
    const unknown = response.unknown_terms ?? [];
    const said = `${shown}, unknown: ${unknown.join(', ')}`;
    const isNamed = wordsOf(expect).every((word) => unknown.includes(word));
    const claims = response.hits.filter((hit) => hit.score_kind === 'relevance');
    const claimed = Math.max(0, ...claims.map(({ score }) => score));
    return outcome(isNamed && claimed <= MAX_CLAIMED, said);
  }
  if (kind === 'typo') {
    const told = JSON.stringify(response.suggestions ?? {});
    return outcome(
      wordsOf(expect).every((word) => told.includes(word)),
      `${shown}, ${told}`,
    );
  }
  const places = hits.slice(0, 3).map((read) => expect.some((one) => isAt(read, one)));
  return { isRight: places[0] ?? false, isNear: places.includes(true), shown };
}

/** The words after the colon. */
function wordsOf(expect: readonly string[]): readonly string[] {
  return expect
    .join(',')
    .replaceAll(/\w+:/g, '')
    .split(',')
    .map((word) => word.trim().toLowerCase());
}

/** Whether a hit is of the document, the lines or the page, holds the words, or matches. */
function isAt({ hit, text }: ReadHit, expect: string): boolean {
  const headings = hit.heading_path.join(' > ');
  const [, form, rest = ''] = /^(text|literal): (.*)$/s.exec(expect) ?? [];
  if (form === 'text') return new RegExp(rest, 'iu').test(`${headings}\n${text}`);
  if (form === 'literal') return text.includes(rest) || hit.doc_path.endsWith(`/${rest}`);
  const [place = '', words] = expect.split(' ~ ');
  const [path = '', fragment = ''] = place.split('#');
  if (hit.doc_path.normalize() !== path.normalize()) return false;
  if (words !== undefined) return text.replaceAll(/[\s,.]/g, '').includes(words.replaceAll(/[\s,.]/g, ''));
  if (fragment === '') return true;
  const page = /^p=(\d+)$/.exec(fragment)?.[1];
  const { citation } = hit;
  if (page !== undefined) return citation.kind === 'page' && citation.page === Number(page);
  const [, from = '0', to = from] = /^L(\d+)(?:-L(\d+))?$/.exec(fragment) ?? [];
  const [start, end] =
    citation.kind === 'line'
      ? [citation.start, citation.end]
      : citation.kind === 'code'
        ? [citation.line_start, citation.line_end]
        : [0, 0];
  return start <= Number(to) && end >= Number(from) && !isBare(text);
}

/** Whether a passage has nothing but headings and links. */
function isBare(text: string): boolean {
  const rest = text
    .replaceAll(/\[[^\]]*\]\([^)]*\)/g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:#|=+\s|\*+ )|^[=~^"'-]{3,}$|^<\/?h\d/.test(line))
    .join(' ');
  return !/[\p{L}\p{N}]{2}/u.test(rest);
}

/** The shares of cases of one kind that came out right first, and among the first three. */
export interface FindingRate {
  readonly first: number;
  readonly near: number;
  readonly count: number;
}

/** The shares of cases that came out right, by kind; `all` is of all. */
export function findingRates(
  outcomes: readonly (FindingOutcome & { readonly kind: string })[],
): ReadonlyMap<string, FindingRate> {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind)), 'all'];
  return new Map(
    kinds.map((kind) => {
      const own = outcomes.filter((one) => kind === 'all' || one.kind === kind);
      const share = (test: (one: FindingOutcome) => boolean): number => own.filter(test).length / own.length;
      return [kind, { first: share((one) => one.isRight), near: share((one) => one.isNear), count: own.length }];
    }),
  );
}
