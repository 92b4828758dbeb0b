import { isFunctionWord } from './words.ts';

/**
 * Words of questions that say nothing about their subject, as folded by `foldWord`: articles, pronouns, prepositions, conjunctions,
 * question words, auxiliary and modal verbs, and what elision leaves of them (`l'échelle`, `qu'est-ce`). No word for a thing is among them.
 */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  de:
    'aber alle allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist brauche brauchen bringt da dabei dafur damit danach dann ' +
    'darf das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch durfen ein eine einem einen ' +
    'einer eines er es etwas euch euer fur furs gab geben gegen gehen geht gehort genau gibt haben habe hast hat hatte hatten hier hin ich ihm ihn ihnen ihr ' +
    'ihre ihren im immer in ins ist ja jede jedem jeden jeder jedes kann kannst kein keine keinen konnen konnte lange machen macht man mehr mein meine ' +
    'meinem meinen meiner mich mir mit mochte muss mussen musst nach nicht noch nun nur ob oder oft ohne sagen schon sehr sein seine seit sich sie sind so ' +
    'soll sollen sollte sonst steht tun uber ubers um ums und uns unser unsere unter viel viele vom von vor wann war waren warum was weil welche ' +
    'welchem welchen welcher welches wem wen wenn wer werde werden wessen weshalb wie wieder wieso wieviel will wir wird wo woher wohin wollen womit ' +
    'worauf woran worum wovon wozu wurde wurden zu zum zur zwischen bekomme bekommen bekommt heisst lang',
  fr:
    'a ai ainsi apres as au aucun aussi autre autres aux avant avec avez avoir avons c ca ce ceci cela celle celui ces cet cette ceux chaque chez comme ' +
    'comment combien d dans de depuis des dois doit doivent donc dont du elle elles en encore entre es est et etaient etait etes etre eu eux fait faire fais ' +
    'faut il ils j jamais je l la laquelle le lequel les lesquels leur leurs lui m ma mais me mes meme mettre moi mon n ne ni nos notre nous on ont ou par ' +
    'pas peut peux peuvent plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sommes sont sous suis sur t ta te ' +
    'tes toi ton tous tout toute toutes tres tu un une va vais vers veut veux voici vont vos votre vous y',
  es:
    'a al algo alguna alguno algun ante antes aquel aqui asi aun aunque cada como con contra cual cuales cuando cuanta cuantas cuanto cuantos de debe ' +
    'debemos debo del desde donde dos durante e el ella ellas ellos en entre era eran eres es esa ese eso esos esta estaba estan estar este esto estos estoy ' +
    'fue fueron ha hace hacen hacer hago hasta hay han he hemos la las le les lo los mas me mi mis mucha mucho muy nada ni no nos nosotros nuestra nuestro o ' +
    'os otra otro para pero poco por porque puede pueden puedo pues que quien quienes se sea ser si sido sin sobre son soy su sus tal tambien tan tanto te ' +
    'tener tengo tenemos tiene tienen ti toca todo todos tu tus un una unas uno unos va van vas y ya yo',
  it:
    'a abbiamo ad ai agli al alla alle allo anche ancora avere c che chi ci come con cosa cui d da dagli dai dal dalla dalle dei del della delle dello deve devo ' +
    'di dopo dove e ed era erano essere fa fanno fare faccio fra gia gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio molto ' +
    'ne negli nei nel nella nelle nello no noi non nostra nostro o ogni per perche piu po poi posso possiamo puo qual quale quali quando quanta quante quanti ' +
    'quanto quella quelle quelli quello questa queste questi questo qui quindi sei senza si sia siamo sono sta stato su sua sue sui sul sulla suo te ti tra tu ' +
    'tua tuo tutti tutto un una uno va vi voi',
  pt:
    'a ai ao aos ate as alem algum alguma antes aqui aquela aquele aquilo assim cada com como da das de dela dele deles depois desde deve devo do dos e ela elas ' +
    'ele eles em entre era essa esse esta estao estar estas este estes estou eu faz fazer fica foi foram ha isso isto ja la lhe mais mas me meu meus minha muito ' +
    'na nao nas nem no nos nossa nosso num numa o onde os ou para pela pelas pelo pelos pode podem podemos posso por porque qual quais quando quanta quantas quanto quantos que ' +
    'quem sao se sem ser seu seus so sobre sua suas tal tambem te tem temos tenho ter teu teve toda todas todo todos tu tua um uma umas uns vai voce vou',
  nl:
    'aan achter al alle alles als altijd andere ben bij da dan dat de deze die dit doe doen doet door dus een en er ergens ga gaan gaat geen had hadden heb hebben ' +
    'hebt heeft heel het hier hij hoe hoeveel hoelang hun ik in is ja je jij jou jouw jullie kan kun kunnen krijg krijgt lang maar mag me meer men met mij mijn moet moeten naar niet ' +
    'niets nog nu of om omdat onder ons onze ook op over sinds te tegen toch toen tot tussen u uit uw van vaak veel voor vooral waar waarom waarvoor wanneer ' +
    'want was wat we wel welk welke werd wie wij wil wilt worden wordt zal ze zelf zich zij zijn zo zonder zou',
};

