import { foldWord } from '@kebab/core';
import { UNSPACED } from './content-words.ts';

/**
 * Words that relate the parts of a statement and say nothing of their own: of being, place, belonging, naming and having, and talk of the
 * answer and its sources. A hyphen ends the beginning of a word.
 */
const RELATIONS =
  'mits sofern pourvu exception ausnahme uitzondering excepcion excecao eccezione wyjatkiem исключением accord- based passage- note- document- source- text- evidence information provided stated mention- state states says say said call called ' +
  'named name located found following answer question yes therefore however also currently now specifically exactly approximately about ' +
  'roughly around nearly almost together please done use used uses using get gets got make makes made making able summary words apply applies ' +
  'belong belongs consist- compris- needs need needed case instead respectively both goes per becom- became serve- regarding available let ' +
  'means whereas someone somebody something later remain- stay- carried time times kind total overall altogether number count period flow ' +
  'value level rate limit measure- equal- reach- cover covers happen- occur- many taking caused causes between keep keeps kept keeping store ' +
  'stores stored storage date dates dated rise rises rose jusqu don doesn didn isn aren wasn weren won couldn wouldn mustn needn mightn shouldn hasn haven hadn ' +
  'down another finally lastly runs run want wants several during via set sets ext sec min short rooms laut gemass heisst befind- lieg- ' +
  'genannt angegeben angab- steht stehen stand hangt hangen gehor- gibt geben bietet pro umfass- betragt betragen insgesamt etwa rund man ' +
  'derzeit aktuell namlich jeweils bezeichn- nenn- untergebracht aufbewahrt vorhanden erfolgt stattfind- findet finden statt lasst lassen ' +
  'sollte sollten musste konnte waren worden dabei dagegen hingegen bis zwischen seit stammt stammen gelagert lagern lagert erreicht erst ' +
  'niz bereits schon jede jeden jeder jedes schliesslich hat haben muss mussen kann konnen sowie sowohl bekommt erhalt braucht saat fall falls ' +
  'derjenige diejenige bitte ihnen ihrer dann anschliess- zuerst zunachst zuletzt danach seinen seiner seinem gelten gilt handelt beim jedoch ' +
  'allerdings wahrend mittels zum zur vom selon trouv- appel- situ- range- rang- reste environ porter lieu avere peut faut agit nomm- figur- ' +
  'place- eleve effectu- dispos- appartien- tien- tout doivent apres avant ainsi donc lors egalement ensuite puis entre depuis atteint stocke ' +
  'stockes chaque enfin doit peuvent concern- conserve- compt- celui sert alors ici voici cela ceux ont ete etre sera soit presente- mis mise ' +
  'prise prend port coute coutent deux notamment quant tandis plazo desde hasta llega llegan alcanza finalmente cada segun llam- encuentr- ' +
  'ubic- pertenec- queda- hay veces guard- esta estan debe deben pued- tiene- lleva- luego entonces siguient- ademas tambien unos denomin- ' +
  'corresponde- trata consiste- hallan halla quien mientras respectivamente usted ustedes mismo debera deberan sea realiz- hace hacen ' +
  'continuacion durant nas nos pelas pelos numa num iedere porque cuando donde tra fra infine ogni secondo chiam- trov- situat- colloca- rimane- resta- circa ciascun- composto deve ' +
  'devono puo possono nel nella nelle nei mentre viene vengono poi quindi inoltre presso tengono conserva- riguarda- occorre bisogna ate ' +
  'segundo chama- encontr- localiz- fica- pertenc- devem pode podem estao existe- deixad- mantid- tem depois entao enquanto aos cerca quem ' +
  'sao encontra- volgens bevind- ligt liggen staat staan heet heten hoort horen heeft hoeven kunnen moet moeten mag mogen ongeveer daarna ' +
  'eerst dan znajduj- jest wynosi maja mozna nalezy trzeba okolo nazywa- wedlug между каждый каждая каждую каждое наконец наход- располож- ' +
  'распол- лежит лежат стоит стоят составля- назыв- зовут имеет имеют можно нужно надо около есть является являются находит- принадлеж- ' +
  'согласно также того этого следует необходимо затем потом после сначала когда где который которая которые которое они она оно был была было ' +
  'были быть будет будут должен должны должна при для вам если чтобы его всего именно занима- происход- содерж- размещ- служит хранит хранят хранится хранятся bulun- ' +
  'yer adi icin gore enligt mellan totalt och som det den ett vid fran till maste eller aven oraz sie lub wedlug miedzy الى إلى على تقع يقع توجد يوجد هذا هذه ذلك تلك التي الذي يمكن كان كانت يتم لكل كما بعد قبل عند حتى لمدة يجب للعضو وفقا ' +
  'حسب بين ليس غير يكون تكون';

