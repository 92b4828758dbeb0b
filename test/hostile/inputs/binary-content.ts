import { crc32, deflateSync } from 'node:zlib';
import { lines, makePdf } from '../../../plugins/pdf/test/make-pdf.ts';
import type { HostileFile } from './file-content.ts';

const page = { texts: lines(['Enough words on this page to be of use.'], { x: 72, y: 700 }) };
const sound = Buffer.from(makePdf({ pages: [page, page] })).toString('latin1');

/** Damages a valid file, byte for byte. */
type Damage = (text: string) => string;

const PDF_DAMAGE: Readonly<Record<string, Damage>> = {
  'without a header': (text) => text.slice(8),
  'a header alone': () => '%PDF-1.7\n',
  'rubbish behind a header': () => `%PDF-1.7\n${'\u00ff\u0000x'.repeat(20_000)}`,
  'brackets that are never closed': () => `%PDF-1.7\n1 0 obj\n${'['.repeat(200_000)}`,
  'dictionaries that are never closed': () => `%PDF-1.7\n1 0 obj\n${'<</a '.repeat(100_000)}`,
  'a table that follows itself': (text) =>
    text.replace('trailer\n<< ', `trailer\n<< /Prev ${text.lastIndexOf('xref\n')} `),
  'a table at a negative place': (text) => text.replace(/startxref\n\d+/, 'startxref\n-1'),
  'a table beyond the end': (text) => text.replace(/startxref\n\d+/, 'startxref\n99999999999'),
  'pages that contain themselves': (text) => text.replace(/\/Kids \[\d+ 0 R/, '/Kids [2 0 R'),
  'two thousand million pages': (text) => text.replace(/\/Count \d+/, '/Count 2147483647'),
  'fewer pages than none': (text) => text.replace(/\/Count \d+/, '/Count -2147483648'),
  'a page without an extent': (text) => text.replaceAll(/\/MediaBox \[[^\]]*\]/g, '/MediaBox [0 0 0 0]'),
  'a page as large as a country': (text) => text.replaceAll(/\/MediaBox \[[^\]]*\]/g, '/MediaBox [0 0 1e12 1e12]'),
  'an extent of names': (text) => text.replaceAll(/\/MediaBox \[[^\]]*\]/g, '/MediaBox [/a /b /c /d]'),
  'a stream longer than the file': (text) => text.replaceAll(/\/Length \d+/g, '/Length 999999999'),
  'a stream of negative length': (text) => text.replaceAll(/\/Length \d+/g, '/Length -5'),
  'a stream that names itself as its length': (text) => text.replaceAll(/\/Length \d+/g, '/Length 3 0 R'),
  'an unknown filter': (text) => text.replaceAll('/Length ', '/Filter /Nothing /Length '),
  'filters one behind the other': (text) =>
    text.replaceAll('/Length ', `/Filter [${'/FlateDecode '.repeat(2000)}] /Length `),
  'encryption that is no encryption': (text) =>
    text.replace('trailer\n<< ', 'trailer\n<< /Encrypt << /Filter /Standard /V 9 /R 9 /O (x) /U (y) /P 0 >> '),
  'a script that opens with it': (text) =>
    text.replace('/Type /Catalog', '/Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert(1)) >>'),
  'a program that opens with it': (text) =>
    text.replace('/Type /Catalog', '/Type /Catalog /OpenAction << /S /Launch /F (/bin/sh) >>'),
  'an address that opens with it': (text) =>
    text.replace('/Type /Catalog', '/Type /Catalog /OpenAction << /S /URI /URI (http://127.0.0.1:9/) >>'),
  'objects of the number zero': (text) => text.replaceAll(/\n\d+ 0 obj/g, '\n0 0 obj'),
  'a root that is not there': (text) => text.replace(/\/Root \d+ 0 R/, '/Root 999 0 R'),
  'zero bytes all over': (text) => text.replaceAll(' ', '\0'),
};

