import { stands, type Clause, type Token } from './clauses.ts';
import { isLight, isMeasure } from './meanings.ts';
import { aligned, excludes, isDirection } from './polarity.ts';
import { valueOfWord } from './number-words.ts';
import type { SpokenWord, SpokenWords } from './spoken-words.ts';

/** What a statement takes from the clauses of one sentence. */
export interface Placement {
  /** The clauses of the sentence, in order. */
  readonly clauses: readonly Clause[];
  /** The clauses of the sentence before it. */
  readonly before: readonly Clause[];
  /** The words of its title, its headings, the lead-in of its list and the head of its table. */
  readonly context: SpokenWords;
}

/** Pronouns that stand for a subject of a clause before, and for an object. */
const SUBJECT =
  /(?<!\p{L})(?:it|they|this|these|he|she|who|which|er|sie|^[\s\p{P}]*es|diese[rs]?|il|elle|ils|elles|él|ella|ellos|ellas|esso|essa|lui|lei|ele|ela|eles|elas|hij|zij|ze|он|она|оно|они)(?!\p{L})/iu;
const OBJECT =
  /(?<!\p{L})(?:it|them|him|her|one|ones|that|those|ihn|ihm|ihnen|sie|lui|ceux|celles?|celui|lo|el de|la de|hem|haar|его|её|ее|их|ей|им)(?!\p{L})/iu;
/** How a clause begins that leaves its subject out. */
const OMITTED =
  /^[\s\p{P}]*(?:(?:and|und|et|y|e|и)\s)?(?:was|were|is|are|has|have|had|must|may|can|will|should|does|do|wird|werden|wurden?|ist|sind|hat|haben|muss|kann|darf|soll|est|sont|peut|doit|es|está|son|fue|tiene|puede|debe|è|sono|ha|può|deve|é|são|foi|tem|pode|был[аои]?|может|должен)(?!\p{L})/iu;
/** Units of values that say by themselves what they measure. */
const PRICED = /^(?:USD|EUR|BRL|GBP|JPY|CNY|KRW|CHF|INR|RUB|TRY|PLN|SEK|cent)$/;
/** Languages whose verb ends the sentence, for all of its clauses. */
const VERB_LAST = /[\p{Script=Hangul}\p{Script=Hiragana}]/u;

/**
 * A word or value of a statement that its sentence has with something else: `the oars` of a shed where `the boats lie in the shed, the oars in
 * the cellar`. A clause takes from the clauses before it what it leaves out itself: nothing where it has something of its own in that place.
 * Null where the words of the statement stand together.
 */
export function misplaced(said: Clause, { clauses, before, context }: Placement): Token | null {
  const wrong = miscounted(said, clauses) ?? turnedRange(said, clauses) ?? dividedDays(said, clauses);
  if (wrong !== null) return wrong;
  // A clause of a list that has a count alone says of it what the list says: `two lemons, five limes and one melon in the net`.
  const pure = clauses.flatMap((clause) => (itemsOf(clause).length === 2 ? countsOf(clause) : []));
  const counted = countsOf(said)
    .filter((own) => pure.some((each) => own.number === each.number && isSameThing(own.thing.word, each.thing.word)))
    .flatMap((own) => own.items);
  const all = [...itemsOf(said), ...measuresIn(said, clauses)]
    .filter((item) => item.kind !== 'word' || !context.words.some(({ stem }) => stem === item.word.stem))
    .toSorted((a, b) => a.start - b.start);
  const rest = all.filter((item) => !counted.includes(item));
  const items = rest.some((item) => clauses.some((clause) => stands(item, clause))) ? rest : all;
  const sizes = clauses.map((clause) => items.filter((item) => stands(item, clause)).length);
  const max = Math.max(0, ...sizes);
  if (max === 0) return items.find((item) => before.some((clause) => stands(item, clause))) ?? null;
  const foreign = clauses.flatMap((home, at) =>
    sizes[at] === max
      ? [foreignTo(home, items, said, [...before, ...clauses.slice(0, at)], clauses.slice(at + 1))]
      : [],
  );
  return foreign.includes(null) ? null : (foreign[0] ?? null);
}

/** A number of things in a clause. */
interface Count {
  readonly number: string;
  readonly thing: Token & { readonly kind: 'word' };
  /** Whether the thing follows: `3 hammers`, and not `망치 3개`. */
  readonly isBehind: boolean;
  readonly items: readonly Token[];
}

/** What may stand between a number and its thing: white space, a particle, a counter. */
const NEAR = /^(?:[^\S\n]+|\p{Script=Hiragana}{0,4}|[个個把只張张本条條件台块片份名位颗顆])$/u;

