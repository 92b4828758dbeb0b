import { BLOCKS, HOLDS, type PageElement } from './parse-page.ts';

/** Elements that a browser does not show, or whose content it replaces. */
const UNREAD = new Set(
  (
    'head script style noscript template iframe object embed canvas audio video title meta link base param source track area datalist ' +
    'meter progress noframes noembed desc defs metadata annotation annotation-xml'
  ).split(' '),
);
/** Elements in a line that are set apart from the words beside them. */
const APART = new Set('button select option optgroup textarea img label svg text'.split(' '));
/** Types of fields whose value is shown. */
const SHOWN_FIELD = /^(?:|text|search|email|url|tel|number|date|time|month|week|datetime-local|button|submit|reset)$/i;

/** Elements whose line breaks and spaces are shown. */
export const PREFORMATTED: ReadonlySet<string> = new Set(['pre', 'xmp', 'listing', 'plaintext']);
/** Elements whose items have markers. */
export const LISTS: ReadonlySet<string> = new Set(['ol', 'ul', 'menu', 'dir']);

/** The elements and texts of an element that a person sees, in order. */
export function shownChildren({ children, holds }: PageElement): readonly (PageElement | string)[] {
  return children.filter((child) => {
    if (typeof child === 'string') return true;
    const { name, attributes } = child;
    if (UNREAD.has(name)) return name === 'template' && 'shadowrootmode' in attributes;
    if ('hidden' in attributes && attributes['hidden'] !== 'until-found') return false;
    // Beside a formula, what is hidden from screen readers is the same formula once more.
    if (attributes['aria-hidden'] === 'true' && (holds & HOLDS.math) !== 0) return false;
    return name !== 'dialog' || 'open' in attributes;
  });
}

/** What an element of a list shows: its marker, `-` or as in `7.`, and its text. */
export interface ListItem {
  readonly element: PageElement;
  readonly marker: string;
  /** Lists in it are indented by two spaces a level. */
  readonly text: string;
}

/** The items of a list with the markers of a browser: counted from `start` or a `value`, down if `reversed`, in the style of `type`. */
export function itemsOf(list: PageElement): readonly ListItem[] {
  const items = shownChildren(list).filter((child) => typeof child !== 'string' || child.trim() !== '');
  const { start, reversed } = list.attributes;
  const type = markerType(list) ?? (list.name === 'ol' ? '1' : 'disc');
  const step = reversed === undefined ? 1 : -1;
  let next = integerOf(start) ?? (reversed === undefined ? 1 : items.filter((item) => isItem(item)).length);
  return items.map((item) => {
    if (!isItem(item)) {
      const element = typeof item === 'string' ? { ...list, children: [item] } : item;
      return { element, marker: '', text: itemText(element) };
    }
    const number = integerOf(item.attributes['value']) ?? next;
    next = number + step;
    return { element: item, marker: markerOf(number, markerType(item) ?? type), text: itemText(item) };
  });
}

const LIST_STYLE = /(?:^|[;\s])list-style(?:-type)?\s*:([^;]*)/i;
/** Styles of markers, and the `type` that each stands for. */
const MARKER_TYPES: Readonly<Record<string, string>> = {
  none: 'none',
  disc: 'disc',
  circle: 'disc',
  square: 'disc',
  decimal: '1',
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
};

/** The type of the markers of a list or an item, as its style or its attribute says; undefined if neither does. */
function markerType({ attributes }: PageElement): string | undefined {
  const words =
    LIST_STYLE.exec(attributes['style'] ?? '')?.[1]
      ?.toLowerCase()
      .trim()
      .split(/\s+/) ?? [];
  const styled = words.map((word) => MARKER_TYPES[word]).find((type) => type !== undefined);
  const { type } = attributes;
  return styled ?? (type === undefined ? undefined : (MARKER_TYPES[type.toLowerCase()] ?? type));
}

function markerOf(number: number, type: string): string {
  if (type === 'none') return '';
  return type === 'disc' ? '-' : `${numeral(number, type)}.`;
}

function itemText(item: PageElement): string {
  return linesOf(item).join('\n').trim();
}

function isItem(item: PageElement | string): item is PageElement {
  return typeof item !== 'string' && item.name === 'li';
}

