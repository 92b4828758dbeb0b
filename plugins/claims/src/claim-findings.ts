import type { AnswerFinding, TextRange } from '@kebab/core';

/** The finding for a citation of a nonexistent passage. */
export function unknownCitation(text: string, { start, end }: TextRange): AnswerFinding {
  const cited = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const message = `${text} is not a passage of this answer`;
  return { kind: 'citation', level: 'failed', text, start, end, cited, message };
}

/** The finding for a claim without a citation that no passage covers; `lacking` is what the nearest sentence of a passage lacks. */
export function uncited({ start, end }: TextRange, text: string, lacking: readonly string[]): AnswerFinding {
  const message = `this cites no passage, and ${notSaid(lacking, text.slice(start, end))}`;
  return finding('citation', 'failed', { range: { start, end }, cited: [], bare: text, message });
}

/** The finding for a claim that the cited passages do not say, though nothing in it is wrong by itself. */
export function notCovered(
  { start, end }: TextRange,
  { cited, lacking, text }: { cited: readonly number[]; lacking: readonly string[]; text: string },
): AnswerFinding {
  const message = `${listed(cited)} does not say this: ${notSaid(lacking, text.slice(start, end))}`;
  return finding('claim', 'failed', { range: { start, end }, cited, bare: text, message });
}

/** The finding for a claim in another language than its passages, without a number, a date or a name to compare. */
export function incomparable({ start, end }: TextRange, cited: readonly number[], text: string): AnswerFinding {
  const message = `${listed(cited)} is in another language, and nothing in this can be compared with it`;
  return finding('claim', 'failed', { range: { start, end }, cited, bare: text, message });
}

const MAX_LACKING = 5;

function notSaid(lacking: readonly string[], written: string): string {
  if (lacking.length === 0 || lacking[0] === written.trim()) return 'none says it';
  const shown = lacking.slice(0, MAX_LACKING).map((word) => `"${word}"`);
  const more = lacking.length > MAX_LACKING ? ` and ${lacking.length - MAX_LACKING} more` : '';
  return `no sentence has ${shown.join(', ')}${more} with the rest`;
}

/**
 * The finding for a sentence that says something otherwise than its passage; `there` is the word that stands there, null where the whole is
 * turned round.
 */
export function reversed(
  { start, end }: TextRange,
  {
    there,
    kind,
    cited,
    text,
  }: { there: string | null; kind: 'reversal' | 'shift'; cited: readonly number[]; text: string },
): AnswerFinding {
  const written = text.slice(start, end);
  const message =
    kind === 'shift'
      ? `"${written}" stands with other values in ${listed(cited)}`
      : there === null
        ? `a sentence of ${listed(cited)} with the same words says the opposite`
        : `"${written}" is "${there}" in a sentence of ${listed(cited)} with the same words`;
  return finding('claim', 'failed', { range: { start, end }, cited, bare: text, message });
}

/** The finding for a detail that none of the passages contains. */
export function missing(
  { start, end }: TextRange,
  { kind, cited, text }: { kind: AnswerFinding['kind']; cited: readonly number[]; text: string },
): AnswerFinding {
  const written = text.slice(start, end);
  const shown = /^\p{Pi}|^["'「『«《〈]/u.test(written) ? written : `"${written}"`;
  const message =
    kind === 'unit' ? `${shown} has another unit in ${listed(cited)}` : `${shown} is not in ${listed(cited)}`;
  return finding(kind, 'failed', { range: { start, end }, cited, bare: text, message });
}

/** The remark that a number stands in no passage and follows from those of one. */
export function computed(
  { start, end }: TextRange,
  { steps, cited, text }: { steps: string; cited: readonly number[]; text: string },
): AnswerFinding {
  const written = text.slice(start, end);
  const message = `"${written}" is not in ${listed(cited)}, and follows from it: ${steps}`;
  return finding('computed', 'warning', { range: { start, end }, cited, bare: text, message });
}

function listed(cited: readonly number[]): string {
  return cited.length === 0 ? 'any passage' : cited.map((number) => `[${number}]`).join(' or ');
}

/** Creates a finding at a range of an answer, with citations removed (`bare`). */
export function finding(
  kind: AnswerFinding['kind'],
  level: AnswerFinding['level'],
  { range, cited, bare, message }: { range: TextRange; cited: readonly number[]; bare: string; message: string },
): AnswerFinding {
  return { kind, level, text: bare.slice(range.start, range.end), ...range, cited, message };
}
