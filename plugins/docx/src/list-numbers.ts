import { childAt, childrenOf, parseXml, romanNumeral, type XmlElement } from '@kebab/formats-kit';
import { valueOf, type ListPlace } from './word-styles.ts';

interface Level {
  readonly start: number;
  readonly format: string;
  /** With `%1` for the number of the first level. */
  readonly text: string;
  /** The level after which it starts again, from 1; 0 for never, undefined for all above it. */
  readonly restart: number | undefined;
  /** Whether all its numbers are decimal. */
  readonly isLegal: boolean;
  readonly style: string | undefined;
}

interface List {
  /** Lists of the same definition count on. */
  readonly definition: string;
  readonly levels: ReadonlyMap<number, Level>;
  /** The first numbers of levels that this list starts again. */
  readonly starts: ReadonlyMap<number, number>;
}

/** The place of a paragraph in the lists of a document. */
export interface ListMarker {
  readonly level: number;
  /** What stands before the text: `2.1`, `b)`; `-` for a bullet, empty for nothing. */
  readonly marker: string;
  readonly isOrdered: boolean;
}

const LEVELS = 9;
const USUAL: Level = { start: 1, format: 'decimal', text: '', restart: undefined, isLegal: false, style: undefined };

/** Counts the paragraphs of a document's lists as Word shows them, in the order of the document. */
export class ListNumbers {
  readonly #lists: ReadonlyMap<string, List>;
  readonly #counts = new Map<string, (number | undefined)[]>();
  readonly #started = new Set<string>();

  private constructor(lists: ReadonlyMap<string, List>) {
    this.#lists = lists;
  }

  /** Reads `numbering.xml`, which may be empty. */
  static async read(xml: string): Promise<ListNumbers> {
    const root = childAt(await parseXml(xml), 'numbering');
    const definitions = new Map<string, ReadonlyMap<number, Level>>();
    const linked = new Map<string, string>();
    const links = new Map<string, string>();
    for (const definition of root === undefined ? [] : childrenOf(root, 'abstractNum')) {
      const id = definition.attributes['abstractNumId'] ?? '';
      const levels = childrenOf(definition, 'lvl');
      definitions.set(id, new Map(levels.map((level) => [Number(level.attributes['ilvl'] ?? 0), levelOf(level)])));
      const [styleLink, numStyleLink] = [valueOf(definition, 'styleLink'), valueOf(definition, 'numStyleLink')];
      if (styleLink !== undefined) linked.set(styleLink, id);
      if (numStyleLink !== undefined) links.set(id, numStyleLink);
    }
    const lists = new Map<string, List>();
    for (const list of root === undefined ? [] : childrenOf(root, 'num')) {
      const named = valueOf(list, 'abstractNumId') ?? '';
      const definition = linked.get(links.get(named) ?? '') ?? named;
      lists.set(list.attributes['numId'] ?? '', listOf(list, definition, definitions.get(definition) ?? new Map()));
    }
    return new ListNumbers(lists);
  }

  /** Counts a paragraph of a style; null if its list is unknown. */
  next({ numId, level: named }: ListPlace, style: string): ListMarker | null {
    const list = this.#lists.get(numId);
    if (list === undefined) return null;
    const styled = [...list.levels].find(([, { style: linked }]) => linked !== undefined && linked === style)?.[0];
    const level = Math.min(LEVELS - 1, Math.max(0, named ?? styled ?? 0));
    const counts = this.#counts.get(list.definition) ?? [];
    this.#counts.set(list.definition, counts);
    this.#count(counts, level, numId, list);
    const { format, text, isLegal } = list.levels.get(level) ?? USUAL;
    if (format === 'bullet') return { level, marker: '-', isOrdered: false };
    const marker = text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const { format: own, start } = list.levels.get(at) ?? USUAL;
      return numberAs(isLegal ? 'decimal' : own, counts[at] ?? start);
    });
    return { level, marker: marker.trim(), isOrdered: true };
  }

  #count(counts: (number | undefined)[], level: number, numId: string, list: List): void {
    const key = `${numId}/${level}`;
    const first = this.#started.has(key) ? undefined : list.starts.get(level);
    this.#started.add(key);
    for (let above = 0; above < level; above++)
      counts[above] ??= list.starts.get(above) ?? (list.levels.get(above) ?? USUAL).start;
    const { start } = list.levels.get(level) ?? USUAL;
    const before = counts[level];
    counts[level] = first ?? (before === undefined ? start : before + 1);
    for (let below = level + 1; below < LEVELS; below++) {
      const { restart } = list.levels.get(below) ?? USUAL;
      if (restart === undefined || (restart > 0 && level < restart)) counts[below] = undefined;
    }
  }
}

