import { describe, expect, it } from 'vitest';
import { findFrontMatter, parseFrontMatter } from '../../src/front-matter/parse-front-matter.ts';

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

describe('parseFrontMatter', () => {
  it.each([
    '---\nMinutes were taken: the cog was mended.\nAnother line of words\n\n- item\n---\n',
    '---\n| when | what |\n|---|---|\n| Mon 10: 30 | check |\n---\n',
    '---\n\n# Slide one\n\nNote: hello\n\n- point\n\n---\n',
    '---\nFrom: ann\n\nThe meeting is moved.\nPlease come later.\n---\n',
    '---\n- one: 1\n- two: 2\n---\n',
    '---\nDear all, please note: it is closed.\n---\n',
    '+++\nThe rule [of three] holds.\n+++\n',
  ])('leaves %j as text', async (text) => {
    const found = findFrontMatter(text);
    expect(found === undefined ? undefined : await parseFrontMatter(found)).toBeUndefined();
  });

  it('is closed by three dots, after which a line of dashes is a rule', () => {
    expect(findFrontMatter('---\na: b\n...\nbody\n\n---\n')).toMatchObject({ raw: 'a: b\n', bodyLine: 4 });
  });

  it('keeps lines that state nothing as text, by their numbers', async () => {
    const found = findFrontMatter('---\ntitle: T\nstray words here\ntags: [a]\ntitle: again\n---\n');
    expect(found && (await parseFrontMatter(found))).toEqual({
      values: [
        ['title', 'T'],
        ['tags', ['a']],
      ],
      wrongLines: [],
      textLines: [3, 5],
    });
  });
});
