import { describe, expect, it } from 'vitest';
import { judged } from './judged.ts';

/** Notes of ten topics in nine languages. */
const NOTES: Readonly<Record<string, string>> = {
  pan: '# 食パン\n\n強力粉300グラム、水200ミリリットル、塩5グラム、砂糖15グラムを使います。こねる時間は12分です。\n一次発酵は28度で60分、二次発酵は40分です。190度のオーブンで25分焼きます。\n牛乳を使う場合は水を使いません。焼いたパンは冷凍で2週間保存できます。',
  huodong:
    '# 春季活动\n\n春游定于4月13日，地点是青石湖，早上8点在北门集合。参加者共36人，其中儿童9人。\n每人费用85元，包括午餐和船票，不包括保险。下雨时活动推迟一周，不取消。\n湖里禁止游泳。',
  natacion:
    '# Club de natación Costa Brava\n\nLa piscina abre de 7:00 a 21:30; los domingos cierra a las 14:00. El agua está a 27 grados.\nLa cuota es de 42 euros al mes. Los menores de 14 años pagan la mitad. El gorro es obligatorio; las aletas están prohibidas en la calle 1.\nLos entrenamientos del equipo son los martes y jueves con la entrenadora Lucía Ferrer. Participan 16 nadadores.\nEl club fue fundado en 1987 por cuatro amigos y ganó la liga regional en 2009 y 2016.',
  trip: '# Class trip 7b\n\nThe class 7b travels to Tarnmouth from 12 to 16 May 2025 with Ms Ferreira and Mr Dunmore. The coach leaves at 7:45 from the east gate.\nThe trip costs 265 pounds. The price includes the coach, the hostel and breakfast; lunch and museum tickets are extra.\n23 of the 26 pupils take part. Each pupil brings a rain jacket. Pocket money of no more than 30 pounds is recommended.',
  bail: "# Bail du 4, rue des Tanneurs\n\nLe bail commence le 1er mars 2023 et dure trois ans. Le loyer est de 870 euros par mois, charges comprises, payable le 5 de chaque mois.\nLe dépôt de garantie s'élève à 1 740 euros. Il est rendu dans un délai de deux mois après la sortie.\nLe locataire peut résilier avec un préavis de trois mois ; la propriétaire, Mme Hautecœur, doit respecter six mois.\nLes animaux sont acceptés, mais la sous-location est interdite. Le locataire fait entretenir la chaudière chaque année.",
  clinic:
    '# Harrow Street clinic\n\nThe clinic is open Monday to Friday from 8:00 to 17:30 and on Saturday from 9:00 to 12:00. It is closed on Sunday.\nDr Lindqvist sees patients on Mondays and Wednesdays, Dr Okafor on Tuesdays and Fridays.\nBlood samples are taken before 10:00, fasting. Results arrive after three working days.\nIn an emergency call 112, not the clinic.',
  norvalen:
    '# Norvalen tablets: patient notes\n\nAdults take one 40 mg tablet twice a day with food. Children under 12 must not take Norvalen.\nThe tablets are swallowed whole and must not be crushed. If a dose is missed by more than six hours, skip it and take the next one at the usual time.\nCommon side effects are dizziness and dry mouth; about 1 in 20 patients reports them. A rash is rare, but then stop the tablets and call the clinic.\nNorvalen may be combined with paracetamol, but not with ibuprofen. Store it below 25 °C.',
  kuaiji:
    '# 社团财务\n\n社团2023年的收入为48,600元，支出为41,250元。会费每人每年120元，学生减半。\n最大的支出是场地租金，每月1,800元。报销须在三十天内提交，并附发票。\n超过500元的支出必须由会长王岚批准。现金由财务员赵明保管。',
  heating:
    '# Heating\n\nThe gas boiler stands in the cellar and was installed in October 2015. It heats the radiators of all six flats; the ground-floor shop has its own electric heater.\nThe boiler is serviced once a year, in September, by Ostrander & Sons. The last service cost 184 euros.\nIf the pressure falls below 1.2 bar, top up the water through the blue valve. Never open the red valve: it drains the whole system.\nBetween 1 October and 30 April the heating must reach 20 °C during the day. At night it may drop to 17 °C.',
  backup:
    '# Backups with stashd\n\nEvery night at 02:15 `stashd push --full` copies /srv/data to the bucket `cold-east`. A run takes about 35 minutes.\nIncremental copies run every four hours: `stashd push`. Copies are kept for 90 days and then deleted automatically.\nRestore a single file with `stashd pull --at 2024-05-01 /srv/data/report.ods`. Restoring never overwrites existing files unless `--force` is given.\nThe configuration is in /etc/stashd/stashd.toml. Only members of the group `keepers` may read it.',
  orto: "# Orto comunale\n\nL'orto ha 24 parcelle di 30 metri quadrati. Il canone è di 60 euro all'anno e si paga entro il 31 gennaio.\nL'acqua si può usare solo prima delle 9 e dopo le 19. I pesticidi sono vietati; il compost è gratuito.\nLa responsabile è Giulia Montanari. Le chiavi si ritirano il sabato mattina.",
  bridge:
    '# 솔내다리\n\n솔내다리는 1934년에 세워졌고 길이는 126미터입니다. 설계자는 박인수이며 공사에는 2년 8개월이 걸렸습니다.\n1951년 폭격으로 가운데 교각 두 개가 무너졌습니다. 다리는 1957년에 다시 개통되었습니다.\n2003년부터 자동차는 다닐 수 없고 보행자와 자전거만 건널 수 있습니다. 통행료는 없습니다.',
  rules:
    "# Westgate School: house rules\n\nLessons begin at 8:10 and end at 15:20. Phones stay in the lockers during lessons; during the lunch break they may be used in the yard only.\nPupils who are absent for more than three days need a doctor's note. Parents report an absence before 8:00 by phone.\nThe library lends up to five books for three weeks. Lost books must be paid for.\nBall games are forbidden in the corridors.",
  incident:
    '# Incident of 9 February 2024\n\nAt 06:40 the primary database stopped because the disk was full. Ines Caldeira noticed it at 06:52 and switched to the replica at 07:05.\nThe cause was a log file that was not rotated. No customer data was lost. 312 requests failed.\nSince then an alarm fires when a disk is more than 85 % full. The dashboard is at https://status.ridgeway.example/db.',
  miso: '# 味噌汁\n\n鍋に水800ミリリットルと昆布10グラムを入れ、30分おいてから火にかけます。沸騰する前に昆布を取り出します。\n味噌は大さじ3杯を火を止めてから溶きます。味噌を入れたあとは沸騰させてはいけません。\nこの分量は4人分です。豆腐は最後に加えます。',
  biblioteka:
    '# Biblioteka osiedlowa\n\nBiblioteka jest czynna od poniedziałku do piątku w godzinach 10–18. Można wypożyczyć sześć książek na trzydzieści dni.\nZa każdy dzień opóźnienia płaci się 20 groszy. Karta jest bezpłatna dla dzieci. Czasopism nie wypożycza się do domu.\nKierowniczką jest Halina Wrona. Budynek wyremontowano w 2020 roku.',
  torneo:
    '# Torneo de verano\n\nEl torneo se celebra el 19 de julio. La inscripción cuesta 15 euros y termina el 30 de junio. Cada nadador puede inscribirse en tres pruebas como máximo.\nLos resultados se publican el mismo día. No se devuelve la inscripción si el nadador no se presenta.',
  huette:
    '# Hüttentour\n\nDie Kaltbachhütte liegt auf 2340 Metern und hat 48 Schlafplätze. Sie ist von Mitte Juni bis Ende September geöffnet.\nDer Aufstieg von Rauris dauert vier Stunden, der Abstieg zweieinhalb. Hunde dürfen nur im Winterraum übernachten.\nEine Übernachtung kostet 38 Euro, für Mitglieder 26 Euro. Bezahlt wird nur bar. Reservieren muss man mindestens eine Woche vorher.\nDer Hüttenwirt heißt Anton Breitfuß. Das Wasser vom Brunnen ist nicht trinkbar.',
  rubbish:
    '# Rubbish and recycling\n\n| bin | colour | emptied |\n|---|---|---|\n| paper | blue | every second Thursday |\n| glass | green | first Monday of the month |\n| residual waste | black | every Tuesday |\n\nBulky waste is collected twice a year. Register it at least ten days in advance with the town hall, phone 555 0142.\nBatteries and paint do not belong in any of the bins; take them to the depot on Mill Lane.',
  museum:
    '# 솔내박물관\n\n박물관은 화요일부터 일요일까지 오전 10시에 열고 오후 6시에 닫습니다. 월요일은 쉽니다.\n입장료는 어른 4,000원, 학생 2,000원이며 7세 미만은 무료입니다. 전시실에서는 플래시를 사용할 수 없습니다.\n소장품은 3,200점이고 그중 410점이 전시되어 있습니다. 관장은 이정미입니다.',
  bikes:
    '# Bicycle cellar\n\nThe bicycle cellar holds 18 bicycles. Each flat may keep at most three there. Mopeds are not allowed because of the fire risk.\nMrs Adeyemi from the second floor keeps the spare key. The door must be locked after 22:00.\nThe cellar was flooded in 2018; since then a pump runs automatically when water rises above 5 cm.',
  nachtzug:
    '# Nachtzug\n\nDer Nachtzug fährt um 21:48 Uhr in Hamburg ab und kommt um 9:12 Uhr in Salzburg an. Im Liegewagen schlafen sechs Personen in einem Abteil.\nFahrräder werden nur mit Reservierung befördert; ein Stellplatz kostet 12 Euro. Im Speisewagen gibt es Frühstück ab 6:30 Uhr.\nBei mehr als 60 Minuten Verspätung erstattet die Bahn ein Viertel des Preises.',
};

