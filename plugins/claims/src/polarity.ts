import type { TextRange } from '@kebab/core';
import { contentUnits } from './content-words.ts';
import type { SourceSentence } from './source-sentences.ts';

/** A word of a claim that the sentence of the passage contradicts. */
export interface Reversal extends TextRange {
  /** The opposite word there; null if one of the two sentences is negated and the other is not. */
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
  ['all|every|each', 'some|several|few|many|most'],
  ['with', 'without'],
  ['open|opens|opened|opening', 'close|closes|closed|closing|shut|shuts'],
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
  ['있습니다|있다|있으며|있는', '없습니다|없다|없으며|없는'],
];
const SIDES = OPPOSITES.map(([one, other]) => [wordsIn(one), wordsIn(other)] as const);

function wordsIn(words: string): RegExp {
  return /^[a-z|]+$/.test(words) ? new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'giu') : new RegExp(words, 'gu');
}

/** How much two sentences have to share of each other, and how many units at least, to be about the same. */
const SAME = { share: 0.8, units: 5 };

/**
 * Looks for a word of a claim that reverses a sentence of a passage which otherwise has the same words: an opposite, or a negation in only
 * one of them. Null if no sentence has nearly the same words, or if one of those agrees.
 */
export function findReversal(
  claim: string,
  sentences: readonly Pick<SourceSentence, 'text' | 'units'>[],
): Reversal | null {
  const units = new Set(contentUnits(claim));
  if (units.size < SAME.units) return null;
  const same = sentences.filter((sentence) => isSame(units, sentence.units));
  const reversals = same.map(({ text }) => reversalBetween(claim, text));
  return reversals.includes(null) ? null : (reversals[0] ?? null);
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((unit) => other.has(unit)).length;
  return shared >= SAME.share * Math.max(one.size, other.size);
}

function reversalBetween(claim: string, sentence: string): Reversal | null {
  const opposed = opposedWord(claim, sentence);
  if (opposed !== null) return opposed;
  const negations = [...claim.matchAll(NOT)];
  const there = [...sentence.matchAll(NOT)];
  if (negations.length % 2 === there.length % 2) return null;
  const [first] = negations;
  return first === undefined
    ? { start: 0, end: claim.length, there: null }
    : { start: first.index, end: first.index + first[0].length, there: null };
}

/** The first word of a claim whose opposite stands in a sentence that lacks the word itself; null if there is none. */
export function opposedWord(claim: string, sentence: string): Reversal | null {
  for (const [one, other] of SIDES) {
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const [written] = claim.matchAll(here);
      const [opposite] = sentence.matchAll(there);
      const isReversed = written !== undefined && opposite !== undefined && !has(claim, there) && !has(sentence, here);
      if (isReversed) return { start: written.index, end: written.index + written[0].length, there: opposite[0] };
    }
  }
  return null;
}

function has(text: string, words: RegExp): boolean {
  return text.search(words) !== -1;
}

/** Negations in the languages that answers are written in; `without` and its like are words of their own. */
const NOT =
  /(?<!\p{L})(?:not|never|cannot|neither|nor|no|none|nobody|nothing|nicht|kein(?:e[nmrs]?)?|nie|niemals|niemand|nichts|ne|pas|jamais|aucune?|rien|personne|nunca|jamás|ningun[oa]?|ningún|nada|nadie|não|nenhuma?|non|mai|nessun[oa]?|niet|geen|nooit|niets|inte|inga?|aldrig|ikke|ingen|nie|nigdy|не|нет|никогда|ничего)(?!\p{L})|n['’]t(?!\p{L})|(?<!\p{L})n['’](?=\p{L})|않|지\s?못|없[는다어으이습]|아니[다며고하라]|안\s?(?:됩|된|되|돼)|ません|ない(?!し)|なかった|[不没沒未](?!锈|銹|同)|무관/giu;
const WITHOUT =
  /(?<!\p{L})(?:without|ohne|sans|sin|sem|senza|zonder|utan|uden|uten|bez|без)(?!\p{L})|없이|なしで|なしに|[无無](?=需|须)|不带|不帶/giu;
/** A negated comparison is a bound: `not more than 40` says `at most 40`. */
const NEGATED_BOUND =
  /(?<!\p{L})(?:(?:must|may|can|should|shall|do|does|did|will|is|are)?\s*(?:not|never)|cannot|no)\s+(?:[\p{L}]+\s+){0,3}?(more|longer|higher|greater|later|over|above|exceed|less|fewer|shorter|lower|earlier|below|under)(?:\s+than)?(?!\p{L})/giu;
const UPPER =
  /(?<!\p{L})(?:at most|at the most|up to|maximum(?: of)?|max|no more than|höchstens|maximal|au plus|maximum|como máximo|al massimo|hoogstens)(?!\p{L})|최대|이하|미만|以下|以内|最多|不超过/iu;
const LOWER =
  /(?<!\p{L})(?:at least|more than|longer than|over|minimum(?: of)?|no less than|mindestens|mehr als|au moins|plus de|al menos|más de|almeno|minstens)(?!\p{L})|최소|이상|초과|以上|至少|超过/iu;
/** Where one statement of a sentence ends and another begins. */
const CLAUSES =
  /[,;:—–、，；：()]|\s(?:but|and|while|whereas|although|aber|und|sondern|mais|et|pero|y|ma|e|maar|en)\s/iu;
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
  const said = withoutAnswerWord(statement);
  const relevant = sentence.split(CLAUSES).filter((clause) => isAbout(clause));
  const there = relevant.length === 0 ? sentence : relevant.join(' , ');
  const [here, source] = [bounded(said), bounded(there)];
  if ((here.text.search(NOT) === -1) !== (source.text.search(NOT) === -1)) return false;
  if ((said.search(WITHOUT) === -1) !== (there.search(WITHOUT) === -1)) return false;
  if (here.bound !== null && source.bound !== null && here.bound !== source.bound) return false;
  return opposedWord(said, sentence) === null && !swapsNames(said, sentence);
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

/** A text with its negated comparisons taken out, and the bound it sets: from above, from below, or none. */
function bounded(text: string): { readonly text: string; readonly bound: 'upper' | 'lower' | null } {
  let bound: 'upper' | 'lower' | null = null;
  const rest = text.replaceAll(NEGATED_BOUND, (_, compared: string) => {
    bound = /^(?:more|longer|higher|greater|later|over|above|exceed)$/iu.test(compared) ? 'upper' : 'lower';
    return ' ';
  });
  if (bound === null && UPPER.test(rest)) bound = 'upper';
  else if (bound === null && LOWER.test(rest)) bound = 'lower';
  return { text: rest, bound };
}
