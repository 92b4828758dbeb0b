import { functionWordsOf, type TextRange } from '@kebab/core';
import { likelyLanguage } from './content-words.ts';
import type { SpokenWord } from './spoken-words.ts';

/** Where a statement and a sentence of a passage disagree, at a range of the statement. */
export interface Disagreement extends TextRange {
  /** The opposite word there; null if one of the two is negated and the other is not. */
  readonly there: string | null;
}

/** Pairs of opposites, each with the forms of its two sides. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['more|larger|greater|bigger', 'less|fewer|smaller'],
  ['most', 'least|fewest'],
  ['higher|highest|above|over', 'lower|lowest|below|under'],
  ['high', 'low'],
  ['largest|greatest|biggest', 'smallest'],
  ['maximum', 'minimum'],
  ['longer|longest', 'shorter|shortest'],
  ['older|oldest', 'younger|youngest|newer|newest'],
  ['faster|fastest', 'slower|slowest'],
  ['earlier|earliest', 'later|latest'],
  ['before', 'after'],
  ['first', 'last'],
  ['better|best', 'worse|worst'],
  ['stronger|strongest', 'weaker|weakest'],
  ['increase|increases|increased|increasing', 'decrease|decreases|decreased|decreasing|reduce|reduces|reduced'],
  ['rise|rises|rose|rising', 'fall|falls|fell|falling'],
  ['always', 'never|sometimes|rarely'],
  ['all|every|each|everybody|everyone', 'some|several|few|many|most'],
  ['open|opens|opened|opening', 'close|closes|closed|closing|shut|shuts'],
  ['start|starts|started|begins?|began', 'end|ends|ended|until'],
  ['keep|keeps|kept', 'delete|deletes|deleted|remove|removes|removed'],
  ['mandatory|compulsory|obligatory|required', 'optional|voluntary'],
  ['inside|indoors', 'outside|outdoors'],
  ['left', 'right'],
  ['alle|jede[nrsm]?|sämtliche', 'einige|manche|wenige|die meisten'],
  ['vor', 'nach'],
  ['höher|über|oberhalb', 'niedriger|unter|unterhalb'],
  ['offen|geöffnet|öffnet|öffnen', 'geschlossen|schließt|schließen|zu'],
  ['avant', 'après'],
  ['tous|toutes', 'quelques|certains|certaines|la plupart'],
  ['ouvre|ouverte?s?', 'ferme|fermée?s?'],
  ['antes', 'después|depois'],
  ['todos|todas', 'algunos|algunas|alguns|algumas'],
  ['prima', 'dopo'],
  ['tutti|tutte', 'alcuni|alcune'],
  ['vóór|voor', 'na'],
  ['przed', 'po'],
  ['до', 'после'],
  ['높', '낮'],
  ['많', '적은|적다|적습|적어'],
  ['증가', '감소'],
  ['상승', '하락'],
  ['이상', '이하|미만'],
  ['초과', '이하|미만'],
  ['최대', '최소'],
  ['이전', '이후'],
  ['빠르|빠른', '느리|느린'],
  ['모든|모두|전체', '일부'],
  ['열(?=[다어었립린려])|개방', '닫|폐쇄'],
  ['以前|前に', '以後|後に'],
  ['すべて|全員|全て', '一部'],
  ['以上', '以下|未満|以内'],
  ['之前|以前', '之后|以后|之後|以後'],
  ['所有|全部', '部分|一些|有些'],
];
const SIDES = OPPOSITES.map(([one, other]) => [wordsIn(one), wordsIn(other)] as const);
/** A word of any pair. */
const OPPOSITE = new RegExp(
  [true, false]
    .map((isUnspaced) => OPPOSITES.flat().filter((words) => isUnspacedScript(words) === isUnspaced))
    .map((sides) => wordsIn(sides.join('|')).source)
    .join('|'),
  'iu',
);

