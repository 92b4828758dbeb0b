import { describe, expect, it } from 'vitest';
import { checkedConfig, checks } from '../../src/plugin/define-plugin.ts';

const inner = { checks: { model: checks.text, url: checks.orEmpty(checks.httpUrl) }, defaults: { model: '', url: '' } };
const schema = checkedConfig({
  checks: { url: checks.httpUrl, name: checks.name, count: checks.orNull(checks.count), limit: checks.limit, inner },
  defaults: { count: null, limit: 0, inner: {} },
});

const sound = { url: 'http://localhost:1/x', name: 'n' };

function issuesOf(value: unknown): readonly string[] {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise || result.issues === undefined) return [];
  return result.issues.map(({ path = [] }) => path.map(String).join('.'));
}

describe('checkedConfig', () => {
  it('fills in defaults, in nested tables too', () => {
    expect(schema['~standard'].validate(sound)).toEqual({
      value: { ...sound, count: null, limit: 0, inner: { model: '', url: '' } },
    });
  });

  it.each([
    [{ ...sound, url: 'ftp://x' }, ['url']],
    [{ ...sound, url: 'localhost' }, ['url']],
    [{ ...sound, name: ' ' }, ['name']],
    [{ name: 'n' }, ['url']],
    [{ ...sound, count: 0 }, ['count']],
    [{ ...sound, count: 1.5, limit: -1 }, ['count', 'limit']],
    [{ ...sound, inner: { model: 3 } }, ['inner.model']],
    [{ ...sound, inner: { url: 'x' } }, ['inner.url']],
    [{ ...sound, inner: 'x' }, ['inner']],
    [{ ...sound, inner: { nodel: '' } }, ['inner.nodel']],
    [{ ...sound, nane: 'x' }, ['nane']],
    ['text', ['']],
  ])('reports for %j that %j is wrong', (value, paths) => {
    expect(issuesOf(value)).toEqual(paths);
  });

  it('describes what each member must be', () => {
    const { oneOf, matching, names, share, flag, optional, orNull, orEmpty, count, httpUrl } = checks;
    const said = (check: (value: unknown) => string | undefined, value: unknown): string => check(value) ?? 'fine';
    expect([said(oneOf('a', 'b'), 'c'), said(oneOf('a', 'b'), 'b')]).toEqual(['expected one of a, b', 'fine']);
    expect([said(matching(/^x$/, 'an x'), 'y'), said(matching(/^x$/, 'an x'), 'x')]).toEqual(['expected an x', 'fine']);
    expect([said(names, []), said(names, ['a', '']), said(names, ['a'])].map((one) => one === 'fine')).toEqual([
      false,
      false,
      true,
    ]);
    expect([said(share, 1.1), said(share, 0.5)]).toEqual(['expected a number from 0 to 1', 'fine']);
    expect([said(flag, 0), said(flag, false)]).toEqual(['expected true or false', 'fine']);
    expect(said(optional(count), 0)).toBe('expected a whole number from 1, or nothing');
    expect(said(orNull(count), 0)).toBe('expected a whole number from 1, or null');
    expect(said(orEmpty(httpUrl), 'x')).toBe('expected an http or https URL, or the empty text');
    expect([said(optional(count), undefined), said(orNull(count), null), said(orEmpty(httpUrl), '')]).toEqual([
      'fine',
      'fine',
      'fine',
    ]);
  });
});
