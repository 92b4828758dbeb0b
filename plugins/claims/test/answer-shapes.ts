// Good answers made from real passages in many shapes, and the possible alterations of each. Deterministic: a seed determines everything.

/** A seeded random generator. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

/** A part of an answer that can be altered: its kind, its text, and the passage that contains it (0-based). */
export interface Part {
  readonly kind: 'quotation' | 'number' | 'date' | 'name' | 'citation' | 'words' | 'plain';
  readonly text: string;
  readonly passage: number;
}

/** A good answer in parts, and the passages it was made from. */
export interface ShapedAnswer {
  readonly shape: string;
  readonly parts: readonly Part[];
  readonly passages: readonly string[];
}

/** The text of an answer. */
export function textOf({ parts }: { readonly parts: readonly Part[] }): string {
  return parts.map(({ text }) => text).join('');
}

/** The language of the words around text from a passage. */
export type Language = 'en' | 'ko';

/** Creates a number of good answers, each from three passages. */
export function goodAnswers(
  texts: readonly string[],
  language: Language,
  options: { count: number; seed: number },
): readonly ShapedAnswer[] {
  const dice = new Dice(options.seed);
  const made: ShapedAnswer[] = [];
  while (made.length < options.count) {
    const passages = [dice.pick(texts), dice.pick(texts), dice.pick(texts)];
    if (new Set(passages).size < 3) continue;
    const maker = new Maker(passages, language, dice);
    const answer = maker.answer();
    if (answer !== null) made.push(answer);
  }
  return made;
}

const CITATIONS: readonly ((number: number) => string)[] = [
  (n) => `[#${n}]`,
  (n) => `[#${n}]`,
  (n) => `[${n}]`,
  (n) => `[^${n}]`,
  (n) => `【${n}】`,
  (n) => `(${n})`,
];
const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
];
/** Text around one detail: `@` is the detail, at the beginning, in the middle or at the end. */
const FRAMES: Readonly<
  Record<Language, Readonly<Record<'quotation' | 'number' | 'date' | 'name', readonly string[]>>>
> = {
  en: {
    quotation: [
      'The passage says @',
      '@ is what the text has to say about it',
      'It is described there as @ in so many words',
      'The author writes @, which settles the matter',
      '**Wording:** @',
    ],
    number: [
      'The figure given there is @',
      '@ is the figure that the passage gives',
      'A figure of @ is mentioned in this passage',
      'The text, which speaks of **@**, goes further into it',
      '**Figure:** @ in all',
    ],
    date: [
      'This is dated to @',
      'In @ this was the case, as the passage describes',
      'The passage mentions @ in this connection',
      'What happened in *@* is described in the passage',
    ],
    name: [
      'The passage speaks of @',
      'It was @ that the passage describes',
      'The part that @ played is described there',
    ],
  },
  ko: {
    quotation: [
      '문서에는 @라고 적혀 있습니다',
      '@라는 표현이 문서에 나옵니다',
      '이 내용은 @라는 말로 설명되어 있으며 다른 설명은 덧붙지 않습니다',
      '**표현:** @',
    ],
    number: [
      '문서에 나오는 수치는 @입니다',
      '@이라는 수치가 문서에 제시되어 있습니다',
      '해당 수치는 **@** 수준으로 설명되어 있습니다',
      '이 문서는 @의 수치를 언급하고 있으며 그 배경도 다룹니다',
    ],
    date: ['이 내용의 시점은 @입니다', '@에 해당하는 내용이 문서에 있습니다', '문서는 *@*의 상황을 설명합니다'],
    name: ['문서는 @에 대해 설명합니다', '@에 관한 내용이 문서에 있습니다'],
  },
};
const LEADS: Readonly<Record<Language, readonly string[]>> = {
  en: ['Here is what I found:', 'According to the evidence:', 'The passages give these facts:'],
  ko: ['다음은 확인된 내용입니다:', '문서에서 확인한 내용:', '아래와 같습니다:'],
};
const CLOSINGS: Readonly<Record<Language, readonly string[]>> = {
  en: ['I hope this helps!', 'Let me know if you need more.'],
  ko: ['도움이 되었기를 바랍니다.', '추가로 궁금한 점이 있으면 알려 주세요.'],
};
const SHAPES = ['sentences', 'bullets', 'numbered', 'headed', 'table', 'joined'] as const;
const KINDS = ['quotation', 'number', 'date', 'name', 'sentence', 'quotation', 'number'] as const;

