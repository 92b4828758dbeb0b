import { analyseField } from '../analysis/index-text.ts';
import { tokensOf } from '../analysis/index-tokens.ts';
import { isFunctionWord, scanWords } from '../analysis/words.ts';
import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { QuestionWord } from '../relevance/question-words.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { KnownPassage } from './known-passages.ts';
import { queryShape } from './query-shape.ts';

/**
 * What a passage is besides its words: `links` is a list of links, a table of contents or a stub that includes another file; `title` repeats
 * its headings and says nothing; `notice` is a licence header; `changes` is of the notes of a release.
 */
export type PassageKind = 'content' | 'links' | 'title' | 'notice' | 'changes';

/** The parts of a passage that reveal its kind. */
interface PassageText {
  readonly text: string;
  readonly headingPath: readonly string[];
  readonly isCode: boolean;
  readonly workspacePath: string;
}

/** From this share of linked words on, the rest of a passage only introduces or separates the links. */
const MIN_LINKED = 0.6;
/** Below a heading that announces links, each may have a remark of so many words. */
const MAX_REMARK = 10;
/** So many words that are not linked are a text of their own. */
const MAX_UNLINKED = 40;
/** A longer text is never only a title. */
const MAX_TITLE_WORDS = 25;
const MAX_NOTICE_WORDS = 400;

