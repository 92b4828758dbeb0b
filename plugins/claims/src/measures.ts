import type { Detail } from './details.ts';
import type { ReadNumber } from './read-numbers.ts';
import { FACTORS, MEASURES } from './units.ts';

/** The amount of a number with a unit in the base of what it measures, as a key; null for a unit without a base. */
export function baseAmount(value: number, unit: string): string | null {
  const [measure, factor] = FACTORS.get(unit) ?? [];
  return measure === undefined || factor === undefined || !Number.isFinite(value)
    ? null
    : `${measure} ${Number((value * factor).toPrecision(12))}`;
}

/** The other units of what a unit measures, each with how many of it one of the unit is. */
export function relatedUnits(unit: string): readonly (readonly [unit: string, share: number])[] {
  const [measure = '', factor = 1] = FACTORS.get(unit) ?? [];
  return Object.entries(MEASURES[measure] ?? {}).flatMap(([other, size]) =>
    other === unit ? [] : [[other, factor / size] as const],
  );
}

/** A number as an amount of what its unit measures. */
interface Amount {
  readonly measure: string;
  readonly amount: number;
  readonly written: string;
  /** Where it stands in its text. */
  readonly at: number;
}

function amountsOf(value: ReadNumber, written = '', at = 0): readonly Amount[] {
  const numbers = value.alternatives.filter((each) => each.length === 1).map(([each]) => Number(each));
  const units = value.unit?.means ?? [''];
  return numbers
    .filter((number) => Number.isFinite(number) && number > 0)
    .flatMap((number) =>
      units.map((unit) => {
        // How often something happens is a plain number, and percentages differ by points.
        const [measure, factor] = FACTORS.get(unit) ?? [unit === 'times' ? '' : unit.replace('point', 'percent'), 1];
        return { measure, amount: number * factor, written, at };
      }),
    );
}

/** Words beside a sum, a sum with something that is extra, and a difference. */
const EXTRA =
  /(?<!\p{L})(?:with|including|plus|mit|inklusive|inkl|samt|avec|compris(?:e|es)?|con|inclu(?:so|ido|ida|indo|yendo)|com|met|inclusief|wraz|включая|ile)(?!\p{L})|포함|込み|付き|含めて|包括|加上|连同|بما في|با احتساب/iu;
const SUM =
  /(?<!\p{L})(?:total|altogether|together|combined|sum|overall|both|in all|insgesamt|zusammen|gesamt\p{L}*|summe|au total|ensemble|somme|en total|juntos|suma|in totale|insieme|somma|no total|juntos|soma|in totaal|samen|łącznie|razem|всего|вместе|итого|toplam)(?!\p{L})|합계|합쳐|합하면|총|모두|合計|合わせて|合わせると|全部で|一共|总共|合计|共计|總共|المجموع|مجموع|در مجموع/iu;
const DIFFERENCE =
  /(?<!\p{L})(?:\p{L}{3,}er than|left|remain(?:s|ing)?|rest|more|less|fewer|lower|higher|larger|smaller|longer|shorter|difference|differs?|rose|fell|drop(?:ped)?|increased?|decreased?|reduced|grew|gained|lost|saved?|above|below|older|younger|later|earlier|cheaper|mehr|weniger|teurer|billiger|günstiger|höher|niedriger|länger|kürzer|\p{L}{3,}er als|übrig|restlich\p{L}*|höhenunterschied|unterschied|gestiegen|gesunken|stieg(?:en)?|sank(?:en)?|wuchs|gewachsen|augment\p{L}+|aument\p{L}+|diminu\p{L}+|disminu\p{L}+|cre[cs]c?\p{L}+|baix\p{L}+|bajó|subi\p{L}+|cal[aò]\p{L}*|steeg|daalde|gestegen|gedaald|wzr\p{L}+|spad\p{L}+|выро\p{L}+|увелич\p{L}+|сниз\p{L}+|уменьш\p{L}+|arttı|azaldı|plus \p{L}+ que|plus ch[eè]re?s?|plus de|moins|différence|dénivelé|rest(?:e|ent|ants?)|más|menos|diferencia|desnivel|quedan?|più|meno|differenza|dislivello|restano|mais|diferença|desnível|restam|meer|minder|verschil|więcej|mniej|больше|меньше|разница|fazla|az)(?!\p{L})|차이|더|많|적|남|늘|줄|나머지|감소|증가|差|残|剩|多い|少ない|増え|減|長い|短い|多|少|增加|减少|增长|下降|上升|ارتفع|انخفض|زاد|أكثر|أقل|بیشتر|کمتر/iu;
