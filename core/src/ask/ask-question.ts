import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { estimateTokens } from '../domain/text-size.ts';
import type { Answer, AnswerEvent } from '../wire/index.ts';
import { type AskOptions, type AskStage, findExtensions, type AskPorts } from './run/ask-sources.ts';
import { checkAsk, type AskRequest, type CheckedAsk } from '../requests/ask.ts';
import { scoreGate } from './retrieval/retrieve-evidence.ts';
import { type AskResult, type AskStart, toAnswerRow, writeAnswer } from './run/write-answer.ts';
import { notifyHooks } from '../plugin/hooks.ts';
import { runAsk } from './run/run-ask.ts';
import { answerItem, appendTurn } from './sessions/chat-sessions.ts';

/** The number of random bytes in the id of an answer. */
const TRACE_BYTES = 4;

/**
 * Answers one question from the documents, with verified citations, or refuses. A refusal is an answer; so is a partial text when the
 * signal fires. No model is called unless the evidence is good enough. Errors: `invalid_input` for an invalid question or one that does not
 * fit the context, `cancelled` when an extension stops it, those of a search, and of the model before its first token.
 */
export async function askQuestion(ports: AskPorts, request: AskRequest, options: AskOptions = {}): Promise<Answer> {
  const { config, log, clock } = ports;
  const started = performance.now();
  const asked = checkAsk(request, config);
  checkSize(asked, config.rag.maxContextTokens);
  const extensions = await findExtensions(ports);
  const heard = (listen: () => void): void => {
    try {
      listen();
    } catch (error) {
      log.debug('a listener of an answer failed', { cause: String(error) });
    }
  };
  const emit = (event: EventWithoutStamp): void => {
    const stamp = { schema_version: 'answer_event.v1', ts: clock.now().toISOString() } as const;
    heard(() => options.onEvent?.({ ...stamp, ...event }));
  };
  const stage = (waits: AskStage): void => heard(() => options.onStage?.(waits));
  const context = { ports, asked, extensions, emit, stage, signal: options.signal };
  const start = startOf(ports, asked);
  const result = await runAsk(context);
  const written = writeAnswer(start, result, performance.now() - started);
  const answer = await store(ports, { start, result, answer: written });
  notifyHooks(extensions.hooks, 'onAnswer', { value: answer, log });
  log.debug('answered', {
    trace_id: answer.retrieval.trace_id,
    grounded: answer.grounded,
    refusal_reason: answer.refusal_reason,
    cited: answer.citations.map(({ citation }) => citation.uri),
  });
  emit({ kind: 'final', answer });
  return answer;
}

/** A question longer than any prompt is not searched for. */
function checkSize({ question }: CheckedAsk, max: number): void {
  const tokens = estimateTokens(question);
  if (tokens <= max) return;
  throw invalidInput(`the question takes ${tokens} tokens, and a prompt may take ${max}`, {
    field: 'query',
    value: `${question.slice(0, 100)}…`,
    hint: 'shorten the question, or raise rag.max_context_tokens',
  });
}

function startOf({ config, clock, randomBytes }: AskPorts, asked: CheckedAsk): AskStart {
  const { model, provider } = config.models.llm;
  return {
    asked,
    traceId: `ret_${Buffer.from(randomBytes(TRACE_BYTES)).toString('hex')}`,
    createdAt: clock.now(),
    model: { id: asked.model ?? model, provider },
    scoreGate: scoreGate(config.rag, asked.mode),
  };
}

/**
 * Stores the turn of a conversation, which may fail, and the record of the answer, whose failure is only logged. Returns the answer at its
 * place in the conversation.
 */
async function store(
  { documents, sessions, config, log }: AskPorts,
  { start, result, answer }: { readonly start: AskStart; readonly result: AskResult; readonly answer: Answer },
): Promise<Answer> {
  const { base, submitted, written } = result;
  const { question, template } = start.asked;
  if (base?.hasDatabase !== true) return answer;
  let stored = answer;
  if (base.session !== null) {
    const turn = {
      question,
      answer: answer.answer,
      citationsJson: JSON.stringify(answer.citations),
      items: [...(submitted?.items ?? []), answerItem(answer)],
      createdAt: start.createdAt,
    };
    const settings = { model: answer.model, template, maxContextTokens: config.rag.maxContextTokens };
    stored = { ...answer, turn_index: await appendTurn(await sessions.write(), base.session, turn, settings) };
  }
  try {
    const row = toAnswerRow(question, stored, written?.passages ?? []);
    await (await documents.write()).answers.record(row);
  } catch (error) {
    if (!isKebabError(error, 'readonly_mode')) log.error('an answer was not recorded', { cause: String(error) });
  }
  return stored;
}

type EventWithoutStamp = AnswerEvent extends infer E
  ? E extends AnswerEvent
    ? Omit<E, 'schema_version' | 'ts'>
    : never
  : never;
