import { bigrams } from '../analysis/cjk-run.ts';
import { identifierParts } from '../analysis/identifier-parts.ts';
import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import { traceableForm } from '../analysis/search-form.ts';
import { foldWord, scanWords } from '../analysis/words.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import { questionWords } from '../relevance/question-words.ts';

/** A content word of a query and how it is looked up: it is known when one of its forms is, and a form when all of its tokens are. */
interface LookedUpWord {
  readonly shown: string;
  readonly forms: readonly (readonly string[])[];
}

/** What the index knows of the content words of a query. */
export interface WordsKnown {
  /** In lower case, in the order of the query: no passage contains them, whole or in parts. */
  readonly unknown: readonly string[];
  /** Whether a passage contains at least one of them. */
  readonly knowsSome: boolean;
}

/** The content words of a query that no passage of the index contains, whatever the mode and the filters. */
export async function unknownWords(
  { embeddingText }: Pick<AnalysedQuery, 'embeddingText'>,
  index: Pick<LexicalIndex, 'termStats'>,
): Promise<WordsKnown> {
  const words = lookedUpWords(embeddingText);
  if (words.length === 0) return { unknown: [], knowsSome: true };
  const tokens = [...new Set(words.flatMap(({ forms }) => forms.flat()))];
  const { chunks, df } = await index.termStats(tokens);
  if (chunks === 0) return { unknown: [], knowsSome: true };
  const isKnown = new Map(tokens.map((token, at) => [token, (df[at] ?? 0) > 0]));
  const unknown = words.filter(
    ({ forms }) => !forms.some((form) => form.every((token) => isKnown.get(token) === true)),
  );
  return { unknown: [...new Set(unknown.map(({ shown }) => shown))], knowsSome: unknown.length < words.length };
}

function lookedUpWords(text: string): readonly LookedUpWord[] {
  const content = questionWords(text);
  const folded = new Set(content.flatMap((word) => (word.kind === 'word' ? [word.folded] : [])));
  const stems = content.flatMap((word) => (word.kind === 'cjk' ? [word.stem] : []));
  const form = traceableForm(text);
  return scanWords(form.text).flatMap(({ kind, text: word, ...range }): readonly LookedUpWord[] => {
    if (kind !== 'cjk') {
      const { start, end } = form.written(range);
      return folded.has(foldWord(word)) ? [{ shown: text.slice(start, end).toLowerCase(), forms: formsOf(word) }] : [];
    }
    const own = stems.filter((stem) => word.includes(stem) && bigrams(stem).length > 0 && Array.from(stem).length > 1);
    const pieces = own.map((stem): LookedUpWord => ({ shown: stem, forms: pairsOf(stem) }));
    if (pieces.length < 2 || !/^\p{Script=Han}+$/u.test(word)) return pieces;
    return [{ shown: word, forms: pieces.flatMap(({ forms }) => forms) }];
  });
}

/**
 * Two characters in a row that a passage has anywhere make a piece known; a long one only where it begins, or with half of its pairs: its end
 * alone is another word.
 */
function pairsOf(stem: string): LookedUpWord['forms'] {
  const pairs = bigrams(stem);
  if (pairs.length < 3) return pairs.map((pair) => [pair]);
  const [first = '', ...others] = pairs;
  return [[first], ...others.flatMap((one, at) => others.slice(at + 1).map((other) => [one, other]))];
}

function formsOf(word: string): readonly (readonly string[])[] {
  const pieces = [word.split(/[._]/), identifierParts(word).split(' ')];
  const forms = pieces.map((piece) => piece.filter((part) => part !== '').map(foldWord));
  return [[foldWord(word)], ...forms.filter((form) => form.length > 0)];
}
