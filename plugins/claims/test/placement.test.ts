import { describe, expect, it } from 'vitest';
import { judged } from './judged.ts';

/** Notes whose sentences set two things beside each other. */
const NOTES: Readonly<Record<string, string>> = {
  atelier:
    "# Atelier vélo\n\nL'atelier ouvre le mercredi à 14 h et le samedi à 9 h. Les outils se trouvent dans l'armoire verte ; la clé est chez Mme Roussel. Les adhérents réparent gratuitement, les autres paient 5 euros. Il faut nettoyer l'établi avant de partir. Les enfants de moins de dix ans doivent être accompagnés. Les pneus usés vont dans le bac derrière la porte.",
  boiler:
    '# Boiler\n\nTurn the left dial to heat the rooms, the right one for hot water. The pressure must stay between 1 and 2 bar. If the red light blinks, press reset once and wait ten minutes. If it blinks again, call Jansen Heating, not the landlord. Never drain the boiler while it is warm.',
  bousai:
    '# 防災メモ\n\n地震のときはまず机の下に入り、揺れが止まってから火を消す。避難所は南小学校で、集合場所は公園の入口。非常食は台所の棚、懐中電灯は玄関にある。水は一人三日分を用意する。エレベーターは使わない。',
  cache:
    '# Cache service\n\nThe cache runs on three nodes, `cache-a` to `cache-c`. Entries expire after 15 minutes unless they are pinned. If a node fails, reads fall back to the database; writes are queued for up to two minutes. Only the on-call engineer may flush the whole cache. Before flushing, warn the `#web` channel; afterwards, write a line in the log book. Memory use above 80 % raises an alert.',
  compost:
    "# Compost\n\nOn y met les épluchures, le marc de café et les feuilles mortes. La viande et le pain sont interdits. Retourner le tas toutes les trois semaines. Le compost est prêt au bout de huit mois. Jules s'occupe du tamis, Amina de la brouette.",
  drucker:
    '# Drucker im zweiten Stock\n\nDer Drucker steht neben der Küche. Papier liegt im grauen Schrank, Toner im Lager bei Frau Öztürk. Farbdrucke sind nur für Kunden erlaubt. Bei Papierstau zuerst die hintere Klappe öffnen, dann das Papier nach unten herausziehen. Nach acht Uhr abends schaltet er sich ab.',
  gata: '# La gata\n\nLa gata se llama Nube y come dos veces al día, a las 7 y a las 19. El pienso se guarda en el armario de la cocina. Toma media pastilla por la noche, nunca con leche. Si vomita, llamad primero a la veterinaria y después a Pilar. Duerme en el cesto del salón.',
  gym: '# 체육관 이용 안내\n\n체육관은 평일 오전 6시부터 오후 10시까지 엽니다. 탈의실은 지하 1층, 운동실은 2층에 있습니다. 수건은 무료이고 사물함은 한 달에 5천 원입니다. 수영장에서는 수영모를 꼭 써야 합니다. 월요일에는 요가를 김서연 강사가, 수요일에는 필라테스를 오지훈 강사가 가르칩니다. 음식은 가지고 들어올 수 없습니다. 운동 전에 건강 설문을 작성하고 운동 후에 기구를 닦습니다.',
  horta:
    '# Horta comunitária\n\nA horta abre às 8 h e fecha ao pôr do sol. As ferramentas ficam no barracão; as sementes ficam com a dona Lurdes. Rega-se só de manhã. É proibido usar pesticidas. Cada família cuida de um canteiro.',
  hostel:
    '# Хостел «Якорь»\n\nЗаезд с 14:00, выезд до 11:00. Кухня находится на первом этаже, прачечная в подвале. Полотенца выдают бесплатно, за замок берут 150 рублей. После 23 часов в коридоре нельзя шуметь. Администратора зовут Тимур, уборкой занимается Алла. Завтрак не входит в стоимость.',
  lease:
    "# Lease, Harbour Street 9\n\nThe rent is 940 euros a month and is due on the third working day. The deposit is two months' rent. Pets are allowed with the landlord's consent; smoking is not. The tenant pays for repairs below 100 euros, the landlord for all others. Either party may give notice of three months. The bicycle room must be locked at night. Parties after 22:00 have to be announced to the neighbours.",
  maktaba:
    '# المكتبة\n\nتفتح المكتبة من التاسعة صباحا حتى الرابعة مساء وتغلق يوم الجمعة. قاعة القراءة في الطابق الثاني وقسم الأطفال في الطابق الأول. يستعير العضو ثلاثة كتب لمدة أسبوعين. الأكل ممنوع داخل القاعة.',
  mao: '# 养猫须知\n\n猫粮放在阳台的柜子里，猫砂在卫生间。早上喂湿粮，晚上喂干粮。每三个月驱虫一次。洗澡前要先剪指甲。生病时联系宠物医院的周医生，不要自己喂药。',
  orders:
    "# Orders\n\nRegular customers can order by phone until 18:00 the day before. Walk-in customers get whatever is left. Nadia takes the orders; Piet delivers them on Tuesdays and Saturdays. Delivery is free above 30 euros. Cakes need three days' notice. We do not take orders by e-mail.",
  plant:
    '# 화분 돌보기\n\n몬스테라는 거실에, 고무나무는 베란다에 있다. 몬스테라는 일주일에 한 번, 고무나무는 이 주에 한 번 물을 준다. 비료는 봄에만 준다. 직사광선은 피한다.',
  release:
    '# Release checklist\n\n1. Run the smoke tests.\n2. Tag the commit.\n3. Publish the images to the registry.\n4. Announce the release on the mailing list.\n\nA failed smoke test blocks the release. Hotfixes skip step 4. Release notes are written by Ayo, reviewed by Marta. We support the last two minor versions; older ones receive security fixes for six months.\n\n| Version | Released | End of life |\n|---|---|---|\n| 4.2 | May 2024 | May 2025 |\n| 4.3 | November 2024 | November 2025 |',
  rifugio:
    '# Rifugio\n\nIl rifugio apre il 15 giugno e chiude il 20 settembre. La stufa è nella sala, la legna sotto la scala. Marta gestisce la cucina, Sandro le prenotazioni. Le cuccette costano 22 euro a notte. I cani devono restare fuori.',
  ryokan:
    '# 旅館のしおり\n\nチェックインは15時から、チェックアウトは10時までです。大浴場は三階、食堂は一階にあります。朝食は7時から9時まで、夕食は部屋に運びます。タオルは無料、浴衣は300円です。廊下での喫煙は禁止です。鍵は外出の前にフロントに預けてください。女将は山本、料理長は中村です。',
  sad: '# Сад\n\nЯблони растут у забора, вишни за домом. Поливать надо утром, а не вечером. Сначала обрезают ветки, потом белят стволы. Лопаты лежат в сарае. Урожай собирают в сентябре.',
  shuyuan:
    '# 社区书院\n\n书院周二至周日开放，周一闭馆。阅览室在二楼，儿童区在一楼。每人最多借五本书，借期三十天，可以续借一次。丢失图书按原价赔偿。书法课由陈老师教，绘画课由林老师教。馆内不得饮食。先登记，后入座。',
  sourdough:
    '# Sourdough at Mill Lane\n\nFeed the starter every morning with 60 g of rye flour and the same weight of water. The dough rests for four hours in the blue tub, then overnight in the fridge. Score the loaf before it goes into the oven. Bake at 245 °C for 20 minutes with the lid on, then 25 minutes without it. Salt is added only after the first rest.',
  taller:
    '# Taller de cerámica\n\nEl horno está en el patio y las mesas en la sala grande. Las piezas se secan durante cinco días antes de la primera cocción. Los martes viene el grupo de Rocío; los jueves, el de Damián. El barro blanco cuesta 8 euros la bolsa y el rojo 6 euros. No se puede abrir el horno por encima de 100 grados. Los esmaltes pertenecen a la escuela.',
  verein:
    '# Ruderverein\n\nDer Vorsitzende heißt Karl Wiese, die Kassenwartin Renate Bloch. Die Boote liegen im Schuppen am Kanal, die Ruder im Keller des Vereinshauses. Anfänger dürfen nur mit einem Betreuer auf das Wasser. Das Training findet dienstags und freitags um 18 Uhr statt. Bei Gewitter fällt es aus. Der Jahresbeitrag beträgt 120 Euro, für Schüler die Hälfte. Schwimmwesten gehören nach der Fahrt in den Trockenraum.',
};

