import type { Answer, AnswerCitation, AnswerFinding, CitationCheck } from '@kebab/core/app';
import { fragmentOf, placeOfUri, type PlaceAddress } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import { plainText } from './inline.ts';
import { freshnessBadge, note } from './layout.ts';
import { markedText } from './marked.ts';

/** How a sentence of an answer stands to the passages that it cites. */
export type Mark = keyof Texts['marks'];

/** Marks are told apart by their shape, not only by their colour. */
const SHAPES: Readonly<Record<Mark, string>> = {
  supported: '✓',
  computed: '=',
  unsupported: '○',
  contradicted: '✗',
  doubtful: '?',
  unchecked: '–',
  none: '·',
};

/** The members of an answer, or of a turn of a conversation, that are shown. */
export type ShownAnswer = Pick<Answer, 'answer' | 'citations' | 'grounded'> &
  Partial<Pick<Answer, 'checks' | 'explain' | 'failure' | 'alerts' | 'unsupported' | 'written' | 'model' | 'usage'>> & {
    readonly refusal_reason?: Answer['refusal_reason'] | undefined;
    readonly retrieval?: Pick<Answer['retrieval'], 'score_gate' | 'top_score'> | undefined;
  };

/** What is known beside an answer. */
export interface AnswerContext {
  readonly texts: Texts;
  /** Of cited places, by URI, where they are unchanged. */
  readonly cited: ReadonlyMap<string, string>;
  /** Verified citations, by URI; empty when nobody asked for it. */
  readonly checks: ReadonlyMap<string, CitationCheck>;
  /** The question, whose words are lit in the nearest passages of a refusal. */
  readonly question: string;
  /** The address of a cited place; null where places cannot be opened. */
  readonly hrefOf: (place: PlaceAddress) => string | null;
  /** Before ids and in references to them, where several answers stand on one page. */
  readonly prefix?: string;
}

/** An answer with the mark of each sentence, its sources and what was checked; or a refusal with its reason and the nearest passages. */
export function answerSection(answer: ShownAnswer, context: AnswerContext): Html {
  const { texts } = context;
  const { checks, usage, model, alerts = [], unsupported = [], citations, retrieval } = answer;
  const { refusal_reason: reason = null } = answer;
  const isRefused = isRefusal(answer);
  const good = citations.filter(({ citation }) => context.checks.get(citation.uri)?.status === 'exact').length;
  const isGood = answer.grounded && !isRefused;
  const made = [
    checks && texts.checksLine(checks.cited, checks.sentences, checks.details, checks.method),
    model && usage?.latency_ms && texts.answeredBy(model.id, (usage.latency_ms / 1000).toFixed(1)),
  ];
  return html`<section class="answer">
    <h2 class="verdict ${isGood ? 'good' : 'bad'}">
      <span aria-hidden="true">${isGood ? '✓' : '✗'}</span>
      ${isRefused ? texts.refusal : isGood ? texts.grounded : texts.notGrounded}
    </h2>
    ${
      isRefused
        ? html`<p class="said">${answer.answer}</p>
            <p>
              ${reason !== null && texts.refusals[reason]}
              ${reason === 'score_gate' && retrieval !== undefined && texts.belowGate(retrieval.top_score.toFixed(2), retrieval.score_gate.toFixed(2))}
            </p>
            ${
              answer.written !== undefined &&
              html`<p class="more">${texts.written}</p>
                <blockquote class="said">${answer.written}</blockquote>`
            }`
        : sentences(answer, context)
    }
    ${answer.failure !== undefined && note(answer.failure, 'warn')}
    ${checks === undefined && unsupported.length > 0 && note(texts.unsupportedNumbers(unsupported.join(', ')), 'warn')}
    ${alerts.map(({ path, message }) => note(`${path}${path === '' ? '' : ': '}${message}`, 'warn'))}
    ${context.checks.size > 0 && (good === citations.length ? note(texts.allVerified) : note(texts.someVerified(good, citations.length), 'warn'))}
    ${
      citations.length > 0 &&
      html`<h3>${isRefused ? texts.nearest : texts.sources}</h3>
        <ol class="citations">
          ${citations.slice(0, isRefused ? MAX_NEAREST : undefined).map((one, at) => citationItem(one, at, answer, context))}
        </ol>`
    }
    <p class="more">${made.filter(Boolean).join(' · ')}</p>
  </section>`;
}