function isUnspacedScript(words: string): boolean {
  return /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}]/u.test(words);
}

function wordsIn(words: string): RegExp {
  return isUnspacedScript(words) ? new RegExp(words, 'gu') : new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'giu');
}

/** The first word of a claim whose opposite stands in a sentence that lacks the word itself; null if there is none. */
export function opposedWord(claim: string, sentence: string): Disagreement | null {
  if (!has(claim, OPPOSITE) || !has(sentence, OPPOSITE)) return null;
  for (const [one, other] of SIDES) {
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const [written] = claim.matchAll(here);
      const [opposite] = sentence.matchAll(there);
      const isReversed = written !== undefined && opposite !== undefined && !has(claim, there) && !has(sentence, here);
      if (isReversed && isSameObject(written, opposite))
        return { start: written.index, end: written.index + written[0].length, there: opposite[0] };
    }
  }
  return null;
}

/** Words of place and time are opposites before the same thing: `before the war`, `after the war`. */
const DIRECTION =
  /^(?:before|after|vor|nach|avant|après|antes|después|depois|prima|dopo|vóór|voor|na|przed|po|до|после|above|over|below|under|über|unter|until|end\p{L}*|start\p{L}*|beg\p{L}+|left|right|first|last)$/iu;

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
  return here?.some((word) => !grammar.has(word) && there?.includes(word) === true) === true;
}

function has(text: string, words: RegExp): boolean {
  return text.search(words) !== -1;
}

/** Negations in the languages that answers are written in; `without` and its like are words of their own. */
const NOT =
  /(?<!\p{L})(?:not|never|cannot|neither|nor|no|none|nobody|nothing|nicht|kein(?:e[nmrs]?)?|nie|niemals|niemand|nichts|ne|pas|jamais|aucune?|rien|personne|nunca|jamás|ningun[oa]?|ningún|nada|nadie|não|nenhuma?|non|mai|nessun[oa]?|niet|geen|nooit|niets|inte|inga?|aldrig|ikke|ingen|nie|nigdy|не|нет|никогда|ничего)(?!\p{L})|n['’]t(?!\p{L})|(?<!\p{L})n['’](?=\p{L})|않|지\s?못|없[는다어으이습]|아니[다며고하라]|안\s?(?:됩|된|되|돼)|ません|ない(?!し)|なかった|[不没沒未](?!锈|銹|同)|무관/giu;
const WITHOUT =
  /(?<!\p{L})(?:without|ohne|sans|sin|sem|senza|zonder|utan|uden|uten|bez|без)(?!\p{L})|없이|なしで|なしに|[无無](?=需|须)|不带|不帶/giu;
/** A bound directly before or behind a value. */
const BOUNDED_VALUE =
  /(?<!\p{L})(?:at least|at most|up to|more than|fewer than|less than|mindestens|höchstens|mehr als|weniger als|au moins|au plus|plus de|moins de|al menos|como máximo|más de|menos de|almeno|al massimo|più di|meno di|pelo menos|no máximo|minstens|hoogstens|meer dan|minder dan)\s\d|\d\S{0,4}\s?(?:이상|이하|초과|미만|以上|以下|以内|未満)|(?:최대|최소|至少|最多|超过)\s?\d/iu;
/** Words for a bound from above, and from below. */
const UPPER =
  /(?<!\p{L})(?:at most|at the most|up to|limit(?:ed)?|within|innerhalb|entro|dentro de|binnen|(?:less|fewer|shorter|lower|earlier) than|below|under|maximum(?: of)?|max|no more than|höchstens|maximal|au plus|maximum|como máximo|al massimo|hoogstens)(?!\p{L})|최대|이하|미만|以下|以内|最多|不超过/iu;
const LOWER =
  /(?<!\p{L})(?:at least|(?:more|longer|higher|greater|later) than|over|above|exceed|minimum(?: of)?|no less than|mindestens|mehr als|au moins|plus de|al menos|más de|almeno|minstens)(?!\p{L})|최소|이상|초과|以上|至少|超过/iu;
