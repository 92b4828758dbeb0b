/** What a unit means, its spellings; words also with a plural s. Symbols of one letter are read in their case alone. */
const UNITS: readonly (readonly [means: string, spellings: string])[] = [
  ['km', 'km|kilometer|kilometre|킬로미터|키로미터|キロメートル'],
  ['m', 'm|meter|metre|미터|メートル'],
  ['cm', 'cm|centimeter|centimetre|센티미터|센티'],
  ['mm', 'mm|millimeter|millimetre|밀리미터'],
  ['mile', 'mi|mile|마일'],
  ['yard', 'yd|yard|야드'],
  ['foot', 'ft|foot|feet|피트'],
  ['inch', 'inch|inches|인치'],
  ['km2', 'km²|km2|km^2|sq km|square kilometer|square kilometre|제곱킬로미터|평방킬로미터'],
  ['m2', 'm²|m2|m^2|sq m|square meter|square metre|제곱미터|평방미터|㎡'],
  ['sqmile', 'sq mi|square mile|제곱마일'],
  ['sqft', 'sq ft|square foot|square feet'],
  ['m3', 'm³|m3|cubic meter|cubic metre|세제곱미터'],
  ['ha', 'ha|hectare|헥타르'],
  ['acre', 'acre|에이커'],
  ['pyeong', '평'],
  ['kg', 'kg|kilo|kilogram|kilogramme|킬로그램'],
  ['g', 'g|gram|gramme|그램'],
  ['mg', 'mg|milligram|밀리그램'],
  ['t', 't|ton|tonne|metric ton|톤'],
  ['lb', 'lb|lbs|pound|파운드'],
  ['oz', 'oz|ounce|온스'],
  ['l', 'l|L|liter|litre|리터'],
  ['ml', 'ml|mL|milliliter|millilitre|밀리리터'],
  ['gal', 'gal|gallon|갤런'],
  ['barrel', 'barrel|bbl|배럴'],
  ['ms', 'ms|millisecond|밀리초'],
  ['s', 's|sec|second|초|秒'],
  ['min', 'min|minute|분|分'],
  ['h', 'h|hr|hour|시간|時間'],
  ['day', 'day|일간'],
  ['week', 'week|wk|주간|주일'],
  ['month', 'month|개월|달'],
  ['year', 'year|yr|년간'],
  ['decade', 'decade'],
  ['century', 'century|centuries|세기|世紀'],
  ['degC', '°C|℃|° C|degree Celsius|degrees Celsius|deg C|degree|도|°|섭씨'],
  ['degF', '°F|℉|° F|degree Fahrenheit|degrees Fahrenheit|deg F|degree|도|°|화씨'],
  ['angle', 'degree|도|°'],
  ['km/h', 'km/h|kmh|kph|kilometers per hour|kilometres per hour'],
  ['mph', 'mph|miles per hour'],
  ['m/s', 'm/s|meters per second|metres per second'],
  ['knot', 'knot|kn|노트'],
  ['kB', 'KB|kB|kilobyte|킬로바이트'],
  ['MB', 'MB|megabyte|메가바이트'],
  ['GB', 'GB|gigabyte|기가바이트'],
  ['TB', 'TB|terabyte|테라바이트'],
  ['KiB', 'KiB|kibibyte'],
  ['MiB', 'MiB|mebibyte'],
  ['GiB', 'GiB|gibibyte'],
  ['byte', 'byte|바이트'],
  ['bit', 'bit|비트'],
  ['W', 'W|watt|와트'],
  ['kW', 'kW|kilowatt|킬로와트'],
  ['MW', 'MW|megawatt|메가와트'],
  ['GW', 'GW|gigawatt|기가와트'],
  ['kWh', 'kWh|kilowatt-hour|킬로와트시'],
  ['kJ', 'kJ|kilojoule'],
  ['cal', 'cal|calorie|칼로리'],
  ['kcal', 'kcal|kilocalorie|킬로칼로리'],
  ['Hz', 'Hz|hertz|헤르츠'],
  ['kHz', 'kHz|kilohertz'],
  ['MHz', 'MHz|megahertz|메가헤르츠'],
  ['GHz', 'GHz|gigahertz|기가헤르츠'],
  ['V', 'V|volt|볼트'],
  ['percent', '%|％|percent|per cent|퍼센트|프로|パーセント'],
  ['permille', '‰|per mille|퍼밀'],
  ['point', 'percentage point|%p|%P|%포인트|퍼센트포인트|포인트'],
  ['USD', '$|US$|USD|dollar|US dollar|달러|弗|ドル'],
  ['EUR', '€|EUR|euro|유로|ユーロ'],
  ['GBP', '£|GBP|pound|pound sterling|pounds sterling|파운드'],
  ['JPY', '¥|JPY|yen|엔|円'],
  ['CNY', '¥|CNY|RMB|yuan|위안|元'],
  ['KRW', '₩|￦|KRW|won|원'],
  ['CHF', 'CHF|Swiss franc|franc|프랑'],
  ['FRF', 'franc|프랑'],
  ['INR', '₹|INR|rupee|루피'],
  ['RUB', '₽|RUB|ruble|rouble|루블'],
  ['cent', 'cent|센트'],
];

