import { functionWordsOf, type TextRange } from '@kebab/core';
import { likelyLanguage } from './content-words.ts';
import type { SpokenWord } from './spoken-words.ts';

/** Where a statement and a sentence of a passage disagree, at a range of the statement. */
export interface Disagreement extends TextRange {
  /** The opposite word there; null if the whole is turned round, as by a negation. */
  readonly there: string | null;
}

/** Pairs of opposites, each with the forms of its two sides. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['more|larger|greater|bigger', 'less|fewer|smaller'],
  ['most', 'least|fewest'],
  ['high(?:er|est)?|above|over|höher|über|oberhalb', 'low(?:er|est)?|below|under|niedriger|unter|unterhalb'],
  ['longer|longest', 'shorter|shortest'],
  ['older|oldest', 'younger|youngest|newer|newest'],
  ['earlier|earliest', 'later|latest'],
  ['first', 'last'],
  ['rise|rises|rose|rising', 'fall|falls|fell|falling'],
  [
    'always|immer|toujours|siempre|sempre|altijd|всегда|zawsze',
    'never|sometimes|rarely|only|nur|seulement|sólo|solo|só|alleen|только|tylko',
  ],
  [
    'stays?|stayed|remains?|remained|unchanged|bleib(?:t|en)|unverändert',
    'rises?|rose|increases?|increased|drops?|dropped|falls?|fell|changes?|changed|steig(?:t|en)|gestiegen|sink(?:t|en)|erhöht',
  ],
  [
    'any|(?<!in )all|all(?= \\p{L})|every|everyone|everybody|anyone|anybody|alle|jede[rsmn]?|tous|toutes|tout le monde|todos|todas|cualquier\\p{L}*|все|всем|любо\\p{L}+|кажд\\p{L}+',
    'only|nur|ausschließlich|seulement|uniquement|sol[oa]|sólo|solamente|únicamente|только',
  ],
  [
    '누구나|모두|모든|誰でも|どこでも|いつでも|すべて|全員|任何|所有|谁都',
    '에게만|에서만|[가-힣]만(?=\\s)|だけ|のみ|只有|只能|仅',
  ],
  [
    '(?<!in )all|all(?= \\p{L})|every|each|everybody|everyone|alle|jede[nrsm]?|sämtliche',
    'some|several|few|many|most|einige|manche|wenige|die meisten',
  ],
  [
    'open(?:s|ed|ing)?|offen|geöffnet|öffnet|öffnen|abren?|abiert[oa]s?|abert[oa]s?|apron?o|apre|apert[oaei]|geopend|открыт\\p{L}*|открыва\\p{L}*|czynn\\p{L}|otwart\\p{L}|otwiera\\p{L}*|öppe[nt]|açık\\p{L}*|açıl\\p{L}+',
    'close[sd]?|closing|shuts?|geschlossen|schließt|schließen|zu|cierran?|cerrad[oa]s?|fecham?|fechad[oa]s?|chiud(?:e|ono)|chius[oaei]|dicht|gesloten|sluit|закрыт\\p{L}*|закрыва\\p{L}*|zamknięt\\p{L}|nieczynn\\p{L}|zamyka\\p{L}*|stängd\\p{L}?|stänger|kapalı\\p{L}*|kapan\\p{L}+',
  ],
  ['start|starts|started|begins?|began', 'end|ends|ended|until'],
  ['keep|keeps|kept', 'delete|deletes|deleted|remove|removes|removed'],
  ['left', 'right'],
  ['before|vor|avant|antes|prima|до|före|önce', 'after|nach|après|después|depois|dopo|после|efter|sonra'],
  ['morning|mornings', 'afternoon|afternoons|evening|evenings|night|nights'],
  [
    'common|frequent|häufig\\p{L}*|fréquente?s?|frecuentes?|frequent[ei]|часты\\p{L}',
    'rare|uncommon|infrequent|selten\\p{L}*|rares?|rar[oaie]s?|редки\\p{L}',
  ],
  ['summer', 'winter'],
  [
    'same day|day itself|(?:selbe[nr]|gleichen) Tag\\p{L}*|jour même|même jour|mismo día|stesso giorno|mesmo dia|zelfde dag|당일|当日|当天',
    'previous day|day before|Vortag\\p{L}*|veille|día anterior|día antes|giorno prima|giorno precedente|dia anterior|dag ervoor|전날|前日|前一天',
  ],
  [
    'ab(?= \\d[\\d.,]*\\s(?!Uhr))|à partir de(?= \\d+ (?!h))|a partir de(?= \\d[\\d.,]* )',
    "(?<!\\d )bis(?= \\d[\\d.,]*\\s(?!Uhr))|jusqu[’']à(?= \\d+ (?!h))|hasta(?= \\d[\\d.,]* )|até(?= \\d[\\d.,]* )",
  ],
  [
    'free|gratis|ücretsiz\\p{L}*|bedava|bezpłatn\\p{L}*|darmow\\p{L}*|бесплатн\\p{L}*',
    'paid|ücretli\\p{L}*|płatn\\p{L}*|odpłatn\\p{L}*|платн\\p{L}*',
  ],
  ['免费|不收(?:费|費|钱)', '(?<![不免])收(?:费|費)|付费|另付|另计'],
  [
    '(?:switch|turn)(?:e[ds]|s|ing)? on|on(?=[\\s\\p{P}]*$| by default)',
    '(?:switch|turn)(?:e[ds]|s|ing)? off|off(?=[\\s\\p{P}]*$| by default)',
  ],
  ['vóór|voor', 'na'],
  ['przed', 'po'],
  ['이상|以上', '이하|미만|以下|未満|以内'],
  ['이전|(?<=\\s)전에|以前|前[にはの]', '이후|(?<=\\s)후에|以後|以降|後[にではの]|あと[にで]?|てから'],
  ['[之以]前|(?<=\\p{Script=Han}{2})前(?![台面辈往])', '[之以][后後]|(?<=\\p{Script=Han}{2})[后後](?!续)'],
  ['모든|모두|전체|전액|すべて|全員|全て|全額|所有|全部|全额', '일부|절반|一部|半分|半額|部分|一些|有些|一半'],
  ['夏', '冬'],
  ['开(?:门|馆|放)|開(?:館|店|く)', '关(?:门|闭)|闭馆|閉(?:館|店|鎖|ま)'],
];
/** What a length measures, in one language each: the width of a thing is not its depth. */
const DIMENSIONS = [
  ['wide|width', 'deep|depth', 'high|height|tall', 'long|length', 'thick|thickness'],
  ['breit|breite', 'tief|tiefe', 'hoch|höhe', 'lang|länge', 'dick|dicke'],
  ['largeur|(?<=de )large', 'profondeur|profonde?s?', 'hauteur|(?<=de )haut', 'longueur|(?<=de )long', 'épaisseur'],
  ['anchura|anch[oa]', 'profundidad|profund[oa]', 'altura', 'longitud', 'espesor'],
  ['larghezza|larg[oa]', 'profondità|profond[oa]', 'altezza', 'lunghezza|lung[oa]', 'spessore'],
  ['너비', '깊이', '높이', '길이', '두께'],
  ['幅(?!広)', '深さ', '高さ', '長さ', '厚さ'],
  ['宽(?=度|约|\\d)', '深(?=度|约|\\d)', '高(?=度|约|\\d)', '长(?=度|约|\\d)', '厚(?=度|约|\\d)'],
].map((row) => row.map(wordsIn));
const SIDES = OPPOSITES.map(([one, other]) => [wordsIn(one), wordsIn(other)] as const);
/** A word of any pair. */
const OPPOSITE = new RegExp(
  [true, false]
    .map((isUnspaced) => OPPOSITES.flat().filter((words) => isUnspacedScript(words) === isUnspaced))
    .map((sides) => wordsIn(sides.join('|')).source)
    .join('|'),
  'iu',
);

