import { describe, expect, it } from 'vitest';
import { checked } from './judged.ts';

/** The messages about an answer that states one value, compared with a passage that states another. */
function failures(answer: string, evidence: string): readonly string[] {
  const text = `The value given is ${answer} [1].`;
  return checked(text, [`According to the record, ${evidence} was noted.`])
    .findings.filter(({ level }) => level === 'failed')
    .map(({ message }) => message);
}

/** Values written in several ways, each of which has to support every other one. */
const EQUAL: Readonly<Record<string, readonly string[]>> = {
  'a date': [
    '3 March 2021',
    'March 3, 2021',
    '3-Mar-2021',
    '2021-03-03',
    '2021/03/03',
    '03.03.2021',
    '3/3/2021',
    'am 3. März 2021',
    '2021년 3월 3일',
    '2021. 3. 3.',
    '2021年3月3日',
    'le 3 mars 2021',
    '3 de marzo de 2021',
    '3 de març del 2021',
    '3 de março de 2021',
    '3 marzo 2021',
    '3 maart 2021',
    '3 марта 2021 г.',
    '3 marca 2021',
    '3. maaliskuuta 2021',
    '2021. március 3.',
    '3 Mart 2021',
    '3 tháng 3 năm 2021',
  ],
  'the first of a month': ['1 May 2019', 'the first of May 2019', '1er mai 2019', '1. Mai 2019', '1º maggio 2019'],
  'an abbreviated month': ['5 September 2020', '5 sept. 2020', '5 wrz 2020', '5. Sept. 2020', '2020-09-05'],
  'a month': ['March 2021', 'März 2021', '2021년 3월', '2021年3月', 'mars 2021', 'marzo de 2021', '2021-03', '03/2021'],
  'a date whose digits leave no doubt': ['25/12/2019', '12/25/2019', '25-12-2019', '25. Dezember 2019'],
  'days of a month': ['3–5 May 2021', 'May 3–5, 2021', '3.–5. Mai 2021', '3 to 5 May 2021', '2021년 5월 3~5일'],
  'a weekday': ['Monday', 'Montag', 'lundi', '월요일'],
  'a time': ['15:00', '3 pm', '3:00 p.m.', '15 Uhr', '15h00', '오후 3시', '15시', '午後3時'],
  'a time with minutes': ['14:30', '2:30 pm', '14.30 Uhr', '14h30', '오후 2시 30분'],
  'an evening hour': [
    '19:30',
    'half past seven in the evening',
    '7:30 in the evening',
    '19 h 30',
    '저녁 7시 반',
    '晚上七点半',
    '午後七時半',
  ],
  'a morning hour': ['8 in the morning', '8 Uhr morgens', '8 утра', 'acht Uhr', '아침 8시', '早上八点', '8 am'],
  'half an hour': ['half an hour', 'halbe Stunde', 'demi-heure', 'media hora', 'полчаса', '반 시간', '半小时'],
  'two and a half hours': [
    'two and a half hours',
    'zweieinhalb Stunden',
    'deux heures et demie',
    'dos horas y media',
    'duas horas e meia',
    '두 시간 반',
    '两个半小时',
  ],
  'one and a half hours': ['90 minutes', 'bir buçuk saat', 'полтора часа', 'anderhalf uur', 'półtorej godziny'],
  'a number in words before a unit': ['25 minutes', 'fünfundzwanzig Minuten', 'yirmi beş dakika'],
  'hundreds and more': ['260 m', 'deux cent soixante mètres', 'duecentosessanta metri', 'двести шестьдесят метров'],
  'hundreds in one word': ['780 km', 'zevenhonderdtachtig kilometer', 'هفتصد و هشتاد کیلومتر'],
  'eleven hundred': ['1100 km', 'elfhonderd kilometer', 'eintausendeinhundert Kilometer', 'millecento chilometri'],
  'thousands in one word': [
    '48 000 euros',
    'achtundvierzigtausend Euro',
    'quarantottomila euro',
    'kırk sekiz bin euro',
  ],
  hundreds: ['500 km', 'quinientos kilómetros', 'fünfhundert Kilometer', 'пятьсот километров'],
  'nine hundred': ['900 km', 'novecento chilometri', 'neunhundert Kilometer', 'девятьсот километров'],
  'a number in words without a unit': ['310 seats', 'trezentos e dez seats', 'trescientos diez seats'],
  'thousands in words': ['90,000 bottles', 'noventa mil bottles', 'девяносто тысяч bottles'],
  'an hour and a quarter': ['75 minutes', 'an hour and a quarter', 'una hora y cuarto', 'une heure et quart'],
  'a price below one': ['0,50 euros', '50 céntimos', '50 Cent', '50 cents'],
  'a price with its cents behind it': ['8,50 Euro', '8 Euro 50', '8 € 50'],
  'a quarter to six in the evening': [
    '17:45',
    'Viertel vor sechs abends',
    'a quarter to six in the evening',
    'six heures moins le quart du soir',
    'las seis menos cuarto de la tarde',
  ],
  'how often': ['twice a week', 'zweimal pro Woche', 'deux fois par semaine', 'dos veces por semana', '일주일에 두 번'],
  'five times': ['5 times', 'fünfmal', 'vijfmaal'],
  midnight: ['0:00', '12 am', '오전 12시', 'midnight', 'minuit', '자정'],
  noon: ['12:00', 'noon', 'mediodía', '정오', '正午'],
  thousands: [
    '1,500 people',
    '1500 people',
    '1 500 people',
    '1’500 people',
    '1.5 thousand people',
    '1.5k people',
    '1,5 Tsd. people',
  ],
  'a price': ['€1,500', '1.500 Euro', '1,500 euros', 'EUR 1,500', '1.500,00 Euro'],
  'a price with a scale': ['$5 million', '5 million dollars', 'US$5,000,000', '$5M', '500만 달러', '5 Mio. Dollar'],
  millions: [
    '3 million',
    '3,000,000',
    '3.000.000',
    '3 Millionen',
    '3 Mio.',
    '3 millones',
    '3 milioni',
    '3 миллиона',
    '300만',
    '3M',
    'three million',
  ],
  billions: ['2 billion', '2 Milliarden', '2 Mrd.', '2 milliards', '2 mil millones', '20억', '2bn', '2,000,000,000'],
  'millions with a decimal comma': ['2,5 Mio. Euro', '2.5 million euros', '2,5 Millionen Euro'],
  'a percentage': ['5 %', '5 percent', '5 Prozent', '5 pour cent', '5 por ciento', '5퍼센트', '5 pct'],
  'a length': ['5 km', 'five kilometres', '5 Kilometer', 'fünf Kilometer', '5 kilómetros', '5킬로미터'],
  'a duration': ['3 hours', 'three hours', '3 Stunden', 'drei Stunden', '3 heures', 'tres horas', '3시간'],
  'a century': ['21st century', '21. Jahrhundert'],
  'a fraction': ['¾ cup', '3/4 cup', '0.75 cup'],
  'a mixed number': ['1½ cups', '1 1/2 cups', '1.5 cups'],
  thirds: ['⅔', '2/3'],
  'a range': ['10–20 kg', '10 to 20 kg', '10 bis 20 kg', 'between 10 and 20 kg'],
  'a range of years': ['1990–1995', '1990-95', 'from 1990 to 1995'],
  'a temperature below zero': ['−5 °C', 'minus 5 degrees', '영하 5도'],
};

