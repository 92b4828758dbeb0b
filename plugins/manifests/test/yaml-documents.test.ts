import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yamlDocuments } from '../src/yaml-documents.ts';

function documents(text: string): readonly string[] {
  return yamlDocuments(text).map(({ start, end }) => text.slice(start, end));
}

describe('cutting a YAML stream into documents', () => {
  it.each([
    ['', []],
    ['\n \n', []],
    ['a: 1\n', ['a: 1']],
    ['a: 1\n---\nb: 2\n', ['a: 1', '---\nb: 2']],
    ['---\na: 1\n\n---\nb: 2\n---\n', ['---\na: 1', '---\nb: 2\n---']],
    ['a: 1\n...\nb: 2\n', ['a: 1\n...', 'b: 2']],
    ['# licence\n---\na: 1\n', ['# licence\n---\na: 1']],
    ['%YAML 1.2\n---\na: 1\n', ['%YAML 1.2\n---\na: 1']],
    ['--- # first\n---\n---\na: 1\n', ['--- # first\n---\n---\na: 1']],
    ['a: |\n  ---\n  b\n', ['a: |\n  ---\n  b']],
    ['---a: 1\n----\nb\n', ['---a: 1\n----\nb']],
    ['--- {a: 1}\n--- [b]\n', ['--- {a: 1}', '--- [b]']],
    ['a: 1\n---\n# the end\n', ['a: 1\n---\n# the end']],
    ['# only\n# comments\n', ['# only\n# comments']],
    ['---\n', ['---']],
  ])('%j holds %j', (text, expected) => {
    expect(documents(text)).toEqual(expected);
  });

  it('loses no character that is not white space, and repeats none', () => {
    const line = fc.constantFrom('---', '...', '--- a', 'a: 1', '  b', '# c', '%YAML 1.2', '', '  ', '안녕 👋');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const text = lines.join('\n');
        expect(documents(text).join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      }),
    );
  });
});
