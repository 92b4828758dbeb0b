import { describe, expect, it } from 'vitest';
import { checkedConfig, isCount, isHttpUrl, isLimit, isName, isText, orEmpty, orNull } from '../src/checked-config.ts';

const inner = { checks: { model: isText, url: orEmpty(isHttpUrl) }, defaults: { model: '', url: '' } };
const schema = checkedConfig({
  checks: { url: isHttpUrl, name: isName, count: orNull(isCount), limit: isLimit, inner },
  defaults: { count: null, limit: 0, inner: {} },
});

const sound = { url: 'http://localhost:1/x', name: 'n' };

function issuesOf(value: unknown): readonly string[] {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise || result.issues === undefined) return [];
  return result.issues.map(({ path = [] }) => path.map(String).join('.'));
}

describe('checkedConfig', () => {
  it('fills in what is left out, in tables too', () => {
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
  ])('says of %j that %j is wrong', (value, paths) => {
    expect(issuesOf(value)).toEqual(paths);
  });
});
