import { bigrams } from '../analysis/cjk-run.ts';
import { searchForm } from '../analysis/search-form.ts';
import { foldWord, hasLetterOrDigit, isFunctionWord, scanWords } from '../analysis/words.ts';
import { identifierParts } from '../analysis/identifier-parts.ts';
import { specificityOf } from '../analysis/everyday-words.ts';
import { functionWordsOf, hanPieces } from '../analysis/function-words.ts';
import { tokensOf } from '../analysis/index-tokens.ts';

/** A content word of a question, before its rarity in the corpus is known. */
export type QuestionWord =
  | {
      readonly kind: 'word';
      /** Folded, for querying its frequency in the index. */
      readonly folded: string;
      /** Its stems, in sequence when a dot or `_` joins several. */
      readonly stems: readonly string[];
      /** The stems of the parts of a `camelCase` word; a passage that contains all of them contains the word. Null for a plain word. */
      readonly parts: readonly string[] | null;
      /** How specific it is in everyday language, 0 to 1; 1 for names, numbers and rare words. */
      readonly specificity: number;
    }
  | {
      readonly kind: 'cjk';
      /** The word without its particles or ending. */
      readonly stem: string;
      readonly bigrams: readonly string[];
    };

/** A capitalised word inside a sentence is usually a name. */
const MIN_SPECIFICITY_OF_A_NAME = 0.7;

/** Polite phrases around a question, in the order in which they are written. */
const COURTESY: readonly RegExp[] = [
  /^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))(?: (?:there|all|everyone|team|folks|kebab))?\s*[,.!:–-]\s*/iu,
  /^(?:(?:just )?(?:a |one |another )?(?:quick|small|simple|short) question|i have a question)\s*[,.!:–-]\s*/iu,
  /^(?:(?:could|can|would|will) you (?:please |kindly )?(?:tell|explain to|show) (?:me|us)|please (?:tell|explain to|show) (?:me|us)|i(?: am|['’]m| was) wondering|i(?: would|['’]d) like to know|do you (?:happen to )?know)\b[\s,:]*/iu,
  /[\s,.!]*\b(?:thanks|thank you|many thanks|cheers)(?: (?:a lot|so much|very much|in advance|again|for your help))*[\s.!]*$/iu,
  /[\s,]*\bplease[\s.!?]*$/iu,
];

/** Removes polite phrases from a question, unless it contains nothing else. */
function withoutCourtesy(text: string): string {
  const rest = COURTESY.reduce((left, courtesy) => left.replace(courtesy, ''), text);
  return hasLetterOrDigit(rest) ? rest : text;
}

/** The distinct content words of a question, in order. Question words, particles, polite phrases and the like are left out. */
export function questionWords(text: string): readonly QuestionWord[] {
  const form = searchForm(withoutCourtesy(text));
  const scanned = scanWords(form);
  const functionWords = functionWordsOf(
    scanned.flatMap(({ kind, text: word }) => (kind === 'word' ? [foldWord(word)] : [])),
  );
  const words = new Map<string, QuestionWord>();
  for (const [at, { kind, text: word, end }] of scanned.entries()) {
    const isMarked = SIGN_OF_A_NAME.test(form.slice(end, end + 2));
    const isAlone = scanned.length === 1;
    const isName = isMarked || (isAlone && !isFunctionWord(word));
    const place = { isFirst: at === 0, isName, functionWords };
    const read = kind === 'cjk' ? readCjk(word, JAPANESE.test(text), isAlone) : readWord(word, place);
    for (const each of read) {
      const key = each.kind === 'cjk' ? each.stem : each.stems.join(' ');
      if (!words.has(key)) words.set(key, each);
    }
  }
  return [...words.values()];
}

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

function readCjk(run: string, isJapanese: boolean, isAlone: boolean): readonly QuestionWord[] {
  const isHangul = /\p{Script=Hangul}/u.test(run);
  const stems = isHangul ? koreanStem(run, isAlone) : hanPieces(run, isJapanese);
  return stems.map((stem) => ({ kind: 'cjk', stem, bigrams: bigrams(stem) }));
}

