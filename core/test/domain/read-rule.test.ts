import { describe, expect, it } from 'vitest';
import { compileReadRules, type ReadRule, ruleGlobProblem } from '../../src/domain/read-rule.ts';

const cases: readonly (readonly [readonly ReadRule[], readonly string[], readonly string[]])[] = [
  [[], [], ['default a.md']],
  [[{ isAllowed: true }], ['default a.md', 'team x/y.md'], []],
  [[{ source: 'team', isAllowed: true }], ['team a.md'], ['default a.md', 'Team a.md']],
  [
    [{ path: 'hr', isAllowed: false }, { isAllowed: true }],
    ['default hrx/a.md'],
    ['default hr/a.md', 'team hr/b/c.md'],
  ],
  [
    [
      { path: 'hr/open.md', isAllowed: true },
      { path: 'hr/**', isAllowed: false },
    ],
    ['default hr/open.md'],
    ['default hr/b.md', 'default b.md'],
  ],
  [[{ path: '노트/*', isAllowed: true }], ['default 노트/가.md'], ['default 노트/가/나.md']],
  [
    [
      { path: '**/.env*', isAllowed: false },
      { path: '**', isAllowed: true },
    ],
    ['default a/env'],
    ['default .env', 'default a/.env.local'],
  ],
];

describe('rules of readers', () => {
  it.each(cases)('decides by the first that fits: %j', (rules, readable, hidden) => {
    const mayRead = compileReadRules(rules);
    const ask = (place: string): boolean => mayRead(...(place.split(' ') as [string, string]));
    expect(readable.filter((place) => !ask(place))).toEqual([]);
    expect(hidden.filter(ask)).toEqual([]);
  });
});

describe('the glob of a rule', () => {
  it.each([
    '**',
    'hr/**',
    'hr',
    '**/*.{md,txt}',
    'app/[[]slug]/*.ts',
    'src/[a-z]*/**',
    '가/*',
    'a b/c',
    String.raw`\[draft\].md`,
    '.env*',
    'a..b/c',
  ])('may be %s', (glob) => expect(ruleGlobProblem(glob)).toBeUndefined());

  it.each([
    ['hr/[abc', 'a [ is not closed'],
    ['hr/{a,b', 'a { is not closed'],
    ['{a,{b,c}/x', 'a { is not closed'],
    ['!hr/**', 'the first that fits decides'],
    [String.raw`hr\private\**`, 'separated by /'],
    ['../hr/**', 'neither . nor ..'],
    ['hr/../**', 'neither . nor ..'],
    ['./hr', 'neither . nor ..'],
  ])('is not %s, which would protect nothing', (glob, why) => {
    expect(ruleGlobProblem(glob)).toContain(why);
  });
});
