import type { AnalysedQuery, QueryPhrase, QueryTerm } from './analyse-query.ts';
import { searchForm, traceableForm } from './search-form.ts';
import { foldInPlace, isFunctionWord } from './words.ts';
import type { TextRange } from '../domain/block.ts';
import { charCount, safeCut } from '../domain/text-size.ts';

/** A part of a chunk's text that is shown for a query. */
interface Snippet {
  /** The text with white space collapsed to single spaces; `…` marks an end at which the chunk continues. */
  readonly text: string;
  /** Whether it is the whole chunk. */
  readonly isWhole: boolean;
}

/** White space other than a single space. Most white space is that, and replacing it with itself took as long as everything else. */
const WIDE_SPACE = /(?:[^\S ]| (?=\s))\s*/g;
const ELLIPSIS = '…';
const MAX_HITS_PER_NEEDLE = 24;

/**
 * The window of a text that matches the most of a query; the first such window if there are several. It has at most `maxChars` characters,
 * `…` included. Words match by the prefix that their forms share, which approximates the stemming of the index.
 */
export function bestWindow(text: string, query: AnalysedQuery, maxChars: number): Snippet {
  const flat = text.replaceAll(WIDE_SPACE, ' ').trim();
  if (charCount(flat) <= maxChars) return { text: flat, isWhole: true };
  const room = Math.max(1, maxChars - 2 * ELLIPSIS.length);
  const focus = locateMatch(flat, queryNeedles(query), room);
  const start = placeStart(flat, focus, room);
  const end = placeEnd(flat, { ...focus, limit: Math.min(flat.length, start + room) });
  const head = start > 0 ? ELLIPSIS : '';
  const tail = end < flat.length ? ELLIPSIS : '';
  return { text: `${head}${flat.slice(start, end).trim()}${tail}`, isWhole: false };
}

/**
 * The ranges of a text that match words of a query, in order and without overlap: whole words, also in other forms, and runs of Han, Hangul
 * and kana. Function words such as "the" are left out.
 */
export function wordsOf(text: string, query: AnalysedQuery): readonly TextRange[] {
  const form = traceableForm(text);
  const folded = foldInPlace(form.text);
  const hits = queryNeedles(query)
    .filter((needle) => !isFunctionWord(needle.text))
    .flatMap((needle, index) => hitsOf(folded, needle, index).filter(({ weight }) => weight === needle.weight))
    .map(({ start, end }) => ({ start, end: wordEnd(folded, end) }))
    .toSorted((a, b) => a.start - b.start);
  const ranges: TextRange[] = [];
  for (const hit of hits.map(form.written)) {
    const last = ranges.at(-1);
    if (last === undefined || hit.start >= last.end) ranges.push(hit);
    else ranges[ranges.length - 1] = { start: last.start, end: Math.max(last.end, hit.end) };
  }
  return ranges;
}

function wordEnd(folded: string, from: number): number {
  let end = from;
  while (end < folded.length && isWordUnit(folded, end - 1) && isWordUnit(folded, end)) end++;
  return end;
}

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly needle: number;
  readonly weight: number;
}

interface Focus {
  readonly from: number;
  readonly to: number;
}

/** The text is searched in its search form, and the offsets are mapped back. */
function locateMatch(flat: string, needles: readonly Needle[], room: number): Focus {
  const form = traceableForm(flat);
  const { from, to } = findFocus(foldInPlace(form.text), needles, room);
  const { start, end } = form.written({ start: from, end: to });
  return { from: start, to: Math.min(end, start + room) };
}

/** The range of at most `room` units whose distinct needles have the largest total weight. */
function findFocus(folded: string, needles: readonly Needle[], room: number): Focus {
  const hits = needles
    .flatMap((needle, index) => hitsOf(folded, needle, index))
    .filter((hit) => hit.end - hit.start <= room)
    .toSorted((a, b) => a.start - b.start);
  let best: Focus = { from: 0, to: 0 };
  let bestWeight = 0;
  const weights = new Float64Array(needles.length);
  for (let i = 0; i < hits.length; i++) {
    const first = hits[i] as Hit;
    let to = first.end;
    let weight = 0;
    let holdsRest = true;
    for (let j = i; j < hits.length; j++) {
      const hit = hits[j] as Hit;
      if (hit.end - first.start > room) {
        holdsRest = false;
        if (hit.start - first.start > room) break;
        continue;
      }
      to = Math.max(to, hit.end);
      const more = hit.weight - (weights[hit.needle] as number);
      if (more <= 0) continue;
      weights[hit.needle] = hit.weight;
      weight += more;
    }
    if (weight > bestWeight) [best, bestWeight] = [{ from: first.start, to }, weight];
    if (holdsRest) break; // a later range cannot contain more
    weights.fill(0);
  }
  return best;
}

