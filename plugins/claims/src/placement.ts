import type { Clause } from './cover.ts';
import { isMeasure } from './meanings.ts';
import { lookUp, type Detail } from './details.ts';
import { aligned, excludes, isNegated } from './polarity.ts';
import { valueOfWord } from './quantity-words.ts';
import { lackedBy, type SpokenWord, type SpokenWords } from './spoken-words.ts';

/** What a statement takes from the clauses of one sentence. */
export interface Placement {
  /** The clauses of the sentence, in order. */
  readonly clauses: readonly Clause[];
  /** The clauses of the sentence before it. */
  readonly before: readonly Clause[];
  /** The words of its title, its headings, the lead-in of its list and the head of its table. */
  readonly context: SpokenWords;
}

/** A word or value of a clause, and where it stands in it. */
interface Item {
  readonly at: number;
  readonly word: SpokenWord | null;
  readonly value: Detail | null;
}

/** Pronouns that stand for a subject of a clause before, and for an object. */
const SUBJECT =
  /(?<!\p{L})(?:it|they|this|these|he|she|who|which|er|sie|es|diese[rs]?|il|elle|ils|elles|él|ella|ellos|ellas|esso|essa|lui|lei|ele|ela|eles|elas|hij|zij|ze|он|она|оно|они)(?!\p{L})/iu;
const OBJECT =
  /(?<!\p{L})(?:it|them|him|her|one|ones|that|those|ihn|ihm|ihnen|sie|le|la|les|lui|en|y|ceux|celles?|celui|lo|los|las|el de|la de|li|o|os|as|hem|haar|его|её|ее|их|ей|им)(?!\p{L})/iu;
/** How a clause begins that leaves its subject out. */
const OMITTED =
  /^[\s\p{P}]*(?:(?:and|und|et|y|e|и)\s)?(?:was|were|is|are|has|have|had|must|may|can|will|should|does|do|wird|werden|wurden?|ist|sind|hat|haben|muss|kann|darf|soll|est|sont|peut|doit|es|está|son|fue|tiene|puede|debe|è|sono|ha|può|deve|é|são|foi|tem|pode|был[аои]?|может|должен)(?!\p{L})/iu;
/** Languages whose verb ends the sentence, for all of its clauses. */
const VERB_LAST = /[\p{Script=Hangul}\p{Script=Hiragana}]/u;

/**
 * A word or value of a statement that its sentence has with something else: `the oars` of a shed where `the boats lie in the shed, the oars in
 * the cellar`. A clause takes from the clauses before it what it leaves out itself: nothing where it has something of its own in that place.
 * Null where the words of the statement stand together.
 */
export function misplaced(said: Clause, { clauses, before, context }: Placement): SpokenWord | Detail | null {
  const wrong = miscounted(said, clauses);
  if (wrong !== null) return wrong;
  // A clause of a list that has a count alone says of it what the list says: `two lemons, five limes and one melon in the net`.
  const pure = clauses.flatMap((clause) => {
    const counts = countsOf(clause);
    return counts.length === 1 && counts[0]?.items.length === itemsOf(clause).length ? counts : [];
  });
  const counted = countsOf(said)
    .filter((each) => pure.some(({ number, thing }) => number === each.number && isSameThing(thing, each.thing)))
    .flatMap((each) => each.items);
  const all = itemsOf(said).filter(
    ({ word }) => word === null || !context.words.some(({ stem }) => stem === word.stem),
  );
  const rest = all.filter((item) => !counted.includes(item));
  const items = rest.some((item) => clauses.some((clause) => isIn(item, clause))) ? rest : all;
  const sizes = clauses.map((clause) => items.filter((item) => isIn(item, clause)).length);
  const most = Math.max(0, ...sizes);
  const stray = most > 0 ? undefined : items.find((item) => before.some((clause) => isIn(item, clause)));
  if (most === 0) return stray?.word ?? stray?.value ?? null;
  let first: Item | null = null;
  for (const [at, home] of clauses.entries()) {
    if (sizes[at] !== most) continue;
    const strange = strangeTo(home, {
      items,
      said,
      earlier: [...before, ...clauses.slice(0, at)],
      later: clauses.slice(at + 1),
    });
    if (strange === null) return null;
    first ??= strange;
  }
  return first === null ? null : (first.word ?? first.value);
}

/** A number of things in a clause. */
interface Count {
  readonly number: string;
  readonly thing: SpokenWord;
  /** Whether the thing follows: `3 hammers`, and not `망치 3개`. */
  readonly isBehind: boolean;
  readonly items: readonly Item[];
}

/** The counts of a clause: the word beside each number without a unit. */
function countsOf(clause: Clause): readonly Count[] {
  const items = itemsOf(clause);
  return items.flatMap((item, at): readonly Count[] => {
    const number = countIn(item);
    if (number === null) return [];
    const behind = items[at + 1];
    const length = item.value === null ? (item.word?.written.length ?? 0) : item.value.end - item.value.start;
    const isNext = (other: Item, gap: string): boolean =>
      other.word !== null &&
      countIn(other) === null &&
      NEAR.test(gap) &&
      !(gap === '' && /^[가-힣]/u.test(other.word.written));
    if (behind?.word != null && isNext(behind, clause.text.slice(item.at + length, behind.at)))
      return [{ number, thing: behind.word, isBehind: true, items: [item, behind] }];
    const before = items[at - 1];
    const start = (before?.at ?? 0) + (before?.word?.written.length ?? 0);
    return before?.word != null && isNext(before, clause.text.slice(start, item.at))
      ? [{ number, thing: before.word, isBehind: false, items: [before, item] }]
      : [];
  });
}

