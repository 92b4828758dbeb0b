/**
 * The most common function words of languages in Latin and Cyrillic script, by ISO 639-1 code. Prose of some length contains many, and
 * no two languages share most of theirs.
 */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: 'the of and to is in that for it with as are be this on by from or not have you an at which was can we if has will your',
  de: 'der die und das ist nicht ein eine den von mit zu auf für im dem des sich werden wird auch es als oder an aus wenn nur sind bei nach ich wir noch über',
  fr: 'le la les de des et est un une pour que dans du qui pas au sur ne par plus avec ce se sont ou être à il cette aux mais nous vous son été',
  es: 'el la los las de y que en un una es por con no para se del al como más lo su este está ser o pero si puede son sus fue ha muy también',
  it: 'il di che e la per un una non è in del della sono con le dei gli si da alla nel più essere come anche lo ha i al questo se o delle ma dal',
  pt: 'o de que e do da em um uma para não é com os no as na por se mais dos como ao ou ser das foi são pode este está pelo também sua',
  nl: 'de het een van en is dat niet in op te voor met zijn die er aan ook worden als om wordt bij of maar dit kan heeft naar geen uit deze door',
  sv: 'och att det som en är av för inte på med den till ett har om de kan var från eller när du jag ska vi så men sig ej finns måste',
  da: 'og at det er en af til på ikke med for den som der et har kan de fra eller når du jeg skal ved vil hvis dette også blev være nogle efter sig op ind ud nu kun gøre hvad mellem mange',
  no: 'og det er en av til på ikke med for som den et har kan de fra eller når du jeg skal ved vil hvis dette også ble være noen etter seg opp inn ut nå bare gjøre hva mellom mange må',
  fi: 'ja on ei että se oli kun ovat tai joka mutta hän niin myös kuin sen voi ole vain jos mitä tämä olla hän sekä jotka kanssa ollut sitä',
  pl: 'i w nie na się z do że jest to o jak po ale za od przez dla lub jego być może tylko są przy czy który które można jeśli oraz tego',
  cs: 'a je se na v že s z do to o jako pro by ale si od k které nebo jsou být není při podle který může také jen pokud bylo aby já po',
  sk: 'a je sa na v že s z do to o ako pre by ale si od k ktoré alebo sú byť nie pri podľa ktorý môže tiež iba ak bolo aby nemožno po',
  hu: 'a az és nem hogy egy is van ez ha de meg mint vagy csak már volt kell azt még nincs ki el lehet akkor minden által szerint ezt',
  ro: 'și de în la nu a să o pe cu este un pentru din care mai că se sunt sau prin ce dar au fi era al lui această când poate fost',
  tr: 've bir bu için da de ile olarak daha çok gibi var ne o ama en değil sonra kadar olan veya her ya ki mi yok ise tarafından',
  id: 'yang dan di untuk dengan dari ini tidak dalam itu pada adalah ke akan atau oleh sebagai juga ada dapat bisa telah karena anda lebih',
  vi: 'và của là không có được cho các trong một với những để này đã khi người đến từ thì như vào về ra sẽ cũng bị tôi',
  ca: 'el la de i que a en un una és no per amb els les del al com més ha es seu són o però aquest aquesta pot dels també ser molt',
  hr: 'i je u na se da za nije su od ne s kao što koji o ili ali biti iz ako može samo bio koje to sam po nakon prije te sve',
  sl: 'in je v na se da za ni so ne z kot ki tudi pa ali po še če bil iz lahko samo pri od ko o to biti zelo vse med',
  et: 'ja on ei et see ta oli kui ka mis ning aga või kas siis seda oma ole mida nii olla need mitte pärast juba saab',
  lt: 'ir yra kad į ne su iš kaip tai bet jis buvo ar o kurie taip pat nėra tik už per arba nuo jei gali būti šis savo',
  lv: 'un ir ka ar no uz nav par kas bet ja lai vai to kā tika tiek var pēc šo tas arī gan pie tik nevar',
  ru: 'и в не на что с по как это для из к но от или то он так если же бы был при можно все было только его также',
  uk: 'і в не на що з до як це для та від але або за він так якщо й був при можна все було тільки його також є у',
  be: 'і ў не на што з да як гэта для па або але за ён так калі ж быў пры можна ўсё было толькі яго таксама ад',
  bg: 'и на да се не в е от за с по че са като или това до ще но при ако може бъде към също само беше има ни',
  sr: 'и је у на се да за није су од не са као што који о или али бити из ако може само био које то сам по',
};

