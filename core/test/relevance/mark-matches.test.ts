import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { readQuery } from '../../src/search/read-operators.ts';
import { matchMarker } from '../../src/relevance/mark-matches.ts';

describe('matchMarker', () => {
  it.each([
    ['sourdough', 'Sourdough and SOURDOUGHS', '[Sourdough] and [SOURDOUGHS]'],
    ['exponential backoffs', 'back off with exponentialBackoff()', 'back off with [exponentialBackoff]()'],
    ['backoff', 'exponentialBackoff(max_backoff)', 'exponential[Backoff](max_[backoff])'],
    ['connecting', 'connected, connections, connect', '[connected], [connections], [connect]'],
    ['how long is the dough', 'the dough is long', 'the [dough] is [long]'],
    ['to be or not to be', 'to be', '[to] [be]'],
    ['café', 'Cafe CAFÉ', '[Cafe] [CAFÉ]'],
    ['"bulk fermentation"', 'bulk rye, then bulk fermentation', 'bulk rye, then [bulk] [fermentation]'],
    ['"bulk fermentation" rye', 'bulk, rye', 'bulk, [rye]'],
    ['한국은', '한국의 수도는 서울', '[한국]의 수도는 서울'],
    ['한국의 수도', '대한민국 수도, 한국', '대한민국 [수도], [한국]'],
    ['東京', '東京都と京都', '[東京]都と京都'],
    ['책', '책상 위의 책', '[책]상 위의 [책]'],
    ['bread -rye', 'rye bread', 'rye [bread]'],
    ['zebra', 'nothing of it', 'nothing of it'],
    ['quok*', 'quokka and quok', '[quokka] and [quok]'],
    ['"rye bread" OR wheat', 'rye, rye bread', '[rye], [rye] [bread]'],
    ['tag:kitchen bread', 'kitchen bread', 'kitchen [bread]'],
  ])('marks for %s: %s', (query, text, expected) => {
    const { analysed } = readQuery(query, analyseQuery);
    const matches = matchMarker(analysed)(text);
    let shown = '';
    let from = 0;
    for (const { start, end } of matches) {
      shown += `${text.slice(from, start)}[${text.slice(start, end)}]`;
      from = end;
    }
    expect(shown + text.slice(from)).toBe(expected);
  });
});
