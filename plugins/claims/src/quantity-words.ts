import type { TextRange } from '@kebab/core';
import { rangeOf } from './sorted-ranges.ts';

/** A number in words: `twenty-three`, `two hundred`, `fifth`. */
interface WordNumber extends TextRange {
  readonly value: number;
}

const SMALL = numbered(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  { from: 0 },
);
const TENS = numbered('twenty thirty forty fifty sixty seventy eighty ninety', { from: 20, step: 10 });
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};
const ORDINALS = {
  ...numbered(
    'third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth',
    { from: 3 },
  ),
  ...numbered('twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth', { from: 20, step: 10 }),
};
const FIRST_TWO: Readonly<Record<string, number>> = { first: 1, second: 2 };
const ANY = [...Object.keys(SMALL), ...Object.keys(TENS), ...Object.keys(ORDINALS), ...Object.keys(SCALES)].join('|');
const RUN = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${ANY}|first|second)(?:(?:[ -]|[ -]and[ -])(?:${ANY}|(?<=[yY][ -])(?:first|second)))*(?![\\p{L}\\p{N}])`,
  'giu',
);
/** Words that imply a number; they support a number in an answer but do not count as one. */
const LOOSE: Readonly<Record<string, number>> = { twice: 2, second: 2, dozen: 12 };
const LOOSE_WORD = new RegExp(`(?<!\\p{L})(?:${Object.keys(LOOSE).join('|')})(?!\\p{L})`, 'giu');

/**
 * The numbers in words of a text, in order. `one`, `first` and `second` alone usually have other meanings; they are left out unless
 * `loose`, which also reads `twice` and `dozen`.
 */
export function readNumberWords(
  text: string,
  { loose = false }: { readonly loose?: boolean } = {},
): readonly WordNumber[] {
  const strict = [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => numbersOfRun(run, index, loose));
  if (!loose) return strict;
  const more = [...text.matchAll(LOOSE_WORD)].map((match) => ({
    ...rangeOf(match),
    value: LOOSE[match[0].toLowerCase()] ?? 0,
  }));
  return [...strict, ...more];
}

/** A run may contain several numbers: `one hundred and five`, but `two three`. */
function numbersOfRun(run: string, offset: number, loose: boolean): readonly WordNumber[] {
  const found: WordNumber[] = [];
  let total = 0;
  let group = 0;
  let start = -1;
  let end = 0;
  let last: 'small' | 'tens' | 'scale' | 'ordinal' | null = null;
  const flush = (): void => {
    if (start === -1) return;
    const word = run.slice(start, end).toLowerCase();
    const isWeak = word === 'one' || word === 'first' || word === 'second' || word === 'zero' || word in SCALES;
    if (loose || !isWeak) found.push({ start: offset + start, end: offset + end, value: total + group });
    [total, group, start, last] = [0, 0, -1, null];
  };
  for (const { 0: token, index } of run.matchAll(/\p{L}+/gu)) {
    const word = token.toLowerCase();
    if (word === 'and') continue;
    const small = SMALL[word];
    const tens = TENS[word];
    const scale = SCALES[word];
    const ordinal = ORDINALS[word] ?? FIRST_TWO[word];
    const joins =
      last === null || scale !== undefined || last === 'scale' || (last === 'tens' && (small ?? ordinal ?? 10) < 10);
    if (
      !joins ||
      last === 'ordinal' ||
      (scale !== undefined && last !== null && scale > 100 && total > 0 && total < scale)
    )
      flush();
    if (start === -1) start = index;
    end = index + token.length;
    if (scale === 100) group = Math.max(1, group) * 100;
    else if (scale !== undefined) [total, group] = [total + Math.max(1, group) * scale, 0];
    else group += small ?? tens ?? ordinal ?? 0;
    last = scale === undefined ? (tens === undefined ? (small === undefined ? 'ordinal' : 'small') : 'tens') : 'scale';
  }
  flush();
  return found;
}

/** Words for numbers in equal steps. */
function numbered(
  words: string,
  { from, step = 1 }: { from: number; step?: number },
): Readonly<Record<string, number>> {
  return Object.fromEntries(words.split(' ').map((word, at) => [word, from + at * step]));
}

/** The numerals of languages: how a ten takes the ones, 2 to 19, the tens from 20, the hundreds, the first ten ordinals. */
const NUMERALS: readonly (readonly string[])[] = [
  'ONEundTEN|zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn|zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig|hundert zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert achthundert neunhundert|erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte',
  'TEN-ONE|deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf|vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix|cent deux-cents trois-cents quatre-cents cinq-cents six-cents sept-cents huit-cents neuf-cents|premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième',
  'TEN y ONE|dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve|veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa|cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos|primer segundo tercer cuarto quinto sexto séptimo octavo noveno décimo',
  'TENONE|due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove|venti trenta quaranta cinquanta sessanta settanta ottanta novanta|cento duecento trecento quattrocento cinquecento seicento settecento ottocento novecento|primo secondo terzo quarto quinto sesto settimo ottavo nono decimo',
  'TEN e ONE|dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove|vinte trinta quarenta cinquenta sessenta setenta oitenta noventa|cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos|primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo',
  'ONEenTEN|twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien|twintig dertig veertig vijftig zestig zeventig tachtig negentig|honderd tweehonderd driehonderd vierhonderd vijfhonderd|eerste tweede derde vierde vijfde zesde zevende achtste negende tiende',
  'TENONE|två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton|tjugo trettio fyrtio femtio sextio sjuttio åttio nittio|hundra tvåhundra trehundra|första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde',
  'TEN ONE|dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście|dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt|sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset|pierwszy drugi trzeci czwarty piąty szósty siódmy ósmy dziewiąty dziesiąty',
  'TEN ONE|два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать|двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто|сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот|первый второй третий четвёртый пятый шестой седьмой восьмой девятый десятый',
  'TEN ONE|iki üç dört beş altı yedi sekiz dokuz|yirmi otuz kırk elli altmış yetmiş seksen doksan|yüz|birinci ikinci üçüncü dördüncü beşinci',
].map((row) => row.split('|'));
/** Endings that ordinals of these languages take. */
const ORDINAL_ENDING = /^(?:[nmrs]|[oae]s?|ь?ем|ого|ому|ой|ую|ая|ое|ый|ые|ego|ym|ej)?$/u;
/** Other forms of the numerals from two. */
const INFLECTED =
  'duas|две|dwie|двух трёх четырёх пяти шести семи восьми девяти десяти одиннадцати двенадцати|dwóch trzech czterech pięciu sześciu siedmiu ośmiu' +
  '|اثنان ثلاث أربع خمس ست سبع ثماني تسع عشر|اثنتان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة';
/** Some are ordinary words in another language: they count only before a unit. */
const ELSEWHERE: ReadonlyMap<string, number> = new Map([
  ...INFLECTED.split('|').flatMap((words) => words.split(' ').map((word, at): [string, number] => [word, at + 2])),
  ...NUMERALS.flatMap(([joined = '', small = '', tens = '', hundreds = '']) => {
    const [ones, byTens] = [Object.entries(numbered(small, { from: 2 })), numbered(tens, { from: 20, step: 10 })];
    const both = Object.entries(byTens).flatMap(([ten, value]) =>
      ones.slice(0, 8).map(([one, digit]): [string, number] => [joinedTo(ten, one, joined), value + digit]),
    );
    return [
      ...ones,
      ...Object.entries(byTens),
      ...both,
      ...Object.entries(numbered(hundreds, { from: 100, step: 100 })),
    ];
  }),
]);

/** A ten with its ones; `veintidós`, `ventotto` and `tweeëntwintig` differ from the rule of their language. */
function joinedTo(ten: string, one: string, joined: string): string {
  if (ten === 'veinte')
    return `veinti${one.replace(/^(d|tr|s)(os|es|eis)$/u, (all) => all.replace('o', 'ó').replace('e', 'é'))}`;
  const written = joined.replace('TEN', one === 'otto' ? ten.slice(0, -1) : ten).replace('ONE', one);
  return /^(?:twee|drie)en/u.test(written) ? written.replace('een', 'eën') : written;
}

/** A word, and those that may complete its numeral: `treinta y cinco`, `trescientos diez`, `noventa mil`. */
const NUMERAL_WORDS = /(?<![\p{L}\p{N}-])(\p{L}+(?:-\p{L}+)*)(?=\s\p{L})((?: [yeи])? \p{L}+(?:-\p{L}+)*)?/gu;
const THOUSAND = /^ (?:mil|mille|тысяч[аи]?|tysi[ąę]c[ey]?|bin)$/iu;
const ORDINAL_STEMS = NUMERALS.flatMap(([, , , , ordinals = '']) =>
  ordinals.split(' ').map((word, at) => [word.replace(/(?:ый|ой|ий|[oye])$/u, ''), at + 1] as const),
);

/** The number that a word of another language than English means, as a numeral or an ordinal; null if it means none. */
export function valueOfWord(word: string): number | null {
  const lower = word.replace('İ', 'i').toLowerCase();
  const known = ELSEWHERE.get(lower);
  if (known !== undefined) return known;
  const ordinal = ORDINAL_STEMS.find(
    ([stem]) => lower.startsWith(stem) && ORDINAL_ENDING.test(lower.slice(stem.length).replace(/^e(?=[nmrs])/u, '')),
  );
  return ordinal?.[1] ?? null;
}

/** The hours of a clock in words. */
export const CLOCK_HOURS: Readonly<Record<string, number>> = Object.fromEntries([
  ...Object.entries(SMALL).filter(([, value]) => value > 0 && value <= 12),
  ...['una', 'une', 'ein', 'uma', 'één', 'час'].map((word) => [word, 1] as const),
  ...[...ELSEWHERE].filter(([, value]) => value <= 24),
]);

/** How often something happens, in one word; `once` may also mean `as soon as`. */
const OFTEN = {
  ...numbered('twice thrice', { from: 2 }),
  ...numbered('zweimal dreimal viermal', { from: 2 }),
  ...numbered('tweemaal driemaal', { from: 2 }),
  ...numbered('дважды трижды', { from: 2 }),
};
const OFTEN_WORD = new RegExp(
  `(?<!\\p{L})(?:(?:${Object.keys(OFTEN).join('|')})(?!\\p{L}|\\s(?:as|the|so)(?!\\p{L}))|(?<=only |just )once(?!\\p{L})|once(?=\\s(?:an?|per|each|every|daily|weekly|in)(?!\\p{L}))|einmal(?=\\s(?:im|am|in|pro|täglich|wöchentlich|jährlich|monatlich)(?!\\p{L}))|(?<=nur )einmal)`,
  'giu',
);

/** The words of a text that say how often something happens. */
export function readOften(text: string): readonly WordNumber[] {
  return [...text.matchAll(OFTEN_WORD)].map((match) => ({
    ...rangeOf(match),
    value: OFTEN[match[0].toLowerCase()] ?? 1,
  }));
}

/** The numbers in words of other languages than English, in order: one word counts only before a unit. */
export function readNumbersElsewhere(text: string): readonly WordNumber[] {
  const found: WordNumber[] = [];
  const pattern = new RegExp(NUMERAL_WORDS);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, first = '', rest = ''] = match;
    const [value, more] = [first, rest.replace(/^ (?:[yeи] )?/u, '')].map((each) => ELSEWHERE.get(each.toLowerCase()));
    const joined = ELSEWHERE.get((first + rest).toLowerCase());
    const sum = value === undefined || more === undefined || value % 100 > 0 || more > 99 ? joined : value + more;
    const both = value !== undefined && THOUSAND.test(rest) ? 1000 * value : sum;
    const end = match.index + (both === undefined ? first : first + rest).length;
    pattern.lastIndex = end;
    const own = both ?? value;
    if (own !== undefined && (both !== undefined || unitAt(text, match.index, end) !== null))
      found.push({ start: match.index, end, value: own });
  }
  return found;
}

/** The meaning of a unit and its spellings; words also match with a plural s. One-letter symbols are case-sensitive. */
const UNITS: Readonly<Record<string, string>> = {
  km: 'km|kilometer|kilometre|킬로미터|키로미터|キロメートル|Kilometern|kilomètre|kilómetro|chilometro|chilometri|quilômetro|км|километра|километров|kilometry|kilometrów|kilometrů|公里|千米|キロ|كيلومتر|کیلومتر|quilómetro|kilometros',
  m: 'm|meter|metre|미터|メートル|Metern|mètre|metro|metri|м|метр|метра|метров|metrów|metrů|米|公尺|متر|مترا',
  cm: 'cm|centimeter|centimetre|센티미터|센티|Zentimeter|Zentimetern|centimètre|centímetro|centimetri|см|сантиметра|сантиметров|厘米|公分|センチ|سنتيمتر|سانتی‌متر|santimetre|centimetry|centymetrów|centymetry',
  mm: 'mm|millimeter|millimetre|밀리미터|Millimetern|millimètre|milímetro|millimetri|мм|миллиметра|миллиметров|毫米|ミリ|مليمتر|میلی‌متر|milimetre',
  mile: 'mi|mile|마일|Meile|Meilen|millas|miglia|milhas',
  yard: 'yd|yard|야드',
  foot: 'ft|foot|feet|피트',
  inch: 'inch|inches|인치',
  km2: 'km²|km2|km^2|sq km|square kilometer|square kilometre|제곱킬로미터|평방킬로미터|Quadratkilometer|Quadratkilometern|kilomètres carrés|kilómetros cuadrados|chilometri quadrati|км²',
  m2: 'm²|m2|m^2|sq m|square meter|square metre|제곱미터|평방미터|㎡|Quadratmeter|Quadratmetern|mètres carrés|metros cuadrados|metri quadrati|metros quadrados|м²|平方米|平方メートル|metrekare|متر مربع|метров квадратных',
  sqmile: 'sq mi|square mile|제곱마일',
  sqft: 'sq ft|square foot|square feet',
  m3: 'm³|m3|cubic meter|cubic metre|세제곱미터|立方米|立方メートル|metreküp|متر مكعب|متر مکعب|kubikmeter|Kubikmeter|mètres cubes|metros cúbicos|metri cubi',
  ha: 'ha|hectare|헥타르|Hektar|hectáreas|ettari|гектаров|公顷|ヘクタール|هكتار|هکتار|hektar|hektarów',
  acre: 'acre|에이커',
  pyeong: '평',
  kg: 'kg|kilo|kilogram|kilogramme|킬로그램|Kilogramm|kilogramos|chilogrammi|quilogramas|quilos|кг|килограмм|килограмма|килограммов|kilogramy|kilogramów|chilogrammo|quilograma|kilogramo|公斤|千克|キログラム|キロ|كيلوغرام|کیلوگرم',
  g: 'g|gram|gramme|그램|Gramm|gramos|grammi|gramas|грамм|грамма|граммов|gramy|gramów|克|グラム|غرام|گرم',
  mg: 'mg|milligram|밀리그램|Milligramm|milligrammes|miligramos|milligrammi|мг',
  t: 't|ton|tonne|metric ton|톤|Tonne|Tonnen|toneladas|tonnellate|тонн|тонны|tony|tonelada|tonnellata|吨|トン|طن|تن',
  lb: 'lb|lbs|pound|파운드|Pfund',
  oz: 'oz|ounce|온스',
  l: 'l|L|liter|litre|리터|Litern|litros|litri|литр|литра|литров|litry|litrów|litro|升|リットル|لتر|لترا|لیتر',
  ml: 'ml|mL|milliliter|millilitre|밀리리터|毫升|ミリリットル',
  gal: 'gal|gallon|갤런',
  barrel: 'barrel|bbl|배럴',
  times:
    'time|번|회|차례|回|次|遍|Mal|mal|fois|vez|veces|volta|volte|vezes|keer|raz|razy|раз|раза|kez|kere|gånger|ganger|gange',
  ms: 'ms|millisecond|밀리초',
  s: 's|sec|second|초|秒|Sekunde|Sekunden|seconde|segundo|secondi|seconden|sekunder|sekund|секунд|секунды|秒钟|ثانية|ثوان|ثانیه|saniye|sekundy',
  min: 'min|minute|분|分|Minuten|minuten|minuto|minuti|minuter|minut|минут|минуты|分钟|分鐘|分間|دقائق|دقيقة|دقیقه|dakika',
  h: 'h|hr|hour|시간|時間|Stunde|Stunden|stunde|ora|ore|heure|hora|uur|timmar|godzin|godziny|hodin|час|часа|часов|小时|小時|个小时|個小時|ساعات|ساعة|ساعت|saat|godzinę',
  day: 'day|일간|Tage|Tagen|jour|día|días|dias|giorni|dagen|dagar|dage|dager|dni|дня|дней|天|日間|أيام|يوما|روز|gün|dnia|день',
  week: 'week|wk|주간|주일|주|Woche|Wochen|semaine|semana|settimana|settimane|weken|veckor|uger|uker|tygodni|týdnů|недели|недель|周|星期|週間|أسابيع|أسبوع|هفته|hafta|tygodnie',
  month:
    'month|개월|달|Monat|Monate|Monaten|mois|meses|mesi|maand|maanden|månader|måneder|miesięcy|měsíců|месяца|месяцев|个月|個月|か月|ヶ月|カ月|ヵ月|أشهر|شهر|ماه|ay|miesiące',
  year: 'year|yr|년간|Jahr|Jahre|Jahren|ans|années|años|anni|anos|jaar|jaren|let|года|лет|年間|سنوات|سنة|سال|yıl|lat|lata|год|周岁|周歲|岁|歲|歳|세',
  decade: 'decade',
  century: 'century|centuries|세기|世紀|Jahrhundert|siècle|siglo|secolo|secoli|século|eeuw|век|века',
  degC: '°C|℃|° C|degree Celsius|degrees Celsius|deg C|degree|도|°|섭씨|Grad|Grad Celsius|degrés|degrés Celsius|grados|grados Celsius|gradi|gradi Celsius|graus|graus Celsius|graden|градусов|градуса|摄氏度|度',
  degF: '°F|℉|° F|degree Fahrenheit|deg F|degree|도|°|화씨|Grad|Grad Fahrenheit|degrés|degrés Fahrenheit|grados|grados Fahrenheit|gradi|graus|graden',
  angle: 'degree|도|°|Grad|degrés|grados|gradi|graus|graden',
  'km/h':
    'km/h|kmh|kph|kilometers per hour|kilometres per hour|Kilometer pro Stunde|kilomètres par heure|kilómetros por hora|quilómetros por hora|chilometri all’ora|kilometrów na godzinę|километров в час',
  mph: 'mph|miles per hour',
  'm/s': 'm/s|meters per second|metres per second',
  knot: 'knot|kn|노트',
  kB: 'KB|kB|kilobyte|킬로바이트',
  MB: 'MB|megabyte|메가바이트',
  GB: 'GB|gigabyte|기가바이트',
  TB: 'TB|terabyte|테라바이트',
  KiB: 'KiB|kibibyte',
  MiB: 'MiB|mebibyte',
  GiB: 'GiB|gibibyte',
  byte: 'byte|바이트',
  bit: 'bit|비트',
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
  percent:
    '%|％|percent|per cent|pct|퍼센트|프로|パーセント|Prozent|pour cent|por ciento|por cento|per cento|procent|prosent|procenta|процент|процента|процентов',
  permille: '‰|per mille|퍼밀',
  point:
    'percentage point|%p|%P|%포인트|퍼센트포인트|포인트|Prozentpunkt|Prozentpunkte|Prozentpunkten|points de pourcentage|puntos porcentuales|punti percentuali|pontos percentuais|procentpunkter|процентных пунктов',
  USD: '$|US$|USD|dollar|US dollar|달러|弗|ドル|美元|دولار|دلار|US-Dollar|dólares|dollari|доллар|доллара|долларов',
  EUR: '€|EUR|euro|유로|ユーロ|欧元|歐元|يورو|یورو|avro',
  GBP: '£|GBP|pound|pound sterling|파운드|Pfund|Pfund Sterling|livres sterling|libras esterlinas',
  JPY: '¥|JPY|yen|엔|円|日元',
  CNY: '¥|CNY|RMB|yuan|위안|元|块',
  KRW: '₩|￦|KRW|won|원',
  CHF: 'CHF|Swiss franc|franc|프랑|Franken|Schweizer Franken',
  FRF: 'franc|프랑',
  INR: '₹|INR|rupee|루피',
  RUB: '₽|RUB|ruble|rouble|루블|руб|рубль|рубля|рублей',
  cent: 'cent|센트|Cent|centime|céntimo|cêntimo|centavo|centesimi|centesimo|центов|цента|美分|欧分|セント|kuruş|cents',
  MWh: 'MWh|兆瓦时|メガワット時|메가와트시|megawatt-hour|Megawattstunden|mégawattheures',
  dB: 'dB|decibel|Dezibel|décibels|decibelios|decibéis|데시벨|デシベル|分贝',
  SEK: 'kr|kronor|SEK',
  IRT: 'تومان',
  TRY: '₺|lira|liradır|TL',
  PLN: 'zł|złoty|złote|złotych',
};

const PREFIXES = ['US$', '$', '€', '£', '¥', '₩', '￦', '₹', '₽', 'USD', 'EUR', 'GBP', 'JPY', 'KRW', 'CHF', 'CNY'];

const MEANINGS = meanings();
const WRITTEN = [...MEANINGS.keys()].toSorted((a, b) => b.length - a.length);
const AFTER = new RegExp(
  `[*_\`]{0,3}\\s?-?(${WRITTEN.map(escaped).join('|')})(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}_²³])`,
  'uy',
);
const AFTER_ANY_CASE = new RegExp(AFTER.source, 'iuy');
const BEFORE = new RegExp(`(?:^|[^\\p{L}])(${PREFIXES.map(escaped).join('|')})[ \\u00a0]?$`, 'u');

function meanings(): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  const add = (means: string, written: string): void => {
    const known = all.get(written) ?? [];
    if (!known.includes(means)) all.set(written, [...known, means]);
  };
  for (const [means, spellings] of Object.entries(UNITS))
    for (const written of spellings.split('|').flatMap(withPlural)) add(means, written);
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
  for (const pattern of [AFTER, AFTER_ANY_CASE]) {
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    const written = match?.[1] ?? '';
    // Short symbols in another case mean something else: `MB` and `Mb`, `m` and `M`.
    const means = MEANINGS.get(written) ?? (written.length > 3 ? MEANINGS.get(written.toLowerCase()) : undefined);
    if (match === null || means === undefined) continue;
    // `2021 Jahr` and `2021 года` name a year.
    if (means.includes('year') && /^(?:1\d|20)\d{2}$/.test(text.slice(start, end))) return null;
    return { means, written, start, end: end + match[0].length };
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
  return [...MEANINGS].some(
    ([written, known]) => written.length > 1 && known.includes(means) && namesUnitAlone(text, written),
  );
}