const sets = new Map<string, ReadonlySet<string>>();

/** The function words of a language, as folded by `foldWord`; none for one without a list. */
export function questionWordsOf(language: string): ReadonlySet<string> {
  const set = sets.get(language) ?? new Set(FUNCTION_WORDS[language]?.split(' '));
  sets.set(language, set);
  return set;
}

/**
 * The function words of the language that a question is written in, recognised by which list holds most of its words; null for English, for
 * an undecided question and for one without such words.
 */
export function functionWordsOf(folded: readonly string[]): ReadonlySet<string> | null {
  let best: ReadonlySet<string> | null = null;
  let most = folded.filter(isFunctionWord).length;
  for (const language of Object.keys(FUNCTION_WORDS)) {
    const set = questionWordsOf(language);
    const count = folded.filter((word) => set.has(word)).length;
    if (count > most) [best, most] = [set, count];
  }
  return best;
}

/**
 * Question words, particles, pronouns and auxiliary verbs of Chinese; longer ones first. A single character is listed only if it is rarely
 * part of a longer word.
 */
const CHINESE =
  '什么时候 是什么 为什么 怎么样 多长时间 多少钱 有没有 是不是 能不能 可不可以 需要多久 有多少 叫什么名字 叫什么 有多 是谁 ' +
  '什么 时候 怎么 怎样 如何 多少 多久 多长 多大 多高 多远 哪里 哪儿 哪个 哪些 哪天 哪年 哪一年 几次 几号 几点 几个 几天 谁的 ' +
  '我们 你们 他们 她们 咱们 这个 那个 这些 那些 可以 应该 需要 能够 必须 告诉 请问 关于 因为 所以 如果 但是 还是 或者 以及 并且 已经 ' +
  '现在 一下 的 了 吗 呢 吧 啊 呀 是 谁 哪 几 在 和 与 到 把 被 就 都 也 我 你 您 他 她 它 这 那';

/** Question words in kanji, and nouns that only carry grammar. */
const JAPANESE_QUESTION =
  /何(?:時間|年間|日間|時|曜日|月|日|年|個|本|人|回|枚|曲|歳|円|分|度|階|番|故|処|か)?|誰|幾(?:つ|ら)|(?<!\p{Script=Han})(?:教|知|言|思|方|事|時|私|僕|君|方法|必要)(?!\p{Script=Han})/gu;
/** Grammar and question words in hiragana. What is left of a run of hiragana is a word when it has two letters or more. */
const JAPANESE_GRAMMAR =
  'どのくらい どれくらい どのぐらい どれぐらい どのように どうやって どうして くださいますか ください でしょうか ましょう について という といった ' +
  'における によって ため いくら いくつ いつ どこ だれ どれ どの どう どんな なぜ なに なん どちら どなた これ それ あれ この その あの ここ そこ です ' +
  'ます でした ました ません ない なかった ある あり あった あっ いる いた いい いて する した して され こと もの とき ところ わけ ほう よい たら なら から まで ' +
  'より だけ しか など ほど くらい ぐらい ばかり けど ので のに たい は が を に で と も の へ や か ね よ わ た て し ば い る な';
/** Hiragana that goes on after kanji with something else is the ending of that word. */
const PARTICLE = /^(?:は|が|を|に|で|と|も|の|へ|や|か|な|から|まで|より)/u;

let chineseWords: RegExp | undefined;
let atTheEnds: RegExp | undefined;

function longestFirst(words: string): string {
  return words
    .split(' ')
    .toSorted((a, b) => b.length - a.length)
    .join('|');
}

/**
 * The content of a run of Han and kana without question words, particles and inflection, in pieces. In a text with kana, hiragana that
 * follows kanji is inflection or grammar; in one without, the grammar is Chinese.
 */
export function hanPieces(run: string, isJapanese: boolean): readonly string[] {
  if (!isJapanese)
    return run.split((chineseWords ??= new RegExp(longestFirst(CHINESE), 'u'))).filter((piece) => piece !== '');
  if (atTheEnds === undefined) {
    const grammar = longestFirst(JAPANESE_GRAMMAR);
    atTheEnds = new RegExp(`^(?:${grammar})+|(?:${grammar})+$`, 'gu');
  }
  const pattern = atTheEnds;
  const pieces = run.replaceAll(JAPANESE_QUESTION, ' ').split(/(\p{Script=Hiragana}+|\s)/u);
  return pieces.flatMap((piece, at) => {
    if (!/^\p{Script=Hiragana}/u.test(piece)) return piece.trim() === '' ? [] : [piece];
    if (/\p{Script=Han}$/u.test(pieces[at - 1] ?? '') && !PARTICLE.test(piece)) return [];
    const word = piece.replaceAll(pattern, '');
    return word.length > 1 ? [word] : [];
  });
}