/** How many of one period another one has: a rate by the month is twelve times that by the year. */
const RATES: Readonly<Record<string, number>> = { 'month year': 12, 'day week': 7, 'week year': 52, 'quarter year': 4 };
/** What a word for a share makes of an amount. */
const SHARES: Readonly<Record<string, number>> = { half: 0.5, double: 2, triple: 3, quarter: 0.25 };
const PRECISION = 1e-9;
/** How far what is extra stands from what it comes on top of, in characters. */
const NEARBY = 200;
/** How far the ends of a range stand from each other. */
const RANGE = 5;

/** How a number follows from others. */
export interface Steps {
  readonly written: string;
  /** The counts that amounts are taken so many times by. */
  readonly counts: readonly number[];
}

/** What a number may follow from. */
interface Premises {
  readonly statement: string;
  /** The numbers of the statement. */
  readonly own: readonly ReadNumber[];
  /** How many of something the statement speaks of: the two of `two adults`. */
  readonly counts: readonly number[];
  readonly text: string;
  /** The numbers of the text. */
  readonly details: readonly Detail[];
  readonly periods: readonly [readonly string[], readonly string[]];
}

/**
 * How a number follows from numbers of a text in one step of arithmetic that the statement names, or whose numbers it has: a sum, a
 * difference, so many times an amount, or a rate of another period; null if it does not.
 */
export function computedFrom(
  value: ReadNumber,
  { statement, text, details, own, counts, periods }: Premises,
): Steps | null {
  const sought = amountsOf(value);
  const stated = new Set(own.flatMap((each) => amountsOf(each)).map(({ measure, amount }) => `${measure} ${amount}`));
  const amounts = details.flatMap((detail, index) => {
    if (detail.kind !== 'number') return [];
    const next = details[index + 1];
    // `from 640 to 2,110 metres`
    const isRange = next?.kind === 'number' && detail.value.unit === null && next.start - detail.end <= RANGE;
    const amount = isRange ? { ...detail.value, unit: next.value.unit } : detail.value;
    return amountsOf(amount, text.slice(detail.start, detail.end), detail.start);
  });
  const isSought = (measure: string, amount: number): boolean =>
    sought.some((each) => each.measure === measure && Math.abs(each.amount - amount) <= PRECISION * amount);
  /** `40 mg twice a day` is 80 mg in total. */
  const isProduct = (one: Amount, other: Amount): boolean =>
    (one.measure === '') !== (other.measure === '') &&
    SUM.test(statement) &&
    isSought(one.measure || other.measure, one.amount * other.amount);
  for (const [at, one] of amounts.entries()) {
    if (one === amounts[0] && value.unit?.means.includes('percent') === true)
      for (const [means, share] of Object.entries(SHARES))
        if (periods[1].includes(means) && Number(value.alternatives[0]?.[0]) === 100 * share)
          return uncounted(`${100 * share} %`);
    for (const [means, share] of Object.entries(SHARES))
      if (periods[1].includes(means) && isSought(one.measure, one.amount * share))
        return uncounted(`${one.written} × ${share}`);
    for (const factor of factorsBetween(periods))
      if (isSought(one.measure, one.amount * factor)) return uncounted(`${one.written} × ${factor}`);
    for (const count of one.measure === '' ? [] : counts)
      if (isSought(one.measure, one.amount * count)) return { written: `${count} × ${one.written}`, counts: [count] };
    for (const next of amounts.slice(at + 1)) {
      if (isProduct(one, next)) return uncounted(`${one.written} × ${next.written}`);
      if (next.measure !== one.measure || next.amount === one.amount) continue;
      // `(3,420 + 610)` leaves the unit out.
      const isStated = [one, next].every(({ measure, amount }) =>
        [`${measure} ${amount}`, ` ${amount}`].some((each) => stated.has(each)),
      );
      const isSum = isStated || SUM.test(statement) || (EXTRA.test(statement) && Math.abs(one.at - next.at) < NEARBY);
      if (isSum && isSought(one.measure, one.amount + next.amount))
        return uncounted(`${one.written} + ${next.written}`);
      const [more, less] = one.amount > next.amount ? [one, next] : [next, one];
      if ((isStated || DIFFERENCE.test(statement)) && isSought(one.measure, more.amount - less.amount))
        return uncounted(`${more.written} − ${less.written}`);
    }
  }
  return null;
}

function uncounted(written: string): Steps {
  return { written, counts: [] };
}

function factorsBetween([said, there]: readonly [readonly string[], readonly string[]]): readonly number[] {
  return said.flatMap((long) => there.flatMap((short) => RATES[`${short} ${long}`] ?? []));
}
