import {
  analyseLiteral,
  requireMarkedNames,
  type AnalysedQuery,
  type QueryDemand,
  type QueryPhrase,
  type QueryTerm,
} from '../analysis/analyse-query.ts';
import { foldWord } from '../analysis/words.ts';
import { MEDIA, type Media } from '../domain/kinds.ts';
import { fileNamesOfType, globInAnyCase } from '../domain/media.ts';
import { readAgo, readPeriod, type Ago } from '../domain/period.ts';
import type { AskedFilters, SearchFilters } from '../domain/query.ts';
import { invalidInput, nearestName } from '../errors/invalid-input.ts';
import { tokensOf } from '../analysis/index-tokens.ts';
import type { SearchResponse } from '../wire/index.ts';

/** A part of a query that looks like an operator but is treated as words. */
export type QueryNotice = NonNullable<SearchResponse['notices']>[number];

type Analyse = (text: string) => AnalysedQuery;

/** A query with its operators extracted from the text and interpreted. */
export interface ReadQuery {
  readonly analysed: AnalysedQuery;
  /** The filters that its fields set. */
  readonly within: AskedFilters;
  /** Whether it has nothing but fields and exclusions: it asks for the documents that fit, not for passages. */
  readonly isFiltersOnly: boolean;
  readonly notices: readonly QueryNotice[];
}

/** Matches possible operators, and text that may be meant as one. */
const LIKE_AN_OPERATOR = /\*|\b(?:OR|AND|NOT|NEAR)\b|&&|\|\||(?:^|[\s-])[a-z][a-z_]+:/;

/**
 * Reads the text of a query, with its operators if it has any. A word with a minus that stands alone (`-uuu`) is what to look for. Throws
 * `invalid_input` for a query that consists of several exclusions, unless it has fields or the search has filters.
 */
export function readQuery(text: string, analyse: Analyse, hasFilters = false): ReadQuery {
  const hasOpenQuote = text.split('"').length % 2 === 0;
  const hasOperators = hasOpenQuote || LIKE_AN_OPERATOR.test(text);
  const query = hasOperators
    ? readOperators(text, analyse)
    : { analysed: analyse(text), within: {}, isFiltersOnly: text.trim() === '', notices: [] };
  const { terms, phrases, excluded } = query.analysed;
  if (terms.length > 0 || phrases.length > 0 || excluded.length === 0)
    return { ...query, analysed: requireMarkedNames(query.analysed) };
  if (LONE_FLAG.test(text)) return readFlag(text.trim(), analyse);
  if (hasFilters || Object.keys(query.within).length > 0) return { ...query, isFiltersOnly: true };
  throw invalidInput('the query only says what must not occur', {
    field: 'query',
    value: query.analysed.text,
    hint: 'add a word, a phrase or a field such as tag:work to look for',
  });
}

