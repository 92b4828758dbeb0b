import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openIdentification } from '../../src/access/identify.ts';
import { manageTokens, type TokenRequest } from '../../src/access/tokens.ts';
import { TokenReportSchema } from '../../src/wire/config.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The tokens of an empty knowledge base, whose clock can be moved. */
function newTokens(access: object = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kebab-tokens-'));
  folders.push(dataDir);
  let now = new Date('2026-01-31T12:00:00Z');
  const clock = { now: () => now };
  const defaults = {
    rules: [],
    issuer: '',
    audience: '',
    groupsClaim: 'groups',
    scopes: ['read'],
    requestsPerMinute: 0,
  };
  const config = { storage: { dataDir }, access: { ...defaults, ...access } } as never;
  const manage = (request: TokenRequest) => TokenReportSchema.parse(manageTokens(request, { config, clock }));
  const create = (name: string, more: Partial<Extract<TokenRequest, { kind: 'create' }>> = {}) =>
    manage({ kind: 'create', name, scopes: ['read', 'ask'], principals: [], ...more });
  return {
    file: path.join(dataDir, 'tokens.json'),
    manage,
    create,
    identify: openIdentification({ config, clock }),
    wait: (days: number): void => void (now = new Date(now.getTime() + days * 86_400_000)),
  };
}

describe('tokens', () => {
  it('are shown once, and stored as hashes that nobody else can read', async () => {
    const { create, manage, file, identify } = newTokens();
    const { token = '' } = create('로봇', { principals: ['group:관리자', 'user:zoë'], scopes: ['ask', 'read', 'ask'] });
    expect(token).toMatch(/^kebab_[\w-]{43}$/);
    expect(manage({ kind: 'list' })).toEqual({
      schema_version: 'token_report.v1',
      tokens: [expect.objectContaining({ name: '로봇', scopes: ['read', 'ask'], expires_at: null, is_expired: false })],
    });
    expect(readFileSync(file, 'utf8')).not.toContain(token.slice(6));
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await identify(token)).toEqual({
      kind: 'caller',
      caller: { id: 'user:zoë', principals: ['group:관리자', 'user:zoë', 'token:로봇'], scopes: ['read', 'ask'] },
    });
  });

  it('are different each time, and valid until they expire or are revoked', async () => {
    const { create, manage, identify, wait } = newTokens();
    const [a = '', b = ''] = [create('a', { expires: '90d' }).token, create('b').token];
    expect(a).not.toBe(b);
    wait(89);
    expect(await identify(a)).toMatchObject({ kind: 'caller', caller: { id: 'token:a' } });
    wait(2);
    expect(await identify(a)).toMatchObject({ kind: 'unknown', why: expect.stringContaining('expired') });
    expect(manage({ kind: 'list' }).tokens.map(({ is_expired }) => is_expired)).toEqual([true, false]);
    manage({ kind: 'revoke', name: 'b' });
    expect(await identify(b)).toMatchObject({ kind: 'unknown', why: expect.stringContaining('revoked') });
  });

  it.each([
    ['', ''],
    ['one letter fewer', (token: string) => token.slice(0, -1)],
    ['one more', (token: string) => `${token}A`],
    ['another case', (token: string) => token.toUpperCase()],
    ['without its beginning', (token: string) => token.slice(6)],
    ['a space behind it', (token: string) => `${token} `],
    ['a look-alike letter', (token: string) => token.replace('k', 'к')],
  ] as const)('are not known by %s', async (_what, change) => {
    const { create, identify } = newTokens();
    const { token = '' } = create('a');
    expect(await identify(typeof change === 'string' ? change : change(token))).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    [{ name: 'a b' }, 'name'],
    [{ name: '../a' }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'taken' }, 'name'],
    [{ scopes: ['write'] }, 'scope'],
    [{ principals: ['ann'] }, 'principal'],
    [{ principals: ['token:other'] }, 'principal'],
    [{ principals: ['everyone'] }, 'principal'],
    [{ expires: 'soon' }, 'expires'],
    [{ expires: '0d' }, 'expires'],
    [{ expires: 'yesterday' }, 'expires'],
    [{ expires: 'today' }, 'expires'],
    [{ expires: '-3d' }, 'expires'],
    [{ expires: '' }, 'expires'],
  ])('are refused with %j', (more, field) => {
    const { create } = newTokens();
    create('taken');
    expect(() => create('new', more)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    try {
      create('new', more);
    } catch (error) {
      expect(error).toMatchObject({ details: { field } });
    }
  });

  it('are asked for as soon as there are any, rules, or an issuer', async () => {
    const open = newTokens();
    expect(await open.identify(null)).toEqual({ kind: 'anyone' });
    open.create('a');
    expect(await open.identify(null)).toMatchObject({ kind: 'unknown' });
    expect(await newTokens({ rules: [{ source: '', path: '**', readers: [] }] }).identify(null)).toMatchObject({
      kind: 'unknown',
    });
    expect(await newTokens({ issuer: 'https://id.example' }).identify(null)).toMatchObject({ kind: 'unknown' });
  });

  it('are limited to so many requests in a minute, each on its own', async () => {
    const { create, identify, wait } = newTokens({ requestsPerMinute: 2 });
    const [a = '', b = ''] = [
      create('a', { principals: ['user:ann'] }).token,
      create('b', { principals: ['user:ann'] }).token,
    ];
    const kinds = [];
    for (const token of [a, a, a, b]) kinds.push((await identify(token)).kind);
    expect(kinds).toEqual(['caller', 'caller', 'limited', 'caller']);
    expect(await identify(a)).toEqual({ kind: 'limited', afterS: 60 });
    wait(1);
    expect(await identify(a)).toMatchObject({ kind: 'caller' });
  });

  it('are not read from a file that others may write, or that is damaged', () => {
    const { create, manage, file } = newTokens();
    create('a');
    chmodSync(file, 0o666);
    expect(() => manage({ kind: 'list' })).toThrow(/every user of this machine may write/);
    chmodSync(file, 0o600);
    for (const text of ['{', '[]', '{"tokens": [{"name": "a", "hash": "00"}]}', '{"tokens": {}}']) {
      writeFileSync(file, text);
      expect(() => manage({ kind: 'list' })).toThrow(/cannot be used as the list of tokens/);
    }
  });

  it('that are unknown cannot be revoked, and the nearest is named', () => {
    const { create, manage } = newTokens();
    create('deploy');
    expect(() => manage({ kind: 'revoke', name: 'deplay' })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ suggestion: 'deploy' }),
        hint: 'did you mean deploy? see `kebab token list`',
      }),
    );
  });
});
