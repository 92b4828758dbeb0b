import type { SearchHit, SearchResponse } from '@kebab/core/app';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import { bar } from './bar.ts';
import { note } from './layout.ts';

/** How a hit came to its rank: its place on each side, and what its relevance was estimated from. */
export function hitExplanation({ score, score_kind: kind, retrieval }: SearchHit, best: number, texts: Texts): Html {
  const { evidence, relevance, lexical_rank: words, vector_rank: meaning, rerank_rank: reranked } = retrieval;
  const rank = (name: string, value: number | null | undefined): Part =>
    value !== null && value !== undefined && row(name, 1 / Math.sqrt(value), `#${value}`);
  const share = (name: string, value: number | null | undefined): Part =>
    value !== null && value !== undefined && row(name, value, value.toFixed(2));
  return html`<table class="bars why">
    <caption>
      ${texts.whyHere}
    </caption>
    <tbody>
      ${row(`${texts.points} (${kind})`, best > 0 ? score / best : 0, score.toFixed(2))}
      ${rank(texts.rankByWords, words)}${rank(texts.rankByMeaning, meaning)}${rank(texts.rankReranked, reranked)}
      ${share(texts.relevance, relevance)}${share(texts.wordsHeld, evidence?.held)}
      ${share(texts.wordsInOrder, evidence?.in_order)}${share(texts.nearness, evidence?.nearness)}
      ${retrieval.kind_factor !== undefined && row(texts.kindFactor, retrieval.kind_factor / 2, `×${retrieval.kind_factor.toFixed(2)}`)}
      ${retrieval.named !== undefined && row(texts.namedBy, 1, retrieval.named)}
    </tbody>
  </table>`;
}

function row(name: Part, share: number, label: Part): Html {
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${bar(share, label)}</td>
  </tr>`;
}

/** How a search was read and ranked, with the time of each stage; and a form that asks why a file is not among the hits. */
export function searchExplanation(
  { trace, expect }: SearchResponse,
  { query, expected }: { readonly query: string; readonly expected: string },
  texts: Texts,
): Part {
  if (trace === undefined) return null;
  const { query: read, fusion, timing } = trace;
  const stages = Object.entries(timing).filter(([, ms]) => ms > 0);
  const words = [...read.terms, ...read.phrases.map((one) => `"${one}"`), ...read.excluded.map((one) => `-${one}`)];
  return html`<section class="explain">
    <h2>${texts.howRanked}</h2>
    <table class="bars">
      <tbody>
        <tr>
          <th scope="row">${texts.readAs}</th>
          <td><code>${words.slice(0, 40).join(' ')}</code></td>
        </tr>
        ${stages.map(([stage, ms]) => row(stage.replace(/_ms$/, ''), ms / Math.max(timing.total_ms, 0.001), `${ms.toFixed(1)} ms`))}
        ${
          fusion !== undefined && [
            row(
              texts.weightOfWords,
              fusion.weight_lexical / (fusion.weight_lexical + fusion.weight_vector || 1),
              fusion.weight_lexical.toFixed(2),
            ),
            row(
              texts.weightOfMeaning,
              fusion.weight_vector / (fusion.weight_lexical + fusion.weight_vector || 1),
              `${fusion.weight_vector.toFixed(2)} (${fusion.reason})`,
            ),
          ]
        }
      </tbody>
    </table>
    <form class="search" action="/" method="get">
      <input type="hidden" name="q" value="${query}" /><input type="hidden" name="explain" value="1" />
      <input
        type="text"
        id="expect"
        name="expect"
        value="${expected}"
        placeholder="notes/a.md"
        aria-label="${texts.whyNotHere}"
      />
      <button>${texts.whyNotHere}</button>
    </form>
    ${expect !== undefined && note([expect.reason, expect.hint !== null && ` — ${expect.hint}`], expect.outcome === 'on_page' ? 'plain' : 'warn')}
  </section>`;
}