/** The rest is far from the question. */
const MAX_NEAREST = 5;

/** Whether nothing was answered: what is cited, if anything, is only near. */
export function isRefusal({ refusal_reason: reason = null, citations }: ShownAnswer): boolean {
  return reason !== null && citations.every(({ marker }) => marker === null);
}

function citationItem(one: AnswerCitation, at: number, answer: ShownAnswer, context: AnswerContext): Html {
  const { texts, checks, question, prefix = '' } = context;
  const { marker, citation, score, quotes } = one;
  const freshness = one.freshness === 'deleted' || context.cited.has(citation.uri) ? one.freshness : 'changed';
  const check = checks.get(citation.uri);
  const about =
    marker === null
      ? question
      : withoutMarkers(
          sentencesOf(answer.answer)
            .filter((text) => text.includes(marker))
            .join(' '),
        );
  return html`<li
    class="hit"
    id="${prefix}${marker === null ? `near-${at + 1}` : `c${marker.slice(1, -1)}`}"
    data-uri="${citation.permalink ?? citation.uri}"
  >
    ${linkTo(citation, { kind: 'place', about, context }, html`${marker !== null && html`<b>${marker}</b> `}${citation.path} <span class="at">${texts.at(fragmentOf(citation.uri) ?? '')}</span>`)}${freshnessBadge(freshness, texts)}
    <span class="more">${texts.relevance} ${score.toFixed(2)}</span>
    ${check !== undefined && html`<span class="check ${check.status}"><span aria-hidden="true">${check.status === 'exact' ? '✓' : check.status === 'moved' ? '→' : '✗'}</span> ${texts.checked[check.status]} ${check.found_uri}</span>`}
    <p class="passage">${excerpt(passageOf(citation, context), about)}</p>
    ${quotes.map(({ text, verified: isVerbatim }) => html`<blockquote class="${isVerbatim ? 'good' : 'bad'}">${text} <span class="why">${isVerbatim ? texts.verbatim : texts.notVerbatim}</span></blockquote>`)}
  </li>`;
}

/** A link to a cited place, in which the words are lit that the place shares with a sentence. */
function linkTo(
  { uri, permalink = uri }: AnswerCitation['citation'],
  { kind, about, context }: { readonly kind: string; readonly about: string; readonly context: AnswerContext },
  label: Part,
): Html {
  const query = [...new Set(commonWords(context.cited.get(uri) ?? '', about).map(({ word }) => word))];
  const href = context.hrefOf({ ...placeOfUri(permalink), query: query.slice(0, MAX_LIT_WORDS).join(' ') });
  return href === null
    ? html`<span class="${kind}" tabindex="0">${label}</span>`
    : html`<a class="${kind}" href="${href}">${label}</a>`;
}

/** The text of a cited place without empty lines; those of a page of a PDF file, and most of Markdown, are no lines of its sentences. */
function passageOf({ path, uri }: AnswerCitation['citation'], { cited }: AnswerContext): string {
  const text = plainText(cited.get(uri) ?? '', path);
  const wrap = /\.pdf$/i.test(path) ? /\n/g : /\.(?:mdx?|markdown)$/i.test(path) ? /\n(?=\p{Ll})/gu : /$^/g;
  return text.replaceAll(/\n\s*\n/g, '\n').replaceAll(wrap, ' ');
}

const MAX_LIT_WORDS = 12;
const EXCERPT_CHARS = 480;
/** Words that may say something: longer ones, and everything with a digit. */
const WORD = /[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.,]*[\p{L}\p{M}\p{N}])?/gu;

