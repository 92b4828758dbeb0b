import { analyseQuery, type AnalysedQuery } from '@kebab/core';
import type { QueryPhrase } from '@kebab/core/store';
import { describe, expect, it } from 'vitest';
import {
  demandExpression,
  phraseExpression,
  rankingUnits,
  tokenExpression,
} from '../../src/lexical/match-expressions.ts';

const expressionsOf = (query: string): readonly string[] =>
  rankingUnits(analyseQuery(query)).map(({ expression }) => expression);

describe('rankingUnits', () => {
  it('quotes every token of an FTS5 expression', () => {
    expect(expressionsOf('AND parseUrl a.b')).toEqual([
      '"and"',
      '"parseurl"',
      '"parse"',
      '"url"',
      '"a.b"',
      '"a"',
      '"b"',
      '"parseurl a b"', // words side by side
    ]);
  });

  it('matches a single Han, Hangul or kana character by prefix', () => {
    expect(expressionsOf('한')).toEqual(['"한" *']);
    expect(expressionsOf('"서울 한"')).toEqual(['"서울 울 한" *']);
  });

  it('includes phrases, each once', () => {
    expect(expressionsOf('fox "red fox" "red fox" fox')).toEqual(['"red fox"', '"fox"']);
    expect(expressionsOf('"API를 쓴다"')).toEqual(['"api"', '"를 쓴다"']);
  });

  it('includes whole runs only if there are few', () => {
    expect(expressionsOf('한국은 서울의')).toContain('"한국 국은"');
    expect(expressionsOf('한국은 서울의 봄이 왔다고')).not.toContain('"한국 국은"');
  });

  it('gives each bigram of a long run less weight, but all of them together more', () => {
    const weights = new Map(
      rankingUnits(analyseQuery('kelp 은행지점장 한국')).map((unit) => [unit.expression, unit.weight]),
    );
    expect(weights.get('"kelp"')).toBe(1);
    expect(weights.get('"한국"')).toBe(1);
    expect(weights.get('"은행"')).toBe(0.5);
  });
});

describe('the weight of a repeated or relaxed unit', () => {
  const weightsOf = (query: AnalysedQuery): ReadonlyMap<string, number> =>
    new Map(rankingUnits(query).map((unit) => [unit.expression, unit.weight]));

  it('is that of BM25 with k3 = 8 for repeated words: twice is 1.8, four times 3', () => {
    const weights = weightsOf(analyseQuery('kelp brine kelp gasket brine brine brine 한국은행 한국은행'));
    expect(weights.get('"gasket"')).toBe(1);
    expect(weights.get('"kelp"')).toBe(1.8);
    expect(weights.get('"brine"')).toBe(3);
    expect(weights.get('"한국"')).toBeCloseTo(1.8 / Math.sqrt(3));
  });

  it('is that of its words plus that of the phrase if the phrase is not required', () => {
    const { weaker } = analyseQuery('why does the pump "gasket hisses"');
    const weights = weightsOf(weaker as AnalysedQuery);
    expect([...weights.keys()]).toContain('"gasket hisses"');
    expect(weights.get('"gasket"')).toBe(1);
    expect(weightsOf(analyseQuery('one two three four "crenellated"')).get('"crenellated"')).toBe(2);
  });
});

describe('the weight of an everyday word', () => {
  const weightOf = (word: string, query: string): number =>
    rankingUnits(analyseQuery(query)).find(({ expression }) => expression === `"${word}"`)?.weight ?? 0;

  it.each([
    ['how', 'lettuce', 'how do I stop slugs eating lettuce'],
    ['people', 'treadmill', 'people on the treadmill'],
    ['stopped', 'carburettor', 'carburettor stopped'],
    ['want', 'hydroponics', 'I want hydroponics'],
    ['what', 'fuchsbau', 'what is a Fuchsbau'],
    ['wait', 'deadlock', 'wait for the deadlock'],
  ])('of %j is less than four fifths of that of %j', (everyday, subject, query) => {
    expect(weightOf(subject, query)).toBe(1);
    expect(weightOf(everyday, query)).toBeLessThan(0.8);
  });

  it('is the whole one in a phrase that is required', () => {
    expect(rankingUnits(analyseQuery('"how people wait"')).map(({ weight }) => weight)).toEqual([1]);
  });
});

describe('a run of characters', () => {
  it('ranks as a phrase as well, unless it is longer than a sentence', () => {
    const run = (length: number): string =>
      Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
    const phrases = (query: string): number => expressionsOf(query).filter((each) => each.split(' ').length > 2).length;
    expect([phrases(run(65)), phrases(run(66))]).toEqual([1, 0]);
    expect(expressionsOf(run(66)).length).toBeGreaterThanOrEqual(65);
  });
});

describe('phraseExpression', () => {
  it('requires each part of a phrase separately', () => {
    const [phrase] = analyseQuery('"새 API를"').phrases;
    expect(phrase && phraseExpression(phrase)).toBe('"새" * AND "api" AND "를" *');
  });
});

describe('tokenExpression', () => {
  it('replaces quotes and NUL characters', () => {
    expect(tokenExpression('a"b\0c')).toBe('"a b c"');
  });
});

describe('demandExpression', () => {
  it('contains each alternative once, however often a query repeats it', () => {
    const ofThe: QueryPhrase = { text: 'of the', parts: [{ column: 'words', tokens: ['of', 'the'] }] };
    const salt: QueryPhrase = { text: 'salt', parts: [{ column: 'words', tokens: ['salt'] }] };
    const demand = { kind: 'any', text: '', phrases: [ofThe, ofThe], words: [salt, salt] } as const;
    expect(demandExpression(demand)).toBe('("of the") OR ("salt")');
  });
});
