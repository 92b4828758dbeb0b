import { childAt, childrenOf, parseXml, type XmlElement } from '@kebab/formats-kit';

/** The place of a paragraph in a list: the definition and the level, from 0. */
export interface ListPlace {
  readonly numId: string;
  readonly level: number | undefined;
}

/** What the style of a paragraph makes of it. */
export interface ParagraphRole {
  /** The level of a heading, from 1; null if it is none. */
  readonly heading: number | null;
  /** Whether it is the title of the document. */
  readonly isTitle: boolean;
  readonly list: ListPlace | null;
}

interface Style {
  readonly name: string;
  readonly basedOn: string;
  readonly paragraph: XmlElement | undefined;
}

/** A style of 9 is that of body text, even if it is based on one of headings. */
const BODY = 9;
const MAX_CHAIN = 20;

/** The styles of a Word document. */
export class WordStyles {
  readonly #styles: ReadonlyMap<string, Style>;
  readonly #default: string;
  /** The ids of the styles whose text Word does not show. */
  readonly hidden: ReadonlySet<string>;

  private constructor(styles: ReadonlyMap<string, Style>, byDefault: string, hidden: ReadonlySet<string>) {
    this.#styles = styles;
    this.#default = byDefault;
    this.hidden = hidden;
  }

  /** Reads `styles.xml`, which may be empty. */
  static async read(xml: string): Promise<WordStyles> {
    const root = childAt(await parseXml(xml), 'styles');
    const styles = new Map<string, Style>();
    const hidden = new Set<string>();
    let byDefault = '';
    for (const style of root === undefined ? [] : childrenOf(root, 'style')) {
      const { styleId = '', type = 'paragraph', default: isDefault = '0' } = style.attributes;
      if (isHidden(style) && type === 'character') hidden.add(styleId);
      if (type !== 'paragraph') continue;
      if (isDefault === '1' || isDefault === 'true') byDefault = styleId;
      styles.set(styleId, {
        name: valueOf(style, 'name') ?? '',
        basedOn: valueOf(style, 'basedOn') ?? '',
        paragraph: childAt(style, 'pPr'),
      });
    }
    return new WordStyles(styles, byDefault, hidden);
  }

  /** The style of a paragraph by its properties (`w:pPr`). */
  idOf(properties: XmlElement | undefined): string {
    return (properties && valueOf(properties, 'pStyle')) ?? this.#default;
  }

  /** The role of a paragraph by its properties, then by its style and those that it is based on. */
  roleOf(properties: XmlElement | undefined): ParagraphRole {
    const id = this.idOf(properties);
    const chain = this.#chainOf(id);
    const names = chain.length === 0 ? [id] : chain.map(({ name }) => name);
    const all = [properties, ...chain.map(({ paragraph }) => paragraph)].filter((part) => part !== undefined);
    return {
      heading: headingOf(properties, chain, names),
      isTitle: names.some((name) => TITLE.test(name.normalize('NFC'))) && !/^subtitle$/i.test(names[0] ?? ''),
      list: listOf(all),
    };
  }

  /** A style and those that it is based on. */
  #chainOf(id: string): readonly Style[] {
    const chain: Style[] = [];
    let style = this.#styles.get(id);
    while (style !== undefined && chain.length < MAX_CHAIN) {
      chain.push(style);
      style = this.#styles.get(style.basedOn);
    }
    return chain;
  }
}

/** Whether the properties of a run or of a style (`w:rPr`) in an element hide text. */
export function isHidden(element: XmlElement): boolean {
  const vanish = childAt(element, 'rPr', 'vanish');
  return vanish !== undefined && !/^(?:0|false|off)$/.test(vanish.attributes['val'] ?? '1');
}

/** The value of a property: `<w:outlineLvl w:val="0"/>`. */
export function valueOf(element: XmlElement, name: string): string | undefined {
  return childAt(element, name)?.attributes['val'];
}

function headingOf(own: XmlElement | undefined, chain: readonly Style[], names: readonly string[]): number | null {
  const ownLevel = own && valueOf(own, 'outlineLvl');
  if (ownLevel !== undefined) return levelOf(ownLevel);
  if (chain.length === 0) return namedLevel(names[0] ?? '');
  for (const { name, paragraph } of chain) {
    const level = paragraph && valueOf(paragraph, 'outlineLvl');
    if (level !== undefined) return levelOf(level);
    const named = namedLevel(name);
    if (named !== null) return named;
  }
  return null;
}

function levelOf(outline: string): number | null {
  const level = Number(outline);
  return Number.isInteger(level) && level >= 0 && level < BODY ? level + 1 : null;
}

/** Word stores the names of its own styles in English, whatever its language; other programs, and ids of styles, have them in theirs. */
const HEADING =
  /^(?:heading|[üu]?berschrift|titre|t[íi]tulo|titolo|kop|rubrik|overskrift|otsikko|nagł[óo]wek|заголовок|nadpis|címsor|başlık|επικεφαλίδα|titlu|naslov|제목|개요|見出し|标题|標題)\s?([1-9])$/iu;
const TITLE = /^(?:title|titel|titre|t[íi]tulo|titolo|название|제목|표제|表題|标题|標題)$/iu;

function namedLevel(name: string): number | null {
  const level = HEADING.exec(name.normalize('NFC'))?.[1];
  return level === undefined ? null : Number(level);
}

function listOf(properties: readonly XmlElement[]): ListPlace | null {
  let level: number | undefined;
  for (const one of properties) {
    const list = childAt(one, 'numPr');
    if (list === undefined) continue;
    const [ilvl, numId] = [valueOf(list, 'ilvl'), valueOf(list, 'numId')];
    if (ilvl !== undefined) level ??= Number(ilvl);
    if (numId !== undefined) return numId === '0' ? null : { numId, level };
  }
  return null;
}