const PDF_OPERATORS: Readonly<Record<string, string>> = {
  'a deep stack of states': 'q '.repeat(100_000),
  'more restored than saved': 'Q '.repeat(100_000),
  'text without a font': 'BT (words) Tj ET '.repeat(5000),
  'a text size of infinity': 'BT /F1 1e300 Tf (words) Tj ET',
  'a matrix of zeros': '0 0 0 0 0 0 cm BT /F1 12 Tf (words) Tj ET',
  'a font that is not there': 'BT /Nowhere 12 Tf (words) Tj ET',
  'a string that never ends': 'BT /F1 12 Tf (words',
  'an array that never ends': 'BT /F1 12 Tf [(words) -100 ',
  'operators that do not exist': 'frobnicate '.repeat(20_000),
  'an inline picture that never ends': `BI /W 99999 /H 99999 /BPC 8 /CS /RGB ID ${'x'.repeat(5000)}`,
  'numbers of ten thousand digits': `${'9'.repeat(10_000)} 0 0 1 0 0 cm`,
};

/** A PDF of these objects; the third is its page, which draws the form or the pattern of the fifth. */
function pdfOfObjects(drawn: string, objects: readonly string[]): string {
  const all = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', drawn, ...objects];
  const numbered = all.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  return `%PDF-1.7\n${numbered}trailer\n<< /Root 1 0 R /Size ${all.length + 1} >>\nstartxref\n0\n%%EOF`;
}

