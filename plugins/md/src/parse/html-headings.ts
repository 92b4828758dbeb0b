import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2';

/** A heading in a piece of HTML, from its start tag to its end tag. */
export interface HtmlHeading {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  /** Its words; of a heading without words, the alternative texts of its images. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether its end tag is part of the HTML. */
  readonly isClosed: boolean;
}

/** Elements whose content is not shown. */
const UNSHOWN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'textarea', 'title']);
/** Elements that stand beside other words of the same heading without a space in the source. */
const INLINE =
  /^(?:a|abbr|b|bdi|bdo|code|cite|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|tt|u|var|wbr)$/;

/**
 * Loads the parser. The function finds the headings of HTML in document order, as a browser shows them: not those in comments and scripts.
 * The HTML need not be whole; takes linear time.
 */
export async function openHtmlHeadings(): Promise<(html: string) => readonly HtmlHeading[]> {
  const { Tokenizer } = await import('htmlparser2');
  return (html) => new HeadingReader(html).read((callbacks) => new Tokenizer({ decodeEntities: true }, callbacks));
}

function ignore(): void {}

interface OpenHeading {
  readonly level: HtmlHeading['level'];
  readonly start: number;
  words: string;
  alternatives: string;
}

class HeadingReader {
  readonly #html: string;
  readonly #headings: HtmlHeading[] = [];
  #open: OpenHeading | null = null;
  /** The element whose tag is being read. */
  #name = '';
  #tagStart = 0;
  #attribute = '';
  #value = '';
  /** The element whose content is passed over. */
  #unshown: string | null = null;

  constructor(html: string) {
    this.#html = html;
  }

  read(open: (callbacks: TokenizerCallbacks) => Tokenizer): readonly HtmlHeading[] {
    const tokenizer = open({
      onopentagname: (start, end) => {
        [this.#name, this.#tagStart] = [this.#slice(start, end).toLowerCase(), start - 1];
      },
      onopentagend: () => this.#opened(),
      onselfclosingtag: () => this.#opened(),
      onclosetag: (start, end) => this.#closed(this.#slice(start, end).toLowerCase(), start - 2),
      onattribname: (start, end) => {
        [this.#attribute, this.#value] = [this.#slice(start, end).toLowerCase(), ''];
      },
      onattribdata: (start, end) => {
        this.#value += this.#slice(start, end);
      },
      onattribentity: (code) => {
        this.#value += String.fromCodePoint(code);
      },
      onattribend: () => {
        if (this.#name === 'img' && this.#attribute === 'alt' && this.#open !== null)
          this.#open.alternatives += ` ${this.#value}`;
      },
      ontext: (start, end) => this.#add(this.#slice(start, end)),
      ontextentity: (code) => this.#add(String.fromCodePoint(code)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    });
    tokenizer.write(this.#html);
    tokenizer.end();
    this.#end(this.#html.length, false);
    return this.#headings;
  }

  #opened(): void {
    const name = this.#name;
    if (this.#unshown !== null) return;
    if (UNSHOWN.has(name)) this.#unshown = name;
    const level = levelOf(name);
    if (level !== null) {
      this.#end(this.#tagStart, true);
      this.#open = { level, start: this.#tagStart, words: '', alternatives: '' };
    } else if (!INLINE.test(name)) this.#add(' ');
  }

  #closed(name: string, at: number): void {
    if (this.#unshown !== null) {
      if (name === this.#unshown) this.#unshown = null;
      return;
    }
    if (levelOf(name) !== null) this.#end(this.#html.indexOf('>', at) + 1 || this.#html.length, true);
    else if (!INLINE.test(name)) this.#add(' ');
  }

  #add(words: string): void {
    if (this.#open !== null && this.#unshown === null) this.#open.words += words;
  }

  #end(end: number, isClosed: boolean): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const { level, start } = open;
    this.#headings.push({ level, text: joined(open.words) || joined(open.alternatives), start, end, isClosed });
  }

  #slice(start: number, end: number): string {
    return this.#html.slice(start, end);
  }
}

function levelOf(name: string): HtmlHeading['level'] | null {
  return /^h[1-6]$/.test(name) ? (Number(name.slice(1)) as HtmlHeading['level']) : null;
}

function joined(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim();
}
