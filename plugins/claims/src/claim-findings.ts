import type { AnswerFinding, TextRange } from '@kebab/core';

/** What a finding says besides its kind and range. */
interface Said {
  /** The answer. */
  readonly text: string;
  /** The passages that were compared. */
  readonly cited?: readonly number[];
  readonly message: string;
  readonly level?: AnswerFinding['level'];
}

/** A finding at a range of an answer; it fails unless it is a warning. */
export function finding(
  kind: AnswerFinding['kind'],
  { start, end }: TextRange,
  { text, cited = [], message, level = 'failed' }: Said,
): AnswerFinding {
  return { kind, level, text: text.slice(start, end), start, end, cited, message };
}

/** The finding for a citation of a nonexistent passage. */
export function unknownCitation(written: string, { start, end }: TextRange): AnswerFinding {
  const cited = [...written.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const message = `${written} is not a passage of this answer`;
  return { kind: 'citation', level: 'failed', text: written, start, end, cited, message };
}

/** The finding for a claim that the cited passages, or any, do not say; `lacking` is what the nearest sentence of a passage lacks. */
export function notCovered(
  range: TextRange,
  { cited, lacking, text }: { cited: readonly number[] | null; lacking: readonly string[]; text: string },
): AnswerFinding {
  const rest = notSaid(lacking, text.slice(range.start, range.end));
  return cited === null
    ? finding('citation', range, { text, message: `this cites no passage, and ${rest}` })
    : finding('claim', range, { text, cited, message: `${listed(cited)} does not say this: ${rest}` });
}

const MAX_LACKING = 5;

function notSaid(lacking: readonly string[], written: string): string {
  if (lacking.length === 0 || lacking[0] === written.trim()) return 'none says it';
  const shown = lacking.slice(0, MAX_LACKING).map((word) => `"${word}"`);
  const more = lacking.length > MAX_LACKING ? ` and ${lacking.length - MAX_LACKING} more` : '';
  return `no sentence has ${shown.join(', ')}${more} with the rest`;
}

/** The finding for a detail that none of the passages contains. */
export function missing(
  range: TextRange,
  { kind, cited, text }: { kind: AnswerFinding['kind']; cited: readonly number[]; text: string },
): AnswerFinding {
  const written = text.slice(range.start, range.end);
  const shown = /^\p{Pi}|^["'「『«《〈]/u.test(written) ? written : `"${written}"`;
  const fault = kind === 'unit' ? 'has another unit in' : 'is not in';
  return finding(kind, range, { cited, text, message: `${shown} ${fault} ${listed(cited)}` });
}

/** Passages as they are cited, or `any passage`. */
export function listed(cited: readonly number[]): string {
  return cited.length === 0 ? 'any passage' : cited.map((number) => `[${number}]`).join(' or ');
}
