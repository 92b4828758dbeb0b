import type { BulkSearchBrief, SearchBrief, SearchHit, SearchResponse } from '@kebab/core/app';

type BriefHit = SearchBrief['hits'][number];

/** A page of hits with what an agent needs to choose, read, cite and check them: a tenth of the bytes of the whole. */
export function briefOf(response: SearchResponse, isCut: boolean): SearchBrief {
  const { hits, next_cursor, mode, truncated, degraded, relaxed, notices, suggestions, index, trace, expect } =
    response;
  return {
    schema_version: 'search_brief.v1',
    hits: hits.map(briefHit),
    next_cursor,
    mode,
    ...(truncated || isCut ? { truncated: true } : {}),
    ...(degraded.length === 0 ? {} : { degraded }),
    ...(relaxed === undefined ? {} : { relaxed }),
    ...(notices === undefined ? {} : { notices }),
    ...(suggestions === undefined ? {} : { suggestions }),
    ...(index === undefined ? {} : { index }),
    ...(trace === undefined ? {} : { trace }),
    ...(expect === undefined ? {} : { expect }),
  };
}

function briefHit({ citation, section_label: section, score, snippet, freshness, retrieval }: SearchHit): BriefHit {
  const { relevance } = retrieval;
  return {
    uri: citation.uri,
    ...(section === null ? {} : { section }),
    score: Number(score.toPrecision(3)),
    ...(relevance === undefined ? {} : { relevance }),
    content_hash: citation.content_hash,
    snippet,
    ...(freshness === 'fresh' ? {} : { freshness }),
  };
}

/** The same for a host that shows texts alone: every uri, how each passage begins, and how to go on. */
export function briefText({
  hits,
  next_cursor: cursor,
  degraded,
  relaxed,
  notices,
  suggestions,
  index,
}: SearchBrief): string {
  const first = hits.map((hit, at) => `${at + 1}. ${hit.uri}${freshnessOf(hit)}\n${excerptOf(hit.snippet)}`);
  const more = [
    ...(hits.length === 0 ? ['Nothing found.'] : []),
    ...(suggestions === undefined ? [] : [`suggestions: ${JSON.stringify(suggestions)}`]),
    ...(relaxed === undefined ? [] : [`relaxed: ${JSON.stringify(relaxed)}`]),
    ...(notices ?? []).map(({ text, hint }) => `${text}: ${hint}`),
    ...(degraded ?? []).map(({ stage, reason, hint }) => `not searched: ${stage} (${reason}); ${hint}`),
    ...(index === undefined
      ? []
      : index.changed === 0
        ? [index.hint]
        : [`${index.changed} changed files are not in the index (${index.reason}); ${index.hint}`]),
    ...(cursor === null ? [] : [`next_cursor: ${cursor}`]),
  ];
  return [...first, ...more].join('\n');
}

/** The texts of several searches, each below its query. */
export function bulkText({ results }: BulkSearchBrief): string {
  return results
    .map(({ query, response, error }) => {
      const answer = response === undefined ? `error: ${error?.message}; ${error?.hint}` : briefText(response);
      return `## ${query ?? 'no query'}\n${answer}`;
    })
    .join('\n\n');
}

const MAX_EXCERPT = 80;

/** The beginning of a snippet, cut between words; structured content has all of it. */
function excerptOf(snippet: string): string {
  if (snippet.length <= MAX_EXCERPT) return snippet;
  const start = snippet.slice(0, MAX_EXCERPT).replace(/[\uD800-\uDBFF]$/, '');
  const words = /^.*(?=\s)/s.exec(start)?.[0] ?? '';
  return `${words.length > MAX_EXCERPT / 2 ? words : start}…`;
}

function freshnessOf({ freshness }: BriefHit): string {
  return freshness === undefined ? '' : ` [${freshness}]`;
}
