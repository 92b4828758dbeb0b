import type { TextRange } from '../../domain/block.ts';
import type { CheckedSentence, PreparedPrompt, RemovedCitation } from './check-claims.ts';

/** An answer after kebab has set the markers that its model left out. */
export interface Attributed {
  readonly text: string;
  readonly removed: readonly RemovedCitation[];
  /** The passages of the markers that were set. */
  readonly attributed: ReadonlySet<number>;
}

/** The checked sentences of an answer, and what they are compared with. */
interface Attributable {
  readonly text: string;
  readonly removed: readonly RemovedCitation[];
  readonly sentences: readonly CheckedSentence[];
  readonly prompt: Pick<PreparedPrompt, 'coverer'>;
}

/** A replacement in a text; `start` equals `end` for an insertion. */
interface Edit extends TextRange {
  readonly by: string;
}

/**
 * Sets the marker of the passage that covers a sentence where the model set none, or one of a passage that does not: models of all sizes
 * forget markers, and small ones set wrong ones. A sentence that no passage covers keeps what it has; so does one that cites a passage that
 * was not in the prompt.
 */
export function attribute({ text, removed, sentences, prompt: { coverer } }: Attributable): Attributed {
  const edits: Edit[] = [];
  const attributed = new Set<number>();
  for (const sentence of sentences) {
    if (!sentence.claims || removed.some(({ at }) => at >= sentence.start && at <= sentence.end)) continue;
    const own = [...new Set(sentence.citations.flatMap(({ numbers }) => numbers))];
    if (own.some((number) => !sentence.cited.includes(number))) continue;
    const numbers = coveringPassages(sentence, coverer);
    if (numbers.length === 0) continue;
    for (const number of numbers) if (!sentence.cited.includes(number)) attributed.add(number);
    const marker = numbers.map((number) => `[${number}]`).join('');
    edits.push(...sentence.citations.map((citation) => ({ ...withSpaceBefore(text, citation), by: '' })));
    edits.push(insertionOf(text, sentence, marker));
  }
  return { ...edited(text, removed, edits), attributed };
}

/** The passages to cite instead of what a sentence cites: those of them that say it, or else another; empty when all of it stands. */
function coveringPassages(
  { text, kind, cited, failed }: CheckedSentence,
  coverer: PreparedPrompt['coverer'],
): readonly number[] {
  if (kind === 'code') return cited.length > 0 ? [] : coverer.coverCode(text);
  const covering = coverer.cover(text).passages;
  if (covering.length === 0 || cited.length === 0) return covering;
  const own = cited.filter((number) => coverer.cover(text, [number]).missing.length === 0);
  if (own.length > 0) return failed && own.length < cited.length ? own : [];
  if (coverer.cover(text, cited).missing.length === 0) return [];
  // Where nothing in it is wrong and the cited passages have all of its words, it may paraphrase them.
  return failed || coverer.unknownWords(text, cited).words.length > 0 ? covering : [];
}

/** A marker with the white space before it, which goes with it. */
function withSpaceBefore(text: string, { start, end }: TextRange): TextRange {
  const space = /[ \t]*$/.exec(text.slice(Math.max(0, start - 8), start))?.[0].length ?? 0;
  const isFirst = start - space === 0 || text[start - space - 1] === '\n';
  const after = isFirst ? (/^[ \t]*/.exec(text.slice(end, end + 8))?.[0].length ?? 0) : 0;
  return { start: start - space, end: end + after };
}

/** Where a marker goes: before the closing punctuation, in a table row before its last bar, below a code block. */
function insertionOf(text: string, { start, end, kind, citations }: CheckedSentence, marker: string): Edit {
  if (kind === 'code') return { start: end, end, by: `\n${marker}` };
  const isCitation = (at: number): boolean => citations.some((citation) => citation.start <= at && at < citation.end);
  let at = end;
  while (at > start && (isCitation(at - 1) || /\s/.test(text[at - 1] ?? ''))) at--;
  const closing = kind === 'row' ? /\|$/ : /[.!?。！？…]+["'”’»」』)*_]*$/u;
  at -= closing.exec(text.slice(start, at))?.[0].length ?? 0;
  while (at > start && (isCitation(at - 1) || /\s/.test(text[at - 1] ?? ''))) at--;
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text.slice(start, at));
  return { start: at, end: at, by: `${isUnspaced ? '' : ' '}${marker}` };
}

function edited(
  text: string,
  removed: readonly RemovedCitation[],
  edits: readonly Edit[],
): Pick<Attributed, 'text' | 'removed'> {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let from = 0;
  for (const { start, end, by } of sorted) {
    result += text.slice(from, Math.max(from, start)) + by;
    from = Math.max(from, end);
  }
  result += text.slice(from);
  const moved = (at: number): number =>
    sorted.reduce((sum, { start, end, by }) => (end <= at ? sum + by.length - (end - start) : sum), at);
  return { text: result, removed: removed.map(({ number, at }) => ({ number, at: moved(at) })) };
}