/** `C++` and `F#` are no letters of the alphabet. */
const SIGN_OF_A_NAME = /^(?:\+\+|#)/;

interface WordPlace {
  readonly isFirst: boolean;
  /** Whether it is all that is looked for, or has a sign that makes it a name. */
  readonly isName: boolean;
  /** Of the question's language; null for English. */
  readonly functionWords: ReadonlySet<string> | null;
}

function readWord(word: string, { isFirst, isName, functionWords }: WordPlace): readonly QuestionWord[] {
  const folded = foldWord(word);
  const stems = tokensOf(folded);
  const isFunction = functionWords === null ? isFunctionWord(word) : functionWords.has(folded);
  if (stems.length === 0 || (isFunction && !isName)) return [];
  const specificity = functionWords === null && !isName ? specificityInPlace(word, stems, isFirst) : 1;
  if (specificity === 0) return [];
  const parts = identifierParts(word)
    .split(' ')
    .flatMap((part) => tokensOf(part));
  return [{ kind: 'word', folded, stems, parts: parts.length > 1 ? parts : null, specificity }];
}

function specificityInPlace(word: string, stems: readonly string[], isFirst: boolean): number {
  if (stems.length !== 1 || /\d/.test(word) || /\p{N}/u.test(word)) return 1;
  const specificity = specificityOf(stems[0] ?? '');
  const isName = !isFirst && /^\p{Lu}/u.test(word) && specificity > 0;
  return isName ? Math.max(specificity, MIN_SPECIFICITY_OF_A_NAME) : specificity;
}

/** Particles, and endings of the verbs that form questions and clauses; the longest match is removed. */
const ENDINGS = [
  '에서는 에서의 에서도 으로는 으로서 으로써 으로의 으로부터 에게서 에게는 이라는 이라고 라는 라고 까지의 까지는 까지 부터',
  '에서 에게 에는 에도 에의 으로 로서 로써 로부터 로의 로는 처럼 보다 마다 이나 이며 이고 인가요 인가 인지 입니까 입니다 이란 란',
  '하는지 하는가 하는 하여 하고 하게 하기 하며 하면 하였으며 하였나요 하였 했나요 했는지 했 한다 하지 한 할 함 해야 해',
  '합니까 하나요 했나요 했어 해요 됩니까 되나요 됐어 예요 이에요 이야 나요 습니까 까지야',
  '되는지 되는가 되는 되어 되고 되며 되었으며 되었나요 되었 됐 된다 되지 된 될 됨 들은 들이 들을 들의 들에 들과 들',
  '은 는 이 가 을 를 의 에 와 과 도 로 만 나 며 고',
].join(' ');
let endings: readonly string[] | undefined;

/** Particles that are also removed from words of two syllables. */
const ENDINGS_OF_SHORT_WORDS = ['은', '는', '을', '를', '의', '에'];

/** Interrogatives, conjunctions and pronouns without content: as stems, or whole words. */
const FUNCTION_WORDS = [
  '누가 누구야 누구예요 누굴 어디야 어디예요 어디에 어디서 어디서나 얼마야 얼마예요 뭐야 뭐 뭔가 뭐예요 알려줘 알려줘요 가르쳐줘 자주 가장 합니까 있어 있지 있어요 갖고',
  '무엇 무엇이 무엇인 무엇인가요 무엇이며 무엇인지 어떤 어떻게 어떠 어떠한 어떠한가요 언제 어디 누구 무슨 어느 얼마 얼마나',
  '설명 서술 알려 말씀 설명하시오 설명해주세요 주세요 해주세요 하시오 주시오 바랍',
  '대해 대한 대하여 통해 통한 통하 위해 위한 위하 따라 따른 따르 따르면 관련 관련된 관한 관해 관하',
  '그리고 또한 것들 각각 경우 이를 이는 있는 있는지 있나요 있습니까 있으며 있다 있었 있을까 없는 없다 같은 다른 모든',
  '이러한 그러한 이런 그런 하나요 되나요 되었나 그것 이것 사이 이루어 아니 아닌 하였',
].join(' ');
let functionWords: ReadonlySet<string> | undefined;

/**
 * Removes particles or the verb ending from a Hangul word, leaving at least two syllables; nothing for a function word, and for single
 * syllables among other words: alone, `회의` (meeting) ends in no particle. A suffix heuristic, not morphology: a wrong stem still shares its bigrams with
 * the text.
 */
function koreanStem(word: string, isAlone: boolean): readonly string[] {
  functionWords ??= new Set(FUNCTION_WORDS.split(' '));
  const stem = withoutEnding(word);
  if (functionWords.has(stem) || functionWords.has(word)) return [];
  return stem.length > 1 ? [stem] : isAlone ? [word] : [];
}

function withoutEnding(word: string): string {
  endings ??= ENDINGS.split(' ').toSorted((a, b) => b.length - a.length);
  const ending = endings.find((each) => word.length - each.length >= 2 && word.endsWith(each));
  if (ending !== undefined) return word.slice(0, -ending.length);
  const isShort = word.length === 2 && ENDINGS_OF_SHORT_WORDS.some((each) => word.endsWith(each));
  return isShort ? word.slice(0, 1) : word;
}