/** Whether an answer is grounded without a mark; a computed value is none. */
function isClean(note: string, answer: string, question: string): boolean {
  const { reason, findings } = judged(answer, [NOTES[note] ?? ''], question);
  return reason === null && findings.every(({ kind }) => kind === 'computed');
}

describe('a true answer in other words', () => {
  it.each([
    [
      'pan',
      'paraphrase',
      '一次発酵は28度で1時間行い、二次発酵は40分です[1]。パンは冷凍すれば2週間保存可能です[1]。',
      '食パンの作り方を教えてください。',
    ],
    ['huodong', 'conditional', '如果下雨，活动会推迟一周，但不会取消[1]。', '春季活动怎么安排？'],
    [
      'natacion',
      'value',
      'Los menores de 14 años pagan 21 euros al mes, la mitad de la cuota de 42 euros [1].',
      '¿Cuáles son los horarios y las normas de la piscina?',
    ],
    [
      'bail',
      'negation',
      'La sous-location n’est pas autorisée, mais les animaux sont acceptés [1].',
      'Quelles sont les conditions du bail ?',
    ],
    [
      'clinic',
      'time-form',
      'The clinic opens at 8 am and closes at 5:30 pm on weekdays [1].',
      'When is the clinic open and who works there?',
    ],
    [
      'norvalen',
      'conditional',
      'If you get a rash, you should stop taking the tablets and call the clinic [1]. This is rare.',
      'What are the side effects of Norvalen?',
    ],
    [
      'kuaiji',
      'paraphrase',
      '2023年社团收入48,600元，支出41,250元[1]。会费是每人每年120元，学生只需付一半[1]。',
      '社团的财务情况如何？',
    ],
    [
      'heating',
      'passive',
      'The radiators of all six flats are heated by the gas boiler, while the shop on the ground floor uses its own electric heater [1].',
      'How is the heating of the house maintained and used?',
    ],
    [
      'backup',
      'path',
      'The configuration file is /etc/stashd/stashd.toml, and only the group `keepers` can read it [1].',
      'How do the backups work?',
    ],
    [
      'natacion',
      'paraphrase',
      'La piscina está abierta de 7:00 a 21:30, pero los domingos cierra a las 14:00 [1]. Hay que llevar gorro obligatoriamente [1].',
      '¿Cuáles son los horarios y las normas de la piscina?',
    ],
    [
      'orto',
      'paraphrase',
      "L'orto è composto da 24 parcelle di 30 m² ciascuna [1]. Il canone annuo è di 60 euro, da pagare entro il 31 gennaio [1].",
      "Quali sono le regole dell'orto?",
    ],
    [
      'bridge',
      'paraphrase',
      '솔내다리는 1934년에 지어졌으며 박인수가 설계했습니다 [1]. 길이는 126m입니다 [1].',
      '솔내다리는 언제 지어졌고 어떻게 이용합니까?',
    ],
    [
      'huodong',
      'summary',
      '春游时间是4月13日，上午8点在北门集合，前往青石湖[1]。费用为每人85元，含午餐和船票，但不含保险[1]。',
      '春季活动怎么安排？',
    ],
    [
      'norvalen',
      'computed',
      'An adult takes 80 mg of Norvalen per day in total, as one tablet of 40 mg is taken twice a day [1].',
      'How is Norvalen taken?',
    ],
    ['kuaiji', 'computed', '2023年结余7,350元，即收入减去支出的差额[1]。', '社团的财务情况如何？'],
    [
      'rules',
      'short',
      'Only in the yard during the lunch break; during lessons, phones stay in the lockers [1].',
      'Are phones allowed at school?',
    ],
    [
      'natacion',
      'history',
      'Cuatro amigos fundaron el club en 1987 [1]. Ha ganado la liga regional dos veces, en 2009 y en 2016 [1].',
      '¿Cuáles son los horarios y las normas de la piscina?',
    ],
    [
      'norvalen',
      'paraphrase',
      'The most common side effects are dizziness and a dry mouth, which are reported by roughly 1 in 20 patients [1].',
      'What are the side effects of Norvalen?',
    ],
    [
      'nachtzug',
      'word-number',
      'Bei mehr als 60 Minuten Verspätung bekommt man 25 % des Preises zurück [1].',
      'Wann fährt der Nachtzug und was kostet ein Fahrrad?',
    ],
    [
      'museum',
      'paraphrase',
      '소장품 3,200점 가운데 410점을 전시하고 있습니다 [1].',
      '솔내박물관의 관람 시간과 요금은 어떻게 됩니까?',
    ],
  ])('over %s (%s) is grounded: %s', (note, _kind, answer, question) => {
    expect(isClean(note, answer, question)).toBe(true);
  });
});