/** Words that name what a value measures, and say nothing beside it. */
const MEASURES =
  'cost costs price prices priced pay pays paid charge charges fee fees height depth width age distance minus degrees temperature size length ' +
  'duration capacity volume amount- speed takes take lasts last weigh- maximum minimum maximal- minimal- max least hochstens mindestens ' +
  'massimo minimo almeno maximo hooguit hoogstens minstens maximaal minimaal long wide deep tall thick old heavy lang breit tief alt schwer ' +
  'profond agee largo ancho profundo lungo profondo breed diep oud zwaar 长 宽 深 kostet kosten preis zahlt zahlen dauer dauert hohe anzahl ' +
  'breite tiefe gewicht alter grad gesamt- lange temperatur prix duree montant paie paient hauteur longueur profondeur poids dure durent ' +
  'precio dura cuesta cuestan vale valen altura longitud profundidad peso edad temperatura pagan paga prezzo costa costano pagano altezza lunghezza eta ' +
  'preco custa custam idade kost duurt prijs kosztuje trwa cena цена стоимость длина высота возраст длится температура fiyati fiyatı 온도 기간 비용 ' +
  '요금 가격 길이 높이 무게 温度 料金 期間 値段 長さ 高さ 价格 时间 费用 长度 高度 费';

/**
 * Verbs of a general meaning and their particles, general nouns, and what joins sentences: a passage says them
 * otherwise or not at all.
 */