/** What is not allowed. */
const FORBIDDEN =
  /(?<!\p{L})(?:forbidden|forbids?|prohibit\p{L}*|banned|bans?|disallowed|off limits|verboten\p{L}*|untersagt\p{L}*|verbiete\p{L}*|interdit\p{L}*|défendu\p{L}*|prohibid\p{L}*|prohíbe\p{L}*|proibid\p{L}*|proibit\p{L}*|vietat\p{L}*|zabron\p{L}*|zakaz\p{L}*|запрещ\p{L}*|нельзя|заборон\p{L}*|yasak\p{L}*|ممنوع\p{L}*|förbjud\p{L}*|forbudt)(?!\p{L})|금지|禁止|禁じ|严禁|嚴禁|不准|वर्जित|ห้าม/giu;
/** Words of permission and duty, which a negation or a ban turns round. */
const MODAL =
  /^(?:allow|permi|autori|erlaub|gestatt|obligat|mandator|compuls|require|optional|forbid|prohibi|banned|verbot|untersag|interdi|défend|vietat|proib|запрещ|разреш|можно|нельзя|yasak|zabron|dozwol|toegesta|tillåt|possib|允许|允許|准许|禁止|可以|必须|필요|금지|허용|가능|입장할)/iu;
/** Where one statement of a sentence ends and another begins. */
export const CLAUSES =
  /[,;:—–、，；：()]|\s(?:but|and|while|whereas|although|which|who|aber|und|sondern|wobei|mais|et|pero|y|ma|e|mas|maar|en|a|ale|и|а|но|ve|ama)\s|(?<=[가-힣](?:고|며|지만|으나|는데))\s/giu;
const ANSWER_WORD =
  /^\s*(?:yes|no|nope|ja|nein|oui|non|sí|si|sim|não|네|예|아니요|아니오|はい|いいえ|是的?|不是?|да|нет)\s*[,.:;!、，。]\s*/iu;

/** Whether a text is negated, or says that something is left out. */
export function isNegated(text: string): boolean {
  return text.search(NOT) !== -1 || text.search(WITHOUT) !== -1;
}

/** The `yes` or `no` that an answer begins with; null when it begins with neither. */
export function answerWord(text: string): 'yes' | 'no' | null {
  const word = /^[\s\p{P}]*(\p{L}+)(?=\s*(?:[,.:;!、，。—–]|$))/u.exec(text)?.[1]?.toLowerCase() ?? '';
  if (/^(?:yes|yeah|yep|ja|oui|sí|si|sim|да|так|tak|evet|نعم|بله|네|예|はい|是的?|对|對)$/u.test(word)) return 'yes';
  return /^(?:no|nope|nein|non|não|nee|nie|нет|ні|hayır|لا|خیر|아니요|아니오|いいえ|不是?|没有|否)$/u.test(word)
    ? 'no'
    : null;
}

/** A statement without the `yes` or `no` it begins with. */
export function withoutAnswerWord(text: string): string {
  return text.replace(ANSWER_WORD, '');
}

/**
 * Whether a statement and a sentence of a passage have the same polarity: both or neither are negated, no word of one is the opposite of one
 * of the other, and a bound is not turned round. Of the sentence only the clauses count that `isAbout` the statement.
 */
export function agrees(statement: string, sentence: string, isAbout: (clause: string) => boolean): boolean {
  return findDisagreement(statement, sentence, isAbout) === null;
}

/** The words of a statement that are compared, without those whose polarity is: of permission and duty, negations, opposites. */
export function aligned(words: readonly SpokenWord[]): readonly SpokenWord[] {
  return words.filter(
    ({ written }) => !MODAL.test(written) && !has(written, NOT) && !has(written, FORBIDDEN) && !has(written, OPPOSITE),
  );
}