describe('an answer that says what its note says, otherwise', () => {
  const SERVICE = 'A full service costs £120. Electric bikes cost £20 more.';
  it.each([
    ['Breakfast is served on the terrace.', 'Breakfast is offered on the terrace', true],
    ['The request to keep goats was rejected.', 'No. The request to keep goats was turned down', true],
    ['Honden zijn niet toegestaan.', 'Nee, honden zijn niet toegestaan', true],
    ['The form must be returned by 26 April.', 'The form must be returned no later than 26 April', true],
    ['Gliding above 3,000 metres is excluded.', 'Gliding above 3,000 metres is not covered', true],
    ['Gliding above 3,000 metres is excluded.', 'Gliding above 3,000 metres is not excluded', false],
    ['Jars hold up to 12 plums.', 'Jars hold a maximum of 12 plums', true],
    ['Jars hold at least 12 plums.', 'Jars hold a maximum of 12 plums', false],
    ['The class starts at 9.30 on Monday.', 'The class starts on Monday at 9:30', true],
    ['The class starts at 9.30 on Monday.', 'The class starts on Monday at 9:45', false],
    [SERVICE, 'A full service costs £120 and electric bikes £20 more, which makes £140', true],
    [SERVICE, 'A full service costs £120 and electric bikes £20 more, which makes £150', false],
    ['장비는 석 달 동안 빌릴 수 있다.', '장비는 3개월 동안 빌릴 수 있습니다', true],
    ['Der Lärm liegt bei 46 Dezibel.', 'Der Lärm liegt bei 46 dB', true],
    ['입실은 오후 3시부터 9시까지입니다.', '입실은 오후 3시부터 오후 9시까지입니다', true],
    ['입실은 오후 3시부터 9시까지입니다.', '입실은 오후 3시부터 오전 9시까지입니다', false],
    ['침실에서만 먹습니다. 거실은 넓습니다.', '거실에서만 먹습니다', false],
    ['毎週月曜日は休館です。', '毎週月曜日は休館日です', true],
    ['Ausflüge müssen bis Mittwoch angemeldet werden.', 'Man muss Ausflüge bis Mittwoch anmelden', true],
    ['Salz kostet 6 Euro, Öl kostet 9 Euro.', 'Öl ist 3 Euro teurer als Salz', true],
    ['Flaschen prüft man alle fünf Jahre, Regler jährlich.', 'Regler prüft man alle fünf Jahre', false],
    ['Shoes can be rented for 3 euros.', 'Shoe rental: 3 euros', true],
  ])('%s ← %s', (note, answer, isTrue) => {
    expect(isGrounded(`${answer} [1].`, note)).toBe(isTrue);
  });
});

