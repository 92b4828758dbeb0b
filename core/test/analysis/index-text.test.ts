import { describe, expect, it } from 'vitest';
import { analyseChunk, type IndexMaterial } from '../../src/analysis/index-text.ts';

const NOTHING: IndexMaterial = {
  text: '',
  title: '',
  headingPath: [],
  workspacePath: '',
  symbol: null,
  extra: [],
  prefix: null,
};

describe('analyseChunk', () => {
  it('leaves plain text unchanged', () => {
    expect(analyseChunk({ ...NOTHING, text: 'Plain, naïve words.\n' }).text).toBe('Plain, naïve words.\n');
  });

  it('appends the parts of identifiers to the text', () => {
    expect(analyseChunk({ ...NOTHING, text: 'call fooBar()' }).text).toBe('call fooBar() foo Bar');
  });

  it('analyses decomposed (NFD) text like composed text', () => {
    const { text, cjk } = analyseChunk({ ...NOTHING, text: 'caf\u0065\u0301 한'.normalize('NFD') });
    expect(text).toBe('café  ');
    expect(cjk).toBe('한 ');
  });

  it('appends front matter values and a prefix to the text', () => {
    expect(analyseChunk({ ...NOTHING, text: 'body', extra: ['alias', '42'], prefix: '문맥' })).toMatchObject({
      text: 'body\nalias\n42\n ',
      cjk: '문맥 맥 ',
    });
  });

  it('puts title, headings and file name into the heading, without repetition', () => {
    const material = {
      ...NOTHING,
      title: 'Guide',
      headingPath: ['Guide', '설치 steps'],
      workspacePath: 'a/how-to.v2.md',
    };
    expect(analyseChunk(material).heading.split(/\s+/)).toEqual([
      '',
      'Guide',
      'steps',
      'how-to.v2',
      'v',
      '2',
      '설치',
      '치',
      '',
    ]);
    expect(analyseChunk({ ...NOTHING, title: 'notes', workspacePath: 'notes.md' }).heading).toBe('notes');
    expect(analyseChunk({ ...NOTHING, title: 'x', workspacePath: '.profile' }).heading).toBe('x\n.profile');
  });

  it('appends the parts of identifiers to the symbol', () => {
    expect(analyseChunk({ ...NOTHING, symbol: '<Foo as Bar>::readAll' }).symbol).toBe('<Foo as Bar>::readAll read All');
  });
});
