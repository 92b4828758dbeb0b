import type { SearchHit, SearchResponse } from '@kebab/core/app';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import { note, textField } from './layout.ts';
import { barTable, type BarRow } from './tables.ts';

/** How a hit came to its rank: its place on each side, and what its relevance was estimated from. */
export function hitExplanation({ score, score_kind: kind, retrieval }: SearchHit, best: number, texts: Texts): Html {
  const { evidence, relevance, kind_factor: factor, named } = retrieval;
  const ranks = [
    [texts.rankByWords, retrieval.lexical_rank],
    [texts.rankByMeaning, retrieval.vector_rank],
    [texts.rankReranked, retrieval.rerank_rank],
  ] as const;
  const shares = [
    [texts.relevance, relevance],
    [texts.wordsHeld, evidence?.held],
    [texts.wordsInOrder, evidence?.in_order],
    [texts.nearness, evidence?.nearness],
  ] as const;
  const rows: readonly BarRow[] = [
    { name: `${texts.points} (${kind})`, share: best > 0 ? score / best : 0, label: score.toFixed(2) },
    ...ranks.flatMap(([name, rank]) => (rank ? [{ name, share: 1 / Math.sqrt(rank), label: `#${rank}` }] : [])),
    ...shares.flatMap(([name, share]) => (typeof share === 'number' ? [{ name, share, label: share.toFixed(2) }] : [])),
    ...(factor === undefined ? [] : [{ name: texts.kindFactor, share: factor / 2, label: `×${factor.toFixed(2)}` }]),
    ...(named === undefined ? [] : [{ name: texts.namedBy, share: 1, label: named }]),
  ];
  return html`<details class="more">
    <summary>${texts.whyHere}: ${texts.points} ${score.toFixed(2)}</summary>
    ${barTable(rows)}
  </details>`;
}

/** How a search was read and ranked, with the time of each stage; and a form that asks why a file is not among the hits. */
export function searchExplanation(
  { trace, expect }: SearchResponse,
  { query, expected }: { readonly query: string; readonly expected: string },
  texts: Texts,
): Part {
  if (trace === undefined) return null;
  const { query: read, fusion, timing } = trace;
  const stages = Object.entries(timing)
    .filter(([, ms]) => ms > 0)
    .map(([stage, ms]) => ({
      name: texts.timing[stage as keyof typeof timing],
      share: ms / Math.max(timing.total_ms, 0.001),
      label: `${ms.toFixed(1)} ms`,
    }));
  const { weight_lexical: byWords = 0, weight_vector: byMeaning = 0, reason } = fusion ?? {};
  const sum = byWords + byMeaning || 1;
  const weights =
    fusion === undefined
      ? []
      : [
          { name: texts.weightOfWords, share: byWords / sum, label: byWords.toFixed(2) },
          { name: texts.weightOfMeaning, share: byMeaning / sum, label: `${byMeaning.toFixed(2)} (${reason})` },
        ];
  const words = [...read.terms, ...read.phrases.map((one) => `"${one}"`), ...read.excluded.map((one) => `-${one}`)];
  return html`<section class="explain">
    <h2>${texts.howRanked}</h2>
    <p>${texts.readAs}: <code>${words.slice(0, 40).join(' ')}</code></p>
    ${barTable([...stages, ...weights])}
    <form class="search" action="/" method="get">
      <input type="hidden" name="q" value="${query}" /><input type="hidden" name="explain" value="1" />
      ${textField({ name: 'expect', value: expected, hint: 'notes/a.md', label: texts.whyNotHere })}
      <button>${texts.whyNotHere}</button>
    </form>
    ${expect !== undefined && note(texts.expected(expect), expect.outcome === 'on_page' ? 'plain' : 'warn')}
  </section>`;
}