const LONE_FLAG = /^\s*-[^\s"]+\s*$/;

/** Prefers passages with a flag as it is typed to those with its word. */
function readFlag(flag: string, analyse: Analyse): ReadQuery {
  const byWord = { ...analyse(flag.slice(1)), text: flag };
  const analysed = { ...byWord, phrases: [...byWord.phrases, ...analyse(`"${flag}"`).phrases], weaker: byWord };
  const notices = [{ text: flag, hint: 'an exclusion needs something to look for beside it' }];
  return { analysed, within: {}, isFiltersOnly: false, notices };
}

/** Reads a query as one text, whatever it contains. Throws `invalid_input` for a text without letters and digits, which no index holds. */
export function readLiteral(text: string): ReadQuery {
  const analysed = analyseLiteral(text);
  if (analysed.phrases.length > 0 || text.trim() === '')
    return { analysed, within: {}, isFiltersOnly: text.trim() === '', notices: [] };
  throw invalidInput('a literal query needs a letter or a digit', {
    field: 'query',
    value: text,
    hint: 'look for other characters in the files: kebab grep -F',
  });
}

/** The requirements that an interpretation of a query does not enforce; no key when it enforces everything. */
export function relaxedOf({ relaxed }: AnalysedQuery): Pick<SearchResponse, 'relaxed'> {
  if (relaxed === undefined) return {};
  const { phrases, excluded } = relaxed;
  return { relaxed: { phrases: phrases.map(({ text }) => text), excluded: excluded.map(({ text }) => text) } };
}

const FIELDS = ['tag', 'path', 'type', 'lang', 'source', 'title', 'since', 'until'] as const;
type Field = (typeof FIELDS)[number];

/**
 * Parses the operators of a query: `word*` (also after a plus or minus), `OR`, `NEAR/n`, and the fields `tag: path: type: lang: source: title: since: until:`.
 * The rest is analysed by `analyse`, like every query; nothing is a syntax error, and what only looks like an operator is treated as words,
 * with a notice.
 */
export function readOperators(text: string, analyse: Analyse): ReadQuery {
  const pieces = piecesOf(text);
  const demands = [...joinNear(pieces, analyse), ...joinOr(pieces, analyse), ...demandedPrefixes(pieces)];
  const unwanted = pieces.filter(({ sign }) => sign === '-').flatMap(({ value }) => prefixPhrases(value));
  const prefixes = pieces.filter(({ kind, sign }) => kind === 'prefix' || sign === '+').map(({ value }) => value);
  const rest = pieces.map((piece) => piece.gap + looseText(piece)).join('');
  const extend = ({ weaker, ...query }: AnalysedQuery): AnalysedQuery => ({
    ...query,
    text,
    embeddingText: [query.embeddingText, ...prefixes].join(' ').trim(),
    terms: withPrefixes(query.terms, prefixes),
    excluded: [...query.excluded, ...unwanted],
    ...(demands.length === 0 ? {} : { demands }),
    ...(weaker === undefined ? {} : { weaker: extend(weaker) }),
  });
  const analysed = extend(analyse(rest));
  return {
    analysed,
    within: filtersOf(pieces),
    isFiltersOnly: rest.trim() === '' && pieces.some(({ kind }) => kind === 'field'),
    notices: noticesOf(pieces),
  };
}

/** A part of a query without white space outside quotes. */
interface Piece {
  /** The white space before it. */
  readonly gap: string;
  /** As typed. */
  readonly text: string;
  /** A `joint` is `OR` or `NEAR/n`; an `opaque` piece cannot be joined. */
  readonly kind: 'word' | 'prefix' | 'phrase' | 'field' | 'joint' | 'opaque';
  /** Without marks. */
  readonly value: string;
  readonly field?: Field;
  /** The sign before a prefix that must, or must not, occur. */
  readonly sign?: '+' | '-';
  /** Whether a joint has both its operands, or an operand belongs to a joint. */
  joined: boolean;
}

const PIECE = new RegExp(String.raw`(\s*)((?:(?:${FIELDS.join('|')}):|[+-]|\(+)?"[^"]*"\)*(?=\s|$)|\S+)`, 'gu');
const FIELD = new RegExp(String.raw`^(${FIELDS.join('|')}):(?:"([^"]+)"|([^\s":][^\s"]*))$`, 'u');

function piecesOf(text: string): readonly Piece[] {
  return [...text.matchAll(PIECE)].map(([, gap = '', typed = '']) => ({ gap, joined: false, ...pieceOf(typed) }));
}

function pieceOf(text: string): Omit<Piece, 'gap' | 'joined'> {
  if (text === 'OR' || /^NEAR\/\d{1,3}$/.test(text)) return { text, kind: 'joint', value: text };
  const phrase = /^\(*"(.+)"\)*$/su.exec(text)?.[1];
  if (phrase !== undefined) return { text, kind: /[\p{L}\p{N}]/u.test(phrase) ? 'phrase' : 'opaque', value: phrase };
  const [, name, quoted, plain = ''] = FIELD.exec(text) ?? [];
  const value = quoted ?? plain.replace(/[,;]+$/, '');
  if (name !== undefined && isValueOf(name as Field, value))
    return { text, kind: 'field', value, field: name as Field };
  const [, sign, prefix] = /^([+-]?)([\p{L}\p{N}\p{M}_]{2,})\*$/u.exec(text) ?? [];
  if (prefix !== undefined && /\p{L}/u.test(prefix)) {
    const isCjk = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(prefix);
    if (sign === '') return { text, kind: isCjk ? 'word' : 'prefix', value: prefix };
    if (!isCjk) return { text, kind: 'opaque', value: prefix, sign: sign as '+' | '-' };
  }
  const isPlain = !text.includes('"') && !/^[+-]./.test(text) && /[\p{L}\p{N}]/u.test(text);
  return { text, kind: isPlain ? 'word' : 'opaque', value: text };
}

/** A URL, a port or a code location is not a field: `source:https://…`, `path:10`. */
function isValueOf(field: Field, value: string): boolean {
  if (value.includes('://')) return false;
  switch (field) {
    case 'tag':
      return /^#?[\p{L}\p{N}_]/u.test(value);
    case 'path':
      return /[\p{L}\p{N}]/u.test(value);
    case 'lang':
      return /^\p{L}{2,}(?:,\p{L}{2,})*$/u.test(value);
    case 'source':
      return /^[\w.-]+(?:,[\w.-]+)*$/.test(value);
    case 'title':
      return /^[\p{L}\p{N}]/u.test(value);
    case 'type':
      return /^\.?[\p{L}\p{N}][\w+#-]*(?:,\.?[\p{L}\p{N}][\w+#-]*)*$/u.test(value);
    case 'since':
    case 'until':
      return readPeriod(value) !== undefined || readAgo(value) !== undefined;
    default:
      return field satisfies never;
  }
}

/** The text of a piece in a query without operators. */
function looseText({ kind, field, text, value, sign, joined }: Piece): string {
  if (kind === 'prefix' || sign !== undefined || (kind === 'joint' && joined)) return '';
  if (kind === 'field') return field === 'title' ? value : '';
  return kind === 'phrase' && joined ? value : text;
}

/** The stem of the word that was abbreviated may not begin with the prefix: `connectio*` should find `connection`. */
const ENDINGS = [
  'n',
  'on',
  'ion',
  'l',
  'al',
  's',
  'es',
  'd',
  'ed',
  'g',
  'ng',
  'ing',
  'e',
  'y',
  'ly',
  'r',
  'er',
  'ment',
  'ness',
  'ity',
];

function prefixTokens(prefix: string): readonly string[] {
  const word = foldWord(prefix);
  const stem = tokensOf(word).at(-1) ?? word;
  const others = new Map(ENDINGS.map((ending) => [tokensOf(word + ending).at(-1) ?? stem, word + ending]));
  return [`${word}*`, ...[...others].filter(([other]) => !other.startsWith(stem)).map(([, whole]) => whole)];
}

function prefixPhrases(prefix: string): readonly QueryPhrase[] {
  return prefixTokens(prefix).map((token) => ({ text: token, parts: [{ column: 'words', tokens: [token] }] }));
}

/** The requirement of `+word*`: one of the words with that prefix. */
function demandedPrefixes(pieces: readonly Piece[]): readonly QueryDemand[] {
  const signed = pieces.filter(({ sign }) => sign === '+');
  return signed.map(({ text, value }) => ({ kind: 'any', text, phrases: [], words: prefixPhrases(value) }));
}

function withPrefixes(terms: readonly QueryTerm[], prefixes: readonly string[]): readonly QueryTerm[] {
  const tokens = prefixes.flatMap(prefixTokens);
  const known = new Set(terms.map((term) => (term.kind === 'word' ? term.token : '')));
  const added = [...new Set(tokens)].filter((token) => !known.has(token));
  return [...terms, ...added.map((token): QueryTerm => ({ kind: 'word', token }))];
}

/** The index compares the positions of all words of a `NEAR` in each passage: 900 frequent words took a minute and blocked the server. */
const MAX_NEAR_OPERANDS = 32;

/** Joins the operands of each `NEAR/n`; several in a row with the same distance form one requirement. Operands over the limit are words. */
function joinNear(pieces: readonly Piece[], analyse: Analyse): readonly QueryDemand[] {
  let room = MAX_NEAR_OPERANDS;
  return chainsOf(pieces, (joint) => joint.startsWith('NEAR/')).flatMap(({ joints, operands }): QueryDemand[] => {
    room -= operands.length;
    if (room < 0) return [];
    const phrases = operands.map((piece) => (isIn(['word', 'phrase'], piece) ? phraseOf(piece.value, analyse) : null));
    const [column, ...others] = phrases.map((phrase) => (phrase?.parts.length === 1 ? phrase.parts[0]?.column : null));
    if (column === null || column === undefined || others.some((other) => other !== column)) return [];
    const distance = Math.max(...joints.map(({ value }) => Number(value.slice('NEAR/'.length))));
    join([...joints, ...operands]);
    const text = operands.map((piece) => piece.text).join(` NEAR/${distance} `);
    return [{ kind: 'near', text, distance, phrases: phrases.filter((phrase) => phrase !== null) }];
  });
}

/** Joins the operands of each `OR`. Words are alternatives anyway: only an `OR` with a phrase becomes a requirement. */
function joinOr(pieces: readonly Piece[], analyse: Analyse): readonly QueryDemand[] {
  return chainsOf(pieces, (joint) => joint === 'OR').flatMap(({ joints, operands }): QueryDemand[] => {
    const [first] = operands;
    const areFields = operands.every(({ field }) => field !== undefined && field === first?.field);
    const areWords = operands.every((piece) => isIn(['word', 'prefix', 'phrase'], piece));
    if (!areFields && !areWords) return [];
    join([...joints, ...operands]);
    const quoted = operands.filter(({ kind }) => kind === 'phrase');
    if (quoted.length === 0) return [];
    const words = operands.filter(({ kind }) => kind !== 'phrase');
    return [
      {
        kind: 'any',
        text: operands.map((piece) => piece.text).join(' OR '),
        phrases: quoted.map(({ value }) => phraseOf(value, analyse)),
        words: words.flatMap(({ kind, value }) =>
          kind === 'prefix' ? prefixPhrases(value) : [phraseOf(value, analyse)],
        ),
      },
    ];
  });
}

interface Chain {
  readonly joints: readonly Piece[];
  readonly operands: readonly Piece[];
}

/** Operands connected by adjacent joints: `a OR b OR c`. An operand that belongs to another joint is excluded. */
function chainsOf(pieces: readonly Piece[], isJoint: (joint: string) => boolean): readonly Chain[] {
  const chains: { joints: Piece[]; operands: Piece[] }[] = [];
  for (const [at, joint] of pieces.entries()) {
    const [left, right] = [pieces[at - 1], pieces[at + 1]];
    if (joint.kind !== 'joint' || !isJoint(joint.value) || left === undefined || right === undefined) continue;
    if ([left, right].some(({ kind, joined }) => kind === 'joint' || kind === 'opaque' || joined)) continue;
    const last = chains.at(-1);
    if (last !== undefined && last.operands.at(-1) === left) {
      last.joints.push(joint);
      last.operands.push(right);
    } else chains.push({ joints: [joint], operands: [left, right] });
  }
  return chains;
}

function isIn(kinds: readonly Piece['kind'][], { kind }: Piece): boolean {
  return kinds.includes(kind);
}

function join(pieces: readonly Piece[]): void {
  for (const piece of pieces) piece.joined = true;
}

function phraseOf(text: string, analyse: Analyse): QueryPhrase {
  const bare = text.replaceAll('"', ' ');
  return { text: bare, parts: analyse(`"${bare}"`).phrases.flatMap(({ parts }) => parts) };
}

/** The filters that fields set; several values of one field are alternatives, of two dates the last one typed counts. */
function filtersOf(pieces: readonly Piece[]): AskedFilters {
  const valuesOf = (field: Field): readonly string[] =>
    pieces.filter((piece) => piece.field === field).map(({ value }) => value.normalize('NFC'));
  const tag = valuesOf('tag').map((value) => value.replace(/^#+/, '').replace(/\/+$/, ''));
  const pathGlob = valuesOf('path').flatMap(globsOf);
  const lang = valuesOf('lang').flatMap((value) => value.toLowerCase().split(','));
  const source = valuesOf('source').flatMap((value) => value.split(','));
  const title = valuesOf('title');
  const lists = { tag, pathGlob, lang, source, title };
  const since = valuesOf('since').map((value) => readPeriod(value)?.start ?? readAgo(value));
  const until = valuesOf('until').map((value) => readPeriod(value)?.end ?? readAgo(value));
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, values]) => values.length > 0)),
    ...typeFilter(typesOf(pieces)),
    ...lastOf('since', since),
    ...lastOf('until', until),
  };
}

