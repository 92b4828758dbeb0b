import { everydayFrequency, foldWord, functionWordsOf, isFunctionWord, scanWords, stemOf } from '@kebab/core';

/** A word of a sentence that carries meaning, with the forms it is recognised by. */
export interface SpokenWord {
  readonly written: string;
  /** Its stem; for Hangul, Han and kana the part that does not inflect. */
  readonly stem: string;
  readonly kind: 'word' | 'cjk';
}

/** The words of a text that carry meaning, in order, and its text for scripts without spaces. */
export interface SpokenWords {
  readonly words: readonly SpokenWord[];
  /** Whether a word occurs, in any inflection. */
  readonly has: (word: SpokenWord) => boolean;
}

/**
 * Words that introduce a statement or join its parts, and say nothing about its subject: what a model adds around the words of a passage.
 */
const LIGHT = new Set(
  (
    'according based passage passages note notes document documents source sources text texts evidence information provided given stated ' +
    'mentioned mentions mention states state says say said called named name located situated found following answer question yes therefore ' +
    'however also only just currently specifically exactly approximately about around together please need needs needed require requires ' +
    'required use uses used using get gets take takes taken make makes made keep keeps kept do does done go goes happen happens ' +
    'laut gemäß heißt befindet liegt genannt angegeben wurde wurden muss müssen soll sollen selon trouve appelle doit doivent según llama ' +
    'encuentra debe deben está están secondo chiama trova deve devono'
  ).split(' '),
);

/** Irregular English forms, each list led by its base. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  (
    'begin began begun|break broke broken|bring brought|build built|buy bought|catch caught|choose chose chosen|come came|cut|draw drew drawn|' +
    'drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|fly flew flown|freeze froze frozen|' +
    'grow grew grown|hang hung|have has had|hear heard|hide hid hidden|hold held|know knew known|lay laid|lead led|leave left|lend lent|' +
    'lose lost|mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|see saw seen|sell sold|send sent|' +
    'shake shook shaken|shine shone|shut|sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|' +
    'steal stole stolen|stick stuck|strike struck|swim swam swum|teach taught|tear tore torn|think thought|throw threw thrown|' +
    'understand understood|wake woke woken|wear wore worn|win won|write wrote written|tooth teeth|foot feet|child children|man men|' +
    'woman women|person people|mouse mice|goose geese|life lives|leaf leaves|knife knives|shelf shelves|half halves'
  )
    .split('|')
    .flatMap((forms) => {
      const [base = '', ...others] = forms.split(' ');
      return others.map((other) => [other, base] as const);
    }),
);

const TAG = /<\/?[a-z][^<>\n]{0,40}>/giu;

/** Inflected forms share this many letters at least. */
const PREFIX = 5;
/** A longer run of letters is no inflected word. */
const MAX_INFLECTED = 40;
const HAN_OR_KATAKANA = /[\p{Script=Han}]+|[\p{Script=Katakana}ー]{2,}/gu;
/** Characters of Chinese grammar. */
const CHINESE_GRAMMAR = /[的了着过是在有和与及或也就都被把从到对为由于之其此该这那每将]+/gu;
const KOREAN_LIGHT = /^(?:있|없|하|되|이|것|수|및|등|그|때|경우|위해|대해|따라|통해|아니|않|못)/u;

/** Endings of a verb made from a noun and of `to be`, plain and polite: notes say `한다`, models answer `합니다`. */
const KOREAN_ENDING =
  /(?:(?:하였|되었|했|됐|이었|였)(?:습니다|다|어요)|(?:합|됩|입)니다|[한된하되]다|해요|돼요|이에요|예요|이다|다)$/u;
/** Numerals before a counter: `두 번`. */
const KOREAN_NUMERAL = /^[한두세네]$/u;
const KOREAN_PARTICLE = /^(?:까지|부터|에서|으로|마다|이|)$/u;

