import {
  everydayFrequency,
  foldWord,
  functionWordsOf,
  isFunctionWord,
  questionWordsOf,
  scanWords,
  stemOf,
  type TextRange,
} from '@kebab/core';
import { isOther, isRelation, meaningsIn, meaningsOfWord, partsOf } from './meanings.ts';

/** A word of a sentence that carries meaning, with the forms it is recognised by. */
export interface SpokenWord {
  readonly written: string;
  /** Where it stands in its text. */
  readonly at: number;
  /** Its stem; for Hangul, Han and kana the part that does not inflect. */
  readonly stem: string;
  readonly kind: 'word' | 'cjk' | 'han';
  /** Whether it is of a language whose inflection is not known, so that a common beginning is compared. */
  readonly isLoose: boolean;
  /** The classes of words for one thing that it belongs to. */
  readonly meanings: readonly number[];
}

/** The words of a text that carry meaning, in order, and its text for scripts without spaces. */
export interface SpokenWords {
  readonly words: readonly SpokenWord[];
  /** Whether a word occurs, in any inflection. */
  readonly has: (word: SpokenWord) => boolean;
  /** Whether a text of a script without spaces occurs. */
  readonly holds: (characters: string) => boolean;
  /** Those of a part of the text. */
  readonly within: (range: TextRange) => SpokenWords;
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
    return sum + (characters.length === 1 ? Number(text.has(word)) : (sizeOf(word) * pairs) / (characters.length - 1));
  }, 0);
}

/** The words that none of these texts has; a run of Han may be put together from several. */
export function lackedBy(words: readonly SpokenWord[], texts: readonly SpokenWords[]): readonly SpokenWord[] {
  return words.filter((word) => {
    if (texts.some(({ has }) => has(word))) return false;
    return word.kind !== 'han' || !isPutTogether(word.stem, texts);
  });
}

/** Whether every two neighbouring characters of a run stand together in some text, but for those of grammar. */
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
  return known.every((each, at) => each || HAN_GRAMMAR.test(characters[at] ?? ''));
}

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

/** `angemeldet` is a form of `anmelden`. */
const PARTICIPLE =
  /^(|an|ab|auf|aus|ein|mit|vor|zu|um|nach|her|hin|weg|los|fest|frei|zuruck|zusammen|weiter)ge(?!ntle)(?=\p{L}{3,}(?:t|en)$)/u;
/** The article, and the `and` before a word. */
const ARABIC_ARTICLE = /^[وبكلف]?ال(?=\p{L}{2})|^و(?=\p{L}{4})/u;
/** Pronouns behind an infinitive: `tomarse`. */
const ENCLITIC = /(?<=\p{L}[aei]r)(?:se|me|te|l[aeo]s?|nos)$/u;
const WITH_ENCLITICS = new Set(['es', 'pt', 'it']);
const TAG = /<\/?[a-z][^<>\n]{0,40}>/giu;

/** Words this short are grammar. */
const MAX_GRAMMAR = 2;
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
/** Words of Chinese and Japanese in Han that relate others: of place, of time, of being and doing. */
const HAN_RELATION =
  /^(?:无法|没有|如果|前往|位于|位於|位置|存放|存放在|放在|放置|停放|停放在|摆放|保管|现在|目前|当前|设在|設置|進行|进行|因为|所以|但是|可以|必须|需要|以及|其中|时间|目前|总共|一共|大约|左右|存在|之前|之后|以前|以后|时候|期间|然后|自己|的话|才能|接着|最后|首先|实施|実施|場合|必要|但是?|只需|只能|只有|日子|[但不没沒未无無会要能可应须需只还很更的了着过是在有和与及或也就都被把从到对为由于之其此该这那每将先再给后前请让去来才又所则即并时里内中上下某後時間内外際度回人個本枚分点位名置行])$/u;
/** Characters that a run of Han may have between known words. */
const HAN_GRAMMAR =
  /[不没未无会要能可应须需只还很更的了着过是在有和与及或也就都被把从到对为由于之其此该这那每将先再给后前请让去来才又所则即并时里内中上下个日]/u;
let segmenter: Intl.Segmenter | null = null;
/** What stands beside a number: its counter, and the copula. */
const KOREAN_COUNTER =
  /^(?:층|호실?|번|위|쪽|등|세|살|인|동|단|시간?|분|초|일|월|년|주|개월|박|장|대|명|개|잔|병|권|회|건|점|원|만|세기|킬로|미터|도|평|배|급|학년)?(?:입니다|이다|이에요|예요|에|에는|에서|은|는|이|가|을|를|의|으로|로|까지|부터|동안|마다|이고|이며|이었다|였다|이었습니다|였습니다)?$/u;