class Maker {
  readonly #passages: readonly string[];
  readonly #language: Language;
  readonly #dice: Dice;

  constructor(passages: readonly string[], language: Language, dice: Dice) {
    this.#passages = passages;
    this.#language = language;
    this.#dice = dice;
  }

  answer(): ShapedAnswer | null {
    const dice = this.#dice;
    const shape = dice.pick(SHAPES);
    const cite = dice.pick(CITATIONS);
    const behind = dice.below(3) === 0 && !cite(1).startsWith('(');
    const claims: (readonly Part[])[] = [];
    for (let tries = 0; tries < 12 && claims.length < 2 + (tries % 2); tries++) {
      const passage = dice.below(3);
      const claim = this.#claim(passage);
      if (claim !== null) claims.push(this.#cited(claim, { cite, behind, passage, shape }));
    }
    if (claims.length < 2) return null;
    return { shape, parts: this.#arranged(claims, shape), passages: this.#passages };
  }

  #claim(passage: number): readonly Part[] | null {
    const dice = this.#dice;
    const kind = dice.pick(KINDS);
    const text = this.#passages[passage] ?? '';
    if (kind === 'sentence') return sentenceParts(text, passage, dice);
    const detail = this.#detail(kind, text);
    if (detail === null) return null;
    const [before = '', after = ''] = dice.pick(FRAMES[this.#language][kind]).split('@');
    return [plain(before, passage), { kind, text: detail, passage }, plain(after, passage)];
  }

  #detail(kind: 'quotation' | 'number' | 'date' | 'name', text: string): string | null {
    const dice = this.#dice;
    if (kind === 'quotation') {
      const words = wordsOf(text, dice);
      if (words === null) return null;
      const [open, close] = dice.pick(QUOTES);
      return `${open}${words}${close}`;
    }
    const found = kind === 'number' ? figuresOf(text) : kind === 'date' ? datesOf(text) : namesOf(text);
    if (found.length === 0) return null;
    const detail = dice.pick(found);
    return kind === 'number' ? rewritten(detail, dice) : kind === 'date' ? redated(detail, dice) : detail;
  }

  #cited(
    claim: readonly Part[],
    options: { cite: (number: number) => string; behind: boolean; passage: number; shape: string },
  ): readonly Part[] {
    const { cite, behind, passage, shape } = options;
    const citation: Part = { kind: 'citation', text: cite(passage + 1), passage };
    if (shape === 'joined' || shape === 'table') return [...claim, plain(' ', passage), citation];
    if (behind) return [...claim, plain('. ', passage), citation];
    return [...claim, plain(' ', passage), citation, plain('.', passage)];
  }

  #arranged(claims: readonly (readonly Part[])[], shape: (typeof SHAPES)[number]): readonly Part[] {
    const dice = this.#dice;
    const all = (between: string, mark: (at: number) => string): Part[] =>
      claims.flatMap((claim, at) => [plain((at === 0 ? '' : between) + mark(at), 0), ...claim]);
    const lead = plain(`${dice.pick(LEADS[this.#language])}\n\n`, 0);
    const closing = plain(`\n\n${dice.pick(CLOSINGS[this.#language])}`, 0);
    switch (shape) {
      case 'sentences':
        return [...all(' ', () => ''), ...(dice.below(2) === 0 ? [closing] : [])];
      case 'bullets':
        return [lead, ...all('\n', () => '- ')];
      case 'numbered':
        return [lead, ...all('\n', (at) => `${at + 1}. `), closing];
      case 'headed':
        return all('\n\n', () => (this.#language === 'en' ? '## What it says\n\n' : '## 내용\n\n'));
      case 'table':
        return [plain('| # | fact |\n|---|---|\n', 0), ...all(' |\n', () => '| - | '), plain(' |', 0)];
      case 'joined':
        return [...all(this.#language === 'en' ? ', and ' : ', 그리고 ', () => ''), plain('.', 0)];
      default:
        return shape satisfies never;
    }
  }
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function plain(text: string, passage: number): Part {
  return { kind: 'plain', text, passage };
}

/** Words of the passage itself. */
function copied(text: string, passage: number): Part {
  return { kind: 'words', text, passage };
}

/** A sentence of the passage itself, with its numbers as separate parts. */
function sentenceParts(text: string, passage: number, dice: Dice): readonly Part[] | null {
  const sentences = (text.match(/[^.!?\n]{40,220}[.!?](?=\s)/g) ?? []).filter(
    (sentence) => !/["“”‘’「」『』«»[\]()|*_`:;<>#]|^\s*[-\d]|\b\p{L}\.$/u.test(sentence),
  );
  if (sentences.length === 0) return null;
  const sentence = dice
    .pick(sentences)
    .trim()
    .replace(/[.!?]$/, '');
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: figure, index } of sentence.matchAll(FIGURE)) {
    if (isInDate(sentence, index, figure)) continue;
    parts.push(copied(sentence.slice(from, index), passage), { kind: 'number', text: figure, passage });
    from = index + figure.length;
  }
  return [...parts, copied(sentence.slice(from), passage)];
}

function isInDate(text: string, index: number, figure: string): boolean {
  const before = text.slice(Math.max(0, index - 16), index);
  const after = text.slice(index + figure.length, index + figure.length + 16);
  return MONTHS.some((month) => before.includes(month) || after.includes(month)) || /^\s?[년월일시분]/.test(after);
}

const FIGURE = /(?<![\d.,'’\p{Script=Latin}-])[1-9]\d*(?:,\d{3})*(?:\.\d+)?(?![.,'’:/-]?[\d\p{Script=Latin}])/gu;

/** The numbers of a text with at least two digits. */
export function figuresOf(text: string): readonly string[] {
  return (text.match(FIGURE) ?? []).filter((figure) => figure.replaceAll(/\D/g, '').length >= 2);
}

const ENGLISH_DATE = new RegExp(`(?:\\d{1,2} )?(?:${MONTHS.join('|')})(?: \\d{1,2},)? \\d{4}(?!\\d)`, 'g');
const KOREAN_DATE = /(?<!\d)(?:19|20)\d{2}년 ?\d{1,2}월(?: ?\d{1,2}일)?/g;

function datesOf(text: string): readonly string[] {
  return [...(text.match(ENGLISH_DATE) ?? []), ...(text.match(KOREAN_DATE) ?? [])];
}

function namesOf(text: string): readonly string[] {
  return text.match(/(?<=[\p{Ll},] )\p{Lu}\p{Ll}{3,}(?: \p{Lu}\p{Ll}{2,})?(?=[ ,.])/gu) ?? [];
}

/** Three to nine consecutive words, unchanged, without quotation marks or markers inside. */
export function wordsOf(text: string, dice: Dice): string | null {
  const words = [...text.matchAll(/\S+/g)];
  for (let tries = 0; tries < 20; tries++) {
    const from = dice.below(Math.max(1, words.length - 9));
    const last = words[Math.min(words.length - 1, from + 3 + dice.below(6))];
    const start = words[from]?.index ?? 0;
    const quote = text.slice(start, last === undefined ? start : last.index + last[0].length);
    if (!/["“”‘’'「」『』«»[\]|`*_#<>]/.test(quote) && !/^[-•]|\n\s*\n/.test(quote) && quote.length > 8)
      return quote.replaceAll(/\s+/g, ' ');
  }
  return null;
}

/** The same number in another form. */
function rewritten(figure: string, dice: Dice): string {
  const plainFigure = figure.replaceAll(',', '');
  if (!/^\d{4,}$/.test(plainFigure)) return figure;
  const grouped = plainFigure.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return dice.pick([figure, figure, plainFigure, grouped, grouped.replaceAll(',', '\u00a0')]);
}

/** The same date in another form. */
function redated(date: string, dice: Dice): string {
  const korean = /(\d{4})년 ?(\d{1,2})월(?: ?(\d{1,2})일)?/.exec(date);
  const english = /(?:(\d{1,2}) )?([A-Z][a-z]+)(?: (\d{1,2}),)? (\d{4})/.exec(date);
  const year = korean?.[1] ?? english?.[4] ?? '';
  const month = korean === null ? MONTHS.indexOf(english?.[2] ?? '') + 1 : Number(korean[2]);
  const day = korean === null ? (english?.[1] ?? english?.[3]) : korean[3];
  if (month === 0) return date;
  const name = MONTHS[month - 1] ?? '';
  if (day === undefined) return dice.pick([date, `${year}년 ${month}월`, `${name} ${year}`]);
  const two = (number: number | string): string => String(number).padStart(2, '0');
  return dice.pick([
    date,
    `${year}-${two(month)}-${two(day)}`,
    `${name} ${day}, ${year}`,
    `${day} ${name.slice(0, 3)} ${year}`,
    `${year}년 ${month}월 ${day}일`,
  ]);
}

/** Ways to alter a part; null when it cannot be altered in this way. */
export const ALTERATIONS: readonly {
  readonly kind: Part['kind'];
  readonly name: string;
  readonly alter: (part: Part, answer: ShapedAnswer, dice: Dice) => string | null;
}[] = [
  { kind: 'quotation', name: 'a letter', alter: ({ text }, _, dice) => otherLetter(text, dice) },
  {
    kind: 'quotation',
    name: 'a word more',
    alter: ({ text }, _, dice) => insideWords(text, dice, (word) => `${word} allegedly`),
  },
  { kind: 'quotation', name: 'a word less', alter: ({ text }, _, dice) => insideWords(text, dice, () => '') },
  { kind: 'quotation', name: 'two words changed over', alter: ({ text }, _, dice) => changedOver(text, dice) },
  {
    kind: 'quotation',
    name: 'words of another passage',
    alter: ({ text, passage }, { passages }, dice) => {
      const words = wordsOf(passages[(passage + 1) % 3] ?? '', dice);
      return words === null ? null : `${text.slice(0, 1)}${words}${text.slice(-1)}`;
    },
  },
  {
    kind: 'quotation',
    name: 'invented words',
    alter: ({ text }) => `${text.slice(0, 1)}hotel in Paris by the sea${text.slice(-1)}`,
  },
  { kind: 'number', name: 'another digit', alter: ({ text }, _, dice) => otherDigit(text, dice) },
  {
    kind: 'number',
    name: 'a digit more',
    alter: ({ text }, _, dice) => text.replace(/\d(?!.*\d)/s, (digit) => `${digit}${dice.below(10)}`),
  },
  { kind: 'number', name: 'invented', alter: (_, __, dice) => `9,${100 + dice.below(900)}` },
  {
    kind: 'number',
    name: 'of another passage',
    alter: ({ passage }, { passages }, dice) => {
      const found = figuresOf(passages[(passage + 1) % 3] ?? '');
      return found.length === 0 ? null : dice.pick(found);
    },
  },
  {
    kind: 'number',
    name: 'in an invented unit',
    alter: ({ text }) => `${text} furlong-kg`.replace('furlong-kg', 'kWh'),
  },
  {
    kind: 'date',
    name: 'another year',
    alter: ({ text }) => text.replace(/\d{4}/, (year) => String(Number(year) + 7)),
  },
  {
    kind: 'date',
    name: 'another month',
    alter: ({ text }) => {
      const next = text.replace(/[A-Z][a-z]{2,}/, (name) => {
        const at = MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3)));
        return at === -1 ? name : (MONTHS[(at + 5) % 12] ?? '');
      });
      if (next !== text) return next;
      return text.replace(/(?<=년 ?|^\d{4}-)\d{1,2}/, (month) =>
        String(((Number(month) + 4) % 12) + 1).padStart(month.length, '0'),
      );
    },
  },
  { kind: 'name', name: 'another name', alter: () => 'Wolfgang Zimmermann' },
  {
    kind: 'name',
    name: 'of another passage',
    alter: ({ passage }, { passages }, dice) => {
      const found = namesOf(passages[(passage + 1) % 3] ?? '');
      return found.length === 0 ? null : dice.pick(found);
    },
  },
  {
    kind: 'words',
    name: 'a negation more',
    alter: ({ text }) =>
      replacedOnce(text, [
        [/(?<=\b(?:is|are|was|were|can|could|will|would|has|have|had|may|should)\b)(?! not| no\b)/, ' not'],
        [/있습니다/, '없습니다'],
        [/합니다/, '하지 않습니다'],
        [/한다/, '하지 않는다'],
        [/된다/, '되지 않는다'],
      ]),
  },
  {
    kind: 'words',
    name: 'a negation less',
    alter: ({ text }) =>
      replacedOnce(text, [
        [/ (?:not|never)(?= )/, ''],
        [/없습니다/, '있습니다'],
        [/하지 않습니다/, '합니다'],
        [/하지 않는다/, '한다'],
        [/되지 않는다/, '된다'],
      ]),
  },
  {
    kind: 'words',
    name: 'a comparison the other way',
    alter: ({ text }) =>
      replacedOnce(text, [
        [/\bmore than\b/, 'less than'],
        [/\bless than\b/, 'more than'],
        [/\bhigher\b/, 'lower'],
        [/\blower\b/, 'higher'],
        [/\blarger\b/, 'smaller'],
        [/\bsmaller\b/, 'larger'],
        [/\bincreased?\b/, 'decreased'],
        [/\bdecreased?\b/, 'increased'],
        [/\bbefore\b/, 'after'],
        [/\bafter\b/, 'before'],
        [/\blargest\b/, 'smallest'],
        [/\bhigh\b/, 'low'],
        [/높/, '낮'],
        [/증가/, '감소'],
        [/감소/, '증가'],
        [/이상/, '이하'],
        [/이하/, '이상'],
        [/상승/, '하락'],
      ]),
  },
  {
    kind: 'words',
    name: 'another quantifier',
    alter: ({ text }) =>
      replacedOnce(text, [
        [/\b(?:all|every|each)\b/, 'some'],
        [/\b(?:some|several|many|most)\b/, 'all'],
        [/모든/, '일부'],
        [/모두/, '일부'],
        [/일부/, '모든'],
      ]),
  },
  {
    kind: 'words',
    name: 'an unsupported second half',
    alter: ({ text }) =>
      /\p{Script=Hangul}/u.test(text)
        ? null
        : replacedOnce(text, [[/(?<=\p{Ll}{3})$/u, ', which its owners soon regretted and gave up']]),
  },
  { kind: 'citation', name: 'of a passage that is not there', alter: ({ text }) => text.replace(/\d+/, '7') },
  { kind: 'citation', name: 'left out', alter: (_, { shape }) => (shape === 'joined' ? null : '') },
  {
    kind: 'citation',
    name: 'of another passage, behind a detail',
    alter: (part, answer) => (followsDetail(part, answer) ? otherPassage(part) : null),
  },
  {
    kind: 'citation',
    name: 'of another passage, behind words alone',
    alter: (part, answer) => (followsDetail(part, answer) || answer.shape === 'joined' ? null : otherPassage(part)),
  },
];

/** A text with the first of these patterns that occurs in it replaced, once; null when none does. */
function replacedOnce(text: string, changes: readonly (readonly [RegExp, string])[]): string | null {
  const change = changes.find(([pattern]) => pattern.test(text));
  return change === undefined ? null : text.replace(change[0], change[1]);
}

function otherPassage({ text, passage }: Part): string {
  return text.replace(/\d+/, String(((passage + 1) % 3) + 1));
}

/** Whether the claim before a citation has a quotation, a number or a date. */
function followsDetail(citation: Part, { parts }: ShapedAnswer): boolean {
  const before = parts.slice(0, parts.indexOf(citation));
  const claim = before.slice(before.findLastIndex(({ kind }) => kind === 'citation') + 1);
  return claim.some(({ kind }) => kind === 'quotation' || kind === 'number' || kind === 'date');
}

/** Alters one part of an answer; null when it cannot be altered, or when the passage contains the result. */
function altered(answer: ShapedAnswer, at: number, text: string | null): ShapedAnswer | null {
  const part = answer.parts[at];
  if (part === undefined || text === null || text === part.text) return null;
  return { ...answer, parts: answer.parts.map((each, i) => (i === at ? { ...each, text } : each)) };
}

function otherLetter(quote: string, dice: Dice): string {
  const places = [...quote.matchAll(/[\p{L}\p{N}]/gu)];
  const { 0: letter, index } = dice.pick(places);
  const replaced = /\p{Script=Hangul}/u.test(letter) ? (letter === '가' ? '나' : '가') : letter === 'x' ? 'y' : 'x';
  return quote.slice(0, index) + replaced + quote.slice(index + letter.length);
}

function insideWords(quote: string, dice: Dice, change: (word: string) => string): string {
  const words = quote.split(/\s+/);
  const at = 1 + dice.below(Math.max(1, words.length - 2));
  if (!/[\p{L}\p{N}]/u.test(words[at] ?? '')) return quote;
  return words
    .map((word, i) => (i === at ? change(word) : word))
    .filter((word) => word !== '')
    .join(' ');
}

function changedOver(quote: string, dice: Dice): string | null {
  const words = quote.slice(1, -1).split(/\s+/);
  const at = dice.below(words.length - 1);
  if (words[at] === words[at + 1] || !/[\p{L}\p{N}]/u.test(words[at] ?? '')) return null;
  if (!/[\p{L}\p{N}]/u.test(words[at + 1] ?? '')) return null;
  const other = words.map((word, i) => (i === at ? words[at + 1] : i === at + 1 ? words[at] : word)).join(' ');
  return quote.slice(0, 1) + other + quote.slice(-1);
}

function otherDigit(figure: string, dice: Dice): string {
  const places = [...figure.matchAll(/\d/g)];
  const { 0: digit, index } = dice.pick(places);
  const other = (Number(digit) + 1 + dice.below(9)) % 10;
  return figure.slice(0, index) + String(index === 0 && other === 0 ? 1 : other) + figure.slice(index + 1);
}

/** How many answers of a kind were flagged. */
export interface FlagRate {
  readonly kind: Part['kind'] | 'good';
  readonly name: string;
  readonly count: number;
  readonly flagged: number;
  /** Excluded: the cited passage contains the altered text, so that literally it is no alteration. */
  readonly alsoThere: number;
  /** Texts that were judged incorrectly. */
  readonly wrong: readonly string[];
}

/** The verdict on an answer: `failed` is not grounded, `warned` is grounded with a warning. */
export type Judge = (text: string, passages: readonly string[]) => 'failed' | 'warned' | 'passed';

/** Judges good answers, and each of them with one part of these kinds (any by default) altered in every possible way. */
export function flagRates(
  texts: readonly string[],
  language: Language,
  options: { count: number; seed: number; judge: Judge; kinds?: readonly Part['kind'][] | undefined },
): readonly FlagRate[] {
  const { judge, seed, kinds } = options;
  const answers = goodAnswers(texts, language, options);
  const good = answers.map((answer) => ({ text: textOf(answer), verdict: judge(textOf(answer), answer.passages) }));
  const failed = good.filter(({ verdict }) => verdict === 'failed').map(({ text }) => text);
  const warned = good.filter(({ verdict }) => verdict === 'warned').map(({ text }) => text);
  const rows: FlagRate[] = [
    { kind: 'good', name: 'failed', count: good.length, flagged: failed.length, alsoThere: 0, wrong: failed },
    { kind: 'good', name: 'warned', count: good.length, flagged: warned.length, alsoThere: 0, wrong: warned },
  ];
  for (const { kind, name, alter } of ALTERATIONS) {
    if (kinds?.includes(kind) === false) continue;
    const dice = new Dice(seed + 1);
    let count = 0;
    let alsoThere = 0;
    const wrong: string[] = [];
    for (const answer of answers) {
      for (const [at, part] of answer.parts.entries()) {
        if (part.kind !== kind) continue;
        const changed = alter(part, answer, dice);
        const bad = altered(answer, at, changed);
        if (bad === null) continue;
        if (isStillThere(part, changed ?? '', answer)) {
          alsoThere++;
          continue;
        }
        count++;
        const verdict = judge(textOf(bad), bad.passages);
        if (verdict === 'passed' || (kind !== 'name' && kind !== 'words' && verdict === 'warned'))
          wrong.push(`${part.text} → ${changed}: ${textOf(bad)}`);
      }
    }
    rows.push({ kind, name, count, flagged: count - wrong.length, alsoThere, wrong });
  }
  return rows;
}

function valuesIn(text: string): readonly number[] {
  return (text.replaceAll(/(?<=\d)[,\u00a0](?=\d{3})/g, '').match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
}

/** Whether the passages that the sentence cites contain the altered text. */
function isStillThere(
  { kind, text, passage }: Part,
  changed: string,
  { passages, parts, shape }: ShapedAnswer,
): boolean {
  const cited =
    shape === 'joined' ? parts.filter((part) => part.kind === 'citation').map((part) => part.passage) : [passage];
  const held = cited.map((at) => passages[at] ?? '').join('\n');
  switch (kind) {
    case 'number':
      return /\p{L}/u.test(changed) ? held.includes(changed) : valuesIn(held).includes(valuesIn(changed)[0] ?? 0);
    case 'date':
      return (
        (/\d{4}/.exec(changed)?.[0] ?? '') !== (/\d{4}/.exec(text)?.[0] ?? '') &&
        held.includes(/\d{4}/.exec(changed)?.[0] ?? ' ')
      );
    case 'name':
      return held.includes(changed);
    case 'quotation':
      return held.replaceAll(/\s+/g, ' ').toLowerCase().includes(changed.slice(1, -1).toLowerCase());
    case 'citation':
    case 'words':
    case 'plain':
      return false;
    default:
      return kind satisfies never;
  }
}