function integerOf(text: string | undefined): number | null {
  const digits = /^\s*([+-]?\d{1,9})/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/** A number in the style of a list: `1`, `a`, `A`, `i` or `I`; numbers that have no letters or numerals are digits. */
function numeral(number: number, type: string): string {
  if (number < 1 || number > 3999) return String(number);
  const text = type.toLowerCase() === 'a' ? letters(number) : type.toLowerCase() === 'i' ? romanNumeral(number) : null;
  if (text === null) return String(number);
  return type === type.toUpperCase() ? text.toUpperCase() : text;
}

function letters(number: number): string {
  const rest = Math.floor((number - 1) / 26);
  return (rest === 0 ? '' : letters(rest)) + String.fromCodePoint(97 + ((number - 1) % 26));
}

const ROMAN = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const;

/** A number from 1 as a Roman numeral in lower case. */
export function romanNumeral(number: number): string {
  let [text, rest] = ['', number];
  for (const [numerals, value] of ROMAN) {
    text += numerals.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
}

/** What an element shows in one line; a line break is a space. */
export function lineOf(element: PageElement): string {
  return folded(linesOf(element).join(' ')).trim();
}

/** Runs of white space that are not a single space already: replacing each of millions would take most of the time of a long page. */
const UNFOLDED_SPACE = /[^\S ]\s*| \s+/g;

/** A text with every run of white space as one space. */
function folded(text: string): string {
  return text.replaceAll(UNFOLDED_SPACE, ' ');
}

/**
 * What an element shows, line by line: blocks have lines of their own, white space is folded, preformatted text is unchanged; two line breaks
 * in a row make an empty line. The depth of elements bounds the recursion.
 */
export function linesOf(element: PageElement): readonly string[] {
  const lines: string[] = [];
  const rest = flow(element, '', lines);
  return rest.trim() === '' ? lines : [...lines, rest.replaceAll(/ {2,}/g, ' ').trim()];
}

/** Appends the lines that an element ends to `lines`; returns the text of the line that it leaves open, beginning with `open`. */
function flow(element: PageElement, open: string, lines: string[]): string {
  let line = open;
  const end = (): void => {
    if (line.trim() !== '') lines.push(line.replaceAll(/ {2,}/g, ' ').trim());
    line = '';
  };
  const breakLine = (): void => {
    if (line.trim() === '' && lines.at(-1) !== '' && lines.length > 0) lines.push('');
    end();
  };
  for (const child of withRubiesJoined(shownChildren(element))) {
    if (typeof child === 'string') line += folded(child);
    else if (child.name === 'br') breakLine();
    else if (!BLOCKS.has(child.name)) line = flowInline(child, line, lines);
    else {
      end();
      if (PREFORMATTED.has(child.name)) lines.push(...preformattedText(child).split('\n'));
      else if (LISTS.has(child.name)) lines.push(...listLines(child));
      else line = flow(child, '', lines);
      end();
    }
  }
  return line;
}

/** The text of an element that is no block, after `open`. */
function flowInline(element: PageElement, open: string, lines: string[]): string {
  const { name, attributes } = element;
  if (name === 'img') return `${open} ${attributes['alt'] ?? ''} `;
  if (name === 'input')
    return SHOWN_FIELD.test(attributes['type'] ?? '')
      ? `${open} ${attributes['value'] || (attributes['placeholder'] ?? '')} `
      : open;
  if (name === 'textarea' && element.children.length === 0) return `${open} ${attributes['placeholder'] ?? ''} `;
  if (name === 'q') return `${flow(element, `${open}“`, lines)}”`;
  if (name === 'ruby') return `${open}${rubyText(element)}`;
  if (APART.has(name)) return `${flow(element, `${open} `, lines)} `;
  return flow(element, open, lines);
}

/** Phonetic guides next to each other, of which each has a letter or a part of a word, as one. */
function withRubiesJoined(nodes: readonly (PageElement | string)[]): readonly (PageElement | string)[] {
  const joined: (PageElement | string)[] = [];
  for (const node of nodes) {
    const before = joined.at(-1) ?? '';
    if (!isRuby(node)) joined.push(node);
    else if (isRuby(before)) for (const child of node.children) before.children.push(child);
    else joined.push({ ...node, children: [...node.children] });
  }
  return joined;
}

function isRuby(node: PageElement | string): node is PageElement {
  return typeof node !== 'string' && node.name === 'ruby';
}

/** The words of a phonetic guide in one piece, then how they are read: `東京 (とうきょう)`. */
function rubyText(ruby: PageElement): string {
  const [words, reading]: [string[], string[]] = [[], []];
  const collect = (element: PageElement, texts: string[]): void => {
    for (const child of shownChildren(element))
      if (typeof child === 'string') texts.push(folded(child));
      else if (child.name !== 'rp') collect(child, child.name === 'rt' || child.name === 'rtc' ? reading : texts);
  };
  collect(ruby, words);
  const read = reading.join('').trim();
  return read === '' ? words.join('') : `${words.join('').trim()} (${read})`;
}

/** Lists in lists are not indented further than this. */
const MAX_INDENT = 8;

function listLines(list: PageElement): readonly string[] {
  return itemsOf(list).flatMap(({ marker, text }) => {
    if (text === '') return [];
    const [first = '', ...rest] = `${marker === '' ? '' : `${marker} `}${text}`.split('\n');
    return [first, ...rest.map((line) => ((/^ */.exec(line)?.[0].length ?? 0) < 2 * MAX_INDENT ? `  ${line}` : line))];
  });
}

/** Preformatted text as it is; a line break or a block in it is a new line. */
export function preformattedText(element: PageElement): string {
  const texts: string[] = [];
  const startLine = (): void => {
    if (texts.length > 0 && texts.at(-1)?.endsWith('\n') !== true) texts.push('\n');
  };
  const collect = (inner: PageElement): void => {
    for (const child of shownChildren(inner))
      if (typeof child === 'string') {
        if (child !== '') texts.push(child);
      } else if (child.name === 'br') texts.push('\n');
      else {
        const isBlock = BLOCKS.has(child.name);
        if (isBlock) startLine();
        else if (APART.has(child.name)) texts.push(' ');
        collect(child);
        if (isBlock) startLine();
        else if (APART.has(child.name)) texts.push(' ');
      }
  };
  collect(element);
  return texts.join('').replaceAll(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd();
}