const KOREAN_LIGHT =
  /^(?:(?:있|없|아니|않|못|영하|영상|필요|그중|이용|구성|위치|놓여|보관|두고|둡니|해당|이루|진행|실시|가능|요약하|마다|때문|가운데|동안)\p{L}{0,3}|(?:하|되)(?:[는고여어면며지다게도]\p{L}{0,2}|였다|었다)?|해(?:[서야도요라]|야만|서는|[주줘준줄줍]\p{L}{0,3})?|(?:한|된)(?:다[면고]?|해)?|(?:할|될)(?:때|지)?|됨|(?:합|됩)니[다까]|문을|일입니다|(?:기간|시간|비용|점|개|명|건|권|번|회|대|현재|약|총|각각|이|것|수|및|등|그|때|경우|위해|대해|따라|통해)(?:[은는이가을를에도만의로]|에는|에서)?|입니다)$/u;

/** Endings of Korean verbs of more than one syllable, and particles and shorter endings, in canonical decomposition. */
const KOREAN_VERB = new RegExp(
  `(?:${'하였습니다 되었습니다 했습니다 됐습니다 이었습니다 였습니다 았습니다 었습니다 습니다 입니다 합니다 됩니다 해야 되어야 아야 어야 여야 해요 돼요 이에요 예요 아요 어요 세요 십시오 하였다 되었다 했다 됐다 이었다 였다 았다 었다 한다 된다 하다 되다 는다 이다 아서 어서 으면 하면 되면 지만 는데 으니 니까 려면 도록 하고 되고 하며 되며 하는 되는 해도 하기 하지 되지 할 될 하여 되어 하던 했던 하거나 되거나 하므로 되므로 하면서 했고 됐고'
    .split(' ')
    .map((ending) => ending.normalize('NFD'))
    .join(
      '|',
    )}|\u11b8${'니다'.normalize('NFD')}|\u11ab${'다'.normalize('NFD')}|\u11bb${'습니다'.normalize('NFD')}|\u11bb${'다'.normalize('NFD')})$`,
  'u',
);
const KOREAN_JOSA = new RegExp(
  `(?:${'이고 이며 에서는 에게는 에서만 에서 에게 에는 에만 에도 으로 까지 부터 은 는 이 가 을 를 의 와 과 도 로 만 에 나 께서 이나 라고 처럼 보다 마다 다 고 며 면 서 지 기 게'
    .split(' ')
    .map((ending) => ending.normalize('NFD'))
    .join('|')})$`,
  'u',
);
/** A decomposed syllable. */
const SYLLABLE = /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?/gu;

/** The words of a text that carry meaning: no function words of English or of `language`. */
export function spokenWords(text: string, language = 'en'): SpokenWords {
  const functionWords = functionWordsOf(language);
  const questionWords = questionWordsOf(language);
  const words: SpokenWord[] = [];
  const grammar: { readonly at: number; readonly meanings: readonly number[] }[] = [];
  let from = 0;
  const placeOf = (written: string): number => {
    const at = text.indexOf(written, from);
    if (at !== -1) from = at + written.length;
    return at === -1 ? from : at;
  };
  const scanned = scanWords(text.replaceAll(TAG, ' ').normalize('NFKC'));
  for (const [index, { kind, text: written }] of scanned.entries()) {
    if (kind === 'cjk') {
      words.push(...cjkWords(written).map((word) => ({ ...word, at: placeOf(word.written) })));
      continue;
    }
    for (const piece of written.split(/[._]/)) {
      const folded = foldWord(piece).replace(ARABIC_ARTICLE, '');
      // Words of two letters are grammar, and capitals name things: `drawer C`, `pH`.
      const isShort =
        folded.length <= MAX_GRAMMAR && !/\p{Lu}/u.test(piece.slice(folded.length - 1)) && !/\p{N}/u.test(piece);
      const [last = '', next = ''] = [scanned[index - 1]?.text, scanned[index + 1]?.text];
      const isArticle = piece === 'A' && !text.startsWith('|') && !/^\p{Lu}/u.test(last) && /^\p{L}/u.test(next);
      const isTotal = folded === 'all' && last === 'in' && !/^\p{L}/u.test(next);
      if (!/\p{L}/u.test(folded) || piece === 'I' || isArticle || isTotal) continue;
      const at = placeOf(piece);
      const meanings = piece.length === 1 ? [] : meaningsOfWord(folded);
      const isGrammar =
        isShort ||
        isFunctionWord(folded) ||
        functionWords.has(piece.toLowerCase()) ||
        questionWords.has(folded) ||
        isRelation(folded);
      const uninflected = WITH_ENCLITICS.has(language) ? folded.replace(ENCLITIC, '') : folded;
      // `Coach A` has a name.
      if (isGrammar && !isOther(folded) && piece !== 'A') {
        if (meanings.length > 0) grammar.push({ at, meanings });
        continue;
      }
      words.push({
        written: piece,
        at,
        stem: stemOf(IRREGULAR.get(folded) ?? uninflected.replace(PARTICIPLE, '$1')),
        kind: 'word',
        isLoose: language !== 'en',
        meanings,
      });
    }
  }
  return indexed(text, words, grammar);
}

