/** A piece of text; `x` and `y` are its start in points from the lower left corner of the page. */
export interface TestText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** 12 points by default. */
  readonly size?: number;
  /**
   * `latin`: Helvetica. `korean`: a font that is not embedded, with a predefined CMap. `any`: every character half as wide as high, mapped
   * by a ToUnicode table. `vertical`: the same, set downwards.
   */
  readonly font?: 'latin' | 'korean' | 'any' | 'vertical';
  /** Degrees, counterclockwise. */
  readonly angle?: number;
}

/** One page; a picture covers it. */
export interface TestPage {
  readonly texts?: readonly TestText[];
  /** Grey values, row by row. */
  readonly picture?: { readonly width: number; readonly height: number; readonly grey: Uint8Array };
  /** Points; A4 by default. */
  readonly size?: readonly [width: number, height: number];
  /** Degrees clockwise by which a viewer turns the page. */
  readonly rotate?: 0 | 90 | 180 | 270;
  /** Operators before the texts. */
  readonly operators?: string;
  /** Entries of the dictionary of each annotation. */
  readonly annotations?: readonly string[];
}

/** An entry of the outline; `top` is its position on the page; without it the entry refers to the whole page. */
export interface TestOutline {
  readonly title: string;
  readonly page: number;
  readonly top?: number;
  readonly children?: readonly TestOutline[];
}

/** The contents of a test file. */
export interface TestPdf {
  readonly pages: readonly TestPage[];
  readonly outline?: readonly TestOutline[];
  /** Entries of the information dictionary, such as `Title`. */
  readonly info?: Readonly<Record<string, string>>;
  /** The number of pages that the file claims. */
  readonly count?: number;
}

const A4 = [595, 842] as const;

/** Writes a PDF without compression or embedded fonts. */
export function makePdf({ pages, outline = [], info, count = pages.length }: TestPdf): Uint8Array {
  const file = new ObjectFile();
  const catalog = file.reserve();
  const tree = file.reserve();
  const fonts = fontsOf(file, pages);
  const kids = pages.map((page) => file.add(pageObject(file, page, { tree, fonts })));
  const top = outline.length === 0 ? undefined : outlineObjects(file, outline, kids);
  file.set(tree, `<< /Type /Pages /Kids [${kids.map(reference).join(' ')}] /Count ${count} >>`);
  file.set(
    catalog,
    `<< /Type /Catalog /Pages ${reference(tree)}${top === undefined ? '' : ` /Outlines ${reference(top)}`} >>`,
  );
  const facts = Object.entries(info ?? {}).map(([key, value]) => `/${key} ${textString(value)}`);
  return file.written(catalog, facts.length === 0 ? undefined : file.add(`<< ${facts.join(' ')} >>`));
}

/** Lines of text below each other, starting at a point. */
export function lines(
  texts: readonly string[],
  { x, y, leading = 14, ...rest }: Omit<TestText, 'text'> & { readonly leading?: number },
): readonly TestText[] {
  return texts.map((text, at) => ({ ...rest, text, x, y: y - at * leading }));
}

class ObjectFile {
  readonly #bodies: Buffer[] = [];

  reserve(): number {
    return this.add('null');
  }

  add(body: string | Uint8Array): number {
    return this.#bodies.push(Buffer.from(body));
  }

  set(number: number, body: string): void {
    this.#bodies[number - 1] = Buffer.from(body);
  }

