import { bigrams } from '../analysis/cjk-run.ts';
import { foldWord } from '../analysis/fold-word.ts';
import { identifierParts } from '../analysis/identifier-parts.ts';
import { scanWords } from '../analysis/scan-words.ts';
import { everydayFrequency } from './everyday-words.ts';
import { koreanStem } from './korean-stem.ts';
import { tokensOf } from './searched-words.ts';

/** A word of a question that says what is asked about, before the corpus is asked how rare it is. */
export type QuestionWord =
  | {
      readonly kind: 'word';
      /** Folded, as the index is asked for its frequency. */
      readonly folded: string;
      /** Its stems, in a row where a dot or `_` joins several. */
      readonly stems: readonly string[];
      /** The stems of the parts of `camelCase`; a passage that holds all of them holds the word. Null for a plain word. */
      readonly parts: readonly string[] | null;
      /** How much it says in everyday language, 0 to 1; 1 for names, numbers and words that are rare. */
      readonly specificity: number;
    }
  | {
      readonly kind: 'cjk';
      /** The word without its particles or ending. */
      readonly stem: string;
      readonly bigrams: readonly string[];
    };

/** Everyday words, from so many in a thousand million on, say nothing of what is asked about; below the other, all. */
const SAYS_NOTHING = 6.4;
const SAYS_ALL = 3.5;
/** A capitalised word inside a sentence is a name more often than not. */
const MIN_SPECIFICITY_OF_A_NAME = 0.7;

/** The distinct words of a question that say what it is about, in order. Question words, particles and the like are left out. */
export function questionWords(text: string): readonly QuestionWord[] {
  const words = new Map<string, QuestionWord>();
  for (const [at, { kind, text: word }] of scanWords(text.normalize('NFC')).entries()) {
    const read = kind === 'cjk' ? readCjk(word) : readWord(word, at === 0);
    if (read === null) continue;
    const key = read.kind === 'cjk' ? read.stem : read.stems.join(' ');
    if (!words.has(key)) words.set(key, read);
  }
  return [...words.values()];
}

function readCjk(word: string): QuestionWord | null {
  const stem = koreanStem(word);
  return stem === null ? null : { kind: 'cjk', stem, bigrams: bigrams(stem) };
}

function readWord(word: string, isFirst: boolean): QuestionWord | null {
  const folded = foldWord(word);
  const stems = tokensOf(folded);
  const specificity = specificityOf(word, stems, isFirst);
  if (stems.length === 0 || specificity === 0) return null;
  const parts = identifierParts(word)
    .split(' ')
    .flatMap((part) => tokensOf(part));
  return { kind: 'word', folded, stems, parts: parts.length > 1 ? parts : null, specificity };
}

function specificityOf(word: string, stems: readonly string[], isFirst: boolean): number {
  if (stems.length !== 1 || /\p{N}/u.test(word)) return 1;
  const frequency = everydayFrequency(stems[0] ?? '');
  if (frequency === null) return 1;
  const specificity = Math.min(1, Math.max(0, (SAYS_NOTHING - frequency) / (SAYS_NOTHING - SAYS_ALL)));
  const isName = !isFirst && /^\p{Lu}/u.test(word) && specificity > 0;
  return isName ? Math.max(specificity, MIN_SPECIFICITY_OF_A_NAME) : specificity;
}
