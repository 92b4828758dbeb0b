import { describe, expect, it } from 'vitest';
import { findFrontMatter } from '../../src/front-matter/parse-front-matter.ts';
import { readMetadata, type StatedMetadata } from '../../src/front-matter/read-metadata.ts';

async function read(text: string): Promise<StatedMetadata> {
  const frontMatter = findFrontMatter(text);
  if (frontMatter === undefined) throw new Error('no front matter');
  return readMetadata(frontMatter);
}

describe('readMetadata', () => {
  it('reads every known key of YAML', async () => {
    const stated = await read(
      '---\ntitle: T\naliases: [a, b]\ntags: rust\nlang: ko-KR\ncreated_at: 2024-01-02\n' +
        'updated_at: 2024-01-02T03:04:05+09:00\nsource_type: paper\ntrust_level: generated\nid: n-1\n---\n',
    );
    expect(stated).toEqual({
      title: 'T',
      lang: 'ko',
      metadata: {
        aliases: ['a', 'b'],
        tags: ['rust'],
        createdAt: new Date('2024-01-02T00:00:00Z'),
        updatedAt: new Date('2024-01-01T18:04:05Z'),
        sourceType: 'paper',
        trustLevel: 'generated',
        userIdAlias: 'n-1',
      },
      warnings: [],
    });
  });

  it('reads TOML with its native dates', async () => {
    const stated = await read(
      '+++\ntitle = "T"\ncreated_at = 2024-01-02\nupdated_at = 2024-01-02T03:04:05Z\ndue = 2024-05-06\nn = 1.5\n+++\n',
    );
    expect(stated.metadata).toEqual({
      createdAt: new Date('2024-01-02T00:00:00Z'),
      updatedAt: new Date('2024-01-02T03:04:05Z'),
      user: { due: '2024-05-06', n: 1.5 },
    });
  });

  it('keeps unknown keys unchanged, with dates as strings', async () => {
    const { metadata } = await read('---\nproject: kebab\ndue: 2024-05-06\nnested:\n  a: [1, {b: null}]\n---\n');
    expect(metadata).toEqual({ user: { project: 'kebab', due: '2024-05-06', nested: { a: [1, { b: null }] } } });
  });

  it('keeps numbers and booleans as strings, exactly as written, if strings are expected', async () => {
    const { title, metadata } = await read('---\ntitle: 1.10\ntags: [2024, no, a-b]\nid: 007\nx: {y: 1}\n---\n');
    expect(title).toBe('1.10');
    expect(metadata).toEqual({ tags: ['2024', 'no', 'a-b'], userIdAlias: '007', user: { x: { y: 1 } } });
  });

  it('does not split a scalar at commas', async () => {
    expect((await read('---\ntags: rust, go\n---\n')).metadata).toEqual({ tags: ['rust, go'] });
  });

  it('treats a key without a value as absent', async () => {
    expect(await read('---\ntitle:\ntags: []\nlang: ""\nid: ~\n---\n')).toEqual({
      metadata: { tags: [] },
      warnings: [],
    });
  });

  it('warns once for each key whose value has the wrong type, and keeps the others', async () => {
    const { title, metadata, warnings } = await read(
      '---\ntitle: {a: b}\ntags: [[x]]\nlang: 5\ncreated_at: yesterday\nsource_type: book\ntrust_level: 9\nid: k\n---\n',
    );
    expect(title).toBeUndefined();
    expect(metadata).toEqual({ userIdAlias: 'k' });
    expect(warnings.map(({ kind, note }) => [kind, note.split(':', 1)[0]])).toEqual(
      ['title', 'tags', 'lang', 'created_at', 'source_type', 'trust_level'].map((key) => [
        'malformed_frontmatter',
        key,
      ]),
    );
  });

  it.each([
    '---\na: [b\n---\n',
    '---\njust a: sentence: here\n---\n',
    '---\n- a: 1\n- b: 2\n---\n',
    '+++\na = \n+++\n',
    '---\na: b\na: c\n---\n',
  ])('returns one warning and no metadata for %j', async (text) => {
    const stated = await read(text);
    expect(stated.metadata).toEqual({});
    expect(stated.warnings).toMatchObject([{ kind: 'malformed_frontmatter' }]);
  });

  it('rejects aliases that expand excessively, and front matter of unreasonable length', async () => {
    const bomb = Array.from(
      { length: 12 },
      (_, at) => `k${at}: &k${at} [${`*k${at - 1}, `.repeat(at === 0 ? 0 : 9)}1]`,
    );
    expect((await read(`---\n${bomb.join('\n')}\n---\n`)).warnings).toHaveLength(1);
    expect((await read(`---\na: |\n${'  x\n'.repeat(60_000)}---\n`)).warnings).toHaveLength(1);
  });

  it('treats __proto__ as an ordinary key', async () => {
    const { metadata } = await read('---\n__proto__: {polluted: true}\n---\n');
    expect(Object.keys(metadata.user ?? {})).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
