import { describe, expect, it } from 'vitest';
import { extract, pageTexts } from './extract.ts';
import { lines, makePdf } from './make-pdf.ts';

const pages = [{ texts: lines(['Enough words on this page to be of use.'], { x: 72, y: 700 }) }];
const sound = makePdf({ pages });

describe('an unreadable file', () => {
  it.each([
    ['an empty file', new Uint8Array(), /empty/],
    ['a note with the wrong name', bytesOf('Dear diary,\n'.repeat(500)), /cannot be read as a PDF/],
    ['an archive', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0), /cannot be read as a PDF/],
    ['a header and nothing else', bytesOf('%PDF-1.7\n'), /cannot be read as a PDF/],
    ['the first half of a file', sound.slice(0, sound.length / 2), /cannot be read as a PDF/],
    ['brackets that are never closed', bytesOf(`%PDF-1.7\n1 0 obj\n${'['.repeat(100_000)}`), /cannot be read as a PDF/],
    ['a page tree that contains itself', replaced(/\/Kids \[\d+ 0 R\]/, '/Kids [2 0 R]'), /circular/],
    ['fewer pages than none', makePdf({ pages, count: -2_147_483_648 }), /-2147483648 pages/],
    ['no pages', makePdf({ pages, count: 0 }), /0 pages/],
  ])('fails in one line that says why: %s', async (_, bytes, reason) => {
    const failure: unknown = await extract(bytes).then(
      () => 'nothing was thrown',
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(reason) as unknown });
    expect((failure as Error).message).toMatch(/^a\.pdf [^\n]+$/);
    expect((failure as { readonly hint: string }).hint).toMatch(/PDF reader/);
  });
});

describe('a damaged but readable file', () => {
  it.each([
    ['more pages than there are', makePdf({ pages, count: 2_147_483_647 })],
    ['a cross-reference table that follows itself', replaced(/trailer\n<< /, `trailer\n<< /Prev ${xrefOf(sound)} `)],
    ['a wrong place for the table', replaced(/startxref\n\d+/, 'startxref\n7')],
    ['a stream whose length is an object of another kind', replaced(/\/Length \d+/, '/Length 1 0 R')],
    ['a page without an extent', replaced(/\/MediaBox \[[^\]]*\]/, '/MediaBox [0 0 0 0]')],
    ['rubbish behind the end', bytesOf(`${textOf(sound)}${'\0rubbish'.repeat(200)}`)],
    ['rubbish before the header', bytesOf(`rubbish\n${textOf(sound)}`)],
  ])('gives its text: %s', async (_, bytes) => {
    expect(pageTexts(await extract(bytes))).toEqual(['Enough words on this page to be of use.']);
  });

  it('keeps the pages around one whose parsing times out, and halves the time for those after it', async () => {
    const [page = {}] = pages;
    const endless = { operators: 'q '.repeat(200_000), ...page };
    const extracted = await extract(makePdf({ pages: [page, endless, page, endless] }), { pageTimeoutMs: 6000 });
    expect(pageTexts(extracted)).toEqual([
      'Enough words on this page to be of use.',
      '',
      'Enough words on this page to be of use.',
      '',
    ]);
    expect(extracted.warnings).toEqual([
      { kind: 'extract_failed', note: 'page 2: reading it took longer than 6 s' },
      { kind: 'extract_failed', note: 'page 4: reading it took longer than 3 s' },
    ]);
  });
});

it('says of a file that is slow as a whole that it took too long, and not that it is damaged', async () => {
  const endless = { operators: 'q '.repeat(200_000) };
  const reading = extract(makePdf({ pages: [endless] }), { pageTimeoutMs: 6000 });
  await expect(reading).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'a.pdf cannot be read: no page can be read, reading it took longer than 6 s',
  });
});

function replaced(pattern: RegExp, by: string): Uint8Array {
  const text = textOf(sound);
  expect(text).toMatch(pattern);
  return bytesOf(text.replace(pattern, by));
}

function xrefOf(bytes: Uint8Array): string {
  return /startxref\n(\d+)/.exec(textOf(bytes))?.[1] ?? '';
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
