import type { AnalysedQuery, QueryPhrase, QueryTerm } from './analysed-query.ts';
import { foldInPlace } from './fold-in-place.ts';

/** A string to look for in folded text, and what finding it is worth. */
export interface Needle {
  readonly text: string;
  readonly weight: number;
  /** A word, or the beginning common to its forms: worth less inside another word. Else it counts wherever it stands. */
  readonly isWord: boolean;
}

const MAX_NEEDLES = 48;
const PHRASE_WEIGHT = 20;
const SUFFIX =
  /(?:ations?|ements?|ments?|nesses|ness|ingly|ings?|edly|ed|ities|ity|ively|ives?|ably|ables?|ibly|ally|als?|ers?|ors?|ies|es|ly|e|s|y)$/;

const known = new WeakMap<AnalysedQuery, readonly Needle[]>();

/** What to look for in a text to show why it was found: the most telling first. */
export function queryNeedles(query: AnalysedQuery): readonly Needle[] {
  let needles = known.get(query);
  if (needles === undefined) known.set(query, (needles = makeNeedles(query)));
  return needles;
}

function makeNeedles({ terms, phrases }: AnalysedQuery): readonly Needle[] {
  const needles = new Map<string, Needle>();
  for (const needle of [...phrases.flatMap(needlesOfPhrase), ...terms.map(needleOfTerm)])
    if (needle.text !== '' && !needles.has(needle.text)) needles.set(needle.text, needle);
  return [...needles.values()].toSorted((a, b) => b.weight - a.weight).slice(0, MAX_NEEDLES);
}

function needleOfTerm(term: QueryTerm): Needle {
  switch (term.kind) {
    case 'word':
      return needleOfWord(term.token);
    case 'cjk':
      return { text: term.token, weight: 4, isWord: false };
    case 'cjk_run':
      return { text: joinBigrams(term.tokens), weight: 4 + 2 * term.tokens.length, isWord: false };
    default:
      return term satisfies never;
  }
}

function needlesOfPhrase({ text, parts }: QueryPhrase): readonly Needle[] {
  const whole = foldInPlace(text.replaceAll(/\s+/g, ' ').trim());
  const pieces = parts.flatMap(({ column, tokens }) =>
    tokens.map((token) => (column === 'words' ? needleOfWord(token) : { text: token, weight: 4, isWord: false })),
  );
  return [{ text: whole, weight: PHRASE_WEIGHT + whole.length, isWord: false }, ...pieces];
}

/** Long words are looked for by their beginning, so that other forms of them are found: never by less than four letters. */
function needleOfWord(token: string): Needle {
  const stem = /^[a-z]{5,}$/.test(token) ? token.replace(SUFFIX, '') : token;
  const text = stem.length >= 4 ? stem : token.slice(0, Math.max(4, stem.length));
  return { text, weight: token.length < 4 ? 1 : Math.min(token.length, 12), isWord: true };
}

function joinBigrams(tokens: readonly string[]): string {
  return tokens.map((token, i) => (i === 0 ? token : Array.from(token).slice(1).join(''))).join('');
}
