import { MAX_STATEMENT } from './content-words.ts';
import type { Coverer } from './cover.ts';
import { denies, FINITE } from './denials.ts';
import { aligned, answerWord, isNegated, withoutAnswerWord } from './polarity.ts';
import { isAboutOrders, isCourtesy, isTalk, speaksOfOrders, wordsBeyondTalk } from './small-talk.ts';
import type { Sentence } from './split-claims.ts';
import { lackedBy, type SpokenWord } from './spoken-words.ts';

/**
 * What a sentence needs: a `claim` a citation; a `label`, such as a heading, a lead-in or a question, that passages say what it says; a
 * `denial` and a `remark`, which could not be false, nothing.
 */
export type StatementRole = 'claim' | 'label' | 'denial' | 'remark';

/** How remarks begin: announcements of the answer's own form, offers, and what the notes are about. */
const FRAME =
  /^[\s\p{P}]*(?:here(?: is|['’]s| are)|below|the following|this (?:answer|is what|is all)|let me|i (?:hope|will|can|['’]ll|found|have found|looked|have looked)|feel free|(?:please )?(?:don['’]t|do not) hesitate|please (?:let me|feel free|ask|note that i)|if you (?:have|need|want|would|wish|['’]d)|is there|would you|do you (?:need|want|have)|(?:all |both )?(?:of )?(?:the|these|your|my)?\s?(?:provided |retrieved )?(?:notes?|documents?|passages?|sources?|context|text)(?: also| both| only| mainly)? (?:cover|covers|describe|describes|discuss|discusses|contain|contains|mention|mentions|include|includes|deal|deals|are about|is about)|hier (?:ist|sind)|im folgenden|falls sie|wenn sie (?:noch|weitere|mehr)|voici|voilà|n['’]hésitez|si vous (?:avez|souhaitez|voulez)|aquí|si (?:necesita|tiene|quiere)|ecco|se (?:hai|ha|avete) bisogno|aqui|se (?:precisar|quiser)|hier volgt|다음은|아래는|이하|더 궁금|추가로|以下|次の|下面|如果您|如有)/iu;
/** What announces the lines that follow. */
const FOLLOWING =
  /(?<!\p{L})(?:as follows|following|below|folgend\p{L}*|wie folgt|suivant\p{L}*|ci-dessous|siguiente\p{L}*|seguent\p{L}*|seguinte\p{L}*|volgende?)(?!\p{L})|다음|아래|以下の|次の|如下|下面|下列/iu;
/** The parts of a frame that are finite verbs. */
const FRAME_VERB =
  /(?:here|this|what|that|there|following)(?: is|['’]s| are)|(?:notes?|documents?|passages?|sources?|context|text|they|it) (?:are|is) about|\b(?:you|i|we)(?:['’]d|['’]ll)? (?:would|have|need|want|can|could|may|might|will|do|are|am)\b|would you|do you|don['’]t hesitate|do not hesitate|n['’]hésitez pas|no dude|hier (?:ist|sind)|sie (?:haben|können)|vous avez/giu;

/** What a sentence needs. */
export function roleOf(sentence: Sentence, coverer: Coverer): StatementRole {
  const { kind, text } = sentence;
  if (kind === 'denial') {
    return deniesPassage(text, coverer) ? 'claim' : 'denial';
  }
  if (kind === 'code' || text.length > MAX_STATEMENT) return 'claim';
  const isAnswerWord = answerWord(text) !== null && !/[\p{L}\p{N}]/u.test(withoutAnswerWord(`${text}.`));
  if (isAnswerWord || isRemark(text, coverer)) return 'remark';
  return kind === 'heading' || kind === 'lead' || kind === 'question' ? 'label' : 'claim';
}

/** A sentence with fewer words of its own may say that they are not known. */
const MIN_OWN_WORDS = 4;

/** Whether a sentence says what a passage denies, or denies what it says in as many words. */
function deniesPassage(sentence: string, coverer: Coverer): boolean {
  const text = withoutAnswerWord(sentence);
  const words = aligned(coverer.read(text).words);
  const own = words.filter((word) => !coverer.asked.has(word));
  const isLong = new Set(own.map(({ stem }) => stem)).size >= MIN_OWN_WORDS;
  const { passages } = coverer.cover(text);
  const things = words.filter(({ written }) => !isTalk(written));
  const texts = coverer.sentences.map((each) => each.words);
  // What no passage speaks of, none denies.
  if (lackedBy(things, texts).length > 0) return false;
  const namesNotes = things.length < words.length;
  return coverer.sentences.some((each) => {
    if (namesNotes && denies(each.text)) return false;
    if (isLong && own.every((word) => each.words.has(word))) return true;
    const lacking = words.filter((word) => !each.words.has(word)).length;
    return (
      words.length > 0 && isNegated(each.text) && lacking <= (passages.includes(each.passage) ? words.length / 3 : 0)
    );
  });
}

/** What a sentence says about the notes as a whole, such as `The notes only cover`. */
const ABOUT_NOTES = /(?:notes?|documents?|passages?|sources?|context|text)\s(?:(?:also|both|only|mainly) )?\p{L}+$/iu;

/** Whether a sentence says what the notes are about. */
export function isAboutNotes(text: string): boolean {
  return ABOUT_NOTES.test(FRAME.exec(text)?.[0] ?? '');
}

function isRemark(text: string, coverer: Coverer): boolean {
  const beyond = new Set(wordsBeyondTalk(text).map((word) => word.toLowerCase()));
  const { words } = coverer.read(text);
  const rest = words.filter(
    ({ written }) => beyond.has(written.toLowerCase()) || (/\P{ASCII}/u.test(written) && !isTalk(written)),
  );
  const isOfOrders = coverer.ordered.words.length > 0 && isAboutOrders(text);
  const isSaid = (word: SpokenWord): boolean => coverer.sentences.some((each) => each.words.has(word));
  if (isOfOrders && rest.every((word) => coverer.ordered.has(word) || speaksOfOrders(word.written) || !isSaid(word)))
    return true;
  if (isCourtesy(text)) return true;
  if (beyond.size === 0) return !isNegated(text) || FRAME.test(text) || text.length < 40;
  const frame = FRAME.exec(text);
  if (frame === null)
    return (
      (/[?？]$/u.test(text) || FOLLOWING.test(text)) && rest.length > 0 && rest.every((word) => coverer.asked.has(word))
    );
  const said = text.slice(frame[0].length).replaceAll(FRAME_VERB, ' ');
  if (isNegated(said) || FINITE.test(said)) return false;
  const isKnown = (word: SpokenWord): boolean =>
    coverer.asked.has(word) || (isAboutNotes(text) ? isSaid(word) : coverer.isTopic(word));
  return rest.every(isKnown);
}

/** What no passage says of a label; empty when it says nothing else. A label names things, and a verb or a negation makes it a statement. */
export function unsaidByLabel({ kind, text }: Sentence, coverer: Coverer): readonly string[] {
  const beyond = new Set(wordsBeyondTalk(text).map((word) => word.toLowerCase()));
  const words = coverer
    .read(text)
    .words.filter(({ written, kind: script }) =>
      script === 'cjk' ? wordsBeyondTalk(written).length > 0 : beyond.has(written.toLowerCase()),
    );
  if (words.length === 0) return [];
  const isKnown = (word: SpokenWord): boolean =>
    coverer.asked.has(word) || coverer.sentences.some((sentence) => sentence.words.has(word));
  const unknown = words.filter((word) => !isKnown(word)).map(({ written }) => written);
  if (FINITE.test(text) || isNegated(text)) {
    if (kind === 'question') return unknown;
    return coverer.cover(text.replace(/[:：]\s*$/u, '')).missing;
  }
  if (unknown.length === 0 || unknown.length === words.length) return [];
  return unknown.length === 1 && !isPredicate(text, unknown[0] ?? '') ? [] : unknown;
}

/** Whether a word says what happened to the things before it: a participle, or what follows a form of `be`. */
function isPredicate(text: string, word: string): boolean {
  if (/ed$|(?:ol|ok|iv|ak|it|at|os)en$/iu.test(word)) return true;
  const named = word.replaceAll(/[^\p{L}\p{N}]/gu, '.');
  return new RegExp(`(?<!\\p{L})(?:is|are|was|were|be|been|wurden?|sind|ist|est|sont|es|son)\\s${named}`, 'iu').test(
    text,
  );
}
