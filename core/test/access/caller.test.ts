import { describe, expect, it } from 'vitest';
import { type Caller, hasScope, isPrincipal, readRulesFor } from '../../src/access/caller.ts';
import type { ResolvedRule } from '../../src/config/resolved-config.ts';

const caller = (...principals: string[]): Caller => ({ id: principals[0] ?? 'token:t', principals, scopes: ['read'] });
const rule = (readers: readonly string[], path = '**', source = ''): ResolvedRule => ({ source, path, readers });
const rulesFor = (rules: readonly ResolvedRule[], of: Caller) => readRulesFor(of, { access: { rules } as never });

describe('a caller', () => {
  it('may read everything without rules, and as an administrator', () => {
    expect(rulesFor([], caller('user:ann'))).toBeNull();
    expect(rulesFor([rule(['user:zoë'])], { ...caller('user:ann'), scopes: ['admin'] })).toBeNull();
  });

  it('may read nothing of what no rule allows', () => {
    expect(rulesFor([rule([]), rule(['user:zoë'])], caller('user:ann', 'group:crew'))).toEqual([]);
  });

  it.each([
    ['everyone', []],
    ['group:관리자', ['group:관리자']],
    ['user:Zoë', ['user:Zoe\u0308']],
    ['token:bot', ['token:bot', 'group:x']],
  ])('is among the readers %s as %j', (reader, principals) => {
    expect(rulesFor([rule([reader])], caller(...principals))).toEqual([{ isAllowed: true }]);
  });

  it('is not among readers whose names are only similar', () => {
    for (const reader of ['user:Ann', 'group:ann', 'user:ann ', 'user:annie', 'token:ann'])
      expect(rulesFor([rule([reader])], caller('user:ann'))).toEqual([]);
  });

  it('keeps the denials before what is allowed, with their places', () => {
    expect(rulesFor([rule([], 'hr/**'), rule(['user:ann'], '**', 'team'), rule([], '**')], caller('user:ann'))).toEqual(
      [
        { path: 'hr/**', isAllowed: false },
        { source: 'team', isAllowed: true },
      ],
    );
  });

  it('has the scopes of its token, and as an administrator all of them', () => {
    expect(hasScope(caller(), 'read')).toBe(true);
    expect(hasScope(caller(), 'ask')).toBe(false);
    expect(hasScope({ ...caller(), scopes: ['admin'] }, 'ingest')).toBe(true);
  });

  it('is named by its kind and name', () => {
    expect(['user:ann', 'group:a b', 'token:x'].filter((one) => !isPrincipal(one))).toEqual([]);
    expect(['everyone', 'ann', 'user:', 'user: a', 'role:x', 'USER:a'].filter(isPrincipal)).toEqual([]);
  });
});
