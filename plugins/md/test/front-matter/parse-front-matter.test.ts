import { describe, expect, it } from 'vitest';
import { findFrontMatter } from '../../src/front-matter/parse-front-matter.ts';

describe('findFrontMatter', () => {
  it('finds YAML between dashes, with blanks after the fences', () => {
    expect(findFrontMatter('--- \na: b\n---\t \nbody')).toEqual({
      syntax: 'yaml',
      raw: 'a: b\n',
      bodyStart: 16,
      bodyLine: 4,
    });
  });

  it('finds TOML between lines of +++', () => {
    expect(findFrontMatter('+++\na = 1\n+++\n')).toEqual({
      syntax: 'toml',
      raw: 'a = 1\n',
      bodyStart: 14,
      bodyLine: 4,
    });
  });

  it('finds empty front matter, and front matter that ends the text', () => {
    expect(findFrontMatter('---\n---\nbody')).toMatchObject({ raw: '', bodyStart: 8, bodyLine: 3 });
    expect(findFrontMatter('---\na: b\n---')).toMatchObject({ raw: 'a: b\n', bodyStart: 12 });
  });

  it.each([
    '',
    '---',
    '---\na: b\n',
    ' ---\na: b\n---\n',
    '\n---\na: b\n---\n',
    '--- x\na: b\n---\n',
    `---${' '.repeat(1000)}x\na: b\n---\n`,
    '---\na: b\n+++\n',
    '--\na\n--\n',
  ])('finds no front matter in %j', (text) => {
    expect(findFrontMatter(text)).toBeUndefined();
  });

  it('accepts a longer fence only around plain keys and values', () => {
    expect(findFrontMatter('----\na: b\n----\nbody')).toMatchObject({ raw: 'a: b\n', bodyStart: 15 });
    expect(findFrontMatter('----\nA sentence.\n----\nbody')).toBeUndefined();
    expect(findFrontMatter('----\na: b\n---\nbody')).toBeUndefined();
  });

  it.each([
    '---\n\nThe wombat sleeps.\n\n---\n\nbody',
    '---\n\nNote: the wombat\nsleeps: all day\nor so\n\n---\nbody',
    '---\nThe wombat sleeps.\n---\nbody',
    '---\n- one\n- two\n---\nbody',
    '---\n# Heading\n---\nbody',
    '+++\nThe wombat sleeps.\n+++\nbody',
  ])('does not take text between two thematic breaks for front matter: %j', (text) => {
    expect(findFrontMatter(text)).toBeUndefined();
  });

  it.each([
    '---\n\ntitle: a\n\ntags: [b]\n---\n',
    '---\n\n# by hand\ntitle: a\nauthor:\n  name: b\ntags:\n- c\n---\n',
    '---\n# said by hand\na: b\n---\n',
    '---\na: b: c\n---\n',
    '---\n{a: b}\n---\n',
  ])('finds front matter with keys, whether or not it can be parsed: %j', (text) => {
    expect(findFrontMatter(text)).toMatchObject({ bodyStart: text.length });
  });
});