describe('an answer over one note', () => {
  it.each([
    ['The sauna is heated for 80 minutes.', 'The sauna is heated for 1 hour 20 minutes', true],
    ['The sauna is heated for 80 minutes.', 'The sauna is heated for 1 hour 40 minutes', false],
    ['The raft is 3 m 20 cm long.', 'The raft is 3.2 m long', true],
    ['Let it stand for no more than five minutes.', 'Let it stand for at most five minutes', true],
    ['Экскурсию нужно заказать не менее чем за два дня.', 'Экскурсию нужно заказать не более чем за два дня', false],
    ['Экскурсию нужно заказать не менее чем за два дня.', 'Экскурсию заказывать не нужно', false],
    ['Mayores de 65 años: dos al día. Adultos: tres al día.', 'Mayores de 65 años: tres al día', false],
    ['Los efectos frecuentes son náuseas; el dolor de cabeza es raro.', 'El dolor de cabeza es frecuente', false],
    ['Members work on three Saturdays; members over 70 are exempt.', 'Members over 70 work on three Saturdays', false],
    ['日曜日は窓口が休みですが、機械は使えます。', '日曜日は機械も使えません', false],
    ['更衣柜钥匙押金50元，退卡时退还。', '更衣柜钥匙押金50元，不予退还', false],
    ['游泳池只对年卡会员开放。进入泳池前必须淋浴。押金50元，退卡时退还。', '进入泳池后必须淋浴', false],
    ['私教课每节180元，不含在会员卡内。', '会员卡不包含私教课', true],
    ['TLS is off by default.', 'TLS is on by default', false],
    ['Water mag alleen in de avond gebruikt worden.', 'Water mag altijd gebruikt worden', false],
    ['Pillows are optional.', 'Pillows are required', false],
    ['Pillows are optional.', 'A pillow is not required, it is optional', true],
    ['Breakfast is included for the suite, but not in that of the rooms.', 'Suite: breakfast included', true],
    [
      'Dogs are welcome in the garden rooms and cost 12 pounds a stay.',
      'Dogs in the garden rooms cost £12 a stay',
      true,
    ],
    ['Der Kurs findet mittwochs um 18 Uhr statt, außer im Mai.', 'Der Kurs findet mittwochs um 18 Uhr statt', true],
    ['Grillen mit Holzkohle ist verboten.', 'Mit Holzkohle darf nicht gegrillt werden', true],
    ['No tome Calmidor con alcohol.', 'Calmidor no debe tomarse con alcohol', true],
    ['مدة الحصة 45 دقيقة. درجة حرارة الماء 28 درجة.', 'مدة الحصة 45 دقيقة ودرجة حرارة الماء 28 درجة', true],
  ])('%s ← %s', (note, answer, isTrue) => {
    expect(isGrounded(`${answer} [1].`, note)).toBe(isTrue);
  });

  it.each([
    ["N'hésitez pas si vous avez d'autres questions.", true],
    ['希望能帮到您！', true],
    ['Låt mig veta om du undrar något mer!', true],
    ['You can ask for a free towel at the pool.', false],
    ['I hope you know that the sauna is closed.', false],
    ['I hope you enjoy the free breakfast.', false],
    ['You should know that children are banned.', false],
    ['Bei Fragen hilft Ihnen der Bademeister kostenlos.', false],
  ])('may end with an offer, and not with a statement: %s', (ending, isOffer) => {
    expect(isGrounded(`The sauna opens at 9:00 [1]. ${ending}`, 'The sauna opens at 9:00.')).toBe(isOffer);
  });

  it('says that something is not mentioned by leaving out the verb', () => {
    const answer = 'Die Kaution wird zwar erwähnt, aber nicht, auf welches Konto sie zu zahlen ist [1].';
    expect(judged(answer, ['Die Kaution beträgt 300 Euro.'], 'Wohin zahle ich?').deniesOnly).toBe(true);
  });
});