/** The counts of a clause: the word beside each number without a unit. */
function countsOf(clause: Clause): readonly Count[] {
  const items = itemsOf(clause);
  const isBeside = (one: Token | undefined, other: Token | undefined): boolean => {
    if (one === undefined || other === undefined) return false;
    const gap = clause.whole.slice(one.end - clause.start, other.start - clause.start);
    return NEAR.test(gap) && !(gap === '' && /^[가-힣]/u.test(clause.whole.slice(other.start - clause.start)));
  };
  return items.flatMap((item, at): readonly Count[] => {
    const [before, behind] = [items[at - 1], items[at + 1]];
    const isOne = item.kind === 'word' && /(?<!\p{L})one\s$/iu.test(clause.whole.slice(0, item.start - clause.start));
    if (isOne) return [{ number: '1', thing: item, isBehind: true, items: [item] }];
    const number = numberOf(item);
    if (number === null) return [];
    if (behind?.kind === 'word' && numberOf(behind) === null && isBeside(item, behind))
      return [{ number, thing: behind, isBehind: true, items: [item, behind] }];
    return before?.kind === 'word' &&
      numberOf(before) === null &&
      !isDirection(before.word.written) &&
      isBeside(before, item)
      ? [{ number, thing: before, isBehind: false, items: [before, item] }]
      : [];
  });
}

function numberOf(item: Token): string | null {
  if (item.kind === 'word') return valueOfWord(item.word.written)?.toString() ?? null;
  return item.kind === 'detail' && item.detail.kind === 'number'
    ? (item.detail.value.alternatives[0]?.[0] ?? null)
    : null;
}

/** A thing that is counted in a sentence, where its number counts another: `two onions` where there are `two carrots, one onion`. */
function miscounted(said: Clause, clauses: readonly Clause[]): Token | null {
  const own = countsOf(said).filter(({ isBehind, items }) => isBehind || !items.some(unitOf));
  if (own.length === 0) return null;
  const there = clauses.flatMap(countsOf);
  const numbers = clauses.flatMap((clause) => itemsOf(clause).map(numberOf));
  const wrong = own.find(({ number, thing, isBehind }) => {
    const same = there.filter((each) => each.isBehind === isBehind && isSameThing(each.thing.word, thing.word));
    const others = isBehind ? there.filter((each) => each.isBehind).map((each) => each.number) : numbers;
    return same.length > 0 && same.every((each) => each.number !== number) && others.includes(number);
  });
  return wrong?.thing ?? null;
}

/** What joins the ends of a range. */
const RANGE =
  /^\s?(?:-|–|—|~|～|〜|to|until|till|bis|à|au|a|al|alle|hasta|às|até|tot|do|до|по|到|至|から|부터|에서)\s?(?:the |las? |le |l['’]|a las |el |jusqu['’]à )?$/iu;

/** The first end of a range whose ends are the other way round in a sentence: `from 22:00 to 9:00`. */
function turnedRange(said: Clause, clauses: readonly Clause[]): Token | null {
  const there = new Set(clauses.flatMap(rangesOf).map(({ ends }) => ends.join()));
  const isTurned = (ends: readonly string[]): boolean => !there.has(ends.join()) && there.has(ends.toReversed().join());
  return rangesOf(said).find(({ ends }) => isTurned(ends))?.from ?? null;
}

/** Days in one expression that a sentence has in different clauses: `at weekends` where it is open on Saturday, and closed on Sunday. */
function dividedDays({ tokens }: Clause, clauses: readonly Clause[]): Token | null {
  const divided = tokens.find((token) => {
    if (token.kind !== 'detail' || token.detail.kind !== 'date' || token.detail.value.dates.length === 1) return false;
    const { dates, ...range } = token.detail.value;
    const having = clauses.filter(({ compiled }) => dates.some((day) => compiled().dates({ ...range, dates: [day] })));
    return having.length > 1 && !having.some((clause) => stands(token, clause));
  });
  return divided ?? null;
}

function rangesOf({ tokens, whole, start }: Clause): readonly { readonly from: Token; readonly ends: string[] }[] {
  const values = tokens.filter((token) => token.kind === 'detail');
  return values.flatMap((from, at) => {
    const to = values[at + 1];
    if (to === undefined || !RANGE.test(whole.slice(from.end - start, to.start - start))) return [];
    const ends = [from, to].map(({ detail, ...token }) =>
      JSON.stringify(detail.kind === 'date' ? detail.value.dates : numberOf({ detail, ...token })),
    );
    // Only one end may say which half of the day it is: `저녁 9시부터 7시까지`.
    const hours = ends.map((end) => end.replace(/(?<=t)\d+/, (hour) => String(Number(hour) % 12)));
    return [{ from, ends: hours[0] === hours[1] ? ends : hours }];
  });
}