const LIGHT =
  'because weil parce porque perche omdat well mee setting settings approx circa yılında yılı yılda come came comes coming went going put puts take takes taken took work works type enter operate operates along again back away turn turns ' +
  'turned beforehand fine everyone people person anyone split divided show shows bring brings wish look see start starts ends ended left hold ' +
  'holds held holding give gives gave lead leads led leading pass passes passed continue continues decide decided decides finish- add added ' +
  'adds adding option options happen- occur- change- affect- counts counted counting involve- concern- behind ' +
  'rather end ending follow- result- incur- depend- process- cycle side sides types rack receive- treat- try tries tried appear- exist exists ' +
  'carry carries choose chose chosen choice ensure perform- handle- tend tends offer offers offered owns move moves moved press presses ' +
  'drawback apart certain particular actually simply themselves kommt kommen kam geht gehen ging verfug- stellt stellen nimmt macht machen ' +
  'setzt vorher wieder zuruck ort leute personen jemand weiter gebraucht- zwar konnten bleiben fallt fallen folgt folgen gerat fuhrt fuhren ' +
  'lauft laufen bringt bringen halt halten besteht bestehen lediglich innerhalb sonst zugute bedeutet ergibt sich dort darf durfen wurde ' +
  'wurden wird werden sollen soll moglich besitzt abgeben gegeben gesamt stuck dazu davon dafur darauf daran hierzu bzw vient viennent ' +
  'possede possedent met mettent passe passent fait font vont venir aller faire mettre personnes gens demeure demeurent contre vaut mieux ' +
  'recoit recoivent donne donnent devient laisse- amener tenir prevu- permet- rendre sinon toutefois cependant dispone disponen cuenta ' +
  'cuentan posee vienen van pone ponen hacer poner personas gente trasladarse acude acordo acuerdo recibe recibes reciben sale salen motivo ' +
  'tras todavia dar deja dejan quiere quieren pasa pasan importe sirve sirven vuelve cualquier caso dispongono possiede impiega impiegano ' +
  'mette mettono fare mettere andare venire fanno persone avviene avvengono quel quello quella termine fino pagando dare danno servono esiste ' +
  'esistono passa modo parte volta diventa porta portano dispoe possui vem vai fazer por vir pessoas precisa precisam leva levam disso alem ' +
  'isso volte tire tirar dao acontece torna beschikt gaat komt doet zet zetten doen gaan komen houden mensen wachten wordt betekent geldt ' +
  'gelden geeft geven krijgt krijgen brengt vindt vinden laat laten blijft blijven gebeurt verder eveneens visade visar visserligen bara till ' +
  'far utfor skriv gor kommer gar sker ska maste finns blir ligger star galler tar oldu olan olur yapiyor yapar yapilir yapilmali edilir ' +
  'ediyor mal verilir olmak ise kadar liczy przekracza musi bywa odbywa chodzi zostaje przebiega dotyczy имеется возможен возможно обходится ' +
  'становится идет приходит люди человек делать делают снова вначале начиная попадает туда там использовать использует utiliser utilise utilizar utiliza utilizzare utilizza verwenden verwendet gebruiken gebruikt kullanmak uzywac проводится получает ' +
  'дает остается пришлось довести уровень уровне чайник поэтому 보유 갖추 갖고 이용자 사람 총 모두 각 다음 진행 이루어 가능 열립 한해 경우 정도 통해 해당 방법 使用者 人数 数 合計 全部 有 行 共 位 ' +
  '名 者 拥有 总共 一共 每位 地点 场所 期间 时间 至 情况 不过 另外 方式 进行 属于 情形 場合 別 方法 状態 使用 사항 在内';

