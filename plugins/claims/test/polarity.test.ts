import { describe, expect, it } from 'vitest';
import { checked, judged } from './judged.ts';

const passages = [
  'The old harbour was always closed to ships during the winter. All members of the city council voted for the new iron bridge. ' +
    'Wages in the northern provinces were higher than prices before the war. The committee did not approve the annual budget of the theatre.',
  '이 제품의 보증 기간은 구입일로부터 2년 이상입니다. 모든 회원은 총회에서 의결권을 행사할 수 있습니다.',
];

function reversals(text: string) {
  return checked(text, passages).findings.filter(({ kind, level }) => kind === 'claim' && level === 'failed');
}

describe('a sentence that reverses a sentence of its passage', () => {
  it.each([
    ['Wages in the northern provinces were lower than prices before the war [1].', 'lower'],
    ['Wages in the northern provinces were higher than prices after the war [1].', 'after'],
    ['Some members of the city council voted for the new iron bridge [1].', 'Some'],
    ['All members of the city council did not vote for the new iron bridge [1].', 'not'],
    ['The committee approved the annual budget of the theatre [1].', null],
    ['이 제품의 보증 기간은 구입일로부터 2년 이하입니다 [2].', '이하'],
    ['일부 회원은 총회에서 의결권을 행사할 수 있습니다 [2].', '일부'],
    ['모든 회원은 총회에서 의결권을 행사할 수 없습니다 [2].', '없습'],
  ])('fails: %s', (text, word) => {
    const [reversal, ...more] = reversals(text);
    expect(more).toEqual([]);
    expect(reversal?.text).toBe(word ?? text);
    expect(text.slice(reversal?.start, reversal?.end)).toBe(word ?? text);
  });

  it('says what stands there', () => {
    const text = 'Some members of the city council voted for the new iron bridge [1].';
    const { reason, findings } = checked(text, passages);
    expect(reason).toBe('not_in_passage');
    expect(findings[0]?.message).toBe('"Some" is "All" in a sentence of [1] with the same words');
  });

  it.each([
    'The old harbour was always closed to ships during the winter [1].',
    'The committee did not approve the annual budget of the theatre [1].',
    'City council members all voted for the new iron bridge [1].',
    'The harbour was closed in winter [1].',
  ])('is not one that agrees, or that has other words: %s', (text) => {
    expect(reversals(text)).toEqual([]);
  });
});

describe('a statement and a passage', () => {
  it.each([
    ['It must not run at winds above 70 km/h.', 'If the wind is above 70 km/h, it must not run [1].'],
    ['Das Segelfluggelände wurde am 21. Mai 1998 eröffnet.', 'Das Gelände wurde am 21.05.1998 eröffnet [1].'],
    ['O forno fica no pátio da escola.', 'O forno da escola fica no pátio [1].'],
    ['夜间不收费。', '夜间免费 [1]。'],
    ['회비는 월 2만 원입니다.', '회비는 매월 2만 원입니다 [1].'],
    ['退烧药饭后服用，每次一片，每天最多三次。', '退烧药每天最多三次 [1]。'],
    ['La chorale répète pendant les vacances.', 'La chorale répète durant les vacances [1].'],
    ['ثمن الكعكة ٢٨ جنيها ولا يشمل العلبة.', 'ثمن الكعكة 28 جنيها [1].'],
    ['Skates are rented before the lesson, never at the lesson.', 'You have to rent skates before the lesson [1].'],
    ['Die Halle ist von 9 bis 18 Uhr geöffnet.', 'Die Halle ist ab 9 Uhr geöffnet [1].'],
    ['Le four est ouvert de 7 h à 18 h 30.', 'Le four est ouvert entre 7 h et 18 h 30 [1].'],
    ['Temperatura nie może przekraczać 60 stopni.', 'Temperatura nie może być wyższa niż 60 stopni [1].'],
  ])('agree: %s %s', (passage, text) => {
    expect(judged(text, [passage]).reason).toBeNull();
  });

  it.each([
    ['All lamps are switched off before a game.', 'Lamps are switched on before a game [1].'],
    ['A course costs 65 dollars; glass and tools are not included.', 'Glass and tools are included [1].'],
    ['A game costs 88 euros; snacks are not included.', 'Snacks cost 88 euros [1].'],
    [
      'The oil is changed once a year or every 9,000 km, whichever comes first.',
      'The oil is changed once a year or every 9,000 km, whichever comes last [1].',
    ],
    ['It must not run for less than 40 minutes.', 'It must not run for more than 40 minutes [1].'],
    ['Bir şişe 90 lira tutar; kargo dahil değildir.', 'Kargo dahildir [1].'],
    ['Avluda sigara içilmez.', 'Avluda sigara içilir [1].'],
    ['Skates are rented before the lesson, never at the lesson.', 'Skates are rented after the lesson [1].'],
    ['Der Tauchkurs ist ab 16 Jahren möglich.', 'Der Tauchkurs ist bis 16 Jahre möglich [1].'],
    ['El barco lleva grupos a partir de 8 personas.', 'El barco lleva grupos hasta 8 personas [1].'],
    ['Les clés se rendent la veille.', 'Les clés se rendent le jour même [1].'],
    ['세탁할 때는 물을 잠그지 말고 문을 닫습니다.', '세탁할 때는 물을 잠급니다 [1].'],
    ['Paleta kosztuje 450 złotych, a dostawa jest bezpłatna.', 'Dostawa jest płatna [1].'],
    ['O fato está incluído no preço de 30 euros.', 'O fato não está incluído no preço [1].'],
    ['瑜伽垫免费借用，毛巾收费。教室每天打扫两次，会员可以带一位朋友，更衣柜每晚清空。', '毛巾不收费 [1]。'],
    ['어린이는 보호자와 함께 와야 합니다.', '어린이는 보호자 없이 와도 됩니다 [1].'],
    ['회비는 월 2만 원이고 학생은 반값입니다.', '회비는 연 2만 원입니다 [1].'],
    ['18時以降は一人で作業してはいけません。', '18時以前は一人で作業してはいけません [1]。'],
    ['退烧药饭后服用，每次一片，每天最多三次。', '退烧药每天至少三次 [1]。'],
    ['보호대를 찬 사람만 겨루기에 나갈 수 있습니다.', '보호대를 안 찬 사람도 겨루기에 나갈 수 있습니다 [1].'],
    ['It carries 1,200 passengers per hour.', '| passengers per minute |\n|---|\n| 1,200 [1] |'],
  ])('disagree: %s %s', (passage, text) => {
    expect(judged(text, [passage]).reason).toBe('not_in_passage');
  });
});