const pdfStream = (entries: string, content: string): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** Nested forms, each of which draws the next one `times` times. */
function nestedForms(depth: number, times: number, last: string): string {
  const form = (next: number, content: string): string =>
    pdfStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X ${next} 0 R >> >>`,
      content,
    );
  const drawn =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>';
  const forms = Array.from({ length: depth }, (_, i) => form(i + 6, i === depth - 1 ? last : '/X Do '.repeat(times)));
  return pdfOfObjects(drawn, [pdfStream('', '/X Do'), ...forms]);
}

/** A pattern of large tiles at steps of a thousandth of a point. */
const denselyTiled = (): string =>
  pdfOfObjects(
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 60000 80000] /Contents 4 0 R /Resources << /Pattern << /P 5 0 R >> >> >>',
    [
      pdfStream('', '/Pattern cs /P scn 0 0 60000 80000 re f'),
      pdfStream(
        '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 100000 100000] /XStep 0.001 /YStep 0.001',
        '0 0 100000 100000 re f',
      ),
    ],
  );

/** A pattern that is drawn sixty million times in one step, during which no timer runs. */
const drawnAtOnce = (): string =>
  pdfOfObjects(
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Pattern << /P 5 0 R >> >> >>',
    [
      pdfStream('', '/Pattern cs /P scn 0 0 600 800 re f'),
      pdfStream(
        '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 100 100] /XStep 0.00001 /YStep 100',
        '1 0 0 rg 0 0 50 50 re f',
      ),
    ],
  );

const PDF_DRAWINGS: Readonly<Record<string, () => string>> = {
  'ten billion forms within forms': () => nestedForms(10, 10, '0 0 600 800 re f'),
  'a form that draws itself': () => nestedForms(1, 1, '/X Do').replace('/X 6 0 R', '/X 5 0 R'),
  'a pattern of ten billion tiles': denselyTiled,
  'a pattern of sixty million tiles in a row': drawnAtOnce,
};

const CUTS = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99];

const PDF: readonly HostileFile[] = [
  ...Object.entries(PDF_DAMAGE).map(([name, damage]) => pdfOf(name, () => damage(sound))),
  ...CUTS.map((share) => pdfOf(`cut after ${share * 100} %`, () => sound.slice(0, sound.length * share))),
  ...Array.from({ length: 12 }, (_, i) => pdfOf(`bytes turned over, series ${i}`, () => turnedOver(sound, i))),
  ...Object.entries(PDF_DRAWINGS).map(([name, text]) => pdfOf(name, text)),
  ...Object.entries(PDF_OPERATORS).map(([name, operators]) => ({
    name: `a PDF with ${name}`,
    file: 'hostile.pdf',
    content: () => makePdf({ pages: [page, { operators, ...page }] }),
  })),
];

function pdfOf(name: string, text: () => string): HostileFile {
  return { name: `a PDF: ${name}`, file: 'hostile.pdf', content: () => Buffer.from(text(), 'latin1') };
}

/** The same for the same series; some fifty places. */
function turnedOver(text: string, series: number): string {
  const bytes = Buffer.from(text, 'latin1');
  let state = series * 7919 + 1;
  for (let i = 0; i < 50; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const at = state % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (state % 8));
  }
  return bytes.toString('latin1');
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function part(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

function png(
  width: number,
  height: number,
  { bits = 8, color = 0, data = deflateSync(Buffer.alloc(64)) } = {},
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([bits, color], 8);
  return Buffer.concat([SIGNATURE, part('IHDR', head), part('IDAT', data), part('IEND', Buffer.alloc(0))]);
}

function gif(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  return Buffer.concat([Buffer.from('GIF89a', 'latin1'), size, Buffer.from([0xf7, 0, 0]), Buffer.alloc(768)]);
}

const PICTURES: Readonly<Record<string, () => string | Uint8Array>> = {
  'small.png': () => png(8, 8),
  'huge.png': () => png(2_000_000_000, 2_000_000_000),
  'wide.png': () => png(4_000_000_000, 1),
  'nothing.png': () => png(0, 0),
  'bomb.png': () => png(30_000, 30_000, { data: deflateSync(Buffer.alloc(20_000_000)) }),
  'odd-bits.png': () => png(8, 8, { bits: 77 }),
  'odd-color.png': () => png(8, 8, { color: 99 }),
  'no-data.png': () => png(100, 100, { data: Buffer.alloc(0) }),
  'rubbish-data.png': () => png(100, 100, { data: Buffer.from('rubbish') }),
  'signature.png': () => SIGNATURE,
  'cut.png': () => png(8, 8).subarray(0, 30),
  'chunks.png': () =>
    Buffer.concat([SIGNATURE, ...Array.from({ length: 20_000 }, () => part('tEXt', Buffer.from('a\0b')))]),
  'long-part.png': () => Buffer.concat([SIGNATURE, Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from('IHDR')]),
  'text.png': () => 'a note with the wrong name\n'.repeat(100),
  'empty.png': () => '',
  'small.jpg': () => Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
  'endless.jpg': () => Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(100_000, 0xff)]),
  'exif.jpg': () =>
    Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]),
      Buffer.from('Exif\0\0II*\0'),
      Buffer.alloc(9000, 0xfe),
    ]),
  'exif-loop.jpg': () =>
    Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 40]),
      Buffer.from('Exif\0\0II*\0\x08\0\0\0\0\0\x08\0\0\0', 'latin1'),
      Buffer.alloc(60),
    ]),
  'size.jpg': () => Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0, 0xff, 0xd9]),
  'huge.gif': () => gif(65_535, 65_535),
  'nothing.gif': () => gif(0, 0),
  'frames.gif': () => Buffer.concat([gif(9, 9), Buffer.from('2c000000000900090000080104003b'.repeat(5000), 'hex')]),
  'riff.webp': () => Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff', 'latin1'),
  'short.webp': () => Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'),
  'loop.tiff': () => Buffer.from('II*\0\x08\0\0\0\0\0\x08\0\0\0', 'latin1'),
  'far.tiff': () => Buffer.from('MM\0*\xff\xff\xff\xf0', 'latin1'),
  'many.tiff': () => Buffer.concat([Buffer.from('II*\0\x08\0\0\0\xff\xff', 'latin1'), Buffer.alloc(12 * 65_535, 1)]),
  'script.svg': () => '<svg onload="alert(1)"><script>process.exit(9)</script></svg>',
};

const IMAGES: readonly HostileFile[] = Object.entries(PICTURES).map(([file, content]) => ({
  name: `a picture ${file}`,
  file,
  content,
}));

/** Binary files, by the extractor that reads them. */
export const BINARY_FILES = { 'files: PDF': PDF, 'files: pictures': IMAGES } as const;