const PREFIXES = ['US$', '$', '€', '£', '¥', '₩', '￦', '₹', '₽', 'USD', 'EUR', 'GBP', 'JPY', 'KRW', 'CHF', 'CNY'];

const MEANINGS = meanings();
const WRITTEN = [...MEANINGS.keys()].toSorted((a, b) => b.length - a.length);
const AFTER = new RegExp(`[*_\`]{0,3}\\s?-?(${WRITTEN.map(escaped).join('|')})(?![\\p{Script=Latin}\\p{N}_²³])`, 'uy');
const AFTER_ANY_CASE = new RegExp(AFTER.source, 'iuy');
const BEFORE = new RegExp(`(?:^|[^\\p{L}])(${PREFIXES.map(escaped).join('|')})[ \\u00a0]?$`, 'u');

function meanings(): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  for (const [means, spellings] of UNITS) {
    for (const written of spellings.split('|').flatMap(withPlural)) {
      const known = all.get(written) ?? [];
      if (!known.includes(means)) all.set(written, [...known, means]);
    }
  }
  return all;
}

function withPlural(spelling: string): readonly string[] {
  if (!/[a-z]{3,}$/.test(spelling) || /(?:s|feet|inches)$/.test(spelling)) return [spelling];
  const [first = '', ...rest] = spelling.split(' ');
  return [spelling, /^(?:degree|pound) ./.test(spelling) ? `${first}s ${rest.join(' ')}` : `${spelling}s`];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** A unit in a text: what it may mean, and where it ends. */
export interface UnitAt {
  readonly means: readonly string[];
  readonly written: string;
  /** Of the number with its unit, in the text. */
  readonly start: number;
  readonly end: number;
}

/** The unit of the number that stands in `[start, end)`: behind it, else a sign of currency before it; null without any. */
export function unitAt(text: string, start: number, end: number): UnitAt | null {
  return unitBehind(text, start, end) ?? unitBefore(text, start, end);
}

function unitBehind(text: string, start: number, end: number): UnitAt | null {
  for (const pattern of [AFTER, AFTER_ANY_CASE]) {
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    const written = match?.[1] ?? '';
    // Short symbols in another case mean something else: `MB` and `Mb`, `m` and `M`.
    const means = MEANINGS.get(written) ?? (written.length > 3 ? MEANINGS.get(written.toLowerCase()) : undefined);
    if (match !== null && means !== undefined) return { means, written, start, end: end + match[0].length };
  }
  return null;
}

function unitBefore(text: string, start: number, end: number): UnitAt | null {
  const match = BEFORE.exec(text.slice(Math.max(0, start - 6), start));
  const means = match === null ? undefined : MEANINGS.get(match[1] ?? '');
  if (match === null || means === undefined) return null;
  const length = (match[1]?.length ?? 0) + (/[ \u00a0]$/.test(match[0]) ? 1 : 0);
  return { means, written: match[1] ?? '', start: start - length, end };
}

/** Whether a text names a unit apart from any number, as the head of a column does: `Height (km)`. */
export function namesUnitAlone(text: string, written: string): boolean {
  if (/^[\p{Script=Latin}%°]+$/u.test(written) && written.length > (written === '%' ? 0 : 1)) {
    const alone = new RegExp(`(?<![\\d\\p{L}]|\\d[\\s-])${escaped(written)}(?![\\p{L}\\d])`, 'iu');
    return alone.test(text);
  }
  return new RegExp(`[([](?:[^()[\\]\\n]*[\\s:：,/])?[십백천만억조]*${escaped(written)}[)\\],]`, 'u').test(text);
}
