/** The meaning of a unit and its spellings; words also match with a plural s. One-letter symbols are case-sensitive. */
const UNITS: Readonly<Record<string, string>> = {
  km: 'km|kilometer|키로미터|Kilometern|км|千米|キロ|kilometros',
  m: 'm|meter|Metern|м|مترا',
  cm: 'cm|centimeter|centimetre|센티|Zentimetern|см|センチ',
  mm: 'mm|millimeter|millimetre|Millimetern|мм|ミリ',
  mile: 'mi|mile',
  yard: 'yd|yard',
  foot: 'ft|foot|feet',
  inch: 'inch',
  km2: 'km²|km2|km^2|sq km|square kilometer|square kilometre|제곱킬로미터|평방킬로미터|Quadratkilometer|Quadratkilometern|kilomètres carrés|kilómetros cuadrados|chilometri quadrati|км²',
  m2: 'm²|m2|m^2|sq m|square meter|square metre|제곱미터|평방미터|㎡|Quadratmeter|Quadratmetern|mètres carrés|metros cuadrados|metri quadrati|metros quadrados|vierkante meter|kvadratmeter|metri quadri|metrów kwadratowych|м²|平方米|平方メートル|metrekare|متر مربع|метров квадратных',
  sqft: 'sq ft|square foot|square feet',
  m3: 'm³|m3|cubic meter|cubic metre|세제곱미터|立方米|立方メートル|metreküp|متر مكعب|متر مکعب|kubikmeter|Kubikmeter|mètres cubes|metros cúbicos|metri cubi',
  ha: 'ha|hectare',
  acre: 'acre',
  pyeong: '평',
  kg: 'kg|kilo|kilos|Kilo|chilo|chili|кило|kilogram|quilos|кг|килограммов|キロ',
  g: 'g|gram|граммов',
  mg: 'mg|milligram|밀리그램|Milligramm|milligrammes|miligramos|milligrammi|мг',
  t: 't|ton|tonne|metric ton|톤|Tonne|Tonnen|toneladas|tonnellate|тонн|тонны|tony|tonelada|tonnellata|吨|トン|طن|تن',
  lb: 'lb|lbs|pound',
  oz: 'oz|ounce',
  l: 'l|L|liter|Litern|لترا',
  ml: 'ml|mL|milliliter',
  gal: 'gal|gallon',
  barrel: 'barrel|bbl|배럴',
  times:
    'time|번|회|차례|回|次|遍|Mal|mal|fois|vez|veces|volta|volte|vezes|keer|raz|razy|раз|раза|kez|kere|gånger|ganger|gange',
  ms: 'ms|millisecond',
  s: 's|sec|second',
  min: 'min|minute|分間',
  h: 'h|hr|hour|stunde|ora|ore|hora|uur|个小时|個小時|saat|godzinę',
  day: 'day|Tag|dag|giorno|giorni|일간|Tage|Tagen|jour|día|días|dias|dagar|dage|dager|dni|日間|يوما|gün|dnia',
  week: 'week|wk|주간|주일|uger|uker|星期',
  month: 'month|달|Monaten|mois|mesi|ヶ月|カ月|ヵ月|ay',
  year: 'year|yr|년간|Jahr|Jahren|ans|années|años|anni|anos|jaar|jaren|let|年間|yıl|lat|lata|周岁|周歲|岁|歲|歳|세',
  decade: 'decade',
  century: 'century|centuries|세기|世紀|Jahrhundert|siècle|siglo|secolo|secoli|século|eeuw|век|века',
  degC: '°C|℃|° C|celsius|degree Celsius|degrees Celsius|deg C|degree|°|섭씨|Grad|graden',
  degF: '°F|℉|° F|fahrenheit|degree Fahrenheit|deg F|degree|°|화씨|Grad|graden',
  angle: 'degree|°|Grad|graden',
  'km/h':
    'km/h|kmh|kph|kilometer-per-hour|kilometers per hour|kilometres per hour|Kilometer pro Stunde|kilomètres par heure|kilómetros por hora|quilómetros por hora|chilometri all’ora|kilometrów na godzinę|километров в час',
  mph: 'mph|miles per hour',
  'm/s': 'm/s|meters per second|metres per second',
  knot: 'knot|kn|노트',
  kB: 'KB|kB|kilobyte',
  MB: 'MB|megabyte',
  GB: 'GB|gigabyte',
  TB: 'TB|terabyte',
  KiB: 'KiB|kibibyte',
  MiB: 'MiB|mebibyte',
  GiB: 'GiB|gibibyte',
  byte: 'byte',
  bit: 'bit',
  W: 'W|watt|와트',
  kW: 'kW|kilowatt|킬로와트|千瓦|キロワット',
  MW: 'MW|megawatt|메가와트|兆瓦|メガワット',
  GW: 'GW|gigawatt|기가와트',
  kWh: 'kWh|kilowatt-hour|킬로와트시|千瓦时|キロワット時|Kilowattstunden|kilowattheures|kilovatios hora|киловатт-часов|kilowattuur',
  kJ: 'kJ|kilojoule',
  cal: 'cal|calorie|칼로리',
  kcal: 'kcal|kilocalorie|킬로칼로리',
  Hz: 'Hz|hertz|헤르츠',
  kHz: 'kHz|kilohertz',
  MHz: 'MHz|megahertz|메가헤르츠',
  GHz: 'GHz|gigahertz|기가헤르츠',
  V: 'V|volt|볼트',
  percent: '%|％|percent|per cent|pct|퍼센트|프로|pour cent|per cento',
  permille: '‰|per mille|퍼밀',
  point:
    'percentage point|%p|%P|%포인트|퍼센트포인트|포인트|Prozentpunkt|Prozentpunkte|Prozentpunkten|points de pourcentage|puntos porcentuales|punti percentuali|pontos percentuais|procentpunkter|процентных пунктов',
  USD: '$|US$|USD|dollar|US dollar|달러|弗|ドル|دولار|دلار|dólares|dollari|доллар|доллара|долларов',
  EUR: '€|EUR|euro|avro',
  BRL: 'R$|BRL|real|reais',
  GBP: '£|GBP|pound|pound sterling|Pfund Sterling',
  JPY: '¥|JPY|yen|엔',
  CNY: '¥|CNY|RMB|yuan|위안|元|块',
  KRW: '₩|￦|KRW|won|원',
  CHF: 'CHF|Swiss franc|franc|프랑|Franken',
  INR: '₹|INR|rupee|루피',
  RUB: '₽|RUB|ruble|rouble|루블|руб|рубль|рубля|рублей',
  cent: 'cent|센트|Cent|centime|céntimo|cêntimo|centavo|centesimi|centesimo|центов|цента|美分|欧分|セント|kuruş|cents',
  MWh: 'MWh|兆瓦时|メガワット時|메가와트시|megawatt-hour|Megawattstunden|mégawattheures',
  dB: 'dB|decibel|Dezibel|décibels|decibelios|decibéis|데시벨|デシベル|分贝',
  SEK: 'kr|kronor|SEK',
  TRY: '₺|lira|liradır|TL',
  PLN: 'zł|złoty|złote|złotych',
};

