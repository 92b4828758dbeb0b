import { INDEX_VERSION, type Answer, type Claim } from '@kebab/core/app';
import { renderCandidates, renderFooter, renderUnsupported } from './answer.ts';
import { printable, printableLines } from '../io/printable.ts';
import type { Screen } from './screen.ts';

/** What the answer itself does not tell. */
export interface ExplainOptions {
  readonly question: string;
  /** The constant of the fusion; null when it is not known. */
  readonly rrfK: number | null;
}

const LABEL_COLUMNS = 16;

/** An answer taken apart: each sentence with what backs it, how the passages were found, and what it cost. */
export function renderExplainedAnswer(answer: Answer, options: ExplainOptions, screen: Screen): string {
  const claims = answer.grounded
    ? (answer.explain?.claims ?? []).map((claim) => renderClaim(claim, screen)).join('')
    : `${printableLines(answer.answer)}\n${renderCandidates(answer, screen)}`;
  return [
    claims,
    renderTrace(answer, options),
    `${renderUnsupported(answer, screen)}${renderFooter(answer, screen)}\n${renderCosts(answer)}`,
  ].join('\n');
}

function renderClaim({ text, evidence }: Claim, { colors }: Screen): string {
  const lines = evidence.map(({ uri, quote, verified }) => {
    const flag = verified === false ? `  ${colors.red('✗ quote not found')}` : '';
    const place = `  └ ${colors.cyan(printable(uri))}${flag}`;
    return quote === null ? place : `${place}\n    「${printable(quote)}」`;
  });
  return `${[`▎ ${printable(text.replace(/[.。]$/, ''))}`, ...lines].join('\n')}\n`;
}

function renderTrace({ retrieval, explain }: Answer, { question, rrfK }: ExplainOptions): string {
  const { mode, k, score_gate: gate, top_score: top, chunks_used: used, chunks_returned: returned } = retrieval;
  const constant = rrfK === null ? '' : ` (k=${rrfK})`;
  const lines = [
    row('query', printable(JSON.stringify(question))),
    row('mode', mode),
    row('k', String(k)),
    row('threshold (gate)', `${gate.toFixed(2)}  → top-1 ${top.toFixed(2)}  ${top >= gate ? 'pass' : 'fail'}`),
    row('fusion', mode === 'hybrid' ? `rrf${constant}` : '-'),
    row('chunks (used)', `${used} / ${returned} returned`),
    ...(explain?.passages ?? []).map(
      ({ marker, uri, score, lexical_score: bm25, vector_score: vec }) =>
        `    #${marker.slice(1, -1)} ${score.toFixed(2)}  ${printable(uri)}${scores(bm25, vec)}`,
    ),
  ];
  return `${['retrieval trace', ...lines].join('\n')}\n`;
}

function row(label: string, value: string): string {
  return `  ${label.length < LABEL_COLUMNS ? label.padEnd(LABEL_COLUMNS) : `${label} `}${value}`;
}

function scores(bm25: number | null, vec: number | null): string {
  const parts = [
    ...(bm25 === null ? [] : [`bm25=${bm25.toFixed(1)}`]),
    ...(vec === null ? [] : [`vec=${vec.toFixed(2)}`]),
  ];
  return parts.length === 0 ? '' : `  ${parts.join(' ')}`;
}

function renderCosts({ usage, embedding }: Answer): string {
  const { prompt_tokens: prompt, completion_tokens: completion, latency_ms: latency } = usage;
  return [
    `prompt   ${prompt} tokens  completion ${completion} tokens  latency ${Math.round(latency)} ms\n`,
    `embedding ${printable(embedding?.id ?? 'none')}  index ${INDEX_VERSION}\n`,
  ].join('');
}
