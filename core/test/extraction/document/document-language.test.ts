import { describe, expect, it } from 'vitest';
import type { BlockDraft } from '../../../src/domain/block.ts';
import { languageOf } from '../../../src/extraction/document/document-language.ts';

/** The language of a document with these parts, in order. */
function languageOfParts(...parts: readonly (readonly [kind: 'paragraph' | 'table' | 'code', text: string])[]): string {
  let text = '';
  const blocks: BlockDraft[] = [];
  for (const [kind, part] of parts) {
    const start = text.length;
    text += `${part}\n\n`;
    const span = { start, end: start + part.length, headingPath: [] };
    blocks.push(
      (kind === 'code' ? { ...span, kind, lang: null, symbol: null } : { ...span, kind }) as unknown as BlockDraft,
    );
  }
  return languageOf(text, blocks);
}

const NAMES = Array.from({ length: 60 }, (_, n) => `CreateWindowEx${n} WM_PAINT${n}`).join(' ');
const ENGLISH =
  'The value that is returned by this function depends on the flags, which are described below for each of them.';
const GERMAN =
  'Der Wert, den die Funktion zurückgibt, hängt von den Angaben ab, die unten für jede einzelne beschrieben sind.';

describe('languageOf', () => {
  it('is told by the running text', () => {
    expect([languageOfParts(['paragraph', ENGLISH]), languageOfParts(['paragraph', GERMAN])]).toEqual(['en', 'de']);
  });

  it('is told by what follows a beginning of names', () => {
    expect(languageOfParts(['paragraph', NAMES.slice(0, 400)], ['paragraph', `${ENGLISH} ${ENGLISH}`])).toBe('en');
    expect(languageOfParts(['paragraph', NAMES.slice(0, 400)], ['paragraph', `${GERMAN} ${GERMAN}`])).toBe('de');
  });

  it('is told by tables where there is little else, and never by code', () => {
    expect(
      languageOfParts(['paragraph', 'WM_PAINT'], ['table', `| flag | meaning |\n|---|---|\n| A | ${ENGLISH} |`]),
    ).toBe('en');
    expect(languageOfParts(['paragraph', 'WM_PAINT'], ['code', `// ${ENGLISH}`])).toBe('und');
  });

  it('is undetermined for names alone', () => {
    expect(languageOfParts(['paragraph', NAMES])).toBe('und');
  });
});