function isGrounded(answer: string, note: string): boolean {
  const { reason, findings } = judged(answer, [note], 'What do the notes say?');
  return reason === null && findings.every(({ kind }) => kind === 'computed');
}

describe('a true answer in words that no passage has', () => {
  it.each([
    [
      'trip',
      'paraphrase',
      'Pupils should not bring more than 30 pounds of pocket money, and everyone needs a rain jacket [1].',
      'What should parents know about the class trip?',
    ],
    [
      'bridge',
      'summary',
      '현재는 보행자와 자전거만 이용할 수 있고 자동차 통행은 2003년부터 금지되어 있습니다 [1].',
      '솔내다리는 언제 지어졌고 어떻게 이용합니까?',
    ],
    [
      'incident',
      'cause',
      'A log file that had not been rotated filled the disk, which caused the database to stop [1].',
      'What happened on 9 February 2024?',
    ],
    [
      'torneo',
      'paraphrase',
      'El plazo de inscripción termina el 30 de junio y el precio es de 15 euros [1]. Se puede participar en un máximo de tres pruebas [1].',
      '¿Cómo funciona el torneo de verano?',
    ],
  ])('over %s (%s) is not grounded: %s', (note, _, answer, question) => {
    expect(isClean(note, answer, question)).toBe(false);
  });
});