/** The words of a text that carry meaning: no function words of English or of `language`. */
export function spokenWords(text: string, language = 'en'): SpokenWords {
  const functionWords = functionWordsOf(language);
  const words: SpokenWord[] = [];
  const scanned = [...scanWords(text.replaceAll(TAG, ' ').normalize('NFKC'))];
  for (const [at, { kind, text: written }] of scanned.entries()) {
    if (kind === 'cjk' && KOREAN_NUMERAL.test(written)) {
      const counter = scanned[at + 1]?.text ?? '';
      words.push({ written: `${written} ${counter}`, stem: written + counter.slice(0, 1), kind });
      continue;
    }
    if (kind === 'cjk') {
      words.push(...cjkWords(written));
      continue;
    }
    for (const piece of written.split(/[._]/)) {
      const folded = foldWord(piece);
      if (!/\p{L}/u.test(folded) || (folded.length < 2 && /^[a-z]$/.test(folded))) continue;
      if (isFunctionWord(folded) || functionWords.has(piece.toLowerCase()) || LIGHT.has(piece.toLowerCase())) continue;
      words.push({ written: piece, stem: stemOf(IRREGULAR.get(folded) ?? folded), kind: 'word' });
    }
  }
  let stems: ReadonlySet<string> | null = null;
  let prefixes: ReadonlySet<string> | null = null;
  const compact = text.normalize('NFKC').replaceAll(/\s/gu, '').toLowerCase();
  const has = (word: SpokenWord): boolean => {
    if (word.kind === 'cjk') return compact.includes(word.stem);
    stems ??= new Set(words.map(({ stem }) => stem));
    if (stems.has(word.stem)) return true;
    if (word.stem.length < PREFIX) return false;
    if (word.stem.length > MAX_INFLECTED) return false;
    prefixes ??= new Set(words.flatMap(({ stem }) => (stem.length < PREFIX ? [] : [stem.slice(0, PREFIX)])));
    return prefixes.has(word.stem.slice(0, PREFIX));
  };
  return { words, has };
}

/** The parts of a run of Hangul, Han and kana that carry meaning: Hangul without its ending, Han and katakana by pairs. */
function cjkWords(run: string): readonly SpokenWord[] {
  if (/\p{Script=Hangul}/u.test(run)) {
    const bare = run.replace(KOREAN_ENDING, '');
    if (bare.length < run.length && KOREAN_PARTICLE.test(bare)) return [];
    if (KOREAN_LIGHT.test(run) && run.length <= 4) return [];
    // A particle takes a syllable or more; the first two are the noun or the stem of the verb.
    const stem =
      bare.length < run.length && bare.length >= 2
        ? bare
        : run.slice(0, Math.max(Math.min(2, run.length), run.length - 2));
    return run.length < 2 ? [] : [{ written: run, stem, kind: 'cjk' }];
  }
  const bare = /[\p{Script=Hiragana}]/u.test(run) ? run : run.replaceAll(CHINESE_GRAMMAR, ' ');
  return [...bare.matchAll(HAN_OR_KATAKANA)].flatMap(([part]) =>
    part.length === 1 || /\p{Script=Katakana}/u.test(part)
      ? [{ written: part, stem: part.toLowerCase(), kind: 'cjk' } as const]
      : Array.from({ length: part.length - 1 }, (_, at) => {
          const pair = part.slice(at, at + 2);
          return { written: pair, stem: pair, kind: 'cjk' } as const;
        }),
  );
}

/** Everyday words below this frequency on the Zipf scale, and all unknown ones, are specific: a subject rather than a turn of phrase. */
const SPECIFIC_BELOW = 4.9;

/** Whether a word names a subject rather than being a turn of everyday speech; words that are not English count as specific. */
export function isSpecific({ stem, kind }: SpokenWord): boolean {
  return kind === 'cjk' || (everydayFrequency(stem) ?? 0) < SPECIFIC_BELOW;
}