  stream(dictionary: string, data: Buffer): number {
    const head = `<< ${dictionary} /Length ${data.length} >>\nstream\n`;
    return this.add(Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')]));
  }

  written(catalog: number, info: number | undefined): Uint8Array {
    const parts = [Buffer.from('%PDF-1.7\n')];
    const rows = ['0000000000 65535 f \n'];
    let length = parts[0]?.length ?? 0;
    for (const [at, body] of this.#bodies.entries()) {
      rows.push(`${String(length).padStart(10, '0')} 00000 n \n`);
      const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
      length += part.length;
      parts.push(part);
    }
    const trailer = `/Size ${rows.length} /Root ${reference(catalog)}${info === undefined ? '' : ` /Info ${reference(info)}`}`;
    parts.push(
      Buffer.from(`xref\n0 ${rows.length}\n${rows.join('')}trailer\n<< ${trailer} >>\nstartxref\n${length}\n%%EOF\n`),
    );
    return new Uint8Array(Buffer.concat(parts));
  }
}

interface Fonts {
  /** An entry of a resource dictionary for each font. */
  readonly resources: string;
  /** The code of each character of the fonts `any` and `vertical`. */
  readonly codes: ReadonlyMap<string, number>;
}

function fontsOf(file: ObjectFile, pages: readonly TestPage[]): Fonts {
  const free = pages.flatMap(({ texts = [] }) => texts.filter(({ font }) => font === 'any' || font === 'vertical'));
  const characters = [...new Set(free.flatMap(({ text }) => [...text]))];
  const codes = new Map(characters.map((character, at) => [character, at + 1]));
  const latin = file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  const korean = composite(file, {
    name: 'HYSMyeongJo-Medium',
    ordering: 'Korea1',
    encoding: 'KSCms-UHC-H',
    width: 1000,
  });
  const toUnicode = file.stream('', Buffer.from(unicodeTable(codes)));
  const known = { name: 'Nowhere', ordering: 'Identity', toUnicode };
  const any = composite(file, { ...known, encoding: 'Identity-H', width: 500 });
  const vertical = composite(file, { ...known, encoding: 'Identity-V', width: 1000 });
  const named = { L: latin, K: korean, A: any, V: vertical };
  return {
    resources: Object.entries(named)
      .map(([name, number]) => `/${name} ${reference(number)}`)
      .join(' '),
    codes,
  };
}

function composite(
  file: ObjectFile,
  font: {
    readonly name: string;
    readonly ordering: string;
    readonly encoding: string;
    readonly width: number;
    readonly toUnicode?: number;
  },
): number {
  const { name, ordering, encoding, width, toUnicode } = font;
  const descriptor = file.add(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [0 -250 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -250 /CapHeight 700 /StemV 80 >>`,
  );
  const descendant = file.add(
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >> /FontDescriptor ${reference(descriptor)} /DW ${width} >>`,
  );
  const table = toUnicode === undefined ? '' : ` /ToUnicode ${reference(toUnicode)}`;
  return file.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${encoding} /DescendantFonts [${reference(descendant)}]${table} >>`,
  );
}

function unicodeTable(codes: ReadonlyMap<string, number>): string {
  const rows = [...codes].map(([character, code]) => `<${hex16(code)}> <${utf16(character)}>`);
  const blocks: string[] = [];
  for (let at = 0; at < rows.length; at += 100) {
    const block = rows.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  const space = '1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange';
  return `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Table def\n/CMapType 2 def\n${space}\n${blocks.join('\n')}\nendcmap\nend\nend`;
}

function pageObject(
  file: ObjectFile,
  { texts = [], picture, size = A4, rotate = 0, operators = '', annotations = [] }: TestPage,
  { tree, fonts }: { readonly tree: number; readonly fonts: Fonts },
): string {
  const drawn = picture === undefined ? '' : `q ${size[0]} 0 0 ${size[1]} 0 0 cm /I Do Q\n`;
  const written = texts.map((text) => textOperators(text, fonts.codes)).join('');
  const content = file.stream('', Buffer.from(drawn + operators + written, 'latin1'));
  const notes = annotations.map((entries) => reference(file.add(`<< /Type /Annot ${entries} >>`))).join(' ');
  const image =
    picture === undefined
      ? ''
      : ` /XObject << /I ${reference(
          file.stream(
            `/Type /XObject /Subtype /Image /Width ${picture.width} /Height ${picture.height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
            Buffer.from(picture.grey),
          ),
        )} >>`;
  return `<< /Type /Page /Parent ${reference(tree)} /MediaBox [0 0 ${size.join(' ')}] /Rotate ${rotate} /Annots [${notes}] /Contents ${reference(content)} /Resources << /Font << ${fonts.resources} >>${image} >> >>`;
}

function textOperators(
  { text, x, y, size = 12, font = 'latin', angle = 0 }: TestText,
  codes: ReadonlyMap<string, number>,
): string {
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn).toFixed(6), Math.sin(turn).toFixed(6)];
  const name = { latin: 'L', korean: 'K', any: 'A', vertical: 'V' }[font];
  const shown =
    font === 'latin'
      ? Buffer.from(text, 'latin1').toString('hex')
      : font === 'korean'
        ? ksx1001(text)
        : [...text].map((character) => hex16(codes.get(character) ?? 0)).join('');
  return `BT /${name} ${size} Tf ${cos} ${sin} ${-Number(sin)} ${cos} ${x} ${y} Tm <${shown}> Tj ET\n`;
}

function outlineObjects(file: ObjectFile, entries: readonly TestOutline[], pages: readonly number[]): number {
  const root = file.reserve();
  const write = (level: readonly TestOutline[], parent: number): readonly number[] => {
    const numbers = level.map(() => file.reserve());
    for (const [at, { title, page, top, children = [] }] of level.entries()) {
      const own = numbers[at] ?? 0;
      const below = write(children, own);
      const view = top === undefined ? '/Fit' : `/XYZ 0 ${top} 0`;
      const links = [
        `/Title ${textString(title)} /Parent ${reference(parent)} /Dest [${reference(pages[page - 1] ?? 0)} ${view}]`,
        at === 0 ? '' : `/Prev ${reference(numbers[at - 1] ?? 0)}`,
        numbers[at + 1] === undefined ? '' : `/Next ${reference(numbers[at + 1] ?? 0)}`,
        below.length === 0 ? '' : `/First ${reference(below[0] ?? 0)} /Last ${reference(below.at(-1) ?? 0)}`,
      ];
      file.set(own, `<< ${links.join(' ')} >>`);
    }
    return numbers;
  };
  const top = write(entries, root);
  file.set(root, `<< /Type /Outlines /First ${reference(top[0] ?? 0)} /Last ${reference(top.at(-1) ?? 0)} >>`);
  return root;
}

function reference(number: number): string {
  return `${number} 0 R`;
}

function textString(text: string): string {
  return `<FEFF${utf16(text)}>`;
}

function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, at) => hex16(text.charCodeAt(at))).join('');
}

function hex16(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}

let pairs: ReadonlyMap<string, string> | undefined;

/** Encodes Hangul in KS X 1001. Node can only decode it, so every pair of bytes is decoded once. */
function ksx1001(text: string): string {
  pairs ??= decodedPairs();
  return [...text].map((character) => pairs?.get(character) ?? character.charCodeAt(0).toString(16)).join('');
}

function decodedPairs(): ReadonlyMap<string, string> {
  const decoder = new TextDecoder('euc-kr');
  const found = new Map<string, string>();
  for (let lead = 0xa1; lead <= 0xfe; lead++)
    for (let trail = 0xa1; trail <= 0xfe; trail++) {
      const bytes = Buffer.from([lead, trail]);
      found.set(decoder.decode(bytes), bytes.toString('hex'));
    }
  return found;
}