/** The words of a text for lookups; `grammar` are words that carry no meaning alone, and stand for another one in a class. */
function indexed(
  text: string,
  words: readonly SpokenWord[],
  grammar: readonly Pick<SpokenWord, 'at' | 'meanings'>[],
): SpokenWords {
  const compact = text.normalize('NFKC').replaceAll(/\s/gu, '').toLowerCase();
  let stems: ReadonlyMap<string, readonly string[]> | null = null;
  // Compounds and prefixes: `hut` of `mountain hut` written as one word.
  const isPart = (stem: string): boolean =>
    words.some(({ stem: other }) => holdsPart(other, stem) || (other.length >= PREFIX && holdsPart(stem, other)));
  let decomposed: string | null = null;
  let meant: ReadonlySet<number> | null = null;
  const means = (meanings: readonly number[]): boolean => {
    if (meanings.length === 0) return false;
    meant ??= new Set([...[...words, ...grammar].flatMap((each) => each.meanings), ...meaningsIn(compact)]);
    return meanings.some((meaning) => meant?.has(meaning) === true);
  };
  const has = ({ kind, stem, isLoose, meanings }: SpokenWord): boolean => {
    if (means(meanings)) return true;
    if (kind === 'cjk') return (decomposed ??= compact.normalize('NFD')).includes(stem);
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
  return {
    words,
    has,
    holds: (characters) => compact.includes(characters),
    within: ({ start, end }) => {
      const isInside = ({ at }: { readonly at: number }): boolean => at >= start && at < end;
      return indexed(text.slice(start, end), words.filter(isInside), grammar.filter(isInside));
    },
  };
}

/** The words of several texts. */
export function joinedWords(texts: readonly SpokenWords[]): SpokenWords {
  return {
    words: texts.flatMap(({ words }) => words),
    has: (word) => texts.some(({ has }) => has(word)),
    holds: (characters) => texts.some(({ holds }) => holds(characters)),
    within: () => joinedWords(texts),
  };
}

/** A prefix that makes another word: `Vermieter` is no `Mieter`. */
const DERIVING = /^(?:ver|ent|un|be|zer|miss|anti|non|in|dés?|des|dis|не|без)$/u;

/** Whether a word is a compound with another. */
function holdsPart(compound: string, part: string): boolean {
  const at = compound.indexOf(part);
  return at !== -1 && !DERIVING.test(compound.slice(0, at));
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
function cjkWords(run: string): readonly Omit<SpokenWord, 'at'>[] {
  if (/\p{Script=Hangul}/u.test(run)) {
    if (run.length < 2 || KOREAN_LIGHT.test(run) || KOREAN_COUNTER.test(run)) return [];
    return [{ written: run, stem: koreanStem(run), kind: 'cjk', isLoose: false, meanings: partsOf(run) }];
  }
  const plain = run.replaceAll(HAN_MODAL, ' ');
  if (/\p{Script=Hiragana}/u.test(run))
    return [...plain.matchAll(HAN_OR_KATAKANA)]
      .filter(([part]) => (part.length > 1 || plain === run) && !HAN_RELATION.test(part))
      .map(([part]) => hanWord(part));
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
  return [...segmenter.segment(plain)]
    .map(({ segment }) => segment)
    .filter((part) => /^[\p{Script=Han}\p{Script=Katakana}ー]+$/u.test(part) && !HAN_RELATION.test(part))
    .map(hanWord);
}

function hanWord(part: string): Omit<SpokenWord, 'at'> {
  return { written: part, stem: part.toLowerCase(), kind: 'han', isLoose: false, meanings: partsOf(part) };
}

/** The part of a Korean word that does not inflect, in canonical decomposition: of a verb without its ending, of a noun without its particle. */
function koreanStem(run: string): string {
  const whole = run.normalize('NFD');
  const verb = whole.replace(KOREAN_VERB, '');
  if (verb !== '' && verb.length < whole.length) return verb;
  const noun = whole.replace(KOREAN_JOSA, '');
  return (noun.match(SYLLABLE)?.length ?? 0) >= (run.length > 2 ? 2 : 1) ? noun : whole;
}

/** Everyday words below this frequency on the Zipf scale, and all unknown ones, are specific: a subject rather than a turn of phrase. */
const SPECIFIC_BELOW = 4.9;

/** Whether a word names a subject rather than being a turn of everyday speech; words that are not English count as specific. */
export function isSpecific({ stem, kind }: SpokenWord): boolean {
  return kind !== 'word' || (everydayFrequency(stem) ?? 0) < SPECIFIC_BELOW;
}
