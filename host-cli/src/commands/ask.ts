import { parseAskRequest, type Answer, type AnswerEvent, type App } from '@kebab/core/app';
import { ASK_FLAGS } from '../cli/ask-flags.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { requestOf } from '../cli/search-request.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { degradedNotice } from '../render/degraded-notice.ts';

/** `kebab ask`: answers a question from the documents, or says that they do not. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const question = values.arg('QUESTION');
  const request = parseAskRequest({ query: question, ...requestOf(values, ASK_FLAGS) });
  const app = await context.openApp();
  const watched = await watch(context);
  const answer = await app.ask(request, { signal, onEvent: watched.onEvent });
  if (!context.quiet) for (const { path, message } of answer.alerts) warn(context, path, message);
  if (!values.has('stream')) {
    if (context.json) context.printJson(answer);
    else await show(answer, { context, app, grown: watched.grown() });
  }
  return answer.grounded ? EXIT.ok : EXIT.nothing;
}

/** Somebody who follows an answer while it grows. */
interface Watcher {
  readonly onEvent: (event: AnswerEvent) => void;
  /** What a terminal has seen of it. */
  readonly grown: () => string;
}

async function watch(context: CommandContext): Promise<Watcher> {
  let grown = '';
  if (context.values.has('stream')) return { onEvent: (event) => context.printJson(event), grown: () => grown };
  if (context.json || !context.io.stdout.isTerminal || context.values.has('explain'))
    return { onEvent: () => undefined, grown: () => grown };
  const onEvent = (event: AnswerEvent): void => {
    if (event.kind !== 'token') return;
    grown += event.delta;
    context.print(event.delta);
  };
  return { onEvent, grown: () => grown };
}

/** Alerts are data about the answer: they come with `--json` too, and only `--quiet` silences them. */
function warn(context: CommandContext, path: string, message: string): void {
  context.io.stderr.line(`warning: file ref ${path}: ${message}`);
}

async function show(
  answer: Answer,
  { context, app, grown }: { readonly context: CommandContext; readonly app: App; readonly grown: string },
): Promise<void> {
  const screen = await context.screen();
  const { renderAnswer, renderBelowAnswer } = await import('../render/answer.ts');
  if (answer.explain !== undefined) {
    const { renderExplainedAnswer } = await import('../render/explained-answer.ts');
    const options = { question: context.values.arg('QUESTION'), rrfK: await rrfConstant(app) };
    context.print(`${grown === '' ? '' : '\n\n'}${renderExplainedAnswer(answer, options, screen)}`);
  } else if (grown === '') context.print(renderAnswer(answer, screen));
  else if (answer.answer.trim() === grown.trim()) context.print(`\n${renderBelowAnswer(answer, screen)}`);
  else context.print(`\n\n${renderAnswer(answer, screen)}`);
  for (const stage of answer.degraded) context.tell(degradedNotice(stage, answer.retrieval.mode));
}

async function rrfConstant(app: App): Promise<number | null> {
  const { entries } = await app.configView();
  const value = entries.find(({ key }) => key === 'search.rrf_k')?.value;
  return typeof value === 'number' ? value : null;
}
