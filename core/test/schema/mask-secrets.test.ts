import { describe, expect, it } from 'vitest';
import { maskAddresses, maskSecrets } from '../../src/schema/mask-secrets.ts';

describe('maskAddresses', () => {
  it.each([
    ['http://user:password@host:1/path?x=1', 'http://***@host:1/path?x=1'],
    ['https://token@host', 'https://***@host'],
    ['http://host/?api_key=abc&x=1', 'http://host/?api_key=***&x=1'],
    ['see postgres://a:b@c and redis://:p@d', 'see postgres://***@c and redis://***@d'],
    ['http://host/a@b', 'http://host/a@b'],
    ['me@example.org', 'me@example.org'],
  ])('masks the credentials in %s', (text, expected) => {
    expect(maskAddresses(text)).toBe(expected);
  });
});

describe('maskSecrets', () => {
  it('masks values under secret-looking names, at any depth', () => {
    const value = {
      api_key: 'a',
      apiKey: 'b',
      access_token: 'c',
      nested: [{ password: 'd', url: 'http://u:p@h' }],
      empty: { secret: '' },
      tokens: { token: ['e'] },
    };
    expect(maskSecrets(value)).toEqual({
      api_key: '***',
      apiKey: '***',
      access_token: '***',
      nested: [{ password: '***', url: 'http://***@h' }],
      empty: { secret: '' },
      tokens: { token: ['***'] },
    });
  });

  it('leaves values that are not secret unchanged', () => {
    const value = { max_tokens: 500, tokenizer: 'bert', keys: 3, flag: true, none: null, list: ['a'] };
    expect(maskSecrets(value)).toEqual(value);
  });
});
