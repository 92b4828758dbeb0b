import type { TextRange } from '@kebab/core';
import { MAX_STATEMENT } from './content-words.ts';
import { DOCUMENTS, isTalk } from './small-talk.ts';

/** How a language says that something is not known: `absent` and `known` in one clause in either order, or `alone` by itself. */
interface DenialWords {
  readonly absent: RegExp;
  readonly known: RegExp;
  readonly alone?: RegExp;
}

/** Words of a language as stems: each begins a word. */
function stems(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${words.replaceAll(' ', '|').replaceAll('_', ' ')})`, 'iu');
}

function parts(words: string): RegExp {
  return new RegExp(words.replaceAll(' ', '|').replaceAll('_', ' ?'), 'iu');
}

const EVIDENCE = `(?:(?:${DOCUMENTS.replaceAll(' ', '|')})s?|knowledge base|rules|i|we)`;
/** What is said, recorded or known, whoever says it. */
const STATED =
  '(?:state|mention|specif|stated|said|say|tell|told|document|record|disclos|determin|found|find|know|sure|certain|clear|answer|confirm|' +
  'indicat|explain|clarif|establish|infer|conclud|identif|detailed|evident|available|help|locate|see|verif|reveal|note|discuss|written|listed)';
/** What a passage does, and many another thing too. */
const HELD =
  '(?:give|given|contain|includ|cover|provid|describ|address|name|list|permit|allow|let|hold|have|has|support|offer|refer|suggest|enough|sufficient|touch|deal|shed|speak|talk|go into|elaborate|extend|report|list|account)';
const INFORMATION =
  '(?:information|info|evidence|mention|details?|indication|answer|data|record|reference|statement|word|passages?|figures?|value|note|clue|explanation|basis|source)';
const ABOUT =
  '(?:about|on|of|for|regarding|concerning|that|whether|as to|in|to|from|how|when|who|what|which|where|why|available|given|provided|found|mentioned|recorded|stated|listed|here|exists?|(?:is|are|was|were|can be|could be|has been) (?:\\p{L}+ )?(?:available|given|provided|found|mentioned|recorded|stated|listed|included|known|there))';
const NOT =
  "(?:(?:\\p{L}+n['’]t|can['’]?t|not|cannot|never|unable to|fails? to|failed to|impossible to|nowhere|neither|nor|hardly|nothing|none|not able to)(?!\\p{L}))";

const ENGLISH: readonly RegExp[] = [
  new RegExp(`(?<!\\p{L})${NOT}(?:[\\s,]+[\\p{L}'’-]+){0,4}?[\\s,]+${STATED}`, 'iu'),
  new RegExp(
    `(?<!\\p{L})(?:no(?! longer)|none of the|neither of the|nor the) ?${EVIDENCE}?(?:\\s\\p{L}+){0,3}?\\s(?:${STATED}|${HELD})(?<!\\s(?:no|none)\\s.{0,20}cover)`,
    'iu',
  ),
  new RegExp(
    `(?<!\\p{L})${EVIDENCE}(?!\\p{L}|(?<!we)\\s(?:is|are|was|were)(?: not|n['’]t)\\s)(?:[\\s,]+[\\p{L}'’-]+){0,8}?[\\s,]+${NOT}(?:\\s+[\\p{L}-]+){0,3}?\\s+${HELD}`,
    'iu',
  ),
  new RegExp(
    `(?<!\\p{L})(?:no|not enough|not any|n['’]t any|n['’]t enough|insufficient|lack of|lacks?|lacking|without|little|too little|missing)\\s(?:[\\p{L}-]+\\s){0,2}?${INFORMATION}(?:\\s+${ABOUT}(?!\\p{L})|[\\s\\p{P}]*$)`,
    'iu',
  ),
  /(?<!\p{L})(?:unknown|unclear|unspecified|unstated|unrecorded|undocumented|undisclosed|unmentioned|undetermined|uncertain|unanswered|unanswerable|silent on|silent about|are silent|is silent|remains? silent|not applicable|no idea|insufficient|say nothing|says nothing|nothing (?:is )?(?:said|about|on|there))(?!\p{L})/iu,
  new RegExp(`(?<!\\p{L})(?!i |we )${EVIDENCE}\\s(?:give|contain|list|mention|state)s? (?:no|nothing)(?!\\p{L})`, 'iu'),
  /^\W*(?:n\/a|no[_ ]evidence|none|not (?:given|found|specified|included|provided|enough)|insufficient[_ ]\p{L}+|unanswerable|tbd)\W*$/iu,
  new RegExp(
    `(?<!\\p{L})(?:${INFORMATION}|evidence|context|passages?|notes?)\\s(?:is|are)\\s(?:missing|absent|lacking|insufficient|not (?:enough|sufficient|there|included|provided|given))`,
    'iu',
  ),
];

const OTHERS: readonly DenialWords[] = [
  {
    absent: stems('nicht(?!\\p{L}) nichts kein\\p{L}* nirgends weder'),
    known: stems(
      'angegeben erwähn genannt nenn(?:t|en)(?!\\p{L}) enthalten(?!\\p{L}) enthält hervor ersichtlich gefunden find(?:e|en|et|bar)(?!\\p{L}) beantwort bekannt weiß wissen sagen sagt gesagt ' +
        'dokumentiert vermerkt festgehalten bestimm entnehm verfügbar klar sicher belegt aufgeführt beschrieb beschreib steht feststell ermittel angab information hinweis auskunft aussage ' +
        'antwort erwähnung beleg daten details anhaltspunkt helfen entnehmen thematisiert verzeichnet',
    ),
    alone:
      /(?<!\p{L})(?:unbekannt|unklar|ungewiss|unerwähnt|ungenannt|offen gelassen|fehl(?:t|en) (?:\p{L}+ ){0,3}(?:angabe|information|hinweis|beleg)\p{L}*|(?:angabe|information)\p{L}* (?:\p{L}+ ){0,4}fehl(?:t|en))(?!\p{L})/iu,
  },
  {
    absent: stems('pas(?!\\p{L}) aucune? rien(?!\\p{L}) impossible nulle_part ni(?!\\p{L}) sans(?!\\p{L})'),
    known: stems(
      'mentionn indiqu précis sai[st](?!\\p{L}) savoir trouv répond répons information renseign permet figur contien donn disent dit(?!\\p{L}) parl connu disponible clair fourni spécifi évoqu ' +
        'détermin établir dédui apparaî aucune_mention aider confirm détail donnée',
    ),
    alone:
      /(?<!\p{L})(?:inconnue?s?|(?:on|j['’]|nous) ?ignor\p{L}+|reste(?:nt)? à préciser|information manquante|non (?:précisée?|mentionnée?|indiquée?|disponible|spécifiée?)s?|insuffisante?s?)(?!\p{L})/iu,
  },
  {
    absent: stems('no(?!\\p{L}) ning[uú]n\\p{L}* nada(?!\\p{L}) tampoco imposible sin(?!\\p{L}) ni(?!\\p{L})'),
    known: stems(
      'menciona indic especific establec deduc averigu aclar cita sé(?!\\p{L}) sabe encuentr encontr hall(?:a|o|ó) información informaci respuest respond dato(?:s)?(?!\\p{L}) consta aparece figura contien dice(?!\\p{L}) dicen disponible ' +
        'dispongo proporcion clar[oa](?!\\p{L}) conoc determin detall consigna puedo_ayud suficiente registr recog',
    ),
    alone:
      /(?<!\p{L})(?:no (?:hay|existe) (?:nada|ning[uú]n\p{L}*) (?:sobre|acerca)|desconocid[oa]s?|se desconoce|se ignora(?= (?:si|qu|cu[aá]|c[oó]mo|d[oó]nde))|insuficiente|falta (?:información|el dato))(?!\p{L})/iu,
  },
  {
    absent: stems('non(?!\\p{L}) nessun\\p{L}* niente nulla(?!\\p{L}) impossibile né(?!\\p{L}) senza(?!\\p{L})'),
    known: stems(
      'menzion indica specific stabilir capire deduc ricav citat accenn so(?!\\p{L}) sa(?!\\p{L}) sappia trov informazion rispost risponder contien contengon dice(?!\\p{L}) dicono disponibil riport fornisc chiar[oa] noto(?!\\p{L}) nota(?!\\p{L}) ' +
        'determin risult precis conosc aiut parl registr dato dati',
    ),
    alone:
      /(?<!\p{L})(?:sconosciut[oaie]|ignot[oaie]|insufficient[ei]|manca(?:no)? (?:informazion|l['’]informazion|dat)\p{L}*)(?!\p{L})/iu,
  },
  {
    absent: stems('não nenhum\\p{L}* nada(?!\\p{L}) sem(?!\\p{L}) impossível nem(?!\\p{L})'),
    known: stems(
      'menciona indic especific estabelec deduz citad esclarec saber sei(?!\\p{L}) sabe encontr informaç respost responder consta aparece contém contêm diz(?!\\p{L}) dizem disponív forneci fornece clar[oa](?!\\p{L}) conhec determin dados ' +
        'regist refer apura averigu confirm suficient possível_dizer ajudar detalh',
    ),
    alone: /(?<!\p{L})(?:desconhecid[oa]s?|insuficientes?|falta informação)(?!\p{L})/iu,
  },
  {
    absent: stems('niet(?!\\p{L}) geen niets nergens zonder(?!\\p{L})'),
    known: stems(
      'vermeld genoemd noem staat(?!\\p{L}) weet vind gevonden informatie antwoord bekend duidelijk beschikbaar aangegeven opgenomen zeg(?:t|gen) bevat blijkt gegevens beschreven beantwoord bepaal helpen details vast_te_stellen af_te_leiden terug achterhalen',
    ),
    alone: /(?<!\p{L})(?:onbekend|onduidelijk|onvoldoende|ontbreekt)(?!\p{L})/iu,
  },
  {
    absent: stems('nie(?!\\p{L}) brak(?!\\p{L}) brakuje żad nic(?!\\p{L}) bez(?!\\p{L})'),
    known: stems(
      'poda wspomn występ informacj odpowied wiem(?!\\p{L}) wiadomo znaleź znala znajd określ zawier ustal o(?=_\\p{L}+[\\s\\p{P}]*$) wymien mówi dostępn dan[eya] opis ujęt wzmian napisan pomóc wynika jasne',
    ),
    alone: /(?<!\p{L})(?:nieznan\p{L}*|niejasn\p{L}*|niewystarczając\p{L}*)(?!\p{L})/iu,
  },
  {
    absent: stems(
      'не(?!\\p{L}) нет(?!\\p{L}) ни(?!\\p{L}) ничего нигде без(?!\\p{L}) отсутств нельзя невозможно немає нема(?!\\p{L})',
    ),
    known: stems(
      'указан упомин сказан говор информац інформац сведени данн дані ответ відпов знаю извест відом найд найт привод уточн установ описан наш[её]л нашла знайд содерж міст опис определ визнач привед документ источник вказан згад ясно могу_помочь',
    ),
    alone: /(?<!\p{L})(?:неизвестн[оаы]?|неясно|недостаточно|невідом[оаі]?)(?!\p{L})/iu,
  },
  {
    absent: parts('yok(?!\\p{L}) değil m[ıiuü]yor mem[iı]ş mam[ıi]ş[tı]* mad[ıi]m med[ıi]m m[ıi]yoruz yetersiz yoktur'),
    known: parts(
      'bilgi belirt bahsed geç(?=m) veril bulun bul(?=ama) bil(?=m|in) yanıt cevap yer_al mevcut kayıt açık söyle net not belge metin',
    ),
    alone: /(?<!\p{L})(?:bilinmiyor|bilinmemektedir|belirsiz|belirtilmemiş(?:tir)?)(?!\p{L})/iu,
  },
  {
    absent: /(?<!\p{L})(?:لا|لم|ليس|ليست|لن|غير|دون|بدون|ما|عدم)(?!\p{L})/u,
    known: parts(
      'معلوم ذكر أعرف أعلم توجد يوجد وجد إجابة جواب حدد محدد واضح معروف متوفر متاح تضمن تحتو يحتو يرد ترد كاف مذكور العثور تشير يشير أجد نجد تحديد بيان',
    ),
    alone: /(?:مجهول|غير (?:معروف|مذكور|محدد|واضح))/u,
  },
  {
    absent: parts('نیست نشده ندار نمی هیچ بدون نیامده نکرده نیافت نیامده_است نکردم نکردیم نمی‌شود'),
    known: parts(
      'ذکر اطلاع مشخص یافت نام موجود پاسخ یادداشت پیدا آگاهی نوشته دان گفته اشاره معلوم توان سند متن آمده پیدا',
    ),
    alone: /نامشخص|نامعلوم/u,
  },
  {
    absent: stems(
      'inte(?!\\p{L}) ikke(?!\\p{L}) ing(?:en|a|et)(?!\\p{L}) intet(?!\\p{L}) saknas mangler utan(?!\\p{L}) uden(?!\\p{L}) uten(?!\\p{L}) ej(?!\\p{L})',
    ),
    known: stems(
      'ange nämn nævn nevn står(?!\\p{L}) information informasjon oplysning opplysning uppgift svar(?!\\p{L}) vet(?!\\p{L}) ved(?!\\p{L}) hitta find finne framgår fremgår oppgitt beskr tydlig klart(?!\\p{L}) känt kendt kjent finns(?!\\p{L})',
    ),
    alone: /(?<!\p{L})(?:okän[td]|oklart|ukendt|ukjent|uklart)(?!\p{L})/iu,
  },
  {
    absent: parts('(?<!\\p{L})ne(?=\\p{L}) není nejsou nebyl žádn chybí bez'),
    known: parts('uved zmi informac odpov vím známo zná najít nalez obsah popis urč jasn uvád dostupn'),
    alone: /(?<!\p{L})(?:neznám\p{L}*|nejasn\p{L}*)(?!\p{L})/iu,
  },
  { absent: parts('không chưa chẳng'), known: parts('đề_cập nêu biết thông_tin tìm ghi trả_lời rõ đủ nói xác_định') },
  {
    absent: stems('tidak(?!\\p{L}) belum(?!\\p{L}) tanpa(?!\\p{L})'),
    known: stems(
      'disebut menyebut diketahui informasi ditemukan menemukan tahu tersedia jawab menjawab cukup jelas tercantum memuat dijelaskan',
    ),
  },
  { absent: parts('ไม่ ไร้ ขาด'), known: parts('พบ ระบุ ทราบ ข้อมูล กล่าว ปรากฏ ตอบ บอก ชัดเจน') },
  {
    absent: parts('नहीं अनुपलब्ध'),
    known: parts('उल्लेख जानकारी बताया बताती पता ज्ञात उत्तर जवाब मिल दिया_गया मालूम लिखा'),
    alone: /अज्ञात/u,
  },
  {
    absent: /(?<!\p{L})(?:לא|אין|ללא|איני|אינו|אינה)(?!\p{L})/u,
    known: parts('מצוין צוין מוזכר מידע יודע ידוע נמצא מצא תשובה כתוב ברור מפורט'),
  },
  {
    absent: stems('δεν(?!\\p{L}) δε(?!\\p{L}) χωρίς καμ[ίι]α κανέν τίποτα'),
    known: parts('αναφ πληροφορ γνωρ βρ[ίέή] απάντ απαντ ορίζ προκύπτ δίν ξέρ σαφ'),
    alone: /άγνωστ/iu,
  },
  {
    absent: /(?:없(?!이)|않|못(?=[하했합])|모르|모릅|모름|부족|아니|불가|불충분|어렵|어려|힘들)[^\s]{0,6}[\s\p{P}]*$/u,
    known: parts(
      '정보 언급 명시 기재 기록 나와 나오 나타 찾 확인 알(?=_수|지|려|기) 문서 자료 내용 근거 답변 답을 대답 설명(?:이|도|가)?_(?:없|되|하|부족) 제시 포함 파악 적혀 판단 노트 메모 본문 지문 다루 도움',
    ),
    alone: /(?:모르겠|알 수 없|알려져 있지|알려지지 않|불명확|불분명|미상|근거가 부족|정보 없음|해당 없음)/u,
  },
  {
    absent: /(?:ない|ません|なかった|無い|なし|ず|ぬ|不足|欠け)[^、]{0,8}[\s\p{P}]*$/u,
    known: parts(
      '情報 記載 言及 記述 見つか 見つけ 分か わか 文書 資料 回答 答え お答え 判断 確認 示され 書かれ 載って 触れ 明記 見当た 存じ 知り 知ら 特定 根拠 説明 読み取 本文 メモ',
    ),
    alone: /不明|未記載|該当なし|わかりかね/u,
  },
  {
    absent:
      /没有|沒有|找不到|查不到|看不出|未(?!来)|无法|無法|不知|不清|不详|不足|缺乏|缺少|没(?!有)|(?<=(?:文[档件]|资料|笔记|须知).{0,8})不包?含|不能|並未|并未|无从|無從|[无無](?=相关|相關|記載|记载|信息|資訊|资料)/u,
    known: parts(
      '提到 提及 说明 說明 記載 记载 信息 資訊 資料 资料 找到 确定 確定 得知 回答 知道 清楚 说 给出 提供 (?:文[档件]|资料|笔记|须知).{0,8}包含 答案 内容 明确 依据 相关 相關 文中 文档 文件 判断 帮 描述 涉及 显示 查到 道 楚',
    ),
    alone: /不详|不明确|未知|不得而知/u,
  },
];

/** Where one statement of a sentence ends and another begins. */
const JOINTS =
  /[;；—–]\s*|\.\s(?=\p{Lu})|[,，、]\s*(?:(?:but|however|so|as|because|since|although|though|while|whereas|yet|therefore|thus|hence|and|which|instead|meaning|aber|jedoch|sondern|weil|denn|sodass|daher|deshalb|also|da|obwohl|und|mais|cependant|car|donc|puisque|et|pero|sino|porque|aunque|así que|por lo que|y|ma|però|perché|quindi|poiché|mas|porém|portanto|embora|então|maar|want|omdat|dus|hoewel|en|ale|jednak|ponieważ|więc|bo|lecz|но|однако|потому|поэтому|поскольку|а|ama|fakat|ancak|çünkü)(?!\p{L}))?|\s(?:but|however|so|as|because|since|although|though|while|whereas|therefore|hence|and|aber|jedoch|sondern|weil|denn|sodass|daher|obwohl|und|mais|car|donc|puisque|pero|porque|aunque|ma|però|perché|quindi|mas|porém|portanto|maar|want|omdat|dus|ale|ponieważ|więc|но|поэтому|ama|çünkü|لكن|ولكن|لأن|لذلك)(?=\s)|(?<=(?:지만|으나|는데|므로|니까|고|며|면서|어서|아서|있어|있으니)),?\s|(?<=(?:が|ので|から|ため|けど))、|但(?:是)?|因为|所以|因此/giu;
/** What begins a clause that says what is not known, or where it was looked for. */
const OBJECT =
  /^[\s\p{P}]*(?:(?:or|nor|and|oder|ou|o|y|et|und)\s+)?(?:whether|if|how|when|what|which|who|whom|whose|where|why|that|about|on|in|of|for|to|from|regarding|concerning|as|based|according|given|with|despite|apart|other|such|including|like|ob|wie|wann|was|(?:\p{L}+ )?welche\p{L}*|wer|wo|warum|dass|zu|über|nach|laut|si|comment|quand|que|quoi|quel\p{L}*|qui|où|pourquoi|sur|dans|selon|cómo|cuándo|qué|cuál\p{L}*|quién|dónde|por qué|según|sobre|en|se|come|cosa|quale|chi|dove|perché|secondo|como|quando|qual|quem|onde|segundo|hoe|wat|wie|waar|waarom|of|dat|volgens|czy|jak|kiedy|co|który|kto|gdzie|że|как|когда|что|кто|где|почему|ли|о|об)(?!\p{L})/iu;
/** A finite verb, or what stands for one. */
export const FINITE =
  /(?<!\p{L})(?:is|are|was|were|be|has|have|had|may|might|can|could|must|should|shall|will|would|does|do|did|needs?|gets?|never|ist|sind|war|waren|wird|werden|wurden?|hat|haben|hatte|kann|können|darf|dürfen|muss|müssen|soll|sollen|est|sont|était|étaient|sera|peut|peuvent|doit|doivent|a été|es|son|está|están|fue|fueron|será|puede|pueden|debe|deben|è|sono|viene|vengono|era|può|possono|deve|devono|é|são|foi|foram|pode|podem|deve|zijn|werd|werden|wordt|worden|kan|mag|moet|jest|są|został\p{L}*|może|musi|был\p{L}*|может|должн\p{L}*|можно|нужно|يجب|يمكن|كان)(?!\p{L})|(?:다|요|니다|지만|으나|는데|므로|니까|으며|면서)[\s\p{P}]*$|(?:ます|です|した|する|れる|いる|ある|よい|いい)[\s\p{P}]*$|[了被把可须須应應]|必须|不用/iu;

/** A negation of what the clause before it says. */
const ELLIPSIS = /^[\s\p{P}]*(?:not|nicht|pas|no|non|não|niet|nie|не|inte|ikke)(?!\p{L})/iu;

/** Whether a clause says only that something is not known, not recorded or not in the passages. */
export function denies(clause: string): boolean {
  const line = clause.replaceAll(/\s+/g, ' ').trim();
  if (ENGLISH.some((pattern) => pattern.test(line))) return true;
  return OTHERS.some(
    ({ absent, known, alone }) => (absent.test(line) && known.test(line)) || alone?.test(line) === true,
  );
}

/** A part of a sentence, and whether it only denies that something is known. */
export interface Clause extends TextRange {
  readonly denies: boolean;
}

/**
 * The parts of a sentence that says that something is not known: those that deny, and those that go on with a claim, however they are joined:
 * `The notes do not mention it so you may enter`. Null for a sentence that denies nothing.
 */
export function clausesOfDenial(sentence: string): readonly Clause[] | null {
  if (sentence.length > MAX_STATEMENT || !denies(sentence)) return null;
  const clauses: { start: number; end: number; denies: boolean }[] = [];
  let start = 0;
  let before = '';
  for (const { 0: joint, index } of [...sentence.matchAll(JOINTS), { 0: '', index: sentence.length }]) {
    const text = sentence.slice(start, index);
    const last = clauses.at(-1);
    // `The price is mentioned, but not the deposit`
    const isElliptic =
      last !== undefined && ELLIPSIS.test(text) && denies(`${sentence.slice(last.start, last.end)} ${text}`);
    if (isElliptic) last.denies = true;
    const isDenial = isElliptic || denies(text);
    if (isDenial || isClaim(text, before)) {
      if (last?.denies === isDenial) last.end = index;
      else clauses.push({ start, end: index, denies: isDenial });
    } else if (last !== undefined) last.end = index;
    before = joint;
    start = last === undefined && clauses.length === 0 ? start : index + joint.length;
  }
  const [first] = clauses;
  if (first === undefined) return [{ start: 0, end: sentence.length, denies: true }];
  // `The cellar is included, the garage is not` denies nothing that is known.
  if (!clauses.some((clause) => clause.denies)) return null;
  first.start = 0;
  const closing = clauses.at(-1);
  if (closing !== undefined) closing.end = sentence.length;
  return clauses;
}

/** Joints after which a thing may be named and nothing said of it. */
const LOOSE = /^[\s\p{P}]*(?:and|und|et|y|e|en|i|а|и)?\s*$/iu;

/** A joint without a comma, which may be another word in another language: Portuguese `as`, Polish `ma`. */
const WORD = /^\s\p{Script=Latin}+$/u;

/** Whether a clause beside a denial claims something of its own; after `but` or `because` any clause does. */
function isClaim(clause: string, joint: string): boolean {
  return !OBJECT.test(clause) && !isTalk(clause) && (FINITE.test(clause) || !(LOOSE.test(joint) || WORD.test(joint)));
}