/** What a word and a link take at most, in characters, for telling most texts from lists of links without reading them. */
const LONG_WORD = 14;
const LONG_LINK = 300;
/** Every link and every line that includes a file has one. */
const LINK_SIGN =
  /\]\(|\]\[|\]\]|<a\s|`_|:\w+:`|https?:|(?:link|xref):|<<|^\.\. |^(?:include::|#\+include:|\{\{|!include |\[_?toc_?\]|:toc:)/gim;

const MARKDOWN_LINK = /!?\[((?:[^[\]]|\[[^\]]*\])*)\](?:\([^()\s]*(?:\([^)]*\)[^()\s]*)*(?:\s+"[^"]*")?\)|\[[^\]]*\])/g;
const WIKI_LINK = /!?\[\[([^\]|]*)(?:\|([^\]]*))?\]\]/g;
const HTML_LINK = /<a\s[^>]*>([^]*?)<\/a>/gi;
/** `Title <target>`_, :doc:`target`, link:target[Title], xref:target[Title], [[target][Title]]. */
const OTHER_LINKS =
  /:(?:doc|ref|any|class|func|meth|mod):`([^`]*)`|`([^`<]*)<[^`>]*>`__?|(?:link|xref|https?):[^\s[]+\[([^\]]*)\]|<<[^,>]*,?([^>]*)>>/gi;
const BARE_URL = /<?\bhttps?:\/\/[^\s<>)\]]+>?/gi;
/** A directive of reStructuredText whose indented lines name other pages, or that includes a file. */
const TOCTREE =
  /^\.\. (?:toctree|contents|include|literalinclude|autosummary|sectnum)::.*(?:\n(?:[ \t]+.*|[ \t]*(?=\n[ \t]))$)*/gim;
const INCLUDE =
  /^(?:include::\S+\[.*\]|#\+include:.*|\{\{[<%]?\s*(?:include|toc)\b.*\}\}|!include .*|\[toc\]|\[_toc_\]|:toc:.*)$/gim;
const LINKS = [WIKI_LINK, MARKDOWN_LINK, HTML_LINK, TOCTREE, OTHER_LINKS, INCLUDE, BARE_URL];
const HEADING_LINE = /^(?:#{1,6}\s.*|={1,6}\s.*|<[hH][1-6]\b[^>]*>.*?<\/[hH][1-6]>)$/gm;
const ADORNMENT = /^.*\n([=\-~^"'#*+])\1{2,}[ \t]*$/gm;
const COMMENT_TAGS = /<!--[^]*?-->|<[^>]*>/g;

const NOTICE =
  /\b(?:spdx-license-identifier|licen[cs]ed under (?:the|a)\b|permission is hereby granted|all rights reserved|without warrant(?:y|ies)|redistribution and use in source|subject to the terms)/gi;

/** Files of notes of releases, by their names. */
const CHANGES_FILE =
  /(?:^|\/)(?:change[-_ ]?(?:s|log|history)|release[-_ ]?(?:notes|history)|what'?s[-_ ]?new[^/]*)(?:\.[^/]*)?$/iu;

/** Recognises what a passage is from its structure and its text, and its file. */
export function passageKind(passage: PassageText): PassageKind {
  const kind = ownKind(passage);
  if (kind !== 'content' || passage.isCode) return kind;
  const { workspacePath, headingPath } = passage;
  const isOfRelease = CHANGES_FILE.test(workspacePath) || headingPath.some(isRelease);
  return isOfRelease ? 'changes' : 'content';
}

/** Whether a heading is of a release: `Version 1.0`, `[2.1.3] - 2024-05-01`, `v0.9 (unreleased)`, `Kettle 3.0.0 (2023-02-02)`; not `2.1 Pumps`. */
function isRelease(heading: string): boolean {
  if (!/\d\.\d/.test(heading)) return false;
  return /^(?:(?:version|release|v\.?)\s*)?\[?v?\d+(?:\.\d+)+\S*(?:\s*(?:[-–—]\s*)?[[(]?(?:\d{4}|unreleased|yanked|tba)\b.*)?$|^\p{L}[\p{L}\p{N}-]*\s+v?\d+(?:\.\d+)+\S*\s*[[(]\D*\d{4}\b.*$/iu.test(
    heading.trim(),
  );
}

function ownKind({ text, headingPath, isCode, workspacePath }: PassageText): PassageKind {
  if (text.trim() === '') return 'content'; // a picture or a scan, which is found by its name
  if (!isCode && (isIndexOfPages(text, workspacePath) || isListOfTitles(text, headingPath))) return 'links';
  const signs = isCode ? 0 : (text.match(LINK_SIGN)?.length ?? 0);
  if (isCode || text.length > MAX_UNLINKED * LONG_WORD + LONG_LINK * signs)
    return isNotice(text) ? 'notice' : 'content';
  const body = withoutHeadings(text);
  const { count, words, text: others } = signs === 0 ? { count: 0, words: 0, text: body } : linkedWords(body);
  const rest = others.replaceAll(COMMENT_TAGS, ' ');
  if (count > 0) {
    const unlinked = countWords(rest);
    const share = words / (words + unlinked || 1);
    const isMostlyLinks = unlinked <= MAX_UNLINKED && (unlinked === 0 || share >= MIN_LINKED);
    const isListed = unlinked <= Math.min(MAX_UNLINKED, MAX_REMARK * count) && announcesLinks(headingPath);
    if (isMostlyLinks || isListed) return 'links';
  } else if (isTitle(rest, headingPath)) return 'title';
  return isNotice(text) ? 'notice' : 'content';
}

function announcesLinks(headingPath: readonly string[]): boolean {
  return /^(?:see also|in this (?:section|article|chapter)|related (?:\p{L}+ )?(?:sections?|articles?|topics?|links?|pages?|notes?|content)?|further reading|next steps|more information|external links|links|quick links|backlinks|(?:table of )?contents|toc|index|navigation|siehe auch|weitere informationen|inhalt(?:sverzeichnis)?|voir aussi|sommaire|véase también|参照|関連(?:項目|リンク|ページ)?|目次|같이 보기|관련 (?:문서|링크|항목)|참고|목차|参见|目录)\s*:?$/iu.test(
    headingPath.at(-1)?.trim() ?? '',
  );
}

/** Fewer items are no list to choose from. */
const MIN_ITEMS = 3;
/** Of the items of a list that leads to pages; the others are about the list. */
const MIN_LEADING = 0.8;
const ITEM = /^[ \t]*(?:[-+*]|\d+[.)])[ \t]+(.*(?:\n[ \t]+(?![-+*\d])\S.*)*)$/gmu;
/** Begins with a link to a page beside this one. What a list says about sites elsewhere, or a note beside its wiki links, stands nowhere else. */
const LEADS_TO_PAGE = /^[*_]{0,2}(?:\[[^\]]*\]\((?![a-z][a-z+.-]*:)|:(?:doc|ref):`)/iu;
/** In a file that is called an index, wiki links lead to pages as well. */
const LEADS_TO_NOTE = new RegExp(String.raw`${LEADS_TO_PAGE.source}|^[*_]{0,2}\[\[`, 'iu');
const INDEX_FILE = /(?:^|\/)(?:_?index|home|readme|moc|[^/]* moc)\.[^/]*$/i;

