import type { AnswerToJudge, ReadCitation, TextRange } from '@kebab/core';
import type { CheckedSentence, PreparedPrompt } from './check-claims.ts';
import { holdsCode } from './identifiers.ts';

/** An answer after kebab has set the markers that its model left out. */
interface Attributed extends Pick<AnswerToJudge, 'text' | 'citations' | 'removedCitations'> {
  /** The passages of the markers that were set. */
  readonly attributed: ReadonlySet<number>;
}

/** A replacement in a text by markers; `start` equals `end` for an insertion. */
interface Edit extends TextRange {
  /** What stands before the markers. */
  readonly gap: string;
  /** Empty for a removal. */
  readonly numbers: readonly number[];
}

/**
 * Sets the marker of the passage that covers a sentence where the model set none, or one of a passage that does not: models of all sizes
 * forget markers, and small ones set wrong ones. A sentence that no passage covers keeps what it has; so does one that cites a passage that
 * was not in the prompt.
 */
export function attribute(
  answer: AnswerToJudge,
  sentences: readonly CheckedSentence[],
  prompt: PreparedPrompt,
): Attributed {
  const { text, removedCitations } = answer;
  const edits: Edit[] = [];
  const attributed = new Set<number>();
  for (const sentence of sentences) {
    if (!sentence.isClaim || removedCitations.some(({ at }) => at >= sentence.start && at <= sentence.end)) continue;
    const own = [...new Set(sentence.citations.flatMap(({ numbers }) => numbers))];
    if (own.some((number) => !sentence.cited.includes(number))) continue;
    const numbers = coveringPassages(sentence, prompt);
    if (numbers.length === 0) continue;
    for (const number of numbers) if (!sentence.cited.includes(number)) attributed.add(number);
    edits.push(...sentence.citations.map((citation) => ({ ...withSpaceBefore(text, citation), gap: '', numbers: [] })));
    edits.push(insertionOf(text, sentence, numbers));
  }
  return { ...edited(answer, edits), attributed };
}

/** The passages to cite instead of what a sentence cites: those of them that say it, or else another; empty when all of it stands. */
function coveringPassages(
  { text, kind, cited, failures }: CheckedSentence,
  { coverer, passages }: PreparedPrompt,
): readonly number[] {
  if (kind === 'code') {
    const holding = [...passages.values()].find(({ original }) => holdsCode(original, text));
    return cited.length > 0 || holding === undefined ? [] : [holding.number];
  }
  const failed = failures.length > 0;
  if (cited.length === 0) return coverer.cover(text).passages;
  // Where nothing in it is wrong and the cited passages have all of its words, it may paraphrase them.
  const isSaid = !failed && coverer.unknownWords(text, cited).words.length === 0;
  if (isSaid || (!failed && coverer.cover(text, cited).missing.length === 0)) return [];
  const covering = coverer.cover(text).passages;
  // Where no word can be read, as in Thai, a value alone names no other passage.
  if (covering.length === 0 || (/\p{Lo}/u.test(text) && coverer.read(text).words.length === 0)) return [];
  const own = cited.filter((number) => coverer.cover(text, [number]).missing.length === 0);
  if (own.length > 0) return failed && own.length < cited.length ? own : [];
  return coverer.cover(text, cited).missing.length === 0 ? [] : covering;
}

/** A marker with the white space before it, which goes with it. */
function withSpaceBefore(text: string, { start, end }: TextRange): TextRange {
  const space = /[ \t]*$/.exec(text.slice(Math.max(0, start - 8), start))?.[0].length ?? 0;
  const isFirst = start - space === 0 || text[start - space - 1] === '\n';
  const after = isFirst ? (/^[ \t]*/.exec(text.slice(end, end + 8))?.[0].length ?? 0) : 0;
  return { start: start - space, end: end + after };
}

/** Where a marker goes: before the closing punctuation, in a table row before its last bar, below a code block. */
function insertionOf(text: string, { start, end, kind, citations }: CheckedSentence, numbers: readonly number[]): Edit {
  if (kind === 'code') return { start: end, end, gap: '\n', numbers };
  const isCitation = (at: number): boolean => citations.some((citation) => citation.start <= at && at < citation.end);
  let at = end;
  while (at > start && (isCitation(at - 1) || /\s/.test(text[at - 1] ?? ''))) at--;
  const closing = kind === 'row' ? /\|$/ : /[.!?。！？…]+["'”’»」』)*_]*$/u;
  at -= closing.exec(text.slice(start, at))?.[0].length ?? 0;
  while (at > start && (isCitation(at - 1) || /\s/.test(text[at - 1] ?? ''))) at--;
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text.slice(start, at));
  return { start: at, end: at, gap: isUnspaced ? '' : ' ', numbers };
}

function edited(
  { text, citations, removedCitations }: AnswerToJudge,
  edits: readonly Edit[],
): Omit<Attributed, 'attributed'> {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const set: ReadCitation[] = [];
  let result = '';
  let from = 0;
  for (const { start, end, gap, numbers } of sorted) {
    result += text.slice(from, Math.max(from, start)) + gap;
    for (const number of numbers) {
      const marker = `[${number}]`;
      set.push({ start: result.length, end: result.length + marker.length, numbers: [number] });
      result += marker;
    }
    from = Math.max(from, end);
  }
  result += text.slice(from);
  const moved = (at: number): number =>
    sorted.reduce((sum, edit) => (edit.end <= at ? sum + lengthOf(edit) - (edit.end - edit.start) : sum), at);
  const isKept = ({ start, end }: TextRange): boolean => !edits.some((edit) => edit.start <= start && end <= edit.end);
  const kept = citations
    .filter(isKept)
    .map(({ start, end, numbers }) => ({ start: moved(start), end: moved(start) + end - start, numbers }));
  return {
    text: result,
    citations: [...set, ...kept].toSorted((a, b) => a.start - b.start),
    removedCitations: removedCitations.map(({ number, at }) => ({ number, at: moved(at) })),
  };
}

function lengthOf({ gap, numbers }: Edit): number {
  return numbers.reduce((sum, number) => sum + `[${number}]`.length, gap.length);
}