function levelOf(level: XmlElement): Level {
  const legal = childAt(level, 'isLgl');
  const restart = valueOf(level, 'lvlRestart');
  const alternate = childAt(level, 'numFmt')?.attributes['format'];
  return {
    start: Number(valueOf(level, 'start') ?? 0),
    format: alternate !== undefined && /^0\d/.test(alternate) ? 'decimalZero' : (valueOf(level, 'numFmt') ?? 'decimal'),
    text: valueOf(level, 'lvlText') ?? '',
    restart: restart === undefined ? undefined : Number(restart),
    isLegal: legal !== undefined && !/^(?:0|false|off)$/.test(legal.attributes['val'] ?? '1'),
    style: valueOf(level, 'pStyle'),
  };
}

function listOf(list: XmlElement, definition: string, levels: ReadonlyMap<number, Level>): List {
  const [own, starts] = [new Map(levels), new Map<number, number>()];
  for (const override of childrenOf(list, 'lvlOverride')) {
    const at = Number(override.attributes['ilvl'] ?? 0);
    const [level, start] = [childAt(override, 'lvl'), valueOf(override, 'startOverride')];
    if (level !== undefined) own.set(at, levelOf(level));
    if (start !== undefined) starts.set(at, Number(start));
  }
  return { definition, levels: own, starts };
}

const ALPHABETS: Readonly<Record<string, string>> = {
  lowerLetter: 'abcdefghijklmnopqrstuvwxyz',
  upperLetter: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  russianLower: 'абвгдежзиклмнопрстуфхцчшщыэюя',
  russianUpper: 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ',
  ganada: '가나다라마바사아자차카타파하',
  chosung: 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ',
  aiueo: 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  aiueoFullWidth: 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  iroha: 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン',
  hebrew1: 'אבגדהוזחטיכלמנסעפצקרשת',
  arabicAlpha: 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي',
  ideographTraditional: '甲乙丙丁戊己庚辛壬癸',
  ideographZodiac: '子丑寅卯辰巳午未申酉戌亥',
};
const CHINESE = '〇一二三四五六七八九';
const DIGITS: Readonly<Record<string, string>> = {
  ideographDigital: CHINESE,
  japaneseDigitalTenThousand: CHINESE,
  taiwaneseDigital: '○一二三四五六七八九',
  koreanDigital2: '零一二三四五六七八九',
  koreanDigital: '영일이삼사오육칠팔구',
  decimalFullWidth: '０１２３４５６７８９',
  decimalFullWidth2: '０１２３４５６７８９',
  thaiNumbers: '๐๑๒๓๔๕๖๗๘๙',
  hindiNumbers: '०१२३४५६७८९',
};
const COUNTING = /^(?:chineseCounting(?:Thousand)?|japaneseCounting|taiwaneseCounting(?:Thousand)?)$/;
const ENCLOSED = /^(?:decimalEnclosedCircle(?:Chinese)?|ideographEnclosedCircle)$/;

/** A number in a format of Word; decimal in one that is not known. */
function numberAs(format: string, number: number): string {
  const alphabet = ALPHABETS[format];
  if (alphabet !== undefined && number > 0) {
    const letters = Array.from(alphabet);
    const letter = letters[(number - 1) % letters.length] ?? '';
    return letter.repeat(Math.min(10, Math.floor((number - 1) / letters.length) + 1)); // after z comes aa, then bb
  }
  const digits = DIGITS[format];
  if (digits !== undefined) return String(number).replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit);
  if (COUNTING.test(format) && number > 0 && number < 100) return counted(number);
  if (ENCLOSED.test(format) && number > 0 && number <= 20) return String.fromCodePoint(0x24_5f + number);
  if (format.endsWith('Roman') && number > 0 && number < 5000)
    return format === 'lowerRoman' ? romanNumeral(number) : romanNumeral(number).toUpperCase();
  if (format === 'decimalZero') return String(number).padStart(2, '0');
  if (format === 'ordinal') return `${number}${ordinalEnd(number)}`;
  if (format === 'numberInDash') return `- ${number} -`;
  return format === 'none' ? '' : String(number);
}

function counted(number: number): string {
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  return `${tens > 1 ? CHINESE[tens] : ''}${tens > 0 ? '十' : ''}${ones > 0 ? CHINESE[ones] : ''}`;
}

function ordinalEnd(number: number): string {
  const last = number % 100 >= 11 && number % 100 <= 13 ? 0 : number % 10;
  return ['th', 'st', 'nd', 'rd'][last] ?? 'th';
}