describe('a false answer in the words of its note', () => {
  it.each([
    [
      'incident',
      'cause',
      'The database stopped because of a network failure [1].',
      'What happened on 9 February 2024?',
    ],
    ['miso', 'order', '味噌を入れてから沸騰させます[1]。', '味噌汁はどう作りますか?'],
    ['biblioteka', 'negation', 'Czasopisma można wypożyczyć do domu [1].', 'Jakie są zasady biblioteki?'],
    [
      'clinic',
      'yes-no',
      'Yes, the clinic is open every day. The clinic is open on Saturday from 9:00 to 12:00 [1].',
      'When is the clinic open and who works there?',
    ],
    [
      'torneo',
      'bound',
      'Cada nadador debe inscribirse en tres pruebas como mínimo [1].',
      '¿Cómo funciona el torneo de verano?',
    ],
    [
      'incident',
      'url',
      'The dashboard is at https://ridgeway.example/status [1].',
      'What happened on 9 February 2024?',
    ],
    ['norvalen', 'negation', 'The tablets may be crushed [1].', 'How is Norvalen taken?'],
    [
      'backup',
      'negation',
      'Restoring overwrites existing files unless `--force` is given [1].',
      'How do the backups work?',
    ],
    [
      'heating',
      'quantifier',
      'The boiler heats only some of the flats [1].',
      'How is the heating of the house maintained and used?',
    ],
    ['backup', 'who', 'Everyone in the group `admins` may read the configuration [1].', 'How do the backups work?'],
    [
      'huette',
      'swapped',
      'Mitglieder zahlen 38 Euro pro Übernachtung [1].',
      'Was muss man über die Kaltbachhütte wissen?',
    ],
    ['norvalen', 'quantifier', 'Children over 12 must not take Norvalen [1].', 'How is Norvalen taken?'],
    ['pan', 'swapped', '一次発酵は40分、二次発酵は60分です[1]。', '食パンの作り方を教えてください。'],
    [
      'rubbish',
      'swapped-value',
      'Glass is emptied every Tuesday [1].',
      'When are the bins emptied and where does special waste go?',
    ],
    ['huodong', 'negation', '费用包括午餐、船票和保险[1]。', '春季活动怎么安排？'],
    ['incident', 'wrong-value', '312 customers were affected [1].', 'What happened on 9 February 2024?'],
    ['miso', 'wrong-item', '昆布は沸騰したあとに取り出します[1]。', '味噌汁はどう作りますか?'],
    ['bail', 'negation', 'Les animaux ne sont pas acceptés [1].', 'Quelles sont les conditions du bail ?'],
    ['huodong', 'cancel', '下雨时活动取消[1]。', '春季活动怎么安排？'],
    [
      'incident',
      'swapped-time',
      'Ines Caldeira noticed it at 07:05 and switched to the replica at 06:52 [1].',
      'What happened on 9 February 2024?',
    ],
    [
      'museum',
      'swapped',
      '입장료는 학생 4,000원, 어른 2,000원입니다 [1].',
      '솔내박물관의 관람 시간과 요금은 어떻게 됩니까?',
    ],
    [
      'torneo',
      'negation',
      'La inscripción se devuelve si el nadador no se presenta [1].',
      '¿Cómo funciona el torneo de verano?',
    ],
    [
      'orto',
      'extra',
      'Il compost è gratuito e viene consegnato ogni settimana [1].',
      "Quali sono le regole dell'orto?",
    ],
    ['kuaiji', 'swapped', '社团2023年的收入为41,250元[1]。', '社团的财务情况如何？'],
    [
      'clinic',
      'day',
      'The clinic is open on Sunday from 9:00 to 12:00 [1].',
      'When is the clinic open and who works there?',
    ],
    ['heating', 'wrong-date', 'The boiler was installed in October 2018 [1].', 'When was the boiler installed?'],
    ['rules', 'only', 'Phones may be used everywhere during the lunch break [1].', 'Are phones allowed at school?'],
    [
      'norvalen',
      'wrong-subject',
      'A rash is a common side effect of Norvalen [1].',
      'What are the side effects of Norvalen?',
    ],
    ['clinic', 'negated', 'In an emergency call the clinic [1].', 'When is the clinic open and who works there?'],
    [
      'norvalen',
      'swapped',
      'Norvalen may be combined with ibuprofen, but not with paracetamol [1].',
      'How is Norvalen taken?',
    ],
    ['pan', 'extra', '卵を1個加えるとふっくら焼けます[1]。', '食パンの作り方を教えてください。'],
    [
      'bikes',
      'bound',
      'Each flat must keep at least three bicycles there [1].',
      'What are the rules of the bicycle cellar?',
    ],
    ['museum', 'day', '박물관은 화요일에 쉽니다 [1].', '솔내박물관의 관람 시간과 요금은 어떻게 됩니까?'],
    ['orto', 'swapped', "L'acqua si può usare solo dopo le 9 e prima delle 19 [1].", "Quali sono le regole dell'orto?"],
    [
      'heating',
      'direction',
      'If the pressure rises above 1.2 bar, top up the water through the blue valve [1].',
      'How is the heating of the house maintained and used?',
    ],
    [
      'bikes',
      'wrong-person',
      'Mr Adeyemi from the third floor keeps the spare key [1].',
      'What are the rules of the bicycle cellar?',
    ],
    [
      'rubbish',
      'negation',
      'Batteries and paint belong in the residual waste bin [1].',
      'When are the bins emptied and where does special waste go?',
    ],
    [
      'trip',
      'included',
      'The price includes the coach, the hostel and lunch [1].',
      'What should parents know about the class trip?',
    ],
    [
      'heating',
      'extra-sentence',
      'The boiler is serviced once a year in September [1]. The technician also replaces the filter [1].',
      'How is the heating of the house maintained and used?',
    ],
    [
      'bikes',
      'cause',
      'Mopeds are not allowed because they take up too much space [1].',
      'What are the rules of the bicycle cellar?',
    ],
    ['bail', 'unit', 'Le loyer est de 870 euros par an [1].', 'Quelles sont les conditions du bail ?'],
    [
      'clinic',
      'swapped-person',
      'Dr Okafor sees patients on Mondays and Wednesdays [1].',
      'When is the clinic open and who works there?',
    ],
    [
      'natacion',
      'obligation',
      'Las aletas son obligatorias en la calle 1 [1].',
      '¿Cuáles son los horarios y las normas de la piscina?',
    ],
    ['norvalen', 'condition', 'Adults take one 40 mg tablet twice a day without food [1].', 'How is Norvalen taken?'],
    [
      'norvalen',
      'extra',
      'Adults take one 40 mg tablet twice a day with food [1]. Alcohol should be avoided during treatment [1].',
      'How is Norvalen taken?',
    ],
    ['kuaiji', 'person', '超过500元的支出必须由赵明批准[1]。', '社团的财务情况如何？'],
  ])('over %s (%s) fails or is marked: %s', (note, _kind, answer, question) => {
    expect(isClean(note, answer, question)).toBe(false);
  });
});