/** The part of a passage that has most of the words of a sentence, with these lit. */
function excerpt(passage: string, about: string): Part {
  const common = commonWords(passage, about);
  let from = 0;
  let best = 0;
  for (const { at } of common) {
    const distinct = new Set(
      common.filter((one) => one.at >= at && one.at < at + EXCERPT_CHARS / 2).map(({ word }) => word),
    ).size;
    if (distinct > best) [best, from] = [distinct, at];
  }
  const breaks = /\s/.exec(passage.slice(Math.max(0, from - EXCERPT_CHARS / 4)));
  const start = from <= EXCERPT_CHARS / 4 ? 0 : from - EXCERPT_CHARS / 4 + (breaks?.index ?? 0);
  const end = Math.min(passage.length, start + EXCERPT_CHARS);
  const matches = common
    .filter(({ at, text }) => at >= start && at + text.length <= end)
    .map(({ at, text, word }) => ({ start: at - start, end: at - start + text.length, of: word }));
  return [start > 0 && '… ', markedText({ text: passage.slice(start, end), matches }), end < passage.length && ' …'];
}

/** The words of a passage that a sentence has too. */
function commonWords(passage: string, about: string): ReturnType<typeof wordsOf> {
  const wanted = new Set(wordsOf(about).map(({ word }) => word));
  return wordsOf(passage).filter(({ word }) => wanted.has(word));
}

function wordsOf(text: string): readonly { readonly word: string; readonly text: string; readonly at: number }[] {
  return [...text.matchAll(WORD)]
    .filter(
      ([word]) =>
        word.length > 3 || /\p{N}/u.test(word) || (word.length > 1 && /[\p{Script=Hangul}\p{Script=Han}]/u.test(word)),
    )
    .map(({ 0: word, index }) => ({ word: word.toLowerCase(), text: word, at: index }));
}

/** A sentence of an answer with its mark and the reasons for it. */
export interface MarkedSentence {
  readonly text: string;
  /** Where it begins in the answer. */
  readonly start: number;
  readonly mark: Mark;
  readonly findings: readonly AnswerFinding[];
}

/** Details that the cited passages give otherwise. */
const CONTRADICTIONS: ReadonlySet<string> = new Set(['quotation', 'number', 'date', 'unit']);

/** The sentences of an answer in order, which together are its text. A sentence is marked by the worst that was found in it. */
export function markedSentences({
  answer,
  checks,
  explain,
}: Pick<ShownAnswer, 'answer' | 'checks' | 'explain'>): readonly MarkedSentence[] {
  const claims = explain?.claims ?? [];
  const cited = new Set(claims.filter(({ evidence }) => evidence.length > 0).map(({ text }) => withoutMarkers(text)));
  let from = 0;
  return sentencesOf(answer).map((text) => {
    const start = from;
    from += text.length;
    const findings = (checks?.findings ?? []).filter((one) => one.end > start && one.end <= from);
    const isCited = /\[\d+\]/.test(text) || cited.has(withoutMarkers(text));
    return { text, start, findings, mark: checks === undefined ? 'unchecked' : markOf(findings, isCited) };
  });
}

function markOf(findings: readonly AnswerFinding[], isCited: boolean): Mark {
  const failed = findings.filter(({ level }) => level === 'failed');
  if (failed.some(({ kind }) => CONTRADICTIONS.has(kind))) return 'contradicted';
  if (failed.length > 0) return 'unsupported';
  if (findings.some(({ kind }) => kind === 'computed')) return 'computed';
  if (findings.length > 0) return 'doubtful';
  return isCited ? 'supported' : 'none';
}

/** A text split after each sentence; a marker belongs to the sentence before it, and an abbreviation ends none. */
function sentencesOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)) {
    const last = parts.at(-1);
    const markers = /^(?:\s*\[\d+\])+[.,;]?\s*/.exec(segment)?.[0] ?? '';
    const isOpen =
      last !== undefined && !/\n\s*$/.test(last) && (ABBREVIATION.test(last) || /^\s*\p{Ll}/u.test(segment));
    if (last === undefined) parts.push(segment);
    else if (isOpen) parts[parts.length - 1] = last + segment;
    else {
      parts[parts.length - 1] = last + markers;
      if (segment.length > markers.length) parts.push(segment.slice(markers.length));
    }
  }
  return parts;
}