/** Units of one measure, each as a multiple of its base. */
export const MEASURES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  length: { mm: 1, cm: 10, m: 1000, km: 1e6 },
  mass: { mg: 1, g: 1000, kg: 1e6, t: 1e9 },
  volume: { ml: 1, l: 1000, m3: 1e6 },
  area: { m2: 1, ha: 10_000, km2: 1e6 },
  time: { ms: 1, s: 1000, min: 60_000, h: 3_600_000, day: 86_400_000, week: 604_800_000 },
  span: { month: 1, year: 12, decade: 120, century: 1200 },
  power: { W: 1, kW: 1000, MW: 1e6, GW: 1e9 },
  energy: { Wh: 1, kWh: 1000, MWh: 1e6, GWh: 1e9 },
  money: { cent: 0.01, EUR: 1, USD: 1 },
  data: { byte: 1, kB: 1000, MB: 1e6, GB: 1e9, TB: 1e12 },
};
/** What each unit measures, and how many of the base it is. */
export const FACTORS: ReadonlyMap<string, readonly [measure: string, factor: number]> = new Map(
  Object.entries(MEASURES).flatMap(([measure, units]) =>
    Object.entries(units).map(([unit, factor]) => [unit, [measure, factor]] as const),
  ),
);

const PREFIXES = 'US$ R$ $ € £ ¥ ₩ ￦ ₹ ₽ USD EUR GBP JPY KRW CHF CNY'.split(' ');

/** The languages whose names of units the locale data gives, by script. */
const LANGUAGES: readonly (readonly [script: RegExp, languages: string])[] = [
  [/^\p{Script=Latin}/u, 'en-GB de fr es it pt pt-PT nl sv da nb fi pl cs tr'],
  [/^\p{Script=Cyrillic}/u, 'ru uk'],
  [/^\p{Script=Arabic}/u, 'ar fa'],
  [/^\p{L}/u, 'ja ko zh zh-Hant'],
];
/** Shorter names may be other words, as the Danish hour, `time`, and `日` a day of a month. */
const DISTINCT = /[^\p{Script=Latin}\s년年日일]|\p{L}{5}/u;
/** Numbers whose plurals differ in languages with more than three forms. */
const COUNTS = [1, 2, 5, 21, 1.5];
const LOCALIZED = new Set([...Intl.supportedValuesOf('unit'), ...Intl.supportedValuesOf('currency')]);
const NUMBER = /\p{N}+(?:[.,٫]\p{N}+)?/u;