function isSameThing(one: SpokenWord, other: SpokenWord): boolean {
  const [a = '', b = ''] = [one, other].map(({ stem }) => stem.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  if (one.kind === 'han' || a === b) return a === b;
  return a.startsWith(b) || b.startsWith(a) || (a.length > 4 && a.slice(0, 4) === b.slice(0, 4));
}

/** What of a statement a clause (`home`) neither has nor takes from the clauses before and behind it. */
function foreignTo(
  home: Clause,
  items: readonly Token[],
  said: Clause,
  earlier: readonly Clause[],
  later: readonly Clause[],
): Token | null {
  const foreign = items.filter(
    (item) => !stands(item, home) && [...earlier, ...later].some((clause) => stands(item, clause)),
  );
  if (foreign.length === 0) return null;
  const own = itemsOf(home);
  const anchor = items.find((item) => stands(item, home))?.start ?? 0;
  const firstShared = own.find((item) => stands(item, said))?.start ?? Infinity;
  const left = own.filter((item) => !stands(item, said));
  const refersBack = SUBJECT.test(home.whole) || OMITTED.test(home.whole);
  if (left.some(({ kind }) => kind === 'word') && 2 * foreign.length >= items.length && !refersBack)
    return foreign[0] ?? null;
  const leads = left.some(({ start }) => start < firstShared) && !refersBack;
  const trails = left.some(({ start }) => start > firstShared) && !refersBack && !OBJECT.test(home.whole);
  const isStrange = (item: Token): boolean => {
    if (earlier.some((clause) => stands(item, clause)))
      return (
        (item.start < anchor ? leads : trails) ||
        (item.kind === 'detail' && left.some((each) => each.kind === 'detail' && each.detail.kind === item.detail.kind))
      );
    // What leaves something out says of what it is not true, and the verb of some languages ends the sentence for all of its clauses.
    const having = later.filter((clause) => stands(item, clause));
    const isAdded = having.some(
      (clause) =>
        leavesOut(clause) === (leavesOut(clause) && said.isNegated) &&
        [...itemsOf(clause), ...(PRICED.test(unitOf(item) ?? '') ? [] : clause.tokens.filter(isMeasured))].every(
          (each) => stands(each, said),
        ),
    );
    const closing = VERB_LAST.test(home.whole) ? later.at(-1)?.tokens.at(-1) : undefined;
    const isClosing =
      closing?.kind === 'word' && item.kind === 'word' && closing.word.stem.startsWith(item.word.stem.slice(0, 2));
    // `Opens at six, closes at ten` is open from six to ten.
    const isSpan = isTime(item) && items.some((each) => each.start < item.start && isTime(each) && stands(each, home));
    return !isAdded && !isClosing && !isSpan;
  };
  return foreign.find(isStrange) ?? null;
}

function unitOf(item: Token): string | null {
  return item.kind === 'detail' && item.detail.kind === 'number' ? (item.detail.value.unit?.means[0] ?? null) : null;
}

function isTime(item: Token): boolean {
  return numberOf(item)?.startsWith('t') === true;
}

/** Whether a clause says of what the ones before it are not true. */
function leavesOut({ joint, whole, isNegated }: Clause): boolean {
  return isNegated || excludes(whole) || /unless/iu.test(joint);
}

function isMeasured(token: Token): boolean {
  return token.kind === 'word' && isMeasure(token.word.written);
}

/** What a statement measures, where a clause says it of a value in the same unit: `lasts 2 hours` where it `lasts 6 hours and charges in 2`. */
function measuresIn(said: Clause, clauses: readonly Clause[]): readonly Token[] {
  const units = new Set(said.tokens.map(unitOf).filter((unit) => unit !== null));
  const measuring = clauses.filter(({ tokens }) => tokens.some((token) => units.has(unitOf(token) ?? '')));
  return said.tokens.filter((token) => isMeasured(token) && measuring.some((clause) => stands(token, clause)));
}

/** The words and values of a clause, in order. */
function itemsOf({ tokens }: Clause): readonly Token[] {
  return tokens.filter((token) =>
    token.kind === 'word'
      ? aligned([token.word]).length > 0 && !isMeasured(token) && !isLight(token.word.written)
      : token.kind === 'rate' || token.detail.kind !== 'quotation',
  );
}