function isGrounded(note: string, answer: string, question: string): boolean {
  const { reason, findings } = judged(answer, [NOTES[note] ?? ''], question);
  return reason === null && findings.length === 0;
}

describe('what a note says of one of two things', () => {
  it.each([
    ['sourdough', 'paraphrase', 'You add the salt only after the first rest [1].', 'When do I add the salt?'],
    [
      'cache',
      'paraphrase',
      'When a node fails, reads fall back to the database and writes are queued for up to two minutes [1].',
      'What happens when a cache node goes down?',
    ],
    [
      'lease',
      'paraphrase',
      'The tenant pays for repairs under 100 euros, and the landlord covers all others [1].',
      'Who pays for repairs?',
    ],
    ['verein', 'paraphrase', 'Die Boote befinden sich im Schuppen am Kanal [1].', 'Wo befinden sich die Boote?'],
    ['atelier', 'paraphrase', "Les outils sont rangés dans l'armoire verte [1].", 'Où sont rangés les outils ?'],
    ['taller', 'paraphrase', 'El horno se encuentra en el patio [1].', '¿Dónde está el horno?'],
    ['hostel', 'paraphrase', 'Кухня расположена на первом этаже [1].', 'Где находится кухня?'],
    ['gym', 'paraphrase', '탈의실은 지하 1층에 위치해 있습니다 [1].', '탈의실은 어디에 있나요?'],
    ['ryokan', 'paraphrase', '食堂は一階にあります [1]。', '食堂は何階ですか？'],
    ['shuyuan', 'paraphrase', '阅览室位于二楼 [1]。', '阅览室在几楼？'],
    ['rifugio', 'paraphrase', 'Le prenotazioni sono gestite da Sandro [1].', 'Chi gestisce le prenotazioni?'],
    ['horta', 'paraphrase', 'As ferramentas estão no barracão [1].', 'Onde ficam as ferramentas?'],
    ['maktaba', 'paraphrase', 'تقع قاعة القراءة في الطابق الثاني [1].', 'أين قاعة القراءة؟'],
  ])('over %s (%s) is grounded: %s', (note, _, answer, question) => {
    expect(isGrounded(note, answer, question)).toBe(true);
  });
});