describe('a value', () => {
  it.each(Object.entries(EQUAL))('supports every other way of writing it: %s', (_, values) => {
    const flagged = values.flatMap((answer) =>
      values.filter((evidence) => failures(answer, evidence).length > 0).map((evidence) => `${answer} ← ${evidence}`),
    );
    expect(flagged).toEqual([]);
  });

  it.each<[answer: string, evidence: string]>([
    ['4 March 2021', '3. März 2021'],
    ['2021-03-04', '3 mars 2021'],
    ['3 juin 2021', '3 juillet 2021'],
    ['3 juli 2021', '3 juni 2021'],
    ['3 March 2022', '3 марта 2021'],
    ['5 March 2021', '03.05.2021'],
    ['2021-04', '03/2021'],
    ['November 2010', '2010-11'],
    ['Tuesday', 'Montag'],
    ['3 am', '15:00'],
    ['12 am', '12:00'],
    ['2:30 am', '14.30 Uhr'],
    ['1.5 people', '1,500 people'],
    ['1.5k', '1.5 million'],
    ['3 Milliarden', '3 million'],
    ['3 Mio.', '3 Mrd.'],
    ['30만', '3 Millionen'],
    ['1 million', '5 million'],
    ['5 Stunden', '5 Minuten'],
    ['2 Monate', '2 weeks'],
    ['vier Stunden', '3 hours'],
    ['8,05 Euro', '8,50 Euro'],
    ['50 Euro', '8,50 Euro'],
    ['50 euros', '50 céntimos'],
    ['ten to ten in the morning', '10:10'],
    ['5 Prozentpunkte', '5 %'],
    ['€1,500', '1,500 dollars'],
    ['½ cup', '¾ cup'],
    ['7.000 Euro', '7,50 Euro'],
    ['noventa mil euros', '19,000 euros'],
    ['trecentoquaranta posti', '430 posti'],
    ['1 1/2 cups', '2 1/2 cups'],
    ['1990-96', '1990–1995'],
    ['20 to 30 kg', '10 bis 20 kg'],
    ['3 metres', '3M users'],
  ])('does not support another one: %s, where the passage has %s', (answer, evidence) => {
    expect(failures(answer, evidence)).not.toEqual([]);
  });

  it('is not a date where a word only resembles a month', () => {
    expect(failures('5 Mars bars', 'five Mars bars')).toEqual([]);
    expect(failures('Children of age 9 may only swim here', 'Children of 9 may swim here only')).toEqual([]);
  });
});

describe('a date in digits that can be read in two orders', () => {
  it.each(['3 May 2021', '5 March 2021', '2021-05-03', '05/03/2021'])('does not support %s', (answer) => {
    expect(failures(answer, '03/05/2021')).toEqual([`"${answer}" is not in [1]`]);
  });

  it.each(['3 May 2021', '5 March 2021'])('is not supported by %s', (evidence) => {
    expect(failures('03/05/2021', evidence)).toHaveLength(1);
  });

  it('supports one that is written in the same order', () => {
    expect(failures('3-5-2021', '03/05/2021')).toEqual([]);
  });
});
