import { everydayFrequency, foldWord, functionWordsOf, isFunctionWord, scanWords, stemOf } from '@kebab/core';

/** A word of a sentence that carries meaning, with the forms it is recognised by. */
export interface SpokenWord {
  readonly written: string;
  /** Its stem; for Hangul, Han and kana the part that does not inflect. */
  readonly stem: string;
  readonly kind: 'word' | 'cjk' | 'han';
  /** Whether it is of a language whose inflection is not known, so that a common beginning is compared. */
  readonly isLoose: boolean;
}

/** The words of a text that carry meaning, in order, and its text for scripts without spaces. */
export interface SpokenWords {
  readonly words: readonly SpokenWord[];
  /** Whether a word occurs, in any inflection. */
  readonly has: (word: SpokenWord) => boolean;
  /** Whether a text of a script without spaces occurs. */
  readonly holds: (characters: string) => boolean;
}

/** How much a word says: a run of Han may be several words. */
export function sizeOf({ kind, stem }: SpokenWord): number {
  return kind === 'han' ? Math.ceil(stem.length / 2) : 1;
}

/** How much of the words a text has. */
export function sharedSize(words: readonly SpokenWord[], text: SpokenWords): number {
  return words.reduce((sum, word) => {
    if (word.kind !== 'han') return sum + Number(text.has(word));
    const characters = Array.from(word.stem);
    const pairs = characters.slice(1).filter((each, at) => text.holds(`${characters[at] ?? ''}${each}`)).length;
    return sum + (characters.length === 1 ? Number(text.has(word)) / 2 : pairs / 2);
  }, 0);
}

/** The words that none of these texts has; a run of Han may be put together from several. */
export function lackedBy(words: readonly SpokenWord[], texts: readonly SpokenWords[]): readonly SpokenWord[] {
  return words.filter((word) => {
    if (texts.some(({ has }) => has(word))) return false;
    return word.kind !== 'han' || !isPutTogether(word.stem, texts);
  });
}

/** Whether every two neighbouring characters of a run but single ones stand together in some text. */
function isPutTogether(run: string, texts: readonly SpokenWords[]): boolean {
  const characters = Array.from(run);
  if (characters.length === 1) return false;
  const isIn = (part: string): boolean => texts.some(({ holds }) => holds(part));
  const known = characters.map(
    (each, at) =>
      (at > 0 && isIn(`${characters[at - 1] ?? ''}${each}`)) ||
      (at + 1 < characters.length && isIn(`${each}${characters[at + 1] ?? ''}`)),
  );
  if (!known.includes(true)) return false;
  return known.every((each, at) => each || (known[at - 1] !== false && known[at + 1] !== false));
}

/**
 * Words that introduce a statement or join its parts, and say nothing about its subject: what a model adds around the words of a passage.
 */