const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|approx|ca|No|Dr|Mr|Mrs|Fig|z\.B|bzw|\p{Lu})\.\s*$/u;

function withoutMarkers(text: string): string {
  return text
    .replaceAll(/\[\d+\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function sentences(answer: ShownAnswer, context: AnswerContext): Html {
  return html`<ol class="sentences">
    ${markedSentences(answer)
      .filter(({ text }) => text.trim() !== '')
      .map(
        (sentence) =>
          html`<li class="${sentence.mark}">
            <span class="mark"
              ><span aria-hidden="true">${SHAPES[sentence.mark]}</span> ${context.texts.marks[sentence.mark]}</span
            >
            <span class="said">${said(sentence, answer, context)}</span>${
              sentence.findings.length > 0 &&
              html`<span class="why">${sentence.findings.map(context.texts.finding).join(' · ')}</span>`
            }
          </li>`,
      )}
  </ol>`;
}

/** A sentence whose failed details are marked, and whose markers lead to the cited places and show their passages. */
function said({ text, start, findings }: MarkedSentence, { citations }: ShownAnswer, context: AnswerContext): Part {
  const byMarker = new Map(citations.map((one) => [one.marker, one.citation]));
  const details = findings.filter(
    (one) => one.start >= start && one.end > one.start && one.kind !== 'claim' && one.kind !== 'citation',
  );
  const parts: Part[] = [];
  let from = 0;
  const upTo = (to: number): void => {
    for (const piece of text.slice(from, to).split(/(\[\d+\])/)) {
      const citation = byMarker.get(piece);
      if (citation === undefined) parts.push(piece);
      else parts.push(markerLink(piece, citation, { text, context }));
    }
    from = Math.max(from, to);
  };
  for (const { start: first, end, level } of details.toSorted((a, b) => a.start - b.start)) {
    if (first - start < from) continue;
    upTo(first - start);
    from = end - start;
    parts.push(html`<em class="${level === 'failed' ? 'bad' : 'warn'}">${text.slice(first - start, from)}</em>`);
  }
  upTo(text.trimEnd().length);
  return parts;
}

function markerLink(
  number: string,
  citation: AnswerCitation['citation'],
  { text, context }: { readonly text: string; readonly context: AnswerContext },
): Html {
  const passage = passageOf(citation, context);
  return html`<span class="cite"
    >${linkTo(citation, { kind: 'marker', about: withoutMarkers(text), context }, number)}<span class="tip" role="note"
      ><b>${citation.path}</b> <span class="at">${context.texts.at(fragmentOf(citation.uri) ?? '')}</span>
      <span class="passage">${excerpt(passage, withoutMarkers(text))}</span></span
    ></span
  >`;
}

/** An answer as Markdown: its text, what is wrong with it, and its citations. */
export function answerMarkdown(question: string, answer: ShownAnswer, texts: Texts): string {
  const flagged = markedSentences(answer).filter(({ findings }) => findings.length > 0);
  const lines = [
    `# ${question.replaceAll(/\s+/g, ' ').trim()}`,
    answer.answer.trim(),
    isRefusal(answer) ? '' : `**${answer.grounded ? `✓ ${texts.grounded}` : `✗ ${texts.notGrounded}`}**`,
    flagged
      .map(
        ({ text, mark, findings }) =>
          `- ${SHAPES[mark]} ${texts.marks[mark]}: “${text.trim()}” (${findings.map(texts.finding).join('; ')})`,
      )
      .join('\n'),
    answer.citations.length === 0 ? '' : `## ${isRefusal(answer) ? texts.nearest : texts.sources}`,
    answer.citations
      .map(
        ({ marker: number, citation }) =>
          `- ${number === null ? '' : `${number} `}\`${citation.permalink ?? citation.uri}\``,
      )
      .join('\n'),
  ];
  return `${lines.filter((line) => line !== '').join('\n\n')}\n`;
}