function hitsOf(folded: string, { text, weight, isWord }: Needle, needle: number): readonly Hit[] {
  const hits: Hit[] = [];
  let at = folded.indexOf(text);
  while (at >= 0 && hits.length < MAX_HITS_PER_NEEDLE) {
    const end = at + text.length;
    const insideWord = isWord && isWordUnit(folded, at - 1);
    hits.push({ start: at, end, needle, weight: insideWord ? weight / 4 : weight });
    at = folded.indexOf(text, end);
  }
  return hits;
}

/** Starts the window up to a third of the spare room before the focus, at a sentence, or else at a word, if one begins there. */
function placeStart(flat: string, { from, to }: Focus, room: number): number {
  const spare = room - (to - from);
  const latest = Math.max(0, flat.length - room);
  const earliest = Math.min(latest, Math.max(0, from - Math.floor(spare / 3)));
  if (earliest === 0) return 0;
  const before = flat.slice(earliest, from);
  const sentence = /[.!?。！？] /.exec(before);
  const gap = sentence === null ? before.indexOf(' ') + 1 : sentence.index + 2;
  return safeCut(flat, earliest + gap);
}

/** Ends the window after a whole word, unless that would cut off 24 units or more. */
function placeEnd(flat: string, { to, limit }: Focus & { readonly limit: number }): number {
  if (limit === flat.length) return limit;
  const gap = flat.lastIndexOf(' ', limit);
  return safeCut(flat, gap >= to && gap > limit - 24 ? gap : limit);
}

function isWordUnit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit > 0x2f && unit < 0x3a) || (unit > 0x60 && unit < 0x7b) || (unit > 0xbf && unit < 0x2000);
}

/** A string to search for in folded text, and the weight of a match. */
interface Needle {
  readonly text: string;
  readonly weight: number;
  /** Whether it is a word, or the prefix that its forms share, so that a match inside another word has less weight. */
  readonly isWord: boolean;
}

const MAX_NEEDLES = 48;
const PHRASE_WEIGHT = 20;
const SUFFIX =
  /(?:ations?|ements?|ments?|nesses|ness|ingly|ings?|edly|ed|ities|ity|ively|ives?|ably|ables?|ibly|ally|als?|ers?|ors?|ies|es|ly|e|s|y)$/;

const known = new WeakMap<AnalysedQuery, readonly Needle[]>();

/** The strings that show why a text matches a query, by descending weight. */
function queryNeedles(query: AnalysedQuery): readonly Needle[] {
  let needles = known.get(query);
  if (needles === undefined) known.set(query, (needles = makeNeedles(query)));
  return needles;
}

function makeNeedles({ terms, phrases, relaxed, demands = [] }: AnalysedQuery): readonly Needle[] {
  const needles = new Map<string, Needle>();
  for (const needle of [
    ...[...phrases, ...(relaxed?.phrases ?? []), ...demands.flatMap(({ phrases: each }) => each)].flatMap(
      needlesOfPhrase,
    ),
    ...terms.map(needleOfTerm),
  ])
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
  const whole = foldInPlace(searchForm(text).replaceAll(/\s+/g, ' ').trim());
  const pieces = parts.flatMap(({ column, tokens }) =>
    tokens.map((token) => (column === 'words' ? needleOfWord(token) : { text: token, weight: 4, isWord: false })),
  );
  return [{ text: whole, weight: PHRASE_WEIGHT + whole.length, isWord: false }, ...pieces];
}

/** Long words are searched for by a prefix of at least four letters, so that other forms of them match. */
function needleOfWord(token: string): Needle {
  if (token.endsWith('*')) return { text: token.slice(0, -1), weight: Math.min(token.length, 12), isWord: true };
  const stem = /^[a-z]{5,}$/.test(token) ? token.replace(SUFFIX, '') : token;
  const text = stem.length >= 4 ? stem : token.slice(0, Math.max(4, stem.length));
  return { text, weight: token.length < 4 ? 1 : Math.min(token.length, 12), isWord: true };
}

function joinBigrams(tokens: readonly string[]): string {
  return tokens.map((token, i) => (i === 0 ? token : Array.from(token).slice(1).join(''))).join('');
}
