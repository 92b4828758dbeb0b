import {
  INDEX_VERSION,
  ASK,
  parseAskRequest,
  printable,
  printableLines,
  type Answer,
  type AnswerCitation,
  type AnswerEvent,
  type App,
  type Claim,
  type AskStage,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { groundedMark, markedLines, renderVerdict } from './answer-marks.ts';
import { noteDegraded, noteIndex } from './search-notices.ts';
import type { Screen } from '../screen/screen.ts';
import { evidenceText, relevanceText } from './search-screen.ts';
import { progressStyle } from '../progress/ingest-progress.ts';
import { citedUri } from '../screen/shown-values.ts';
import { fitEnd, fitStart, textWidth } from '../screen/text-width.ts';

/** `kebab ask`: answers a question from the documents, or refuses. */
export async function ask(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const request = parseAskRequest({ query: values.arg('QUESTION'), ...(await context.request(ASK)) });
  const app = await context.openApp();
  const growing = isShownGrowing(context);
  const progress = startAskProgress(context);
  const gone = new AbortController();
  let grown = '';
  const answer = await app
    .ask(request, {
      signal: AbortSignal.any([signal, gone.signal]),
      refresh: !values.has('no-refresh'),
      onStage: progress.onStage,
      onEvent: (event: AnswerEvent) => {
        if (values.has('stream')) context.printJson(event);
        if (context.io.stdout.closed) gone.abort(); // the reader of the pipe has left
        if (!growing || event.kind !== 'token') return;
        progress.end();
        grown += event.delta;
        context.print(event.delta);
      },
    })
    .finally(progress.end);
  // Alerts are data about the answer: they are printed with --json too, and only --quiet suppresses them.
  const alert = (): void => {
    for (const each of context.quiet ? [] : answer.alerts) context.io.stderr.line(`warning: ${alertText(each)}`);
  };
  if (grown === '') alert();
  if (!values.has('stream')) {
    if (context.json) context.printJson(answer);
    else await show(answer, grown, { context, app });
  }
  if (grown !== '') alert(); // the end of the text on the screen may still be rewritten
  if (signal.aborted && answer.refusal_reason === 'llm_stream_aborted') return EXIT.interrupted;
  return answer.grounded ? EXIT.ok : EXIT.nothing;
}

/** Whether the answer is streamed to a terminal token by token. */
function isShownGrowing({ values, json, io }: CommandContext): boolean {
  return !json && !values.has('stream') && !values.has('explain') && io.stdout.isTerminal;
}

/** Prints an answer, or the part of it that has not been streamed yet. */
async function show(
  answer: Answer,
  grown: string,
  { context, app }: { readonly context: CommandContext; readonly app: App },
): Promise<void> {
  const screen = context.screen();
  const gap = grown === '' ? '' : '\n\n';
  if (answer.explain !== undefined) {
    const options = { question: context.values.arg('QUESTION'), rrfK: await rrfConstant(app) };
    context.print(`${gap}${renderExplained(answer, options, screen)}`);
  } else if (grown !== '' && answer.answer.trim() === grown.trim())
    context.print(`\n${renderDoubtful(answer, screen)}${renderBelow(answer, screen)}`);
  else if (grown !== '' && withoutMarkers(answer.answer) === withoutMarkers(grown)) {
    // Only the markers that kebab has set are missing on the screen.
    const isTakenBack = context.io.stdout.retract(rowsOf(grown, context.io.stdout.columns ?? Infinity));
    context.print(`${isTakenBack ? '' : gap}${renderAnswer(answer, screen)}`);
  } else context.print(`${gap}${renderAnswer(answer, screen)}`);
  await noteDegraded(answer.degraded, answer.retrieval.mode, { context, app: await context.openApp() });
  await noteIndex(answer.index, context);
}

/** An alert in one line. */
function alertText({ code, path, line, message }: Answer['alerts'][number]): string {
  if (path === '') return message;
  return code.startsWith('file_ref')
    ? `file ref ${path}: ${message}`
    : `${path}${line === undefined ? '' : `:${line}`} ${message}`;
}

function withoutMarkers(text: string): string {
  return text.replaceAll(/\[\d{1,3}\]/g, '').replaceAll(/\s+/g, '');
}

/** How many rows of a terminal a printed text takes. */
function rowsOf(text: string, columns: number): number {
  const lines = printableLines(text).split('\n');
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
}

async function rrfConstant(app: App): Promise<number | null> {
  const { entries } = await app.configView();
  const value = entries.find(({ key }) => key === 'search.rrf_k')?.value;
  return typeof value === 'number' ? value : null;
}

const RULE = '─'.repeat(57);
const INDENT = '    ';
const MAX_CANDIDATES = 3;
const LABEL_COLUMNS = 16;

function renderAnswer(answer: Answer, screen: Screen): string {
  return `${renderText(answer, screen)}\n${renderBelow(answer, screen)}`;
}

function renderText(answer: Answer, screen: Screen): string {
  const lines = markedLines(answer, screen).map(({ text }) => text);
  return `${lines.join('\n')}${renderWritten(answer, screen)}`;
}

/** Model output that is not an answer, indented below the refusal; empty if there is none. */
function renderWritten({ written }: Answer, { colors }: Screen): string {
  if (written === undefined) return '';
  const lines = printableLines(written).split('\n');
  return `\n\n${colors.dim('the model wrote, unverified:')}\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** The lines of an answer with failed claims; empty if there are none. */
function renderDoubtful(answer: Answer, screen: Screen): string {
  const doubtful = markedLines(answer, screen).filter((line) => line.doubtful);
  return doubtful.length === 0
    ? ''
    : `\nnot found where it is cited:\n\n${doubtful.map(({ text }) => text).join('\n')}\n`;
}

/** Everything below the text of an answer: its citations or, for a refusal, the closest candidates. */
function renderBelow(answer: Answer, screen: Screen): string {
  const footer = `${renderVerdict(answer, screen)}${renderFooter(answer, screen)}\n`;
  if (!isCited(answer)) return `${renderCandidates(answer, screen)}\n${footer}`;
  const citations = answer.citations.map((citation) => renderCitation(citation, screen));
  return `\n${screen.colors.dim(RULE)}\n${citations.join('')}\n${footer}`;
}

/** Whether an answer cites passages, whether or not they support it. */
function isCited({ citations }: Answer): boolean {
  return citations.some(({ marker }) => marker !== null);
}

/** The candidates of a refusal, at most three; empty without any. */
function renderCandidates(answer: Answer, { colors }: Screen): string {
  if (answer.citations.length === 0) return '';
  const lines = answer.citations
    .slice(0, MAX_CANDIDATES)
    .map(({ citation, score }) => `  · ${colors.cyan(printable(citedUri(citation)))}  (score ${relevanceText(score)})`);
  return `${[candidatesHeading(answer), ...lines].join('\n')}\n`;
}

/** How far to trust an answer, in one line. */
function renderFooter(answer: Answer, { colors }: Screen): string {
  const { grounded, model, prompt_template_version, retrieval } = answer;
  const { chunks_used: used } = retrieval;
  const chunks = isCited(answer)
    ? `${used} chunks`
    : used === 0
      ? '0 chunks used'
      : `${used} chunks searched, 0 grounded`;
  return [groundedMark(grounded, colors), printable(model.id), printable(prompt_template_version), chunks].join('  ');
}

function renderCitation({ marker, citation, verified }: AnswerCitation, { colors }: Screen): string {
  const flag = verified === false ? `  ${colors.red('✗ quote not found')}` : '';
  return `${colors.yellow(marker ?? '')} ${colors.cyan(printable(citedUri(citation)))}${flag}\n${INDENT}${printable(labelOf(citation))}\n`;
}

function labelOf(citation: AnswerCitation['citation']): string {
  switch (citation.kind) {
    case 'line':
    case 'page':
      return citation.section ?? '-';
    case 'anchor':
      return citation.section ?? citation.label;
    case 'code':
      return citation.symbol ?? '-';
    case 'region':
    case 'caption':
    case 'time':
      return '-';
    default:
      return citation satisfies never;
  }
}

/** The line above the candidates of a refusal. */
function candidatesHeading({ refusal_reason: reason, retrieval, checks }: Answer): string {
  if (checks !== undefined && reason !== 'llm_stream_aborted') return 'searched, but the answer cites none of:';
  switch (reason) {
    case 'score_gate':
      return `closest candidates (together below the threshold ${retrieval.score_gate.toFixed(2)}):`;
    case 'nli_verification_failed':
    case 'nli_model_unavailable':
      return 'searched, but the answer was not verified by:';
    case 'multi_hop_decompose_failed':
      return 'closest candidates:';
    case 'llm_stream_aborted':
      return 'searched, when it was interrupted:';
    default:
      return 'searched, but the model found no answer in:';
  }
}

/** Data for an explained answer that the answer itself does not contain. */
interface ExplainOptions {
  readonly question: string;
  /** The constant k of rank fusion; null if it is not known. */
  readonly rrfK: number | null;
}

/** An answer in detail: each sentence with its evidence, how the passages were found, and the cost. */
function renderExplained(answer: Answer, options: ExplainOptions, screen: Screen): string {
  const claims = isCited(answer)
    ? (answer.explain?.claims ?? []).map((claim) => renderClaim(claim, screen)).join('') +
      renderDoubtful(answer, screen)
    : `${renderText(answer, screen)}\n${renderCandidates(answer, screen)}`;
  return [
    claims,
    renderTrace(answer, options),
    `${renderVerdict(answer, screen)}${renderFooter(answer, screen)}\n${renderCosts(answer)}`,
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
  const isByRank = explain?.trace.fusion?.method !== 'relevance';
  const lines = [
    row('query', printable(JSON.stringify(question))),
    row('mode', mode),
    row('k', String(k)),
    row('threshold (gate)', `${gate.toFixed(2)}  → top-1 ${relevanceText(top)}  ${top >= gate ? 'pass' : 'fail'}`),
    ...(retrieval.evidence === undefined ? [] : [row('top-1 rests on', evidenceText(retrieval.evidence))]),
    row('fusion', mode === 'hybrid' ? (isByRank ? `rrf${constant}` : 'relevance') : '-'),
    row('chunks (used)', `${used} / ${returned} returned`),
    ...(explain?.passages ?? []).map(
      ({ marker, uri, score, lexical_score: bm25, vector_score: vec }) =>
        `    #${marker.slice(1, -1)} ${relevanceText(score)}  ${printable(uri)}${scores(bm25, vec)}`,
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

/** Shows the stage that a question is waiting for. */
interface AskProgress {
  readonly onStage: (stage: AskStage) => void;
  /** Erases the line; later stages show nothing. */
  readonly end: () => void;
}

const TICK_MS = 1000;

/**
 * Shows the current stage and its seconds on a terminal of standard error until the answer begins: loading a model takes time, and it is
 * silent while it reads the prompt. Shows nothing in a pipe or with `--json`, `--stream` or `--quiet`.
 */
function startAskProgress(context: CommandContext): AskProgress {
  const { stderr } = context.io;
  if (progressStyle(context) !== 'line' || context.values.has('stream'))
    return { onStage: () => undefined, end: () => undefined };
  let shown: { readonly stage: AskStage; readonly since: number } | null = null;
  let ended = false;
  const draw = (): void => {
    if (shown === null || ended) return;
    const seconds = Math.floor((performance.now() - shown.since) / TICK_MS);
    stderr.draw(renderStage(shown.stage, { seconds, columns: (stderr.columns ?? Infinity) - 1 }));
  };
  const ticking = setInterval(draw, TICK_MS).unref();
  return {
    onStage: (stage) => {
      shown = { stage, since: performance.now() };
      draw();
    },
    end: () => {
      clearInterval(ticking);
      if (shown !== null && !ended) stderr.erase();
      ended = true;
    },
  };
}

const MIN_PATH_COLUMNS = 8;

/** A stage in one line of at most this many columns; the list of documents is shortened first. */
export function renderStage(
  stage: AskStage,
  { seconds, columns }: { readonly seconds: number; readonly columns: number },
): string {
  const since = seconds === 0 ? '' : ` ${seconds} s`;
  if (stage.kind === 'searching') return fitStart(`searching${since}`, columns);
  const waiting = `waiting for ${stage.model}${since}`;
  const reading = renderReading(stage.reading, columns - textWidth(waiting) - 2);
  return fitStart(reading === '' ? waiting : `${reading}, ${waiting}`, columns);
}

/** The first document being read, and the number of others; empty if there is no room for it. */
function renderReading([first, ...more]: readonly string[], columns: number): string {
  if (first === undefined) return '';
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  const room = columns - textWidth(`reading ${rest}`);
  return room < MIN_PATH_COLUMNS ? '' : `reading ${fitEnd(first, room)}${rest}`;
}
