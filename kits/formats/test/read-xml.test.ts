import { describe, expect, it } from 'vitest';
import { childAt, childrenOf, descendantsOf, ownText, parseXml, textOf } from '../src/index.ts';

describe('a tree of XML', () => {
  it('has no prefixes, but attributes that differ only in them', async () => {
    const root = await parseXml('<p:list><p:item id="7" r:id="x">words</p:item><item r:id="y"/></p:list>');
    const items = childrenOf(childAt(root, 'list') ?? root, 'item');
    expect(items.map(({ attributes }) => [attributes['id'], attributes['r:id']])).toEqual([
      ['7', 'x'],
      ['y', 'y'],
    ]);
    expect(items.map((item) => ownText(item))).toEqual(['words', '']);
  });

  it.each([
    ['<mc:Choice Requires="a"><t>one</t></mc:Choice><mc:Fallback><t>two</t></mc:Fallback>', 'one'],
    [
      '<mc:Choice Requires="a"><x/></mc:Choice><mc:Choice><t>one</t></mc:Choice><mc:Fallback><t>two</t></mc:Fallback>',
      'one',
    ],
    ['<mc:Choice Requires="a"><x/></mc:Choice><mc:Fallback><t>two</t></mc:Fallback>', 'two'],
    ['<mc:Fallback><t>two</t></mc:Fallback>', 'two'],
    [
      '<mc:Choice><mc:AlternateContent><mc:Choice><t>in</t></mc:Choice><mc:Fallback><t>no</t></mc:Fallback></mc:AlternateContent></mc:Choice><mc:Fallback><t>two</t></mc:Fallback>',
      'in',
    ],
    ['<mc:Choice Requires="a"/>', ''],
  ])('has one branch of alternate content: %s', async (branches, words) => {
    expect(textOf(await parseXml(`<a><mc:AlternateContent>${branches}</mc:AlternateContent></a>`))).toBe(words);
  });

  it('finds elements in their order, and survives malformed XML', async () => {
    const root = await parseXml('<a><t>1</t><b><t>2</t></b><t>3');
    expect(descendantsOf(root, 't').map((element) => ownText(element))).toEqual(['1', '2', '3']);
    for (const xml of ['', '<a', '\0'.repeat(1000)]) expect(childrenOf(await parseXml(xml))).toEqual([]);
  });

  it('is rejected with more elements in one another than documents have', async () => {
    await expect(parseXml('<a>'.repeat(100_000))).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