const LIGHT = new Set(
  (
    'according based passage passages note notes document documents source sources text texts evidence information provided given stated ' +
    'mentioned mentions mention states state says say said called named name located situated found following answer question yes therefore ' +
    'however also only just currently now specifically exactly approximately about roughly around nearly almost together please need needs ' +
    'needed require requires required use uses used using get gets take takes taken make makes made keep keeps kept do does done go goes ' +
    'going come comes happen happens have has cost costs price pay pays paid charge run runs running last lasts end ends start starts begin ' +
    'begins hold holds contain contains capacity volume flow size length total overall altogether amount amounts number count date time ' +
    'period duration age limit reach reaches reached measure measures equal equals consist consists cover covers yield yielded give gives ' +
    'per times room able summary stay stays remain remains left short words extra ext min sec ' +
    'laut gemäß heißt befindet liegt genannt angegeben wurde wurden muss müssen soll sollen kann können darf dürfen hat haben gibt bietet ' +
    'по до для при от из ab andere anderen others umfasst beträgt betragen kostet kosten dauert dauern preis dauer höhe anzahl insgesamt etwa rund pro am im vom zum zur beim bekommt ' +
    'erhält braucht zahlt zahlen man tag derzeit selon trouve appelle doit doivent peut peuvent coûte coûtent prix dure durée montant ' +
    'élève total environ par porter avoir été mise mis chaque lieu reste según llama encuentra debe deben está están puede pueden hay llevar ' +
    'cuesta cuestan precio dura tiene tienen veces total unos mentre nulla secondo chiama trova deve devono può possono costa costano prezzo dura ' +
    'composto ciascuna ciascuno pagare nel nella nelle nei circa aos custa preço tem têm pode podem kost kosten duurt heeft hoeven kunnen ' +
    'kosztuje trwa wynosi ma mają można należy trzeba około составляет стоит длится имеет можно нужно около fiyatı saat'
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

const ARABIC_ARTICLE = /^[وبكلف]?ال(?=\p{L}{2})/u;
const TAG = /<\/?[a-z][^<>\n]{0,40}>/giu;

/** Inflected forms share this many letters at least. */
const PREFIX = 5;
/** Short ones share this many, most of their letters, and have no longer ending. */
const MIN_PREFIX = 3;
const MAX_ENDING = 4;
/** Endings of short verbs, without accents: `ruht`, `ruhen`; `gano`, `ganado`. */
const VERB_ENDING = /^(?:e[nrst]?|t|st|ten?|et|o|as?|an|en|ad[oa]|id[oa]|er|ir|ar|ez|ent|ato|uto|it)?$/u;
/** A longer run of letters is no inflected word. */
const MAX_INFLECTED = 40;
const HAN_OR_KATAKANA = /[\p{Script=Han}]+|[\p{Script=Katakana}ー]{2,}/gu;
/** Words of permission and duty inside runs of Han. */
const HAN_MODAL = /允许|允許|准许|禁止|不准|严禁|可以|必须|必須|必要|可能/gu;
/** Characters of Chinese grammar. */
const CHINESE_GRAMMAR =
  /无法|没有|如果|前往|位于|进行|因为|所以|但是|可以|必须|需要|以及|其中|时间|目前|总共|一共|大约|左右|[不没沒未无無会要能但可应须需只还很更的了着过是在有和与及或也就都被把从到对为由于之其此该这那每将]+/gu;
const KOREAN_LIGHT =
  /^(?:(?:있|없|아니|않|못|받|필요|가능|요약하|마다|때문|가운데|동안)\p{L}{0,3}|(?:하|되)(?:[는고여어면며지다게도]\p{L}{0,2}|였다|었다)?|[해한할합된될됨됩]\p{L}{0,2}|문을|일입니다|(?:기간|시간|비용|점|개|명|건|권|번|회|대|현재|약|총|각각|이|것|수|및|등|그|때|경우|위해|대해|따라|통해)(?:[은는이가을를에도만의로]|에는|에서)?|입니다)$/u;

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
      words.push({ written: `${written} ${counter}`, stem: written + counter.slice(0, 1), kind, isLoose: false });
      continue;
    }
    if (kind === 'cjk') {
      words.push(...cjkWords(written));
      continue;
    }
    for (const piece of written.split(/[._]/)) {
      const folded = foldWord(piece).replace(ARABIC_ARTICLE, '');
      if (!/\p{L}/u.test(folded) || (folded.length < 2 && /^[a-z]$/.test(folded))) continue;
      if (isFunctionWord(folded) || functionWords.has(piece.toLowerCase()) || LIGHT.has(piece.toLowerCase())) continue;
      words.push({
        written: piece,
        stem: stemOf(IRREGULAR.get(folded) ?? folded),
        kind: 'word',
        isLoose: language !== 'en',
      });
    }
  }
  const compact = text.normalize('NFKC').replaceAll(/\s/gu, '').toLowerCase();
  let stems: ReadonlyMap<string, readonly string[]> | null = null;
  // Compounds and prefixes: `hut` of `mountain hut` written as one word.
  const isPart = (stem: string): boolean =>
    words.some(({ stem: other }) => other.includes(stem) || (other.length >= PREFIX && stem.includes(other)));
  const has = ({ kind, stem, isLoose }: SpokenWord): boolean => {
    if (kind !== 'word') return compact.includes(stem);
    stems ??= byBeginning(words);
    const near = stems.get(stem.slice(0, MIN_PREFIX)) ?? [];
    if (near.includes(stem)) return true;
    if (stem.length < MIN_PREFIX || stem.length > MAX_INFLECTED) return false;
    if (isLoose && stem.length > MIN_PREFIX && isPart(stem)) return true;
    return near.some((each) =>
      isLoose ? isInflected(stem, each) : stem.length >= PREFIX && each.startsWith(stem.slice(0, PREFIX)),
    );
  };
  return { words, has, holds: (characters) => compact.includes(characters) };
}

