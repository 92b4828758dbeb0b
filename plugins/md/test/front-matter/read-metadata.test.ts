import { describe, expect, it } from 'vitest';
import { findFrontMatter, parseFrontMatter } from '../../src/front-matter/parse-front-matter.ts';
import {
  parseTimestamp,
  readMetadata,
  readPageProperties,
  type StatedMetadata,
} from '../../src/front-matter/read-metadata.ts';

async function read(text: string): Promise<StatedMetadata> {
  const frontMatter = findFrontMatter(text);
  const parsed = frontMatter === undefined ? undefined : await parseFrontMatter(frontMatter);
  if (parsed === undefined) throw new Error('no front matter');
  return readMetadata(parsed);
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

  it.each([
    ['tags: rust, dry stone ,go', ['rust', 'dry stone', 'go']],
    ['tags: "[[Rust]], [[Go lang]]"', ['Rust', 'Go lang']],
    ['tags: #sea #wind/west', ['#sea', '#wind/west']],
    ['tags: "#sea, #wind/west,#fog"', ['#sea', '#wind/west', '#fog']],
    ['tags: "#sea、 #wind "', ['#sea', '#wind']],
    ['Tags: plum', ['plum']],
    ['TAG: plum', ['plum']],
    ['tag: [plum]\ntags: [pear, plum]', ['plum', 'pear']],
    ['tags: [a, "b, c"]', ['a', 'b, c']],
    ['tags: 배, 사과、감', ['배', '사과', '감']],
  ])('reads the tags of %j', async (lines, tags) => {
    expect((await read(`---\n${lines}\n---\n`)).metadata).toEqual({ tags });
  });

  it.each([
    ['---\ntitle: |\n  Two\n  lines\ntags: |\n  one\n  two three\nid: " "\n---\n'],
    ['---\ntitle: >\n  Two\n  lines\ntags: >-\n  one,\n  two three\nid:\n---\n'],
    ['+++\ntitle = """\nTwo\n  lines\n"""\ntags = """one\ntwo three"""\nid = ""\n+++\n'],
  ])('reads texts of several lines as one, and blanks as none: %j', async (text) => {
    expect(await read(text)).toEqual({ title: 'Two lines', metadata: { tags: ['one', 'two three'] }, warnings: [] });
  });

  it('adds the tags that Zola has in a table of taxonomies, which stays metadata of the user', async () => {
    const { metadata, warnings } = await read(
      '+++\ntags = ["a"]\n[taxonomies]\ntags = ["b", "a"]\ncategories = ["c"]\n+++\n',
    );
    expect(metadata).toEqual({ tags: ['a', 'b'], user: { taxonomies: { tags: ['b', 'a'], categories: ['c'] } } });
    expect(warnings).toEqual([]);
    expect((await read('---\ntaxonomies:\n  - 1\n---\n')).metadata).toEqual({ user: { taxonomies: [1] } });
  });

  it('reads comma strings and TOML in any case too', async () => {
    const stated = await read('+++\nTitle = "T"\nTags = "a, b c"\nalias = "One, Two"\n+++\n');
    expect(stated).toMatchObject({ title: 'T', metadata: { tags: ['a', 'b c'], aliases: ['One', 'Two'] } });
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
    expect(metadata).toEqual({
      userIdAlias: 'k',
      user: {
        title: { a: 'b' },
        tags: [['x']],
        lang: '5',
        created_at: 'yesterday',
        source_type: 'book',
        trust_level: '9',
      },
    });
    expect(warnings.map(({ kind, note }) => [kind, note.split(':', 1)[0]])).toEqual(
      ['title', 'tags', 'lang', 'created_at', 'source_type', 'trust_level'].map((key) => [
        'malformed_frontmatter',
        key,
      ]),
    );
  });

  it.each([
    ['title: Re: the loom, again', 'Re: the loom, again'],
    ['title: *starred* word', '*starred* word'],
    ['title: {braced} word', '{braced} word'],
    ['title: [bracket] word', '[bracket] word'],
    ['title: "quoted" word', '"quoted" word'],
    ['title: @handle', '@handle'],
    ['title: `code`', '`code`'],
    ['title: "open', '"open'],
  ])('reads %j as written, keeps the other keys, and names the line', async (line, title) => {
    const stated = await read(`---\nproject: loom\n${line}\ntags: [a, b]\n---\n`);
    expect(stated).toMatchObject({ title, metadata: { tags: ['a', 'b'], user: { project: 'loom' } } });
    expect(stated.warnings).toEqual([
      { kind: 'malformed_frontmatter', note: 'front matter: line 3 is not valid and is read as written' },
    ]);
  });

  it.each([
    ['n: 1_000\nx: 0x1F\no: 0o17\nf: .5e3\ni: -.inf', { n: '1_000', x: 31, o: 15, f: 500, i: '-Infinity' }],
    ['v: 1.10\nref: 007\nn: 10\nl: 12345678901234567890', { v: '1.10', ref: '007', n: 10, l: '12345678901234567890' }],
    ['a: yes\nb: "yes"\nc: [Off, NO, ~]\nd: nope', { a: true, b: 'yes', c: [false, false, null], d: 'nope' }],
    ['2024: x\nyes: y\nnull: z', { '2024': 'x', yes: 'y', null: 'z' }],
    ['a: >-\n  folded\n  lines\nb: |\n  x\n  y\n', { a: 'folded lines', b: 'x\ny\n' }],
    ['a: &one [1, 2]\nb: *one', { a: [1, 2], b: [1, 2] }],
    ["a: \"caf\\u00e9\"\nb: 'it''s'", { a: 'café', b: "it's" }],
    ['day: 2024-01-01T00:00:00Z\nid2: !!str 5', { day: '2024-01-01T00:00:00Z', id2: '5' }],
  ])('reads the values of %j', async (lines, user) => {
    expect((await read(`---\n${lines}\n---\n`)).metadata.user).toEqual(user);
  });

  it('reads a placeholder of a template as written, and ignores comments', async () => {
    const stated = await read('---\ntitle: {{ page.title }}\ntags: # none yet\nlang: en # as spoken\n---\n');
    expect(stated).toMatchObject({ title: '{{ page.title }}', lang: 'en', metadata: {} });
    expect(stated.metadata.tags).toBeUndefined();
  });

  it('reads keys behind tabs, and keys of TOML beside a wrong one', async () => {
    expect(await read('---\ntitle: Gauge\n\ttags: [tabby]\n---\n')).toMatchObject({
      title: 'Gauge',
      metadata: { tags: ['tabby'] },
    });
    const toml = await read('+++\ntitle = Unquoted words\ntags = ["x"]\n[extra]\n__proto__ = 1\n+++\n');
    expect(toml).toMatchObject({ title: 'Unquoted words', metadata: { tags: ['x'] } });
    expect(toml.warnings[0]?.note).toContain('line 2');
  });

  it('rejects aliases that expand excessively, and does not parse front matter of unreasonable length', async () => {
    const bomb = Array.from(
      { length: 12 },
      (_, at) => `k${at}: &k${at} [${`*k${at - 1}, `.repeat(at === 0 ? 0 : 9)}1]`,
    );
    expect((await read(`---\n${bomb.join('\n')}\n---\n`)).warnings).toHaveLength(1);
    expect(findFrontMatter(`---\na: |\n${'  x\n'.repeat(60_000)}---\n`)).toBeUndefined();
  });

  it('treats __proto__ as an ordinary key', async () => {
    const { metadata } = await read('---\n__proto__: {polluted: true}\n---\n');
    expect(Object.keys(metadata.user ?? {})).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('readPageProperties', () => {
  it.each([
    ['title:: Kiln log\ntags:: a, [[b c]]\n\n- block', { title: 'Kiln log', metadata: { tags: ['a', 'b c'] } }],
    ['tags:: #a #b\n', { metadata: { tags: ['#a', '#b'] } }],
    ['icon:: x\nalias:: One, Two', { metadata: { aliases: ['One', 'Two'] } }],
    ['Tags:: a', { metadata: { tags: ['a'] } }],
  ])('reads %j', (text, stated) => {
    expect(readPageProperties(text)).toMatchObject(stated);
  });

  it.each(['std::vector is a type', 'words\ntags:: a', 'icon:: x', ''])('reads nothing in %j', (text) => {
    expect(readPageProperties(text)).toBeUndefined();
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02t03:04:05.678901z', '2024-01-02T03:04:05.678Z'],
    ['2024-01-02 03:04:05+09:00', '2024-01-01T18:04:05.000Z'],
    ['2024-01-02T03:04:05', '2024-01-02T03:04:05.000Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
  ])('parses %s', (source, expected) => {
    expect(parseTimestamp(source)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2024',
    '2024-1-2',
    '2023-02-29',
    '2024-13-01',
    '2024-01-02T24:00:00Z',
    '2024-01-02T03:04Z',
    '03:04:05',
  ])('rejects %j', (source) => {
    expect(parseTimestamp(source)).toBeUndefined();
  });
});
