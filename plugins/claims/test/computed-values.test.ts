import { describe, expect, it } from 'vitest';
import { checked } from './judged.ts';

/** What kebab says of the values of an answer that follow from values of its passage, and what it fails. */
function stepsAndFailures(text: string, passage: string): { computed: readonly string[]; failed: readonly string[] } {
  const { findings } = checked(`${text} [1].`, [passage]);
  return {
    computed: findings.filter(({ kind }) => kind === 'computed').map(({ message }) => message),
    failed: findings.filter(({ level }) => level === 'failed').map(({ message }) => message),
  };
}

const FERRY =
  'A crossing costs 12 euros for an adult. A bicycle costs 5 euros extra. The ferry Ona weighs 310 tonnes, the ferry Lark 275 tonnes.';
const FUNICULAR = 'La funicolare sale da 420 a 1.150 metri.';
const HUT = 'Eine Übernachtung kostet 18 Euro, das Frühstück 7 Euro.';
const MARKET = 'A stall costs 20 euros, a table 6 euros. The fund holds 410 euros, 35 euros less than in May.';
const GARDEN = '텃밭은 모두 60구획이고, 이 가운데 42구획을 빌려 주었다.';

describe('a value that follows from values of a passage in one step', () => {
  it.each([
    ['so many times an amount', 'Three adults pay 36 euros', FERRY, '36 euros'],
    ['an amount with what is extra', 'An adult with a bicycle pays 17 euros for a crossing', FERRY, '17 euros'],
    ['a comparison', 'The Ona is 35 tonnes heavier than the Lark', FERRY, '35 tonnes'],
    ['the ends of a range', 'Il dislivello della funicolare è di 730 metri', FUNICULAR, '730 metri'],
    ['an amount with what is extra, in German', 'Eine Übernachtung mit Frühstück kostet 25 Euro', HUT, '25 Euro'],
    ['a sum without its unit', 'In May the fund had 445 euros (410 + 35)', MARKET, '445 euros'],
    ['a count in words of another language', 'Dos noches cuestan 36 euros', 'La noche cuesta 18 euros.', '36 euros'],
    ['a rise, in German', 'Die Zahl stieg um 7.000', 'Gäste: 61.000 (Kinder unter 7 frei), davor 54.000.', '7.000'],
    ['a rise, in Korean', '회원이 55명 늘었다', '회원은 140명에서 195명이 되었다.', '55'],
    ['points between percentages', 'It rose by 7 percentage points', 'It was 64 % and is 71 %.', '7 percentage points'],
    ['what is left, in Korean', '42구획을 빌려 주고 18구획이 남았다', GARDEN, '18'],
  ])('is marked as computed: %s', (_, text, passage, value) => {
    const { computed, failed } = stepsAndFailures(text, passage);
    expect(failed).toEqual([]);
    expect(computed).toContainEqual(expect.stringContaining(value));
  });

  it.each([
    ['another product', 'Three adults pay 38 euros', FERRY],
    ['a product of no count', 'Adults pay 36 euros', FERRY],
    ['another sum', 'An adult with a bicycle pays 18 euros for a crossing', FERRY],
    ['a sum without what is extra', 'An adult pays 17 euros for a crossing', FERRY],
    ['another difference', 'The Ona is 45 tonnes heavier than the Lark', FERRY],
    ['other points between percentages', 'It rose by 9 percentage points', 'It was 64 % and is 71 %.'],
    ['another range', 'Il dislivello della funicolare è di 830 metri', FUNICULAR],
    ['another rest', '42구획을 빌려 주고 28구획이 남았다', GARDEN],
  ])('fails otherwise: %s', (_, text, passage) => {
    expect(stepsAndFailures(text, passage).failed).not.toEqual([]);
  });
});