/** What may stand between a number and its thing: white space, a particle, a counter. */
const NEAR = /^(?:[^\S\n]+|\p{Script=Hiragana}{0,4}|[个個把只張张本条條件台块片份名位颗顆])$/u;

function countIn({ word, value }: Item): string | null {
  if (word !== null) return valueOfWord(word.written)?.toString() ?? null;
  return value?.kind === 'number' ? (value.value.alternatives[0]?.[0] ?? null) : null;
}

/** A thing that is counted in a sentence, where its number counts another: `two onions` where there are `two carrots, one onion`. */
function miscounted(said: Clause, clauses: readonly Clause[]): SpokenWord | null {
  const there = clauses.flatMap(countsOf);
  const wrong = countsOf(said).find(({ number, thing, isBehind }) => {
    const same = there.filter((each) => each.isBehind === isBehind && isSameThing(each.thing, thing));
    return (
      same.length > 0 &&
      same.every((each) => each.number !== number) &&
      (isBehind
        ? there.some((each) => each.isBehind && each.number === number)
        : clauses.some((clause) => itemsOf(clause).some((item) => countIn(item) === number)))
    );
  });
  return wrong?.thing ?? null;
}

function isSameThing(one: SpokenWord, other: SpokenWord): boolean {
  const [a = '', b = ''] = [one, other].map(({ stem }) => stem.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  if (one.kind === 'han' || a === b) return a === b;
  return a.startsWith(b) || b.startsWith(a) || (a.length > 4 && a.slice(0, 4) === b.slice(0, 4));
}

function strangeTo(
  home: Clause,
  {
    items,
    said,
    earlier,
    later,
  }: {
    readonly items: readonly Item[];
    readonly said: Clause;
    readonly earlier: readonly Clause[];
    readonly later: readonly Clause[];
  },
): Item | null {
  const elsewhere = [...earlier, ...later];
  const foreign = items.filter((item) => !isIn(item, home) && elsewhere.some((clause) => isIn(item, clause)));
  if (foreign.length === 0) return null;
  const anchor = items.find((item) => isIn(item, home))?.at ?? 0;
  const own = itemsOf(home);
  const firstShared = own.find((item) => isIn(item, said))?.at ?? Infinity;
  const left = own.filter((item) => !isIn(item, said));
  const refersBack = SUBJECT.test(home.text) || OMITTED.test(home.text);
  if (left.some(({ word }) => word !== null) && 2 * foreign.length >= items.length && !refersBack)
    return foreign[0] ?? null;
  const leads = left.some(({ at }) => at < firstShared) && !refersBack;
  const trails = left.some(({ at }) => at > firstShared) && !refersBack && !OBJECT.test(home.text);
  const last = later.at(-1);
  const closing = last === undefined ? undefined : itemsOf(last).at(-1);
  for (const item of foreign) {
    if (earlier.some((clause) => isIn(item, clause))) {
      if (item.at < anchor ? leads : trails) return item;
      if (item.value !== null && left.some(({ value }) => value?.kind === item.value?.kind)) return item;
      continue;
    }
    const having = later.filter((clause) => isIn(item, clause));
    if (having.length === 0) continue;
    const isClosing =
      closing !== undefined && VERB_LAST.test(home.text) && closing.word !== null && isSame(item, closing);
    // `Opens at six, closes at ten` is open from six to ten.
    const isSpan = isTime(item) && items.some((each) => each.at < item.at && isTime(each) && isIn(each, home));
    const isAdded = having.some(
      (clause) =>
        leavesOut(clause) === (leavesOut(clause) && isNegated(said.text)) &&
        itemsOf(clause).every((each) => isIn(each, said)),
    );
    if (!isClosing && !isAdded && !isSpan) return item;
  }
  return null;
}

function isTime({ value }: Item): boolean {
  return value?.kind === 'number' && value.value.alternatives[0]?.[0]?.startsWith('t') === true;
}

/** Whether a clause says of what the ones before it are not true. */
function leavesOut({ joint, text }: Clause): boolean {
  return excludes(text) || /unless/iu.test(joint);
}

function isSame({ word }: Item, other: Item): boolean {
  return word !== null && other.word !== null && word.stem.slice(0, 2) === other.word.stem.slice(0, 2);
}

const read = new WeakMap<Clause, readonly Item[]>();

/** The words and values of a clause, in order. */
function itemsOf(clause: Clause): readonly Item[] {
  const known = read.get(clause) ?? readItems(clause);
  read.set(clause, known);
  return known;
}

function readItems({ text, start, words, details }: Clause): readonly Item[] {
  let from = 0;
  const hasValue = details.some(({ kind }) => kind === 'number');
  const told = aligned(words.words).filter(({ written }) => !(hasValue && isMeasure(written)));
  const spoken = told.map((word): Item => {
    const at = text.indexOf(word.written, from);
    if (at !== -1) from = at;
    return { at: at === -1 ? from : at, word, value: null };
  });
  const values = details
    .filter(({ kind }) => kind !== 'quotation')
    .map((value): Item => ({ at: value.start - start, word: null, value }));
  return [...spoken, ...values].toSorted((a, b) => a.at - b.at);
}

function isIn({ word, value }: Item, clause: Clause): boolean {
  if (word !== null) return lackedBy([word], [clause.words]).length === 0;
  return value === null || lookUp(value, [clause.compiled()]).kind === null;
}