describe('what a note says of the other one, or not at all', () => {
  it.each([
    [
      'sourdough',
      'order',
      'Bake the loaf for 20 minutes without the lid, then 25 minutes with the lid on [1].',
      'How is the loaf baked?',
    ],
    ['sourdough', 'word', 'Bake at 245 °C for 20 minutes with the window open [1].', 'How is the loaf baked?'],
    [
      'sourdough',
      'quantifier',
      'The starter is fed every evening with 60 g of rye flour [1].',
      'How is the starter fed?',
    ],
    ['orders', 'swap', 'Nadia delivers the orders and Piet takes them [1].', 'Who delivers the orders?'],
    ['orders', 'yes', 'Yes, you can order by e-mail [1].', 'Can I order by e-mail?'],
    ['orders', 'contra', 'Walk-in customers can order by phone until 18:00 [1].', 'Can I order by e-mail?'],
    ['orders', 'bound', 'Delivery is free up to 30 euros [1].', 'What does delivery cost?'],
    [
      'orders',
      'invented',
      'Delivery is free above 30 euros and costs 4 euros otherwise [1].',
      'What does delivery cost?',
    ],
    [
      'cache',
      'swap',
      'If a node fails, writes fall back to the database and reads are queued [1].',
      'What happens when a cache node goes down?',
    ],
    [
      'cache',
      'bound',
      'If a node fails, writes are queued for at least two minutes [1].',
      'What happens when a cache node goes down?',
    ],
    ['cache', 'word', 'If a node fails, reads fall back to the disk [1].', 'What happens when a cache node goes down?'],
    ['cache', 'negation', 'Any engineer may flush the whole cache [1].', 'Who is allowed to flush the cache?'],
    [
      'lease',
      'swap',
      'The landlord pays for repairs below 100 euros, the tenant for all others [1].',
      'Who pays for repairs?',
    ],
    ['lease', 'bound', 'The tenant pays for repairs above 100 euros [1].', 'Who pays for repairs?'],
    ['lease', 'negation', "Pets are allowed without the landlord's consent [1].", 'May I keep a dog?'],
    [
      'boiler',
      'word',
      'If the red light blinks, press the green button once and wait ten minutes [1].',
      'What should I do when the red light blinks?',
    ],
    ['boiler', 'number', 'Press reset twice and wait ten minutes [1].', 'What should I do when the red light blinks?'],
    ['lease', 'unit', 'The rent is 940 euros a week [1].', 'How much is the rent and when is it due?'],
    ['verein', 'swap', 'Die Ruder liegen im Schuppen am Kanal [1].', 'Wo befinden sich die Boote?'],
    ['verein', 'word', 'Die Boote liegen im Schuppen am Bahnhof [1].', 'Wo befinden sich die Boote?'],
    ['verein', 'contra', 'Bei Gewitter findet das Training im Keller statt [1].', 'Wann ist Training?'],
    ['verein', 'negation', 'Schüler zahlen den vollen Jahresbeitrag [1].', 'Wie viel zahlen Schüler?'],
    ['drucker', 'direction', 'Das Papier wird nach oben herausgezogen [1].', 'Was tun bei Papierstau?'],
    ['drucker', 'quantifier', 'Farbdrucke sind für alle erlaubt [1].', 'Darf ich in Farbe drucken?'],
    ['atelier', 'word', "Les outils se trouvent dans l'armoire rouge [1].", 'Où sont rangés les outils ?'],
    ['atelier', 'swap', "La clé se trouve dans l'armoire verte [1].", 'Où sont rangés les outils ?'],
    ['atelier', 'bound', 'Les autres paient au moins 5 euros [1].', 'Combien coûte une réparation ?'],
    ['atelier', 'order', "Il faut nettoyer l'établi après être parti [1].", 'Que faut-il faire avant de partir ?'],
    ['compost', 'contra', 'Le pain et les feuilles mortes vont au compost [1].', 'Que peut-on mettre au compost ?'],
    ['compost', 'negation', 'La viande est autorisée [1].', 'Que peut-on mettre au compost ?'],
    ['taller', 'swap', 'El horno está en la sala grande [1].', '¿Dónde está el horno?'],
    ['taller', 'word', 'El horno está en el garaje [1].', '¿Dónde está el horno?'],
    [
      'gata',
      'order',
      'Si vomita, llame primero a Pilar y después a la veterinaria [1].',
      '¿Qué hago si la gata vomita?',
    ],
    ['gata', 'number', 'Come tres veces al día [1].', '¿Cuándo come la gata?'],
    ['gata', 'yes', 'Sí, puede tomar la pastilla con leche [1].', '¿Puede tomar la pastilla con leche?'],
    ['gata', 'negation', 'La pastilla se toma siempre con leche [1].', '¿Puede tomar la pastilla con leche?'],
    ['hostel', 'swap', 'Кухня находится в подвале [1].', 'Где находится кухня?'],
    ['hostel', 'word', 'Кухня находится на третьем этаже [1].', 'Где находится кухня?'],
    ['hostel', 'yes', 'Да, завтрак входит в стоимость [1].', 'Входит ли завтрак в стоимость?'],
    ['hostel', 'negation', 'Завтрак включён в стоимость [1].', 'Входит ли завтрак в стоимость?'],
    ['gym', 'swap', '탈의실은 2층에 있습니다 [1].', '탈의실은 어디에 있나요?'],
    ['gym', 'yes', '네, 음식을 가지고 들어올 수 있습니다 [1].', '음식을 가져가도 되나요?'],
    ['gym', 'order', '운동 전에 기구를 닦습니다 [1].', '운동 후에는 무엇을 하나요?'],
    ['gym', 'word', '운동 후에 바닥을 닦습니다 [1].', '운동 후에는 무엇을 하나요?'],
    ['plant', 'quantifier', '비료는 봄과 가을에 준다 [1].', '고무나무는 얼마나 자주 물을 주나요?'],
    ['ryokan', 'swap', '食堂は三階にあります [1]。', '食堂は何階ですか？'],
    ['ryokan', 'order', '外出の後で鍵をフロントに預けてください [1]。', '鍵はどうすればいいですか？'],
    ['ryokan', 'word', '鍵は外出の前に玄関に置いてください [1]。', '鍵はどうすればいいですか？'],
    ['ryokan', 'yes', 'はい、廊下で喫煙できます [1]。', '廊下でたばこを吸えますか？'],
    ['bousai', 'number', '水は一人五日分を用意する [1]。', '懐中電灯はどこですか？'],
    ['shuyuan', 'swap', '阅览室在一楼 [1]。', '阅览室在几楼？'],
    ['shuyuan', 'bound', '每人至少借五本书 [1]。', '一次能借几本书？'],
    ['shuyuan', 'number', '每人最多借八本书 [1]。', '一次能借几本书？'],
    ['shuyuan', 'yes', '可以，馆内可以饮食 [1]。', '可以在馆内吃东西吗？'],
    ['mao', 'word', '猫粮放在厨房的柜子里 [1]。', '猫粮放在哪里？'],
    ['mao', 'order', '洗澡后再剪指甲 [1]。', '洗澡前要做什么？'],
    ['rifugio', 'swap', 'Marta gestisce le prenotazioni [1].', 'Chi gestisce le prenotazioni?'],
    ['rifugio', 'word', 'La legna è dietro la chiesa [1].', 'Dove si trova la legna?'],
    ['horta', 'swap', 'As sementes ficam no barracão [1].', 'Onde ficam as ferramentas?'],
    ['horta', 'quantifier', 'Cada família cuida de dois canteiros [1].', 'Onde ficam as ferramentas?'],
    ['horta', 'negation', 'É permitido usar pesticidas [1].', 'Onde ficam as ferramentas?'],
    ['maktaba', 'swap', 'قاعة القراءة في الطابق الأول [1].', 'أين قاعة القراءة؟'],
    ['maktaba', 'negation', 'الأكل مسموح داخل القاعة [1].', 'أين قاعة القراءة؟'],
  ])('over %s (%s) is not grounded: %s', (note, _, answer, question) => {
    expect(isGrounded(note, answer, question)).toBe(false);
  });
});

