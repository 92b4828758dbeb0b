import type { Answer, AnswerCitation, AnswerFinding } from '@kebab/core/app';
import { documentHref, fragmentOf, pageHref, type PlaceAddress } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import { freshnessBadge, layout, note } from './layout.ts';

/** How a sentence of an answer stands to the passages that it cites. */
export type Mark = keyof Texts['marks'];

/** The page of a question: a form, and below it the answer with a mark on each sentence. */
export function askPage(
  { question, answer }: { readonly question: string; readonly answer: Answer | null },
  texts: Texts,
): Html {
  return layout({
    title: question === '' ? texts.ask : question,
    texts,
    here: 'ask',
    jsonHref: answer === null ? undefined : pageHref('/ask.json', { q: question }),
    main: html`<form class="search ask" action="/ask" method="get">
        <input
          type="text"
          name="q"
          value="${question}"
          placeholder="${texts.askHint}"
          aria-label="${texts.askHint}"
          autocomplete="off"
        />
        <button>${texts.ask}</button>
      </form>
      ${answer === null ? html`<p class="intro">${texts.askIntro}</p>` : answered(answer, texts)}`,
  });
}

function answered(answer: Answer, texts: Texts): Part {
  const isRefusal = answer.refusal_reason !== null && answer.citations.every(({ marker }) => marker === null);
  const { checks, usage, model } = answer;
  return [
    isRefusal
      ? html`<section class="answer refusal">
          <h1>${texts.refusal}</h1>
          <p>${answer.answer}</p>
        </section>`
      : html`<section class="answer">
          <h1 class="verdict ${answer.grounded ? 'good' : 'bad'}">
            ${answer.grounded ? texts.grounded : texts.notGrounded}
          </h1>
          ${sentences(answer, texts)}
        </section>`,
    answer.failure !== undefined && note(answer.failure, 'warn'),
    answer.unsupported.length > 0 && note(texts.unsupportedNumbers(answer.unsupported.join(', ')), 'warn'),
    answer.alerts.map(({ path, message }) => note(`${path}${path === '' ? '' : ': '}${message}`, 'warn')),
    answer.citations.length > 0 &&
      html`<h2>${isRefusal ? texts.nearest : texts.sources}</h2>
        <ol class="citations">
          ${answer.citations.map((one, at) => citationItem(one, at, texts))}
        </ol>`,
    html`<p class="more">
      ${checks !== undefined && `${texts.checksLine(checks)} · `}${texts.answeredBy(model.id, (usage.latency_ms / 1000).toFixed(1))}
    </p>`,
  ];
}

function citationItem({ marker, citation, score, freshness, quotes }: AnswerCitation, at: number, texts: Texts): Html {
  const place = placeOf(citation);
  return html`<li
    class="hit"
    id="${marker === null ? `near-${at + 1}` : `c${marker.slice(1, -1)}`}"
    data-uri="${citation.permalink ?? citation.uri}"
  >
    <a class="place" href="${documentHref(place)}"
      >${marker !== null && html`<b>${marker}</b> `}${citation.path} <span class="at">${place.at}</span></a
    >${freshnessBadge(freshness, texts)}
    <span class="more">${texts.score} ${score.toFixed(2)}</span>
    ${quotes.map(({ text, verified }) => html`<blockquote class="${verified ? 'good' : 'bad'}">${text}</blockquote>`)}
  </li>`;
}

function placeOf({ path, uri, source_id: sourceId = 'default' }: AnswerCitation['citation']): PlaceAddress {
  return { sourceId, path, at: fragmentOf(uri) };
}

/** A sentence of an answer with its mark and the reasons for it. */
export interface MarkedSentence {
  readonly text: string;
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
}: Pick<Answer, 'answer' | 'checks' | 'explain'>): readonly MarkedSentence[] {
  const claims = explain?.claims ?? [];
  const cited = new Set(claims.filter(({ evidence }) => evidence.length > 0).map(({ text }) => plainText(text)));
  let start = 0;
  return sentencesOf(answer).map((text) => {
    const range = { start, end: start + text.length };
    start = range.end;
    const findings = (checks?.findings ?? []).filter((one) => one.end > range.start && one.end <= range.end);
    const isCited = /\[\d+\]/.test(text) || cited.has(plainText(text));
    return { text, findings, mark: checks === undefined ? 'unchecked' : markOf(findings, isCited) };
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

function plainText(text: string): string {
  return text
    .replaceAll(/\[\d+\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function sentences(answer: Answer, texts: Texts): Part {
  const byMarker = new Map(answer.citations.map((one) => [one.marker, one.citation]));
  return html`<ol class="sentences">
    ${markedSentences(answer)
      .filter(({ text }) => text.trim() !== '')
      .map(
        ({ text, mark, findings }) =>
          html`<li class="${mark}">
            <span class="mark">${texts.marks[mark]}</span>
            <span class="said">${withLinks(text.trim(), byMarker)}</span
            >${findings.map(({ message }) => html`<span class="why">${message}</span>`)}
          </li>`,
      )}
  </ol>`;
}

/** A sentence whose markers link to the cited places. */
function withLinks(text: string, byMarker: ReadonlyMap<string | null, AnswerCitation['citation']>): Part {
  return text.split(/(\[\d+\])/).map((part) => {
    const citation = byMarker.get(part);
    return citation === undefined
      ? part
      : html`<a class="marker" href="${documentHref(placeOf(citation))}" title="${citation.uri}">${part}</a>`;
  });
}