/** Words for one thing, in every language: a class holds words that stand for each other. Entries of scripts without spaces are parts of words. */
const CLASSES: readonly string[] = [
  // All of something, and nothing but it.
  'all every each whole entire entirely everything everyone everybody complete full alle aller allen alles jede jeden jeder jedes ganz ganze ganzen gesamte samtliche tous toutes tout toute chaque entier entiere todo todos toda todas cada entero tutti tutte tutto tutta ogni intero inteiro alle elke heel все весь всё вся каждый каждая каждую каждое целый 모든 모두 전체 매 すべて 全て 全部 毎 所有 全部 每 每个 每人 每个人 整个 整',
  'only solely exclusively just nothing alone nur ausschliesslich allein lediglich bloss seulement uniquement exclusivement solo solamente unicamente soltanto esclusivamente somente apenas alleen uitsluitend только лишь исключительно 오직 오로지 だけ のみ しか 只 仅 僅',
  'additional additionally extra more further plus zusatzlich extra weitere supplementaire supplement adicional adicionalmente mas aggiuntivo adicional дополнительно еще 추가 追加 额外 另外',
  // Order in time.
  'first firstly initially begin start zuerst zunachst erst erste erstens abord premier premiere premierement primero primera primeramente prima primo innanzitutto primeiro primeira eerst сначала сперва первый 먼저 우선 처음 まず 最初 先に 先 首先 首',
  'start starts begin begins began started beginning commence- open beginn- start- fangt anfang- ab commenc- debut- empieza- empez- comienz- inici- inizia- comeca- comec- begint начина- начал- старт- 시작 始ま 始め 开始',
  'again once repeat- another erneut wieder nochmals nouveau encore otra vez nuovo novamente novo снова опять 다시 또 再び もう一度 再次',
  'half halb halbe halbes halfte moitie demi demie mitad media medio meta mezzo metade половина половину 절반 반 半分 半額 一半 半',
  'daily day tag taglich tage quotidien jour journee jours diario dia dias giorno giornaliero diariamente dag dagelijks день ежедневно дня дней 매일 날 日 毎日 每天 天',
  'weekly week woche wochentlich wochen semaine hebdomadaire semana semanal settimana settimanale semanalmente неделя неделю еженедельно недели 매주 주 週 周 星期',
  'monthly month monat monatlich monats mois mensuel mensuelle mes mensual mese mensile mensal месяц ежемесячно месяца 매달 매월 월 月',
  'yearly annual annually year jahr jahrlich jahres an annee annuel annuelle ano anual anualmente anno annuale год ежегодно года 매년 연간 년 年 每年',
  'morning mornings morgen morgens vormittag matin manana mattina mattino manha утро утром утра 아침 오전 朝 午前 早上 上午 早',
  // Permission, duty, exchange.
  'allow- permit- permission enter entry entrer entrare entrar betreten authori- accept- admit- may can welcome erlaub- gestatt- zugelassen darf durf- autoris- permis- permet admis admet acept- permit- admit- autoriz- permess- ammess- accett- aceit- toegesta- toegelaten разреш- допуска- принима- 허용 허락 가능 許可 可能 允许 可以 准许',
  'forbid- prohibit- ban banned verbot- untersag- interdit- defend- prohib- vietat- proibit- proibid- verboden запрещ- нельзя 금지 禁止 禁じ 不得 不准 严禁',
  'obligatory mandatory compulsory require- must obligat- pflicht verpflicht- vorgeschrieb- muss obligatoire- requis necessaire oblig- necesari- obbligator- obrigator- verplicht обязател- нужно должн- 필수 의무 꼭 반드시 必須 必ず 義務 必须 需要',
  'free gratis complimentary nothing charge kostenlos kostenfrei umsonst gratuit- gratis gratuito gratuita gratuitamente бесплатн- 무료 공짜 無料 免费',
  'cost costs costing fee fees price prices priced pay pays paid payment charge charged charges fee kosten kostet preis zahlt zahlen bezahl- zahlung gebuhr berechnet verlangt kostenpunkt coute couter prix paie paient payer paye paiement tarif frais cuesta cuestan precio paga pagan pagar pago cobr- tarifa costa costano prezzo pagano pagamento custa custam preco pagam kost kosten prijs betaal- стоит стоимость цена плат- оплат- взнос берут 비용 요금 가격 내야 냅니다 지불 이용료 받습니다 かか 料金 費用 払 値段 费 费用 价格 支付 付 收取',
  'receive- get gets given gives give award- obtain- take takes bekomm- erhalt- kriegt empfang- recoi- recev- obtien- recib- obtien- dan riceve- ottien- receb- obtem получ- выда- дают 받 얻 もら 受け取 得 领取 得到 收到 拿到',
  'take takes taken taking took accept- receive- handle- nimmt nehmen entgegen annehm- angenommen prend- pren- prise toma- tomar prende- toma- принимает берет 받 受け 接',
  'include- including included contain- comprise- inclusive inbegriffen enthalten enthalt einschliesslich inklusive inclu- compris- comprend incluid- incluye- incluso compreso comprende inclus- включ- входит входят 포함 含 込み 包括 包含',
  // Acts.
  'keep keeps kept store- stored storage put puts placed save- retain- preserve- hold holds aufbewahr- lager- gelagert verwahr- abgestellt conserv- rang- stock- garde- guard- almacen- conserv- deposit- conserva- custodi- bewaar- opgeslagen хран- держ- 보관 저장 둡 둔 두 놓 保管 しま 置 保存 存放 存放在 放 放在 收纳 停放 停放在 停 停在 摆放 摆放在 放置',
  'call calls called calling contact- phone- telephone- ring rings rang reach anruf- ruf- telefon- kontakt- appel- telephon- contact- joindre llama- llame telefon- contact- chiama- telefona- contatta- liga- ligue telefon- bellen bel позвон- звон- связ- 전화 연락 電話 連絡 打电话 联系',
  'inform- notify notified warn- tell told announce- report- alert- inform- melde- gemeldet benachrichtig- anzukundig- ankundig- prevenir previen- informe- avis- avisa- inform- avvis- avverti- avis- уведом- сообщ- предупред- 알리 알려 통보 보고 知らせ 連絡 報告 通知 告知 报告',
  'turn turned switch- shut stell- schalt- dreh- allum- etein- tourn- apaga- enciend- spegn- accend- lig- desliga- выключ- включ- отключ- 끄 끕 켜 켭 消 つけ 关 关闭 打开 开',
  'repair- fix fixes fixed mend- reparier- repariert instand reparatur- repar- reparation- arregl- ripar- aggiust- consert- repareer- ремонт- почин- 수리 고치 修理 直 修 维修 保养',
  'check- inspect- verify examin- test- tested review- pruf- kontroll- uberpruf- verif- control- revis- compro- controll- verific- controleer- провер- осматр- 확인 점검 검사 確認 確かめ 点検 調べ 检查 确认 核对',
  'rent rents rented renting rental lease leased leasing miete mietvertrag pacht loyer bail location alquiler renta arrendamiento affitto canone aluguel renda huur аренд- 임대 월세 임차 家賃 賃貸 租金 房租 租',
  'under below younger less than within beneath bajo menos sotto abaixo unter jünger weniger inferieur moins младше меньше 미만 이하 아래 未満 以下 下 以下 不到',
  'century centuries jahrhundert- siecle- siglo- secol- seculo- век 세기 世紀 世纪',
  'extension ext phone telephone tel durchwahl telefon telefono poste interno доб 내선 전화 内線 電話 分机 电话',
  'build built builds constructed erected gebaut erbaut errichtet baujahr construit bati construid- edificad- costruit- gebouwd postroen построен- 건설 지어 지은 建 建成 建于 修建 建立 建て 建設',
  'write- wrote written author- draft- compose- schreib- geschrieben verfass- ecri- redig- escrib- redact- scriv- scritt- escrev- escrit- schrijf- пиш- напис- 작성 쓰 씁 써 書 作成 写 编写 填写',
  'buy bought purchase- kauf- gekauft achet- compr- compra- acquist- koop- купи- покупа- 구매 구입 사 買 購入 购买 买',
  'begin- open- opening öffn- offnet geoffnet ouvr- ouvert- abr- abiert- apr- apert- abert- opent geopend откры- работа- 열 엽 개장 개관 개방 개원 개업 개소 開 营业 开放 开门 開館',
  'close- closing shut- shuts schliess- geschlossen ferm- cierr- cerr- chiu- fech- sluit- gesloten закры- 닫 폐쇄 閉 关闭 关门 闭馆 休馆',
  'last- lasts takes take duration dauer- gedauert demor- dur- duran- dura- продолж- длит- 걸리 걸립 걸려 소요 かか 需要 花 用时',
  'arrive- arrival come comes came coming reach- delivered ankomm- ankunft kommt kommen eintreff- geliefert arriv- lleg- vien- arriv- cheg- aankom- приб- приход- приезж- 도착 오 옵 着 到着 来 到达 送达',
  'leave leaves leaving depart- departure left exit abfahr- abreis- verlass- part- quitt- sal- salid- part- uscir- sair saem vertrek- уезж- выезд- отправ- уходит 출발 나가 떠나 퇴실 出 出発 离开 出发',
  'wear wears wore worn trag- getragen port- llev- us- indossa- vest- drag- носи- надева- 착용 입 써 쓰 着用 着 かぶ 穿 戴',
  'use uses used using usage utili- employ- benutz- verwend- nutz- gebrauch- utilis- us- usar emple- utiliz- usa- gebruik- использ- пользов- 사용 이용 쓸 쓰 使 利用 使用 用',
  'borrow- lend- lent loan- leih- ausleih- verleih- emprunt- prest- prestit- emprest- leen- одолж- бра- 빌리 빌려 대출 借 貸',
  'deliver- bring brings brought ship- send sends sent liefer- bring- livr- apport- entreg- trae- llev- consegn- port- entreg- lever- bezorg- достав- привоз- 배달 배송 가져 届け 配達 运送 送货 送 配送',
  'carry carried bring brings enter- mitbring- apport- introdu- traer import- 반입 가지고 가져 들여 들어 持ち込 持参 携带 带入 带',
  'lead leads led manage- run runs head heads direct- charge responsib- care look looks handle- leit- fuhr- verantwort- zustandig kummer- betreu- dirig- responsable occup- charg- gere gerent gerer gestion- encarg- dirig- gest- dirett- responsabil- respons- gere cuida atende gest- beheer- руковод- отвеча- занима- ведет 담당 관리 맡 운영 책임 担当 管理 責任 负责 管理 主管',
  'smoke- smoking rauch- fum- fuma- fumar roken palic palenie palenia icmek icilmez icilir icilebilir icilemez кур- 흡연 담배 喫煙 たばこ タバコ 吸烟 抽烟',
  'park- parked parking geparkt abgestell- steht gar- stationn- aparc- estacion- parchegg- парков- 주차 駐車 停 停车 停放',
  'maximum max most limit up höchstens hochstens maximal maxim- plus maximo massimo maximo hoogstens максим- не более 최대 まで 最大 最多 上限 至多',
  'fail- failure failed broke broken break breaks down outage ausfall- ausfäll- fallt kaputt defekt panne tomb- fall- averia- guast- falh- сбо- слома- отказ- 고장 실패 故障 失敗 坏 失败',
  'client- customer- guest- visitor- kund- gast gaste besuch- client- cliente- hospede- huesped- visitant- ospit- klant- клиент- гост- посетител- 고객 손님 방문객 客 来客 顾客 客人',
  'child children kid kids kind kinder kindern enfant enfants nino ninos nina ninas bambin- crianca- kinderen дети детей ребен- 아이 어린이 아동 子供 子ども 児童 儿童 孩子 小孩',
  'house home building haus gebaude hause maison batiment casa edificio casa edifici- predio huis gebouw дом здани- 집 건물 家 建物 房子 楼',
  'purchase order orders ordered booking reserv- book books booked bestell- buch- gebucht reservier- command- reserv- pedid- prenot- ordin- reserva- заказ- брон- 주문 예약 注文 予約 订 预订 预约 订单',
  'approval consent permission agreement agree- zustimm- genehmig- einwillig- accord consentement autorisation consentimiento aprobacion consenso approvazione consentimento aprovacao соглас- разреш- одобр- 동의 승인 同意 承認 批准 许可',
  'water- watering giess- bewasser- gegossen arros- rieg- regar annaffi- irriga- rega- полив- 물 수 水 浇水 浇',
  'late delay- verspat- retard- tard- ritard- atras- опозд- 늦 지각 遅 遅刻 迟到 晚',
  'temperature degrees temperatur temperature temperatura temperatura температур- 온도 温度 温度',
  'fridge refrigerator kuhlschrank frigo refrigerateur nevera frigor- geladeira холодильник- 냉장고 冷蔵庫 冰箱',
  'mail email e-mail mails courriel correo posta почт- 이메일 메일 メール 邮件 邮箱',
];