/** Whether words are of a script that does not separate them. */
export function isUnspacedScript(words: string): boolean {
  return /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}]/u.test(words);
}

function wordsIn(words: string): RegExp {
  return isUnspacedScript(words) ? new RegExp(words, 'gu') : new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'giu');
}

/** The first word of a claim whose opposite stands in a sentence that lacks the word itself; null if there is none. */
export function opposedWord(claim: string, sentence: string): Disagreement | null {
  if (!has(claim, OPPOSITE) || !has(sentence, OPPOSITE)) return null;
  for (const [one, other] of SIDES) {
    const isFirst = has(claim, one);
    if (isFirst === has(claim, other)) continue;
    const [here, there] = isFirst ? [one, other] : [other, one];
    if (!has(sentence, there) || has(sentence, here)) continue;
    const [written] = claim.matchAll(here);
    const [opposite] = sentence.matchAll(there);
    if (written !== undefined && opposite !== undefined && isSameObject(written, opposite))
      return { start: written.index, end: written.index + written[0].length, there: opposite[0] };
  }
  return null;
}

/** The word of a claim for one side of a thing where a clause has another side of it; null if there is none. */
function otherDimension(claim: string, clause: string): Disagreement | null {
  for (const row of DIMENSIONS) {
    const [own, ...more] = row.filter((words) => has(claim, words));
    const other = row.find((words) => has(clause, words));
    if (own === undefined || more.length > 0 || other === undefined || has(clause, own)) continue;
    const start = claim.search(own);
    return { start, end: start + (claim.match(own)?.[0].length ?? 0), there: clause.match(other)?.[0] ?? null };
  }
  return null;
}