/** Whether a text is a list of pages of the same corpus, each with a remark about what is there. */
function isIndexOfPages(text: string, path: string): boolean {
  if (!/^[ \t]*(?:[-+*]|\d+[.)])[ \t]+[*_]{0,2}[[:]/mu.test(text)) return false;
  const items = [...text.matchAll(ITEM)].map(([, item = '']) => item);
  const leads = INDEX_FILE.test(path) ? LEADS_TO_NOTE : LEADS_TO_PAGE;
  const leading = items.filter((item) => leads.test(item));
  if (leading.length < MIN_ITEMS || leading.length < MIN_LEADING * items.length) return false;
  const around = withoutHeadings(text.replaceAll(ITEM, '')).replaceAll(COMMENT_TAGS, ' ');
  return countWords(around) <= MAX_UNLINKED && countWords(leading.join('\n')) <= MAX_UNLINKED * leading.length;
}

/** What lists of titles and keywords are called; also by a line of their own, except the bare word that pages are named. */
const CONTENTS_HEADING =
  /^(?:index|table of contents|table des matières|tabla de contenidos?|índice|inhaltsverzeichnis|stichwortverzeichnis|目次|索引|차례|목차|찾아보기|目录)$/iu;
const CONTENTS_LINE = new RegExp(String.raw`^[ \t]*(?!index)${CONTENTS_HEADING.source.slice(1)}`, 'imu');
/** Of the lines of a list of titles; some are what is around it. */
const MIN_SHORT = 0.9;
const MAX_LISTED_WORDS = 12;

/** Whether a text lists titles or keywords whose links were lost with the markup: contents and indexes of web manuals. */
function isListOfTitles(text: string, headingPath: readonly string[]): boolean {
  if (!headingPath.some((heading) => CONTENTS_HEADING.test(heading.trim())) && !CONTENTS_LINE.test(text)) return false;
  const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line));
  const short = lines.filter((line) => countWords(line) <= MAX_LISTED_WORDS);
  return short.length > MIN_ITEMS && short.length >= MIN_SHORT * lines.length;
}

function withoutHeadings(text: string): string {
  return text.replaceAll(ADORNMENT, '').replaceAll(HEADING_LINE, '');
}

/** The links of a text, the words in them, and the text without them. */
function linkedWords(text: string): { readonly count: number; readonly words: number; readonly text: string } {
  let count = 0;
  let words = 0;
  const take = (_: string, ...groups: readonly unknown[]): string => {
    count++;
    const shown = groups.find((group): group is string => typeof group === 'string' && group !== '') ?? '';
    words += Math.max(1, countWords(shown));
    return ' ';
  };
  return { text: LINKS.reduce((rest, link) => rest.replaceAll(link, take), text), count, words };
}

/** Whether a text has no words besides those of its headings. */
function isTitle(text: string, headings: readonly string[]): boolean {
  const words = wordsOf(text);
  if (words.length > MAX_TITLE_WORDS) return false;
  const known = new Set(wordsOf(headings.join(' ')));
  return words.every((word) => known.has(word));
}

/** A licence header names its terms more than once, or is short. */
function isNotice(text: string): boolean {
  if (text.length > MAX_NOTICE_WORDS * 8) return false;
  const named = text.match(NOTICE)?.length ?? 0;
  if (named === 0) return false;
  const words = countWords(text);
  return words <= MAX_NOTICE_WORDS && (named > 1 || words <= 40);
}

function wordsOf(text: string): readonly string[] {
  return scanWords(text.normalize('NFC')).map((word) => word.text.toLowerCase());
}

function countWords(text: string): number {
  return scanWords(text).reduce(
    (sum, { kind, text: word }) => sum + (kind === 'cjk' ? Math.ceil(word.length / 2) : 1),
    0,
  );
}