interface Meanings {
  readonly exact: ReadonlyMap<string, readonly number[]>;
  readonly beginnings: ReadonlyMap<string, readonly (readonly [beginning: string, meaning: number])[]>;
  readonly parts: readonly (readonly [pattern: RegExp, meaning: number])[];
}

/** A longer remainder of a Korean word is more than its ending. */
const KOREAN_ENDING = 4;
const OTHER =
  /^(?:others?|ander(?:e|en|es)|ubrigen?|autres?|otr[oa]s?|altr[ioea]|outr[oa]s?|други\p{L}+|остальн\p{L}+)$/u;
/** Beginnings are looked up by this many letters, and have at least four. */
const KEY = 3;
const MIN_BEGINNING = 4;

/** Reads a table of words, each row a meaning. */
function meaningsOf(rows: readonly string[]): Meanings {
  const exact = new Map<string, number[]>();
  const beginnings = new Map<string, [string, number][]>();
  const parts: [RegExp, number][] = [];
  for (const [meaning, row] of rows.entries()) {
    const words = row.split(' ');
    const unspaced = words.filter((word) => UNSPACED.test(word));
    // The stem of a Korean verb ends inside a syllable: `빌릴` is a form of `빌리`.
    const stems = unspaced.filter((word) => /^[가-힣]{2,}$/u.test(word)).map((word) => word.normalize('NFD'));
    if (unspaced.length > 0)
      parts.push([new RegExp([...unspaced, ...stems].toSorted((a, b) => b.length - a.length).join('|'), 'u'), meaning]);
    for (const word of words) {
      if (UNSPACED.test(word)) continue;
      const folded = foldWord(word.replace(/-$/, ''));
      if (word.endsWith('-') && folded.length >= MIN_BEGINNING)
        beginnings.set(folded.slice(0, KEY), [...(beginnings.get(folded.slice(0, KEY)) ?? []), [folded, meaning]]);
      else exact.set(folded, [...(exact.get(folded) ?? []), meaning]);
    }
  }
  return { exact, beginnings, parts };
}