function lastOf(key: 'since' | 'until', times: readonly (Date | Ago | undefined)[]): AskedFilters {
  const last = times.at(-1);
  return last === undefined ? {} : { [key]: last };
}

function typesOf(pieces: readonly Piece[]): readonly string[] {
  const values = pieces.flatMap(({ field, value }) => (field === 'type' ? value.normalize('NFC') : []));
  return values.flatMap((value) => value.toLowerCase().split(','));
}

/** A value of a field, and the filters that it sets by itself. */
export interface TypedFilter {
  readonly value: string;
  readonly filters: SearchFilters;
}

/** The types that a query names by `type:`. */
export function typesIn(text: string): readonly TypedFilter[] {
  return typesOf(piecesOf(text)).map((value) => ({ value, filters: typeFilter([value]) }));
}

/** A type is a kind of document, a programming language, or the extension of a file. */
function typeFilter(types: readonly string[]): Pick<SearchFilters, 'media' | 'within'> {
  if (types.length === 0) return {};
  if (types.every((type): type is Media => (MEDIA as readonly string[]).includes(type))) return { media: types };
  const names = types.flatMap((type) => fileNamesOfType(type.replace(/^\./, '')));
  return {
    within: { pathGlob: names.map((name) => `**/${name.startsWith('*') ? `*${globInAnyCase(name.slice(1))}` : name}`) },
  };
}