/** What may stand between a number and its unit, and what a unit does not end before. */
const GAP = /[*_`]{0,3}\s?-?/uy;
const CONTINUED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}_²³]/uy;
const BEFORE = new RegExp(`(?:^|[^\\p{L}])(${PREFIXES.map(escaped).join('|')})[ \\u00a0]?$`, 'u');
/** Of the spelling of a unit. */
const MAX_LENGTH = 40;

const collected = new Map<string, ReadonlyMap<string, readonly string[]>>();

/** Units and what they mean, with names in the languages of the script of a text; these are collected on first use. */
function unitsLike(text: string): ReadonlyMap<string, readonly string[]> {
  const languages = LANGUAGES.find(([script]) => script.test(text))?.[1] ?? '';
  const units = collected.get(languages) ?? unitsIn(languages === '' ? [] : languages.split(' '));
  collected.set(languages, units);
  return units;
}

function unitsIn(languages: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  for (const [means, spellings] of Object.entries(UNITS))
    for (const written of spellings.split('|'))
      for (const each of [...withPlural(written), ...languages.flatMap((language) => namesOf(written, language))]) {
        const before = all.get(each) ?? [];
        if (!before.includes(means)) all.set(each, [...before, means]);
      }
  return all;
}

/** The names of a unit or a currency in a language, from its English name or its code. */
function namesOf(name: string, language: string): readonly string[] {
  if (!LOCALIZED.has(name)) return [];
  const format = new Intl.NumberFormat(
    language,
    /^[A-Z]/.test(name)
      ? { style: 'currency', currency: name, currencyDisplay: 'name' }
      : { style: 'unit', unit: name, unitDisplay: 'long' },
  );
  const counts = /cs|pl|ru|uk|ar/.test(language) ? COUNTS : COUNTS.slice(0, 2);
  return counts.map((count) => format.format(count).replace(NUMBER, '').trim()).filter((each) => DISTINCT.test(each));
}

function withPlural(spelling: string): readonly string[] {
  if (!/[a-z]{3,}$/.test(spelling) || /(?:s|feet|inches)$/.test(spelling)) return [spelling];
  const [first = '', ...rest] = spelling.split(' ');
  return [spelling, /^(?:degree|pound) ./.test(spelling) ? `${first}s ${rest.join(' ')}` : `${spelling}s`];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** A unit in a text: its possible meanings, and where it ends. */
export interface UnitAt {
  readonly means: readonly string[];
  readonly written: string;
  /** Of the number with its unit, in the text. */
  readonly start: number;
  readonly end: number;
}

/** The unit of the number in `[start, end)`: after it, else a currency sign before it; null when there is none. */
export function unitAt(text: string, start: number, end: number): UnitAt | null {
  return unitBehind(text, start, end) ?? unitBefore(text, start, end);
}

function unitBehind(text: string, start: number, end: number): UnitAt | null {
  GAP.lastIndex = end;
  const from = end + (GAP.exec(text)?.[0].length ?? 0);
  const units = unitsLike(text.charAt(from));
  for (let last = Math.min(text.length, from + MAX_LENGTH); last > from; last--) {
    const written = text.slice(from, last);
    // Short symbols in another case mean something else: `MB` and `Mb`, `m` and `M`.
    const means = units.get(written) ?? (written.length > 3 ? units.get(written.toLowerCase()) : undefined);
    CONTINUED.lastIndex = last;
    if (means === undefined || CONTINUED.test(text)) continue;
    // `2021 Jahr` and `2021 года` name a year.
    return means.includes('year') && /^(?:1\d|20)\d{2}$/.test(text.slice(start, end))
      ? null
      : { means, written, start, end: last };
  }
  return null;
}

function unitBefore(text: string, start: number, end: number): UnitAt | null {
  const match = BEFORE.exec(text.slice(Math.max(0, start - 6), start));
  const means = unitsLike('').get(match?.[1] ?? '');
  if (match === null || means === undefined) return null;
  const length = (match[1]?.length ?? 0) + (/[ \u00a0]$/.test(match[0]) ? 1 : 0);
  return { means, written: match[1] ?? '', start: start - length, end };
}

/** Whether a text names a unit apart from any number, as a column head does: `Height (km)`. */
export function namesUnitAlone(text: string, written: string): boolean {
  if (/^[\p{Script=Latin}%°]+$/u.test(written) && written.length > (written === '%' ? 0 : 1)) {
    const alone = new RegExp(`(?<![\\d\\p{L}]|\\d[\\s-])${escaped(written)}(?![\\p{L}\\d])`, 'iu');
    return alone.test(text);
  }
  return new RegExp(`[([](?:[^()[\\]\\n]*[\\s:：,/])?[십백천만억조]*${escaped(written)}[)\\],]`, 'u').test(text);
}

/** Whether a text names a unit in any spelling apart from any number. */
export function namesAnyUnit(text: string, means: string): boolean {
  return [...unitsLike(text)].some(
    ([written, known]) => written.length > 1 && known.includes(means) && namesUnitAlone(text, written),
  );
}