function lookedUp(word: string, { exact, beginnings }: Meanings): readonly number[] {
  const near = beginnings.get(word.slice(0, KEY)) ?? [];
  return [...(exact.get(word) ?? []), ...near.flatMap(([start, meaning]) => (word.startsWith(start) ? [meaning] : []))];
}

const relations = meaningsOf([RELATIONS]);
const classes = meaningsOf(CLASSES);
const measures = meaningsOf([MEASURES]);
const light = meaningsOf([LIGHT.trim()]);

/** Whether a folded word only relates the parts of a statement. */
export function isRelation(folded: string): boolean {
  return lookedUp(folded, relations).length > 0;
}

/** The classes of meaning of a folded word of a script with spaces. */
export function meaningsOfWord(folded: string): readonly number[] {
  return lookedUp(folded, classes);
}

/** The classes of meaning of which a text in a script without spaces has a word. */
export function meaningsIn(compact: string): readonly number[] {
  const read = /[가-힣]/u.test(compact) ? `${compact}\n${compact.normalize('NFD')}` : compact;
  return classes.parts.filter(([pattern]) => pattern.test(read)).map(([, meaning]) => meaning);
}

/** The classes of a run of a script without spaces that is a word of one but for its ending. */
export function partsOf(run: string): readonly number[] {
  return classes.parts.flatMap(([pattern, meaning]) => {
    const jamo = run.normalize('NFD');
    const [whole, part] =
      [run, jamo].map((each) => [each, pattern.exec(each)?.[0]] as const).find(([, each]) => each !== undefined) ?? [];
    if (whole === undefined || part === undefined) return [];
    const ending =
      /\p{Script=Hangul}/u.test(part) && whole.startsWith(part) ? KOREAN_ENDING * (whole === run ? 1 : 3) : 0;
    return whole.length - part.length <= ending ? [meaning] : [];
  });
}

/** Words for the rest of something, which is another thing than the one named. */
export function isOther(folded: string): boolean {
  return OTHER.test(folded);
}

/** Whether a word names what a value measures. */
export function isMeasure(word: string): boolean {
  return isIn(word, measures);
}

/** Whether a word says little by itself. */
export function isLight(word: string): boolean {
  return isIn(word, light);
}

function isIn(word: string, table: Meanings): boolean {
  return (
    lookedUp(foldWord(word), table).length > 0 ||
    table.parts.some(([pattern]) => {
      const part = pattern.exec(word)?.[0];
      return part !== undefined && (part.length === word.length || (/[가-힣]{2}/u.test(part) && word.startsWith(part)));
    })
  );
}