/**
 * A path matches anywhere in the whole path, and a path below the name of a source (`vault/daily`) matches there; with a wildcard it is an
 * ordinary glob, and a path as kebab prints it means that document.
 */
function globsOf(path: string): readonly string[] {
  if (/[*?]/.test(path)) return [path];
  const name = path.replace(/^\.?\/+/, '').replaceAll(/[[\]{}\\]/g, String.raw`\$&`);
  const inPath = name.endsWith('/') ? [`**/*${name}**`] : [`**/*${name}*`, `**/*${name}*/**`];
  const [, source, inside = ''] = /^([\w.-]+)\/(.*)$/.exec(name) ?? [];
  const inSource = source === undefined ? [] : [inside === '' ? `${source}:**` : `${source}:${inside}`];
  const asGlob = /[[{]/.test(path) || /^(?:[/~]|[A-Za-z]:[\\/])|[:#]/.test(path) ? [path] : [];
  return [...inPath, ...inSource, ...asGlob];
}

const MAX_NOTICES = 5;

function noticesOf(pieces: readonly Piece[]): readonly QueryNotice[] {
  const isShouting = !pieces.some(({ text }) => /[\p{Ll}\p{Lo}]/u.test(text));
  const notices = new Map<string, QueryNotice>();
  for (const [at, piece] of pieces.entries()) {
    const hint = piece.joined ? undefined : hintFor(piece, { isLast: pieces[at + 1] === undefined, isShouting });
    if (hint !== undefined && !notices.has(piece.text)) notices.set(piece.text, { text: piece.text, hint });
  }
  if (pieces.some(({ kind, joined }) => kind === 'joint' && joined)) {
    // Parentheses around phrases joined by `OR` are redundant.
    const loose = pieces.filter((piece) => !isIn(['joint'], piece) && !(piece.kind === 'phrase' && piece.joined));
    const bracketed = loose.find(({ text }) => /^\(|\)$/.test(text));
    if (bracketed !== undefined)
      notices.set(bracketed.text, {
        text: bracketed.text,
        hint: 'parentheses do not group words; OR joins its two neighbours',
      });
  }
  return [...notices.values()].slice(0, MAX_NOTICES);
}

const INSTEAD: Readonly<Record<string, string>> = {
  AND: 'passages with more of the words rank first anyway; +word requires one',
  '&&': 'passages with more of the words rank first anyway; +word requires one',
  NOT: '-word excludes passages that contain it',
  '||': 'OR between two phrases requires one of them',
  NEAR: 'NEAR/10 between two words requires them within ten words of each other',
};

function hintFor(
  { kind, text }: Piece,
  { isLast, isShouting }: { readonly isLast: boolean; readonly isShouting: boolean },
): string | undefined {
  if (kind === 'joint')
    return text === 'OR'
      ? isShouting
        ? undefined
        : 'OR goes between words and phrases, or between two values of one field'
      : `NEAR/n goes between words or phrases of one script, at most ${MAX_NEAR_OPERANDS} in a query`;
  if (kind === 'field' || kind === 'prefix' || kind === 'phrase') return undefined;
  const instead = isShouting ? undefined : INSTEAD[text];
  if (instead !== undefined) return instead;
  if (/^(?:[+-]|[a-z]+:)?"/.test(text) && (text.split('"').length - 1) % 2 === 1)
    return 'the quote is not closed, so its words are searched one by one';
  if (/^\*\p{L}{2,}$|^\p{L}+\*\p{L}+$|^\p{L}\*$/u.test(text)) return 'a star must follow at least two letters: word*';
  return fieldHint(text, isLast);
}

function fieldHint(text: string, isLast: boolean): string | undefined {
  const [, sign, name = '', value] = /^(-?)([a-z][a-z_]{1,19}):(?!:|\/\/)(["#\p{L}\p{N}].*)?$/u.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const isKnown = (FIELDS as readonly string[]).includes(name);
  if (value === undefined)
    return isKnown && !isLast ? `the value must follow its field without a space: ${name}:word` : undefined;
  if (sign === '-')
    return isKnown
      ? 'a field cannot be negated: select the other documents instead, as in type:markdown or path:notes'
      : undefined;
  if (isKnown) return `${JSON.stringify(value)} is not a value that ${name}: takes`;
  const nearest = nearestName(name, FIELDS);
  return `the fields are ${FIELDS.map((field) => `${field}:`).join(' ')}${nearest === undefined ? '' : `; did you mean ${nearest}:?`}`;
}