/** The factor on the score of a passage that is no text of its own: it stays findable, below what answers. */
const OF_KIND: Readonly<Record<PassageKind, number>> = {
  content: 1,
  links: 0.6,
  title: 0.5,
  notice: 0.6,
  changes: 0.6,
};
/** Asks for what changed, or names a version; how one changes something stands in other texts. */
const ASKS_FOR_CHANGES =
  /\d\.\d|\b(?:chang(?:ed|elog)|^changes|changes(?= (?:in|since|from|between)\b|\W*$)|new in|what['’]?s new|releases?d?|versions?|deprecat\w*|removed|breaking|upgrad\w*|migrat\w*|änderung\w*|neuerung\w*|nouveaut\w*|cambios?)\b|변경|버전|릴리스|変更|新機能|リリース|更新/iu;
/** A passage of fewer words may be the title of an office file. */
const FEW_WORDS = 8;
/** Cosines have no zero: the factor counts below the best of the list. */
const COSINE_STEP = 0.15;

/** The factor for prose beside source code when the query is plain words; more for a question, which code seldom answers. */
const PROSE_BESIDE_CODE = { words: 1.4, question: 1.8 };
const QUESTION =
  /^\s*(?:how|why|what|when|where|which|who|can|could|does|do|did|is|are|should|wie|warum|was|wann|wo|wer|welche|comment|pourquoi|quand|cómo|por qué)\b|[?？]\s*$/iu;
/** Like a declaration or a call, so that code is what is meant. */
const NAMES_CODE =
  /^\s*(?:def|class|fn|func|function|struct|enum|trait|interface|type|const|impl|import|from)\s|[(){}[\];=<>]/u;

/** Settings are written in words, and say what notes would: how many, where, how long. */
const SETTINGS_FILE = /(?:^|[./])(?:toml|ya?ml|json[5c]?|ini|cfg|conf|properties|env)$/i;

type OrderedPassage = Omit<
  KnownPassage,
  'chunkId' | 'sourceId' | 'symbol' | 'isManuallyAdded' | 'headingTokens' | 'code'
>;

/** What the order of kinds depends on. */
interface KindOrder {
  /** Whether the scores are cosines. */
  readonly isCosine: boolean;
  /** As typed, without exclusions and quote marks. */
  readonly query: Pick<AnalysedQuery, 'embeddingText'>;
}

/**
 * Moves lists of links, bare titles and licence headers below texts, and prose above source code for a query of plain words; other ties keep
 * their order.
 */
export function orderByKind(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, OrderedPassage>,
  { isCosine, query }: KindOrder,
): readonly ChunkRank[] {
  const isSource = (passage: OrderedPassage | undefined): boolean =>
    passage?.media === 'code' && !SETTINGS_FILE.test(passage.workspacePath);
  const kinds = new Set(entries.map(({ chunkId }) => isSource(passages.get(chunkId))));
  const ofProse = kinds.size === 2 ? proseFactor(query) : 1;
  const asksForChanges = ASKS_FOR_CHANGES.test(query.embeddingText);
  const firstSections = new Map<DocumentId, number>();
  for (const { chunkId } of entries) {
    const { docId, sectionLabel, ordinal } = passages.get(chunkId) ?? {};
    if (docId !== undefined && ordinal !== undefined && sectionLabel !== null)
      firstSections.set(docId, Math.min(ordinal, firstSections.get(docId) ?? ordinal));
  }
  const featureOf = ({ chunkId }: ChunkRank): ChunkRank['kind'] => {
    const passage = passages.get(chunkId);
    if (passage === undefined) return undefined;
    const known = passage.kind === 'changes' && asksForChanges ? 'content' : passage.kind;
    // The title of an office file stands above its sections, and what a page has around its main text, links, below them.
    const isUnit = passage.sectionLabel !== null || passage.media === 'code';
    const first = isUnit ? undefined : firstSections.get(passage.docId);
    const isShort = passage.print.words < FEW_WORDS;
    const isOutside = first !== undefined && (isShort || passage.ordinal > first);
    const kind = known !== 'content' || !isOutside ? known : isShort ? 'title' : 'links';
    if (kind !== 'content') return { is: kind, factor: OF_KIND[kind] };
    return isSource(passage) || ofProse === 1 ? undefined : { is: 'prose', factor: ofProse };
  };
  const features = new Map(entries.map((entry) => [entry.chunkId, featureOf(entry)]));
  if ([...features.values()].every((feature) => feature === undefined)) return entries;
  const least = entries.at(-1)?.score ?? 0;
  return entries
    .map((entry): ChunkRank => {
      const kind = features.get(entry.chunkId);
      if (kind === undefined) return entry;
      const { factor } = kind;
      const moved = isCosine ? entry.score - (1 - factor) * COSINE_STEP : entry.score * factor;
      return { ...entry, score: Math.max(Math.min(least, entry.score), moved), kind };
    })
    .toSorted((a, b) => b.score - a.score || Math.min(1, b.kind?.factor ?? 1) - Math.min(1, a.kind?.factor ?? 1));
}

/** The factor for prose beside source code; 1 for a query that may be about code itself. */
export function proseFactor(query: KindOrder['query']): number {
  const { words, identifiers } = queryShape(query);
  if (words.length < 2 || identifiers.length > 0 || NAMES_CODE.test(query.embeddingText)) return 1;
  return words.length > 2 && QUESTION.test(query.embeddingText) ? PROSE_BESIDE_CODE.question : PROSE_BESIDE_CODE.words;
}

/** What a passage gets whose own heading is all that the query asks for, as a share of its score. */
const BY_HEADING = 0.8;
/** What the mean of the best passages of its document in the list adds, as a share of it. */
const BY_DOCUMENT = 0.1;
/** So many passages of a document count. */
const COUNTED = 5;
/** A heading that more documents have says less, such as `Installation`, or the title that all pages of a scan have. */
const MAX_SHARING = 3;

/** The parts of a passage that the order of sections reads. */
type SectionPassage = Pick<KnownPassage, 'docId' | 'media' | 'headingTokens'>;

/** The content words of the heading of a section, as the index has them. */
export function headingTokensOf(heading: string): readonly string[] {
  return [...new Set(tokensOf(analyseField(heading), (word) => !isFunctionWord(word.toLowerCase())))].filter(
    (token) => token !== '',
  );
}

/**
 * Moves up the sections that are called what the query asks for, and those of a document from which more was found: words of the query
 * are also in passages about something else, but seldom in what these are called. Source code keeps its scores; ties keep their order.
 */
export function orderSections(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, SectionPassage>,
  words: readonly QuestionWord[],
): readonly ChunkRank[] {
  const scoresOf = new Map<DocumentId, number[]>();
  const documentsOf = new Map<string, Set<DocumentId>>();
  for (const { chunkId, score } of entries) {
    const passage = passages.get(chunkId);
    if (passage === undefined) continue;
    const { docId } = passage;
    scoresOf.set(docId, [...(scoresOf.get(docId) ?? []), score]);
    const heading = keyOf(passage);
    documentsOf.set(heading, (documentsOf.get(heading) ?? new Set()).add(docId));
  }
  return entries
    .map((entry): ChunkRank => {
      const passage = passages.get(entry.chunkId);
      if (passage === undefined || passage.media === 'code' || entry.score <= 0) return entry;
      const scores = (scoresOf.get(passage.docId) ?? []).toSorted((a, b) => b - a).slice(0, COUNTED);
      const ofDocument = scores.reduce((sum, score) => sum + score, 0) / COUNTED;
      const sharing = documentsOf.get(keyOf(passage))?.size ?? 1;
      const byHeading = agreement(words, passage.headingTokens) * Math.min(1, MAX_SHARING / sharing);
      const score = (entry.score + BY_DOCUMENT * ofDocument) * (1 + BY_HEADING * byHeading);
      return { ...entry, score, section: score / entry.score };
    })
    .toSorted((a, b) => b.score - a.score);
}

function keyOf({ headingTokens }: SectionPassage): string {
  return headingTokens.join(' ');
}

/** How well a heading and a query agree, 0 to 1: the smaller of the shares of their words that the other one has. */
function agreement(words: readonly QuestionWord[], heading: readonly string[]): number {
  if (words.length === 0 || heading.length === 0) return 0;
  const known = new Set(heading);
  const tokens = words.map((word) => (word.kind === 'cjk' ? word.bigrams : [...word.stems, ...(word.parts ?? [])]));
  const weights = words.map((word) => (word.kind === 'cjk' ? 1 : word.specificity));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const held = weights.reduce((sum, weight, at) => {
    const own = tokens[at] ?? [];
    return sum + (weight * own.filter((token) => known.has(token)).length) / own.length;
  }, 0);
  const inQuery = new Set(tokens.flat());
  const covered = heading.filter((token) => inQuery.has(token)).length / heading.length;
  return Math.min(held / all, covered);
}