/** Whether two words of a language without a stemmer are probably forms of one. */
function isInflected(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  if (same >= PREFIX) return true;
  if (same < MIN_PREFIX || 3 * same < 2 * Math.min(one.length, other.length)) return false;
  return same > MIN_PREFIX
    ? Math.max(one.length, other.length) - same <= MAX_ENDING
    : VERB_ENDING.test(one.slice(same)) && VERB_ENDING.test(other.slice(same));
}

/** Stems by their first letters. */
function byBeginning(words: readonly SpokenWord[]): ReadonlyMap<string, readonly string[]> {
  const stems = new Map<string, string[]>();
  for (const { stem } of words) {
    const key = stem.slice(0, MIN_PREFIX);
    const known = stems.get(key);
    if (known === undefined) stems.set(key, [stem]);
    else if (!known.includes(stem)) known.push(stem);
  }
  return stems;
}

/** The parts of a run of Hangul, Han and kana that carry meaning: Hangul without its ending, Han and katakana by pairs. */
function cjkWords(run: string): readonly SpokenWord[] {
  if (/\p{Script=Hangul}/u.test(run)) {
    const bare = run.replace(KOREAN_ENDING, '');
    if (bare.length < run.length && KOREAN_PARTICLE.test(bare)) return [];
    if (KOREAN_LIGHT.test(run)) return [];
    // A particle takes a syllable or more; the first two are the noun or the stem of the verb.
    const stem =
      bare.length < run.length && bare.length >= 2
        ? bare
        : run.slice(0, Math.max(Math.min(2, run.length), run.length - 2));
    return run.length < 2 ? [] : [{ written: run, stem, kind: 'cjk', isLoose: false }];
  }
  const plain = run.replaceAll(HAN_MODAL, ' ');
  const bare = /[\p{Script=Hiragana}]/u.test(run) ? plain : plain.replaceAll(CHINESE_GRAMMAR, ' ');
  const parts = [...bare.matchAll(HAN_OR_KATAKANA)].filter(
    ([part]) => part.length > 1 || bare === plain || run === part,
  );
  return parts
    .filter(([part]) => !/^[後前時間中上下内外際度回人個本枚分点]$/u.test(part))
    .map(([part]) => ({ written: part, stem: part.toLowerCase(), kind: 'han', isLoose: isVerb(run, part) }) as const);
}

/** Whether a single character is the stem of a Japanese verb, which kana that are no particle follow. */
function isVerb(run: string, part: string): boolean {
  const next = run[run.indexOf(part) + part.length] ?? '';
  return part.length === 1 && /\p{Script=Hiragana}/u.test(next) && !/[のをはがにでとへもや]/u.test(next);
}

/** Everyday words below this frequency on the Zipf scale, and all unknown ones, are specific: a subject rather than a turn of phrase. */
const SPECIFIC_BELOW = 4.9;

/** Whether a word names a subject rather than being a turn of everyday speech; words that are not English count as specific. */
export function isSpecific({ stem, kind }: SpokenWord): boolean {
  return kind !== 'word' || (everydayFrequency(stem) ?? 0) < SPECIFIC_BELOW;
}