/** Words of place and time are opposites before the same thing: `before the war`, `after the war`. */
const DIRECTION =
  /^(?:before|after|före|efter|önce|sonra|vor|nach|avant|après|antes|después|depois|prima|dopo|vóór|voor|na|przed|po|до|после|above|over|below|under|über|unter|until|first|last)$/iu;

/** Whether a word is one of place or time, whose opposite alone says something else. */
export function isDirection(word: string): boolean {
  return DIRECTION.test(word);
}

/** Whether a word sets a bound, whose side is compared. */
export function isBound(word: string): boolean {
  return has(word, UPPER) || has(word, LOWER);
}

/** Whether a text leaves something out of what it speaks of. */
export function excludes(text: string): boolean {
  return has(text, WITHOUT) || has(text, OPTIONAL);
}

/** What joins two steps, the earlier one first or last. */
const STEPS =
  /(?<!\p{L})(?:(?<before>then|dann|danach|anschließend|puis|ensuite|luego|poi|daarna|potem|затем|потом|before|bevor|ehe|avant(?= (?:de|que|d['’]))|antes d[eo](?: que)?|prima (?:di|che)|voordat|zanim|прежде чем)|after|nachdem|après (?:que|avoir)|después de(?: que)?|depois d[eo]|dopo(?: che)?|nadat|после того,? как)(?!\p{L})/giu;

/** The words of two steps, the earlier one first; null where a text joins no two steps. */
function stepsOf(text: string): readonly [string[], string[]] | null {
  const [joint, ...more] = text.matchAll(STEPS);
  if (joint === undefined || more.length > 0) return null;
  const behind = text.slice(joint.index + joint[0].length);
  const isFirst = !/\p{L}/u.test(text.slice(0, joint.index));
  const comma = behind.indexOf(',');
  if (isFirst && comma === -1) return null;
  const [step, joined] = isFirst ? [behind.slice(comma), behind.slice(0, comma)] : [text.slice(0, joint.index), behind];
  const grammar = functionWordsOf(likelyLanguage(text, 'en'));
  const [own, other] = [step, joined].map((part) =>
    (part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !grammar.has(word)),
  ) as [string[], string[]];
  return joint.groups?.['before'] === undefined ? [other, own] : [own, other];
}

/** Whether a claim has two steps of a clause the other way round: `light it before you close the vent`. */
export function isOtherOrder(claim: string, clause: string): boolean {
  const [own, there] = [stepsOf(claim), stepsOf(clause)];
  if (own === null || there === null) return false;
  return (
    sharedForms(own[0], there[1]) > sharedForms(own[0], there[0]) &&
    sharedForms(own[1], there[0]) > sharedForms(own[1], there[1])
  );
}

function sharedForms(words: readonly string[], others: readonly string[]): number {
  return words.filter((word) => others.some((other) => isForm(word, other))).length;
}

/** Two words with as many first letters in common are probably forms of one. */
const FORM = 4;

function isSameObject(one: RegExpExecArray, other: RegExpExecArray): boolean {
  if (!DIRECTION.test(one[0])) return true;
  const grammar = functionWordsOf(likelyLanguage(other.input, 'en'));
  const [here, there] = [one, other].map(({ 0: word, index, input }) =>
    (
      input
        .slice(index + word.length)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).slice(0, 4),
  );
  const [last, before] = [one, other].map(({ index, input }) => /\p{L}+(?=\s$)/u.exec(input.slice(0, index))?.[0]);
  if (here?.length === 0) return last === before;
  return here?.some((word) => !grammar.has(word) && there?.some((each) => isForm(word, each)) === true) === true;
}

function isForm(word: string, other: string): boolean {
  return word === other || (word.length > FORM && word.slice(0, FORM) === other.slice(0, FORM));
}

function has(text: string, words: RegExp): boolean {
  return text.search(words) !== -1;
}

/** Negations in the languages that answers are written in; `without` and its like are words of their own. */
const NOT =
  /(?<!\p{L})(?:not|never|cannot|neither|nor|(?<!(?:não|são|têm|uma?|com|é|dos?|das|aos?|pel[oa]s?|^[\s\p{P}]*(?:os?|as|a(?!\s(?:l[oa]s?|un[oa]s?|menudo|veces|partir)\s))) (?:\p{L}+ ){0,6})no(?!\s(?:máximo|mínimo|total|fim|final|entanto|mesmo|dia)(?!\p{L}))|out of (?:service|order|use|print|stock)|(?<!\bto )none|nobody|nothing|nicht|kein(?:e[nmrs]?)?|nie|niemals|niemand|nichts|ne|pas|jamais|aucune?|rien|personne|nunca|jamás|ningun[oa]?|ningún|nada|nadie|não|nenhuma?|non|(?<!(?:\d\.?|im|en|ab|seit|bis|début|fin)\s)mai(?!\s\d)|nessun[oa]?|niet|geen|nooit|niets|inte|inga?|aldrig|ikke|ingen|nie|nigdy|не|нет|никогда|ничего|değil\p{L}*|yok(?:tur)?|\p{L}{3,}m[ae]z(?:lar|ler)?|\p{L}{2,}m[ıiuü]yor\p{L}*|není|nejsou|không|tidak|bukan|δεν|नहीं|לא|אין|[فو]?(?:ليس|ليست|لا|لم|لن|غير)|نیست)(?!\p{L})|ไม่|n['’]t(?!\p{L})|(?<!\p{L})n['’](?=\p{L})|않|지\s?못|지\s?(?:말|마(?=[세시십라]))|勿|없[는다어으습고지던게었을]|아니[다며고하라]|안\s?(?:됩|된|되|돼)|(?<=[을를은는이가도에로]\s)안\s(?=[가-힣])|ません|ない(?!し)|なかった|[不没沒](?!锈|銹|同|超[过過]|[少多高低][于於])|未(?!满|滿|満|成年)|무관/giu;
const WITHOUT =
  /(?<!\p{L})(?:without|except|excluding|(?:with the|à l['’]|mit|met|con|com|z|a)\s?(?:exception|ausnahme|uitzondering|excepción|exceção|wyjątkiem|eccezione)|за исключением|utom|förutom|hariç|(?:ما )?عدا|باستثناء|extra|instead of|rather than|(?<!(?<!\p{L})f[aiu]nd\p{L}*\s[^.;,]{0,80})statt(?=\s)|anstatt|anstelle|au lieu|en lugar|en vez|invece|em vez|вместо|unless|es sei denn|à moins|a menos que|a no ser|a meno che|ohne|außer|sans|sauf|sin|excepto|salvo|sem|senza|tranne|zonder|behalve|utan|uden|uten|bez|oprócz|без|кроме|(?!ücret|Fran|hır)\p{L}{3,}s[ıiuü]z)(?!\p{L})|없이|제외|대신|なしで|なしに|代わりに|而不是|而非|[无無](?=需|须)|不带|不帶/giu;
/** Words for a bound from above, and from below. */
const UPPER =
  /(?<!\p{L})(?:at (?:the )?most|(?<!go |goes |rises? |heats? )up to|limit(?:ed)?|within|innerhalb|entro|dentro de|binnen|(?:less|fewer|shorter|lower|earlier|smaller) than|below|under|m[aá]xim\p{L}*|max|no (?:more|later) than|(?:co )?najwyżej|maksymaln\p{L}*|не (?:более|больше|позднее|позже)|högst|en fazla|höchst\p{L}+|weniger als|au plus|moins de|menos de|al massimo|meno di|hoogstens|minder dan|(?:mniej|niższ\p{L}+|krócej) niż)(?!\p{L})|최대|이하|미만|以下|以内|未[満满]|最多|不超[过過]|不[多高][于於]|不到/iu;
const LOWER =
  /(?<!\p{L})(?:at least|(?:co )?najmniej|przynajmniej|не (?:менее|меньше|ранее|раньше)|minst|tidigast|en az|(?:more|longer|higher|greater|later|larger|bigger|heavier|taller|wider|deeper|stronger) than|over|above|exceed|przekracza\p{L}*|превыша\p{L}*|überschreit\p{L}*|dépass\p{L}*|must reach|m[ií]nim\p{L}*|no (?:less|fewer) than|mindest\p{L}+|mehr als|au moins|plus de|al menos|más de|almeno|più di|pelo menos|mais de|minstens|meer dan|(?:więcej|wyższ\p{L}+|dłużej) niż)(?!\p{L})|최소|이상|초과|以上|至少|最少|不[少低][于於]|(?<!不)超过/iu;
const BOUND = new RegExp(`(?<upper>${UPPER.source})|${LOWER.source}`, 'giu');
/** A bound directly before or behind a value. */
const BOUNDED_VALUE = new RegExp(
  `(?:${UPPER.source}|${LOWER.source})\\s?\\d|\\d\\S{0,4}\\s?(?:이상|이하|초과|미만|以上|以下|以内|未満)`,
  'iu',
);
/** What is not allowed or not taken up. */
const FORBIDDEN =
  /(?<!\p{L})(?:forbidden|forbids?|prohibit\p{L}*|banned|bans?|disallowed|off limits|exclude[sd]?|reject\p{L}*|refused|turned down|declined|(?<!to )avoid\p{L}*|abgelehnt|ausgeschlossen|(?<!zu )vermeid\p{L}*|vermieden|évite\p{L}*|exclue?s?|refusée?s?|rechazad[oa]s?|excluid[oa]s?|respint[oaei]|esclus[oaei]|recusad[oa]s?|uitgesloten|afgewezen|odrzucon\p{L}*|отклон\p{L}*|исключ\p{L}*|verboten\p{L}*|untersagt\p{L}*|verbiete\p{L}*|interdit\p{L}*|défendu\p{L}*|prohibid\p{L}*|prohíbe\p{L}*|proibid\p{L}*|proibit\p{L}*|vietat\p{L}*|zabron\p{L}*|zakaz\p{L}*|запрещ\p{L}*|нельзя|заборон\p{L}*|yasak\p{L}*|ممنوع\p{L}*|[يت]منع|[يت]حظر|محظور\p{L}*|förbjud\p{L}*|forbudt)(?!\p{L})|금지|피해야|禁止|避け|避免|禁じ|严禁|嚴禁|不准|वर्जित|ห้าม/giu;
const DUTY =
  /(?<!\p{L})(?:must|(?:has|have) to|needs? to|(?:is|are) (?:not )?required|mandatory|compulsory|obligatory|muss|müssen|verpflichte\p{L}*|obligatoires?|doi(?:t|vent)|faut|obligatori[oa]s?|debe[n]?|hay que|tienen? que|deve|devono|obbligatori\p{L}|moet(?:en)?|verplicht|musi|muszą|trzeba|obowiązkow\p{L}*|долж\p{L}+|обязательн\p{L}*|нужно|zorunlu|gerek\p{L}*|måste)(?!\p{L})|(?:해|하여|어|아|야)야 (?:하|합|한|됩|된)|필수|의무|なければ|必須|必要|必须|必須|须(?!知)|應當|应当/iu;
const PERMISSION =
  /(?<!\p{L})(?:may|can|could|(?:is|are) (?:allowed|permitted)|dar?f|dürfen|kann|können|erlaubt|gestattet|peu(?:t|vent)|permis\p{L}*|autorisé\p{L}*|pued\p{L}+|permitid\p{L}*|può|possono|permess\p{L}|pode[m]?|mag|mogen|kan|kunnen|może|mogą|można|może|мо(?:жет|гут|жно)|разрешен\p{L}*|får|[يت]سمح|مسموح|يجوز|يمكن)(?!\p{L})|(?:ㄹ|할|될|을|들|올|릴|볼|쓸|갈|널) 수 있|해도 |てもよ|てもいい|可能|できます|できる|可以|允许|允許/iu;
/** What need not be. */
const OPTIONAL =
  /(?<!\p{L})(?:optional\p{L}*|voluntary|unnecessary|inutiles?|überflüssig|exempt\p{L}*|befreit|dispensé\p{L}*|exent[oa]s?|esent[eai]|isent[oa]s?|vrijgesteld|zwolnion\p{L}*|освобожд\p{L}*|freiwillig|facultati\p{L}*|opcional\p{L}*|facoltativ\p{L}|opzional\p{L}|valgfri|dobrowoln\p{L}*|необязательн\p{L}*)(?!\p{L})|선택(?=\s?사항|입|이[다며고지])|면제|불필요|任意|免除|可选|可選/giu;
/** Words of permission and duty, which a negation or a ban turns round. */
const MODAL =
  /^(?:allow|permi|autori|erlaub|gestatt|obligat|mandator|compuls|require|optional|forbid|prohibi|banned|verbot|untersag|interdi|défend|vietat|proib|запрещ|разреш|можно|нельзя|yasak|zabron|[يت]منع|[يت]سمح|ممنوع|مسموح|محظور|يجوز|dozwol|toegesta|tillåt|possib|允许|允許|准许|禁止|可以|必须|필요|금지|허용|가능)/iu;
/** Where one clause of a sentence ends and another begins. */
export const CLAUSES =
  /[,;–、،؛，；()|]|(?<!\p{Script=Cyrillic}\s)—|:(?=\s\p{Ll})|\s(?:but|and|while|whereas|although|which|who|because|if|aber|und|sondern|wobei|weil|wenn|(?<=,\s)falls|mais|et|och|og|parce que|pero|y|porque|ma|e|perché|mas|maar|omdat|ale|bo|jeśli|и|а|но|если|ve|ama|si(?=\s(?:el|la|los|las|le|les|il|elle|on|vous|une?|no|ne|se)\s))\s|\s(?=(?:except|unless|außer|sauf|excepto|salvo|tranne|behalve|oprócz|кроме)\s|و(?:\p{L}{3}|لا |لم |لن |ليس))|(?<=[가-힣](?:고|며|지만|으나|는데|면))\s/giu;
const YES = 'yes|yeah|yep|ja|oui|sí|si|sim|да|так|tak|evet|نعم|بله|네|예|はい|是的?|对|對|可以|能';
const NO =
  'no|nope|nein|non|não|nee|nej|nei|nie|нет|ні|hayır|لا|خیر|아니요|아니오|いいえ|不会|不是?|不可以|不能|不行|没有|否';
/** The `yes` or `no` that an answer begins with. */
const ANSWER_WORD = new RegExp(`^[\\s\\p{P}]*(?:(?<yes>${YES})|${NO})(?=\\s*(?:[,.:;!،、，。—–\\p{So}]|$))`, 'iu');

/** What says by itself that something is not so: a negation of it in other words is no contradiction. */
const LAPSED =
  /(?<!\p{L})(?:closed|frozen|left out|leaves? out|leaving out|omit\p{L}*|cancel\p{L}*|suspended|blocked|locked|unavailable|outside|separately|extra|lack\p{L}*|missing|fällt|fallen|entfällt|ausfällt|geschlossen|gesperrt|eingestellt|separat|getrennt|draußen|fermée?s?|annulée?s?|suspendue?s?|dehors|à part|cerrad[oa]s?|cancelad[oa]s?|suspendid[oa]s?|fuera|aparte|chius[oaei]|annullat[oaei]|sospes[oaei]|fuori|fechad[oa]s?|fora|gesloten|buiten|zamknięt\p{L}*|закрыт\p{L}*|отмен\p{L}*|снаружи|отдельно|stängd\p{L}?|kapalı\p{L}*|مغلق\p{L}*)(?!\p{L})|휴관|휴무|휴강|중단|따로|별도|休館|休み|中止|別途|闭馆|停用|暂停|另付|另外|取消/iu;

/** Whether an answer without a negation says less than its question: `rejected`, `only on deck`, and `may` where it is asked for a duty. */
export function limits(answer: string, question: string): boolean {
  if ([LAPSED, FORBIDDEN, ONLY, OPTIONAL].some((words) => has(answer, words) && !has(question, words))) return true;
  return has(question, DUTY) && !has(answer, DUTY) && has(answer, PERMISSION);
}

/** Whether a text is negated, or says that something is left out. */
export function isNegated(text: string): boolean {
  return text.search(NOT) !== -1 || text.search(WITHOUT) !== -1;
}

/** The `yes` or `no` that an answer begins with; null when it begins with neither. */
export function answerWord(text: string): 'yes' | 'no' | null {
  const match = ANSWER_WORD.exec(text);
  if (match === null) return null;
  return match.groups?.['yes'] === undefined ? 'no' : 'yes';
}

/** A statement without the `yes` or `no` it begins with. */
export function withoutAnswerWord(text: string): string {
  const length = ANSWER_WORD.exec(text)?.[0].length ?? 0;
  return length === 0 ? text : text.slice(length).replace(/^[\s,.:;!،、，。—–\p{So}]+/u, '');
}

/** The words of a statement that are compared, without those whose polarity is: of permission and duty, and negations. */
export function aligned(words: readonly SpokenWord[]): readonly SpokenWord[] {
  return words.filter(({ written }) => !has(written, NOT) && !isModal(written));
}

/** Whether a text says something of what an opposite or a modal word is about: `shut` of what may be opened, `allowed` of a ban. */
export function speaksOf({ written }: SpokenWord, text: string): boolean {
  if (isModal(written))
    return has(text, DUTY) || has(text, PERMISSION) || has(text, FORBIDDEN) || has(text, OPTIONAL) || isNegated(text);
  return (
    has(written, OPPOSITE) &&
    SIDES.some((pair) => pair.some((side) => written.search(side) === 0) && pair.some((side) => has(text, side)))
  );
}

/** Whether a word is one of permission, duty or ban. */
export function isModal(word: string): boolean {
  return [MODAL, FORBIDDEN, DUTY, PERMISSION, OPTIONAL].some((words) => has(word, words));
}

/** Where a clause does not agree with the nearest clauses (`there`) of a sentence; null where it does. */
export function findDisagreement(said: string, there: string, sentence: string): Disagreement | null {
  const whole = { start: 0, end: said.length, there: null };
  const opposed = opposedWord(said, there) ?? otherDimension(said, there) ?? opposedWord(said, sentence);
  const bounds = [boundOf(said), boundOf(there)] as const;
  // The negation of a bound is no other: `for more than 40 minutes` or a limit of 40.
  const isLimit = bounds[0] === null && bounds[1]?.isTurned === true;
  const isNegation = isNegative(said);
  const isLapsed = has(isNegation ? there : said, LAPSED) && !has(isNegation ? said : there, LAPSED);
  // `Reply within a day; otherwise …` says what follows if nobody replies.
  const isOtherwise = isNegation && CONDITION.test(said) && OTHERWISE.test(sentence);
  const differs = isNegation !== isNegative(there);
  const isTurned = !isLimit && !isOtherwise && differs && !isLapsed;
  // A negated opposite says the same: `must stay shut`, `must not be opened`.
  if (differs && opposed !== null && (isTurned || isLapsed)) return null;
  // A passage that sets no bound to a value does not say `at least`.
  if (bounds[1] === null && BOUNDED_VALUE.test(said.replace(DEADLINE, ' ')) && !UPPER.test(there) && !LOWER.test(there))
    return whole;
  const [own, other] = bounds;
  // `Above 70 it must not run` is `It must not run above 70`, where a negation turns one bound alone.
  const isSameNegation = !differs && own?.isTurned !== other?.isTurned;
  const isOtherSide = own !== null && other !== null && (own.side !== other.side) !== isSameNegation;
  const isOfBound = own !== null && other !== null && (own.isTurned || other.isTurned);
  // `Above 25 MB nothing is sent` where `up to 25 MB is sent`.
  if (isOtherSide && differs && !isOfBound) return null;
  const isOtherBound = isOtherSide && !isOtherwise;
  if (isOtherBound || (isTurned && !isOfBound)) {
    const [first] = isTurned ? said.matchAll(NOT) : [];
    if (first === undefined) return opposed ?? whole;
    return { start: first.index, end: first.index + first[0].length, there: null };
  }
  // `Anyone in it must wear goggles` is `only with goggles`.
  const isCondition = ONLY.test(there) && has(said, DUTY) && !has(there, DUTY);
  if (opposed !== null && !isTurned && !isCondition) return opposed;
  if (isOtherOrder(said, there)) return whole;
  return isTurned || isNegative(said) ? null : otherModal(said, there);
}

const OTHERWISE =
  /(?<!\p{L})(?:otherwise|or else|sonst|andernfalls|sinon|faute de quoi|de lo contrario|si no|altrimenti|caso contrário|senão|anders|иначе|w przeciwnym razie|aksi halde)(?!\p{L})|그렇지 않으면|아니면|そうでない|さもない|否则|否則|不然/iu;
const CONDITION =
  /(?<!\p{L})(?:if|when|unless|whenever|wenn|falls|si|quand|cuando|se|quando|als|indien|если|когда|jeśli|gdy)(?!\p{L})|면|たら|れば|場合|如果|若/iu;

/** `may only` and `must` are near to each other. */
const ONLY =
  /(?<!\p{L})(?:only|nur|erst|seulement|que|sólo|solo|soltanto|alleen|pas|tylko|только)(?!\p{L})|만|だけ|のみ|只/iu;

/** A duty where the passage has a permission, or the other way round. */
function otherModal(said: string, there: string): Disagreement | null {
  for (const [here, other] of [
    [DUTY, PERMISSION],
    [PERMISSION, DUTY],
  ] as const) {
    const written = here.exec(said);
    if (written === null || other.test(said) || here.test(there)) continue;
    const opposite = other.exec(there);
    if (opposite !== null && !ONLY.test(there))
      return { start: written.index, end: written.index + written[0].length, there: opposite[0].trim() };
  }
  return null;
}

/** Forms of duty that two negations make, and negations that restrict. */
const NO_NEGATION =
  /(?<!\p{L})(?:no (?:more|less|fewer|later) than|не (?:более|больше|менее|меньше|позднее|позже|ранее|раньше))(?!\p{L})|(?:costs? nothing|pays? nothing|zahl\p{L}* nichts|betaal\p{L}* niets|(?:no|ne|non|não|не|nie) (?:pag\p{L}+|pai\p{L}+|плат\p{L}+|płac\p{L}+) (?:nada|rien|nulla|niente|ничего|nic)|no (?:extra )?charge|nichts kost\p{L}*|kost\p{L}* nichts|ne coûte(?:nt)? rien|no cuestan? nada|non costa(?:no)? nulla|não custa nada|kost niets|nic nie kosztuje)|(?<!\p{L})(?:ne|n['’])(?=[^.;,]{0,40}(?<!\p{L})qu(?:e|['’]))|な(?:ければ|くては|いと)(?:なりません|ならない|いけません|いけない)|지 않으면 안 ?(?:됩니다|된다|돼요)|不得不|必不可少|不收(?:费|費|钱)|不(?:用|需要?|必)(?:付|交)(?:费|費|钱)|(?:料金|お金|費用)[はがも]?かかりません/giu;
/** Languages of these scripts count each negation; in others several may make one. */
const COUNTED = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}]/u;

/** Whether a text says that something is not so; two negations cancel each other out. */
function isNegative(text: string): boolean {
  const plain = text.replaceAll(NO_NEGATION, ' ').replace(DEADLINE, ' ');
  const negations = plain.match(NOT)?.length ?? 0;
  // `Not mandatory, but optional` says one thing twice.
  const isTwice = has(plain, OPTIONAL) && DUTY.test(plain);
  const not = isTwice ? 0 : COUNTED.test(plain) ? negations : Math.min(1, negations);
  return (not + Number(has(plain, WITHOUT)) + Number(has(plain, FORBIDDEN)) + Number(has(plain, OPTIONAL))) % 2 === 1;
}

/** Words for the last time at which something may be done. */
export const DEADLINE =
  /(?<!\p{L})(?:at the latest|no later than|not later than|spätestens|au plus tard|a más tardar|al più tardi|o mais tardar|uiterlijk|не позднее|не позже|najpóźniej)(?!\p{L})|늦어도|遅くとも|最晚|最迟/iu;
const BEFOREHAND =
  /(?<!\p{L})(?:before(?:hand)?|in advance|earlier|ahead|vor(?:her)?|avant|à l['’]avance|antes|prima|van tevoren|vooraf|до|заранее|przed)(?!\p{L})|전(?:에|까지)|前/iu;

/** A bound from above or from below, and whether a negation made it: `not more than 40` is at most 40. */
interface Bound {
  readonly side: 'upper' | 'lower';
  readonly isTurned: boolean;
}

function boundOf(text: string): Bound | null {
  // `At the latest a day before` is at least a day in advance.
  if (DEADLINE.test(text)) return { side: BEFOREHAND.test(text) ? 'lower' : 'upper', isTurned: false };
  const bounds = [...text.matchAll(BOUND)];
  const isUpper = bounds[0]?.groups?.['upper'] !== undefined;
  if (bounds[0] === undefined || bounds.some(({ groups }) => (groups?.['upper'] !== undefined) !== isUpper))
    return null;
  // A negation behind a bound is another statement: `above 3,000 metres nothing is covered`.
  const before = COUNTED.test(text) ? text : text.slice(0, bounds[0].index);
  const isTurned = has(before.replaceAll(NO_NEGATION, ' '), NOT);
  return { side: isUpper === isTurned ? 'lower' : 'upper', isTurned };
}