describe('a statement about what a note names', () => {
  const PRICES = 'A game costs 88 euros; materials are not included. The players meet at six. يمنع التدخين في القبة.';
  it.each([
    ['No. Materials are not included [1].', 'Are materials included?', null],
    ['Materials are not described in the notes [1].', 'How heavy are the materials?', 'nothing_to_check'],
    ['| Item | Price per player |\n|---|---|\n| game | 88 euros [1] |', '', 'not_in_passage'],
    ['لا، يمنع التدخين في القبة [1].', 'هل يسمح بالتدخين في القبة؟', null],
    ['لا يسمح بالتدخين في القبة [1].', '', null],
    ['يسمح بالتدخين في القبة [1].', '', 'not_in_passage'],
    ['A game costs 88 euros [1]. Надеюсь, это поможет!', '', null],
    ['A game costs 88 euros [1]. Надеюсь, директор поможет!', '', 'no_citation'],
  ])('is judged as a statement, and as a refusal only where it is one: %s', (answer, question, reason) => {
    expect(judged(answer, [PRICES], question).reason).toBe(reason);
  });
});

describe('a `no` before a sentence that says something is closed', () => {
  it.each([
    ['Are the valves closed?', 'not_in_passage'],
    ['Are the valves open?', null],
  ])('is judged by what was asked: %s', (question, reason) => {
    const { reason: judgedAs } = judged('No. The valves are closed [1].', ['The valves are closed.'], question);
    expect(judgedAs).toBe(reason);
  });
});