/** Where a statement does not agree with a sentence; null where it does. */
export function findDisagreement(
  statement: string,
  sentence: string,
  isAbout: (clause: string) => boolean,
): Disagreement | null {
  const said = withoutAnswerWord(statement);
  const offset = statement.length - said.length;
  const whole = { start: 0, end: statement.length, there: null };
  const relevant = sentence.split(CLAUSES).filter((clause) => isAbout(clause));
  const there = relevant.length === 0 ? sentence : relevant.join(' , ');
  const opposed = opposedWord(said, sentence);
  const bounds = [boundOf(said), boundOf(there)] as const;
  // The negation of a bound is no other: `for more than 40 minutes` or a limit of 40.
  const isLimit = bounds[0] === null && bounds[1] !== null && has(there, NOT);
  const isTurned = !isLimit && isNegative(said) !== isNegative(there);
  // A negated opposite says the same: `must stay shut`, `must not be opened`.
  if (isTurned && opposed !== null) return null;
  // A passage that sets no bound to a value does not say `at least`.
  if (bounds[1] === null && BOUNDED_VALUE.test(said) && !UPPER.test(there) && !LOWER.test(there)) return whole;
  const isBound = bounds[0] !== null && bounds[1] !== null;
  if (isBound ? bounds[0] !== bounds[1] : isTurned) {
    const [first] = isTurned ? said.matchAll(NOT) : [];
    if (first === undefined) return opposed === null ? whole : moved(opposed, offset);
    return moved({ start: first.index, end: first.index + first[0].length, there: null }, offset);
  }
  if (opposed !== null && !isTurned) return moved(opposed, offset);
  return swapsNames(said, sentence) ? whole : null;
}

function moved({ start, end, there }: Disagreement, by: number): Disagreement {
  return { start: start + by, end: end + by, there };
}

/** Forms of duty that two negations make, and negations that restrict. */
const NO_NEGATION =
  /(?<!\p{L})(?:ne|n['’])(?=[^.;,]{0,40}(?<!\p{L})qu(?:e|['’]))|な(?:ければ|くては|いと)(?:なりません|ならない|いけません|いけない)|지 않으면 안 ?(?:됩니다|된다|돼요)|不得不|必不可少/giu;
/** Languages of these scripts count each negation; in others several may make one. */
const COUNTED = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}]/u;

/** Whether a text says that something is not so; two negations cancel each other out. */
function isNegative(text: string): boolean {
  const plain = text.replaceAll(NO_NEGATION, ' ');
  const negations = plain.match(NOT)?.length ?? 0;
  const not = COUNTED.test(plain) ? negations : Math.min(1, negations);
  return (not + Number(has(plain, WITHOUT)) + Number(has(plain, FORBIDDEN))) % 2 === 1;
}

const NAME = /\p{Lu}[\p{L}\p{M}'’-]+/gu;

/** Whether two names stand in a sentence in the other order with the same words between them: who paid whom. */
function swapsNames(said: string, sentence: string): boolean {
  const names = [...said.matchAll(NAME)];
  return names.some(({ 0: first, index }, at) => {
    const next = names[at + 1];
    if (next === undefined || next[0] === first) return false;
    const between = said.slice(index + first.length, next.index);
    if (!/\p{Ll}/u.test(between)) return false;
    return sentence.includes(`${next[0]}${between}${first}`) && !sentence.includes(`${first}${between}${next[0]}`);
  });
}

/** The bound that a text sets: from above, from below, or none. A negation turns it round: `not more than 40` is at most 40. */
function boundOf(text: string): 'upper' | 'lower' | null {
  const [upper, lower] = [UPPER.test(text), LOWER.test(text)];
  if (upper === lower) return null;
  return upper === has(text.replaceAll(NO_NEGATION, ' ').replaceAll(/(?<!\p{L})no (?:more|less) than/giu, ' '), NOT)
    ? 'lower'
    : 'upper';
}
