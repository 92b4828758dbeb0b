import { EventEmitter, once } from 'node:events';
import type { Answer, AnswerCitation, AnswerEvent, App, AskStage, Caller } from '@kebab/core/app';
import { LRU } from 'tiny-lru';

/** A question, or the conversation that it continues; answers are those of one caller, null for the user of this machine. */
export interface Question {
  readonly caller: Caller | null;
  readonly question?: string | undefined;
  readonly session?: string | undefined;
}

/** An answer with the texts that it cites, by URI. */
export interface AnswerWithTexts {
  readonly answer: Answer;
  readonly cited: ReadonlyMap<string, string>;
}

/** What happens before an answer is whole: a stage begins, or text is written that nothing has checked yet. */
export type AnswerStep = AskStage | { readonly kind: 'text'; readonly text: string };

/** A question that is being answered, or was. Several readers may follow it; it is given up when none has for a while. */
export class AnswerRun {
  readonly question: string;
  readonly startedAt = new Date().toISOString();
  readonly answer: Promise<AnswerWithTexts>;
  readonly #steps: AnswerStep[] = [];
  readonly #gone = new AbortController();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #isOver = false;
  #readers = 0;
  #leaving: NodeJS.Timeout | undefined;

  constructor(
    question: string,
    run: (signal: AbortSignal, onStep: (step: AnswerStep) => void) => Promise<AnswerWithTexts>,
  ) {
    this.question = question;
    const onStep = (step: AnswerStep): void => {
      this.#steps.push(step);
      this.#changes.emit('change');
    };
    this.answer = run(this.#gone.signal, onStep).finally(() => {
      this.#isOver = true;
      clearTimeout(this.#leaving);
      this.#changes.emit('change');
    });
    this.answer.catch(() => undefined); // whoever reads it handles it
    this.#leave();
  }

  get isGivenUp(): boolean {
    return this.#gone.signal.aborted;
  }

  /** Everything from the beginning until the answer is whole; rejects when the reader has left. */
  async *steps(signal: AbortSignal): AsyncGenerator<AnswerStep> {
    this.#readers++;
    clearTimeout(this.#leaving);
    try {
      for (let at = 0; ;) {
        const step = this.#steps[at];
        if (step !== undefined) {
          at++;
          yield step;
        } else if (this.#isOver) return;
        else await once(this.#changes, 'change', { signal });
      }
    } finally {
      this.#readers--;
      this.#leave();
    }
  }

  /** The whole answer. */
  async whole(signal: AbortSignal): Promise<AnswerWithTexts> {
    for await (const step of this.steps(signal)) void step;
    return this.answer;
  }

  /** Ends it; what was written is its answer. */
  giveUp(): void {
    this.#gone.abort(new DOMException('nobody waits for the answer', 'AbortError'));
  }

  #leave(): void {
    if (this.#readers === 0 && !this.#isOver) this.#leaving = setTimeout(() => this.giveUp(), LEAVING_MS).unref();
  }
}

/** A browser follows a redirection, or loads a page again, in less. */
const LEAVING_MS = 2000;
const MAX_ANSWERS = 200;

/** The answers of one server, so that whoever comes back to a page finds the same one, and no model is asked twice. */
export class Answers {
  readonly #use: <T>(caller: Caller | null, run: (app: App) => Promise<T>) => Promise<T>;
  readonly #runs = new LRU<AnswerRun>(MAX_ANSWERS);

  constructor(use: <T>(caller: Caller | null, run: (app: App) => Promise<T>) => Promise<T>) {
    this.#use = use;
  }

  /** The answer to a question, which is asked now unless it was before. A conversation goes on once its question before is answered. */
  to(asked: Question & { readonly question: string }): AnswerRun {
    return this.running(asked) ?? this.#start(asked);
  }

  /** The answer to a question, or to the last one of a conversation, that is being written, or could not be. */
  running(asked: Question): AnswerRun | undefined {
    const run = this.#runs.get(keyOf(asked));
    return run?.isGivenUp === true ? undefined : run;
  }

  forget(asked: Question): void {
    this.#runs.delete(keyOf(asked));
  }

  /** Whoever follows an answer that is being written still gets it. */
  forgetAll(): void {
    this.#runs.clear();
  }

  /** Ends what is running. */
  async close(): Promise<void> {
    const runs = this.#runs.values().filter((run) => run !== undefined);
    this.#runs.clear();
    for (const run of runs) run.giveUp();
    await Promise.allSettled(runs.map(({ answer }) => answer));
  }

  #start({ caller, question, session }: Question & { readonly question: string }): AnswerRun {
    const key = keyOf({ caller, question, session });
    const run = new AnswerRun(question, (signal, onStep) =>
      this.#use(caller, async (app) => {
        const onEvent = (event: AnswerEvent): void => {
          if (event.kind === 'token') onStep({ kind: 'text', text: event.delta });
        };
        const answer = await app.ask({ question, session, explain: true }, { signal, onEvent, onStage: onStep });
        return { answer, cited: await citedTexts(app, answer.citations, signal) };
      }),
    );
    this.#runs.set(key, run);
    const isKept = ({ answer }: AnswerWithTexts): boolean =>
      session === undefined && answer.refusal_reason !== 'llm_stream_aborted';
    const drop = (): void => void (this.#runs.get(key) === run && this.#runs.delete(key));
    run.answer.then(
      (whole) => isKept(whole) || drop(),
      () => setTimeout(drop, LEAVING_MS).unref(), // until then, whoever follows it learns why
    );
    return run;
  }
}

function keyOf({ caller, question, session }: Question): string {
  return JSON.stringify(session === undefined ? [caller, question] : [caller, null, session]);
}

/** The texts of cited places, by URI, as far as they are still those that were cited. */
export function citedTexts(
  app: App,
  citations: readonly AnswerCitation[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  return byUri(citations, async ({ uri, content_hash: hash }) => {
    const fetched = await app.fetch({ kind: 'uri', uri }, { signal, refresh: false });
    const { text, citation } = fetched.kind === 'chunk' ? fetched.chunk : { citation: null, ...fetched };
    if (citation?.content_hash !== hash) throw new Error(`another text stands at ${uri}`);
    return text;
  });
}

/** What is read for each citation, by its URI, as far as it can be read: its place says what happened to the rest. */
export async function byUri<T>(
  citations: readonly AnswerCitation[],
  read: (citation: AnswerCitation['citation']) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const entries = citations.map(async ({ citation }) => [citation.uri, await read(citation)] as const);
  const settled = await Promise.allSettled(entries);
  return new Map(settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
}