describe('two things that change their places', () => {
  const STORE = 'Put two lemons, five limes and one melon in the net. The crate takes 12 jars and 4 bottles.';
  const TIMES =
    '| tram | leaves Harbour | leaves Hill | dogs allowed |\n|---|---|---|---|\n| early | 5:50 | 6:25 | ✓ |\n| late | 22:10 | 22:45 | ✗ |';
  it.each([
    [STORE, 'The crate takes 4 jars and 12 bottles', false],
    [STORE, 'Put five lemons and two limes in the net', false],
    [STORE, 'Put 2 lemons and 5 limes in the net', true],
    ['La cave contient huit tonneaux et vingt caisses.', 'La cave contient vingt tonneaux et huit caisses', false],
    ['창고에는 망치 3개와 톱 5개가 있습니다.', '창고에는 망치 5개와 톱 3개가 있습니다', false],
    ['Helmets are recommended but not compulsory.', 'Helmets are compulsory', false],
    [
      '| hut | beds | stove |\n|---|---|---|\n| A | 12 | yes |\n| B | 20 | no |',
      'Hut B has 20 beds and no stove',
      true,
    ],
    ['| hut | beds | stove |\n|---|---|---|\n| A | 12 | yes |\n| B | 20 | no |', 'Hut A has 20 beds', false],
    [TIMES, 'The early tram leaves Harbour at 5:50', true],
    [TIMES, 'The early tram leaves Hill at 5:50', false],
    [TIMES, 'Dogs are allowed on the early tram', true],
    [TIMES, 'Dogs are not allowed on the early tram', false],
    [TIMES, 'Dogs are allowed on the late tram', false],
    ['The mill grinds from 7:30 to 16:00.', 'The mill grinds from 16:00 to 7:30', false],
    ['The mill grinds from 7:30 to 16:00.', 'The mill grinds from 7.30 am to 4 pm', true],
    ['Le moulin tourne du 2 mai au 9 octobre.', 'Le moulin tourne du 9 octobre au 2 mai', false],
    [
      '宿舍楼共有六层，洗衣房在一层，自行车停在后院，静音时间从晚上11点到早上7点。',
      '静音时间从早上7点到晚上11点',
      false,
    ],
    ['宿舍楼共有六层，洗衣房在一层，自行车停在后院，静音时间从晚上11点到早上7点。', '静音时间是23:00到7:00', true],
    ['연습은 매주 목요일 저녁 7시부터 9시까지 합니다.', '연습은 저녁 9시부터 7시까지 합니다', false],
    ['연습은 매주 목요일 저녁 7시부터 9시까지 합니다.', '연습은 19시부터 21시까지 합니다', true],
    ['The mill grinds from 8:00 to 20:00.', 'The mill grinds from 20:00 to 8:00', false],
    ['지휘는 한서윤, 반주는 오민재가 맡습니다.', '지휘는 오민재, 반주는 한서윤이 맡습니다', false],
    ['지휘는 한서윤, 반주는 오민재가 맡습니다.', '지휘는 한서윤이고 반주는 오민재입니다', true],
    ['Mix two parts sugar with one part water.', 'Mix one part of water with two parts of sugar', true],
    ['Close the vent before you light the burner.', 'Before you close the vent, light the burner', false],
    ['Close the vent before you light the burner.', 'Close the vent, then light the burner', true],
    ['Rinse the skin for 20 minutes, then call the doctor.', 'Call the doctor, then rinse the skin', false],
    [
      'Die Halle ist samstags bis 13 Uhr geöffnet, sonntags ist Ruhetag.',
      'Am Wochenende ist die Halle bis 13 Uhr geöffnet',
      false,
    ],
    ['クロワッサンは土曜日と日曜日だけ焼きます。', 'クロワッサンは土日だけ焼きます', true],
    [
      'The gym is open on weekends from 10:00 to 20:00.',
      'The gym is open on Saturday and Sunday from 10:00 to 20:00',
      true,
    ],
    ['The gym is open on weekends from 10:00 to 20:00.', 'The gym is open on Friday from 10:00 to 20:00', false],
    ['창고는 지하 2층에 있습니다.', '창고는 2층에 있습니다', false],
    ['창고는 지하 2층에 있습니다.', '창고는 지하 2층입니다', true],
  ])('%s ← %s', (note, answer, isTrue) => {
    expect(judged(`${answer} [1].`, [note], 'What do the notes say?').reason === null).toBe(isTrue);
  });

  it.each(['The cellar is included, parking is not', 'Der Keller ist enthalten, der Stellplatz nicht'])(
    'are no refusal: %s',
    (answer) => {
      const note = 'The cellar is included, parking is not. Der Keller ist enthalten, der Stellplatz nicht.';
      expect(judged(`${answer} [1].`, [note], 'What is included?')).toMatchObject({ deniesOnly: false, reason: null });
    },
  );
});