/** Letters that only a few languages use; a word with one counts for those languages. */
const DISTINCTIVE_LETTERS: Readonly<Record<string, string>> = {
  de: 'ßäöü',
  fr: 'œçèêùîûë',
  es: 'ñ¿¡',
  pt: 'ãõç',
  sv: 'åäö',
  da: 'øåæ',
  no: 'øå',
  fi: 'äö',
  pl: 'łąężźśńć',
  cs: 'řěůťď',
  sk: 'ľĺŕťďô',
  hu: 'őűöü',
  ro: 'șțăşţâî',
  tr: 'ğışçöü',
  vi: 'ơưđạảấầẩậắặẹẻếềểệỉịọỏốồổộớờởợụủứừửựỷỹ',
  ca: 'çèòï',
  hr: 'đćčšž',
  sl: 'čšž',
  et: 'õäöü',
  lt: 'ėįųūčšž',
  lv: 'āēīķļņģūčšž',
  ru: 'ыэъё',
  uk: 'їєґі',
  be: 'ўіыё',
  bg: 'ъ',
  sr: 'ђјљњћџ',
};

/** The language code of text whose language is undetermined. */
export const UNDETERMINED = 'und';

const MIN_LETTERS = 20;
/** A syllable or an ideograph counts as this many letters. */
const WIDE_WEIGHT = 3;
const BEYOND_LATIN = /[\u0300-\uffff]/;
const HAN = 'han';
const KANA = 'kana';

/** First and last code point with the language, or with the script if several languages share it. */
const SCRIPTS: readonly (readonly [first: number, last: number, script: string])[] = [
  [0x0370, 0x03ff, 'el'],
  [0x0400, 0x052f, 'cyrillic'],
  [0x0530, 0x058f, 'hy'],
  [0x0590, 0x05ff, 'he'],
  [0x0600, 0x077f, 'arabic'],
  [0x0900, 0x097f, 'hi'],
  [0x0980, 0x09ff, 'bn'],
  [0x0b80, 0x0bff, 'ta'],
  [0x0c00, 0x0c7f, 'te'],
  [0x0e00, 0x0e7f, 'th'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1100, 0x11ff, 'ko'],
  [0x3040, 0x30ff, KANA],
  [0x3130, 0x318f, 'ko'],
  [0x3400, 0x4dbf, HAN],
  [0x4e00, 0x9fff, HAN],
  [0xac00, 0xd7a3, 'ko'],
];

/**
 * Detects the language of a text from its script and, if several languages share that, from its function words. Returns an ISO 639-1
 * code, or `und` if the text is too short, mixed or unusual. A few hundred characters of prose are enough.
 */
export function detectLanguage(text: string): string {
  if (!BEYOND_LATIN.test(text)) return latinLetters(text) < MIN_LETTERS ? UNDETERMINED : byWords(text);
  const sample = text.normalize('NFC');
  const weights = scriptWeights(sample);
  let script = 'latin';
  let total = 0;
  for (const [name, weight] of weights) {
    total += weight;
    if (weight > (weights.get(script) ?? 0)) script = name;
  }
  if (script === HAN || script === KANA) return (weights.get(KANA) ?? 0) * 8 > (weights.get(HAN) ?? 0) ? 'ja' : 'zh';
  if (total < MIN_LETTERS) return script.length === 2 && total > 0 ? script : UNDETERMINED;
  if (script === 'arabic') return /[پچژگ]/.test(sample) ? 'fa' : 'ar';
  return script === 'latin' || script === 'cyrillic' ? byWords(sample) : script;
}

function byWords(sample: string): string {
  return languageByWords(sample) ?? UNDETERMINED;
}

/** The amount of text in each script, in letters; `latin` is always present. */
function scriptWeights(sample: string): ReadonlyMap<string, number> {
  const weights = new Map([['latin', latinLetters(sample)]]);
  for (let i = 0; i < sample.length; i++) {
    const unit = sample.charCodeAt(i);
    const script = unit < 0x250 ? undefined : SCRIPTS.find(([first, last]) => unit >= first && unit <= last)?.[2];
    if (script !== undefined) weights.set(script, (weights.get(script) ?? 0) + (unit >= 0x3040 ? WIDE_WEIGHT : 1));
  }
  return weights;
}

function latinLetters(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) if (isLatinLetter(text.charCodeAt(i))) letters++;
  return letters;
}

function isLatinLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0xc0 && unit < 0x250);
}

/** Thresholds for a language: distinct function words, their share of all words, and the lead over the second-best score. */
const USUAL = { distinct: 3, share: 0.12, lead: 1.2 };
/** For texts with many names: a smaller share is enough if there are more distinct words and a clearer lead. */
const CLEAR = { distinct: 5, share: 0.07, lead: 2.5 };

/** The index of a language in this list is its index in the arrays below. */
const LANGUAGES = Object.keys(FUNCTION_WORDS);
/** The languages of each function word and of each distinctive letter, computed when the first text is read. */
let tables: Readonly<Record<'speakers' | 'writers', ReadonlyMap<string, readonly number[]>>> | undefined;

function languageTables(): NonNullable<typeof tables> {
  return (tables ??= {
    speakers: languagesBy(FUNCTION_WORDS, ' '),
    writers: languagesBy(DISTINCTIVE_LETTERS, ''),
  });
}

const NO_LANGUAGES: readonly number[] = [];

/**
 * Detects the language of a text from its function words and distinctive letters; null if too few match or a second language comes close.
 * Each word scores for all languages that have it, divided by their number.
 */
function languageByWords(text: string): string | null {
  const score = new Float64Array(LANGUAGES.length);
  const hits = new Uint16Array(LANGUAGES.length);
  const distinct = new Uint16Array(LANGUAGES.length);
  const seen = new Set<string>();
  const words = wordsOf(text);
  const { speakers: known } = languageTables();
  for (const word of words) {
    const speakers = known.get(word) ?? writersOf(word);
    const isNew = speakers.length > 0 && !seen.has(word);
    if (isNew) seen.add(word);
    for (const language of speakers) {
      score[language] = (score[language] ?? 0) + 1 / speakers.length;
      hits[language] = (hits[language] ?? 0) + 1;
      if (isNew) distinct[language] = (distinct[language] ?? 0) + 1;
    }
  }
  const best = indexOfMax(score, -1);
  const second = score[indexOfMax(score, best)] ?? 0;
  const isOver = (min: { readonly distinct: number; readonly share: number; readonly lead: number }): boolean =>
    (distinct[best] ?? 0) >= min.distinct &&
    (hits[best] ?? 0) >= words.length * min.share &&
    (score[best] ?? 0) >= second * min.lead;
  return isOver(USUAL) || isOver(CLEAR) ? (LANGUAGES[best] ?? null) : null;
}

/** The runs of letters of a text, in lower case. Letters are a to z and everything from U+00AA to U+1FFF except × and ÷. */
function wordsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const words: string[] = [];
  let start = -1;
  for (let i = 0; i <= lower.length; i++) {
    const unit = i < lower.length ? lower.charCodeAt(i) : 0;
    const isLetter =
      (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xaa && unit !== 0xd7 && unit !== 0xf7 && unit < 0x2000);
    if (isLetter && start === -1) start = i;
    if (!isLetter && start !== -1) {
      words.push(lower.slice(start, i));
      start = -1;
    }
  }
  return words;
}

function writersOf(word: string): readonly number[] {
  for (let i = 0; i < word.length; i++)
    if (word.charCodeAt(i) > 0x7f) {
      const writers = languageTables().writers.get(word.charAt(i));
      if (writers !== undefined) return writers;
    }
  return NO_LANGUAGES;
}

function indexOfMax(values: Float64Array, except: number): number {
  let best = except === 0 ? 1 : 0;
  for (let i = best + 1; i < values.length; i++) if (i !== except && (values[i] ?? 0) > (values[best] ?? 0)) best = i;
  return best;
}

function languagesBy(
  table: Readonly<Record<string, string>>,
  separator: string,
): ReadonlyMap<string, readonly number[]> {
  const languages = new Map<string, number[]>();
  for (const [lang, list] of Object.entries(table))
    for (const item of new Set(list.split(separator)))
      languages.set(item, [...(languages.get(item) ?? []), LANGUAGES.indexOf(lang)]);
  return languages;
}

const functionWordSets = new Map<string, ReadonlySet<string>>();

/** The most common function words of a language by its ISO 639-1 code; empty for an unknown one. */
export function functionWordsOf(language: string): ReadonlySet<string> {
  const known = functionWordSets.get(language) ?? new Set((FUNCTION_WORDS[language] ?? '').split(' '));
  functionWordSets.set(language, known);
  return known;
}
