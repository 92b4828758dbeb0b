import { throwIfCancelled, type Entailment, type GroundednessChecker } from '@kebab/plugin';

/** The settings of a user. */
export interface Settings {
  readonly minWordChars: number;
}

/** Creates the checker: a claim is supported to the extent that a passage contains its words. It never reports a contradiction. */
export function createChecker({ minWordChars }: Settings): GroundednessChecker {
  return {
    id: '{{id}}',
    version: '1',
    fingerprint: () => `${minWordChars}`,
    check: async (claims, passages, { signal } = {}) => {
      throwIfCancelled(signal, 'check');
      const held = passages.map((passage) => new Set(wordsOf(passage, minWordChars)));
      return claims.map((claim) => {
        const words = wordsOf(claim, minWordChars);
        return held.map((passage) => judge(words, passage));
      });
    },
  };
}

function judge(words: readonly string[], passage: ReadonlySet<string>): Entailment {
  const entailment = words.length === 0 ? 0 : words.filter((word) => passage.has(word)).length / words.length;
  return { entailment, neutral: 1 - entailment, contradiction: 0 };
}

function wordsOf(text: string, minChars: number): readonly string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length >= minChars);
}
