import { analyseField } from '../analysis/index-text.ts';
import { tokensOf } from '../analysis/index-tokens.ts';
import { isFunctionWord } from '../analysis/words.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { QuestionWord } from '../relevance/question-words.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { KnownPassage } from './passage-cache.ts';

/** What a passage gets whose own heading is all that the query asks for, as a share of its score. */
const BY_HEADING = 0.8;
/** What the mean of the best passages of its document in the list adds, as a share of it. */
const BY_DOCUMENT = 0.1;
/** So many passages of a document count. */
const COUNTED = 5;
/** A heading that more documents have says less, such as `Installation`, or the title that all pages of a scan have. */
const MAX_SHARING = 3;

/** The parts of a passage that the order of sections reads. */
type SectionPassage = Pick<KnownPassage, 'docId' | 'media' | 'headingTokens'>;

/** The content words of the heading of a section, as the index has them. */
export function headingTokensOf(heading: string): readonly string[] {
  return [...new Set(tokensOf(analyseField(heading), (word) => !isFunctionWord(word.toLowerCase())))].filter(
    (token) => token !== '',
  );
}

/**
 * Moves up the sections that are called what the query asks for, and those of a document from which more was found: words of the query
 * are also in passages about something else, but seldom in what these are called. Source code keeps its scores; ties keep their order.
 */
export function orderSections(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, SectionPassage>,
  words: readonly QuestionWord[],
): readonly ChunkRank[] {
  const scoresOf = new Map<DocumentId, number[]>();
  const documentsOf = new Map<string, Set<DocumentId>>();
  for (const { chunkId, score } of entries) {
    const passage = passages.get(chunkId);
    if (passage === undefined) continue;
    const { docId } = passage;
    scoresOf.set(docId, [...(scoresOf.get(docId) ?? []), score]);
    const heading = keyOf(passage);
    documentsOf.set(heading, (documentsOf.get(heading) ?? new Set()).add(docId));
  }
  return entries
    .map((entry): ChunkRank => {
      const passage = passages.get(entry.chunkId);
      if (passage === undefined || passage.media === 'code' || entry.score <= 0) return entry;
      const scores = (scoresOf.get(passage.docId) ?? []).toSorted((a, b) => b - a).slice(0, COUNTED);
      const ofDocument = scores.reduce((sum, score) => sum + score, 0) / COUNTED;
      const sharing = documentsOf.get(keyOf(passage))?.size ?? 1;
      const byHeading = agreement(words, passage.headingTokens) * Math.min(1, MAX_SHARING / sharing);
      const score = (entry.score + BY_DOCUMENT * ofDocument) * (1 + BY_HEADING * byHeading);
      return { ...entry, score, section: score / entry.score };
    })
    .toSorted((a, b) => b.score - a.score);
}

function keyOf({ headingTokens }: SectionPassage): string {
  return headingTokens.join(' ');
}

/** How well a heading and a query agree, 0 to 1: the smaller of the shares of their words that the other one has. */
function agreement(words: readonly QuestionWord[], heading: readonly string[]): number {
  if (words.length === 0 || heading.length === 0) return 0;
  const known = new Set(heading);
  const tokens = words.map((word) => (word.kind === 'cjk' ? word.bigrams : [...word.stems, ...(word.parts ?? [])]));
  const weights = words.map((word) => (word.kind === 'cjk' ? 1 : word.specificity));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const held = weights.reduce((sum, weight, at) => {
    const own = tokens[at] ?? [];
    return sum + (weight * own.filter((token) => known.has(token)).length) / own.length;
  }, 0);
  const inQuery = new Set(tokens.flat());
  const covered = heading.filter((token) => inQuery.has(token)).length / heading.length;
  return Math.min(held / all, covered);
}
