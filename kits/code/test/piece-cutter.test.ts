import { describe, expect, it } from 'vitest';
import { PieceCutter, SourceText } from '../src/piece-cutter.ts';

/** Cuts a text at its words `u1`, `u2` … (units, up to the next `;`) and `c(` … `)c` (containers). */
function cut(text: string): readonly string[] {
  const cutter = new PieceCutter(new SourceText(text));
  const open: number[] = [];
  for (const { index, 0: word } of text.matchAll(/u\d[^;]*;|c\(|\)c/g)) {
    const container = open.length === 0 ? null : 'c';
    if (word === ')c') {
      open.pop();
      cutter.end(index + 2, open.length === 0 ? null : 'c');
    } else if (word === 'c(') {
      open.push(index);
      cutter.begin({ role: 'header', symbol: 'c', from: index, start: index });
    } else {
      cutter.begin({ role: 'unit', symbol: word.slice(0, 2), from: index, start: index });
      cutter.end(index + word.length, container);
    }
  }
  return cutter.finish().map(({ symbol, start, end }) => `${symbol}: ${text.slice(start, end)}`);
}

describe('cutting a file at its units', () => {
  it('assigns code between units to <top-level>', () => {
    expect(cut('x\n\nu1 a;\n\ny\nz\nu2;\nw\n')).toEqual([
      '<top-level>: x',
      'u1: u1 a;',
      '<top-level>: y\nz',
      'u2: u2;',
      '<top-level>: w',
    ]);
  });

  it('assigns a file without units to <module>, from its first non-blank line to its last', () => {
    expect(cut('\n \n  x\n\n y \n\n')).toEqual(['<module>:   x\n\n y ']);
    expect(cut('{}\n')).toEqual(['<module>: {}']);
    expect(cut('\n \n')).toEqual([]);
    expect(cut('')).toEqual([]);
  });

  it('gives a unit whole lines, including text before it on the first and after it on the last', () => {
    expect(cut('a\n  b u1\nc; d\ne')).toEqual(['<top-level>: a', 'u1:   b u1\nc; d', '<top-level>: e']);
  });

  it('cuts a line that two units share at the start of the second', () => {
    expect(cut('u1 a; /* b */ u2 c;\nd')).toEqual(['u1: u1 a; /* b */ ', 'u2: u2 c;', '<top-level>: d']);
    expect(cut('u1 a\nb; u2 c\nd; u3;')).toEqual(['u1: u1 a\nb; ', 'u2: u2 c\nd; ', 'u3: u3;']);
  });

  it('assigns header, gaps and tail of a container to its symbol', () => {
    expect(cut('c( h\nu1;\nx\nu2;\nt )c\ny\n')).toEqual([
      'c: c( h',
      'u1: u1;',
      'c: x',
      'u2: u2;',
      'c: t )c',
      '<top-level>: y',
    ]);
  });

  it('keeps a container without members whole', () => {
    expect(cut('c( h\nx\n)c\n')).toEqual(['c: c( h\nx\n)c']);
  });

  it('leaves the header to the first member when they share a line', () => {
    expect(cut('a\nc( h u1; u2; )c\n')).toEqual(['<top-level>: a', 'u1: c( h u1; ', 'u2: u2; )c']);
    expect(cut('u1; c( u2; )c c( u3; )c')).toEqual(['u1: u1; ', 'u2: c( u2; )c ', 'u3: c( u3; )c']);
  });

  it('joins punctuation to the previous piece, including blank lines between them', () => {
    expect(cut('u1;\n\n}\n')).toEqual(['u1: u1;\n\n}']);
    expect(cut('u1;\n};\n\n---\nu2;')).toEqual(['u1: u1;\n};\n\n---', 'u2: u2;']);
  });

  it('joins punctuation at the top of a file to the first piece', () => {
    expect(cut('{\n\nu1;\n}')).toEqual(['u1: {\n\nu1;\n}']);
  });

  it('treats letters and digits of every script as words', () => {
    expect(cut('u1;\n가\nu2;\n٣\nu3;\n👋\n')).toEqual([
      'u1: u1;',
      '<top-level>: 가',
      'u2: u2;',
      '<top-level>: ٣',
      'u3: u3;\n👋',
    ]);
  });

  it('begins a unit where its comments begin', () => {
    const text = 'a\n# b\nu1;\n';
    const cutter = new PieceCutter(new SourceText(text));
    cutter.begin({ role: 'unit', symbol: 'u1', from: 2, start: 6 });
    cutter.end(9, null);
    expect(cutter.finish()).toEqual([
      { symbol: '<top-level>', start: 0, end: 1 },
      { symbol: 'u1', start: 2, end: 9 },
    ]);
  });
});
