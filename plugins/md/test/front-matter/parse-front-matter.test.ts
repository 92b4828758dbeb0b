import { describe, expect, it } from 'vitest';
import { findFrontMatter } from '../../src/front-matter/parse-front-matter.ts';

describe('findFrontMatter', () => {
  it('finds YAML between dashes, with blanks behind the fences', () => {
    expect(findFrontMatter('--- \na: b\n---\t \nbody')).toEqual({
      syntax: 'yaml',
      raw: 'a: b\n',
      bodyStart: 16,
      bodyLine: 4,
    });
  });

  it('finds TOML front matter between lines of +++', () => {
    expect(findFrontMatter('+++\na = 1\n+++\n')).toEqual({
      syntax: 'toml',
      raw: 'a = 1\n',
      bodyStart: 14,
      bodyLine: 4,
    });
  });

  it('finds an empty one, and one that ends the text', () => {
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
    '---\na: b\n+++\n',
    '--\na\n--\n',
  ])('finds none in %j', (text) => {
    expect(findFrontMatter(text)).toBeUndefined();
  });

  it('takes a longer fence only around plain keys and values', () => {
    expect(findFrontMatter('----\na: b\n----\nbody')).toMatchObject({ raw: 'a: b\n', bodyStart: 15 });
    expect(findFrontMatter('----\nA sentence.\n----\nbody')).toBeUndefined();
    expect(findFrontMatter('----\na: b\n---\nbody')).toBeUndefined();
  });
});
