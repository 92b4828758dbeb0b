import { receiveError, sendError, type SentError } from '../../errors/kebab-error.ts';

/** A message between the two ends of a {@link Channel}. Each `ask` with an id, `next` and `ping` has one `answer`. */
export type ChannelMessage =
  /** A request; the answer to one that yields a stream is its first {@link StreamItems}. */
  | {
      readonly kind: 'ask';
      readonly id: number | null;
      readonly request: unknown;
      readonly isStream: boolean;
    }
  | { readonly kind: 'next'; readonly id: number; readonly stream: number }
  | { readonly kind: 'ping'; readonly id: number }
  /** The signal of a request has fired: of a call, or of a stream that it opened. */
  | { readonly kind: 'abort'; readonly id: number; readonly reason: string | null }
  /** A stream is no longer read. */
  | { readonly kind: 'stop'; readonly stream: number }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome }
  /** Something happened during a request: a callback was called, or the state has changed. */
  | { readonly kind: 'event'; readonly id: number; readonly name: string; readonly args: readonly unknown[] };

/** Consecutive items of a stream. */
interface StreamItems {
  readonly items: readonly unknown[];
  readonly isOver: boolean;
}

/** The result of a request to the other end. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: SentError };

/** Returns the value of an outcome, or throws its error. */
export function valueOf(outcome: Outcome): unknown {
  if (outcome.kind === 'failed') throw receiveError(outcome.error);
  return outcome.value;
}

/** The course of a request, for the end that answers it. */
export interface RequestCourse {
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Reports an event of the request. Arguments that cannot be serialised are dropped with the event. */
  readonly event: (name: string, ...args: readonly unknown[]) => void;
}

/** Answers requests. The answer to one that yields a stream is an async iterable. */
export type Answerer<Request> = (request: Request, course: RequestCourse) => unknown;

/** Options of {@link Channel}. */
interface ChannelInit<Received> {
  /** Sends a message to the other end. Throws for data that cannot be serialised. */
  readonly send: (message: ChannelMessage) => void;
  readonly answer: Answerer<Received>;
  /** The form in which the other end receives an error. */
  readonly explain?: ((error: unknown) => SentError) | undefined;
  /** Called when the first request is sent, and when the last one has been answered. */
  readonly onBusy?: ((isBusy: boolean) => void) | undefined;
}

/** Options of a request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for each event of the request; what it throws ends the request. */
  readonly onEvent?: ((name: string, args: readonly unknown[]) => void) | undefined;
  /** Waits for each answer, with a signal for the other end; by default without a limit, with the signal of the request. */
  readonly limit?: ((work: (stop: AbortSignal) => Promise<Outcome>) => Promise<Outcome>) | undefined;
}

/** A message that has an answer. */
type Sent = Extract<ChannelMessage, { readonly kind: 'ask' | 'next' | 'ping' }> & { readonly id: number };

/** A request without an answer. */
interface Waiting {
  readonly settle: (outcome: Outcome | Error) => void;
  /** Settles with the answer, or when nobody waits for it any more. */
  readonly done: Promise<void>;
  /** The request that events are about: this one, or the one that opened the stream. */
  readonly about: number;
  readonly onEvent: RequestOptions['onEvent'];
}

interface Stream {
  readonly iterator: AsyncIterator<unknown>;
  /** An item that was requested but has not arrived. */
  pending: Promise<IteratorResult<unknown>> | null;
}

/** The maximum number of stream items sent together. */
const MAX_ITEMS = 256;
const NEVER = new AbortController().signal;

/**
 * One end of a connection with another process: both may ask. A request has an answer, or a stream that is read batch by batch; its signal
 * and its callbacks reach the other end.
 */
export class Channel<Request, Received = never> {
  readonly #init: ChannelInit<Received>;
  readonly #waiting = new Map<number, Waiting>();
  /** The requests of the other end that are being answered, and the streams that it reads. */
  readonly #courses = new Map<number, AbortController>();
  readonly #streams = new Map<number, Stream>();
  #lastId = 0;
  #ended: Error | null = null;

  constructor(init: ChannelInit<Received>) {
    this.#init = init;
  }

  /** Sends a request and returns its answer. Throws what the other end threw, and the cause of {@link Channel.end}. */
  async ask(request: Request, options: RequestOptions = {}): Promise<unknown> {
    const id = ++this.#lastId;
    return this.#exchange({ kind: 'ask', id, request, isStream: false }, id, options);
  }

  /** Sends a request and yields the items of its answer. Throws like {@link Channel.ask}. */
  async *stream(request: Request, options: RequestOptions = {}): AsyncGenerator {
    const stream = ++this.#lastId;
    try {
      let message: Sent = { kind: 'ask', id: stream, request, isStream: true };
      for (let isOver = false; !isOver;) {
        const answer = (await this.#exchange(message, stream, options)) as StreamItems;
        yield* answer.items;
        ({ isOver } = answer);
        message = { kind: 'next', id: ++this.#lastId, stream };
      }
    } finally {
      this.#init.send({ kind: 'stop', stream });
    }
  }

  /** Sends a request that has no answer. One that cannot be serialised is dropped. */
  tell(request: Request): void {
    this.#report({ kind: 'ask', id: null, request, isStream: false });
  }

  /** Settles when the other end responds, whatever else it does. */
  async ping(options: Pick<RequestOptions, 'limit'>): Promise<void> {
    const id = ++this.#lastId;
    await this.#exchange({ kind: 'ping', id }, id, options);
  }

  /** Settles when nobody waits for an answer any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.#waiting.values()].map(({ done }) => done));
  }

  /** Fires the signals of the requests of the other end. */
  cancel(): void {
    for (const controller of this.#courses.values()) controller.abort();
  }

  /** Ends the connection: requests without an answer fail with the cause, and so do later ones; the other end is not answered any more. */
  end(cause: Error): void {
    this.#ended = cause;
    for (const { settle } of this.#waiting.values()) settle(cause);
    this.cancel();
    for (const stream of this.#streams.keys()) this.#stop(stream);
  }

  /** Handles a message of the other end. */
  take(message: ChannelMessage): void {
    switch (message.kind) {
      case 'ask':
        return void this.#answer(message.id, () => this.#answerTo(message));
      case 'next':
        return void this.#answer(message.id, () => this.#next(message.stream));
      case 'ping':
        return void this.#answer(message.id, () => null);
      case 'abort':
        return this.#courses.get(message.id)?.abort(message.reason ?? undefined);
      case 'stop':
        return this.#stop(message.stream);
      case 'answer':
        return this.#waiting.get(message.id)?.settle(message.outcome);
      case 'event':
        return this.#onEvent(message);
      default:
        message satisfies never;
    }
  }

  async #exchange(message: Sent, about: number, options: RequestOptions): Promise<unknown> {
    const { signal = NEVER, onEvent, limit = (work) => work(signal) } = options;
    const forget: (() => void)[] = [];
    const outcome = (stop: AbortSignal): Promise<Outcome> =>
      new Promise((resolve, reject) => {
        if (this.#ended !== null) return reject(this.#ended);
        let isDone: (() => void) | undefined;
        const done = new Promise<void>((over) => (isDone = over));
        const settle = (result: Outcome | Error): void => {
          isDone?.();
          this.#leave(message.id);
          if (result instanceof Error) reject(result);
          else resolve(result);
        };
        if (this.#waiting.size === 0) this.#init.onBusy?.(true);
        this.#waiting.set(message.id, { settle, done, about, onEvent });
        const onStop = (): void => {
          if (stop !== signal) isDone?.(); // its limit does not wait for the answer
          this.#abort(about, stop.reason);
        };
        forget.push(() => stop.removeEventListener('abort', onStop));
        this.#init.send(message);
        if (stop.aborted) onStop();
        else stop.addEventListener('abort', onStop, { once: true });
      });
    try {
      return valueOf(await limit(outcome));
    } finally {
      for (const one of forget) one();
      this.#leave(message.id);
    }
  }

  #leave(id: number): void {
    if (this.#waiting.delete(id) && this.#waiting.size === 0) this.#init.onBusy?.(false);
  }

  #abort(id: number, reason: unknown): void {
    this.#init.send({ kind: 'abort', id, reason: typeof reason === 'string' ? reason : null });
  }

  #onEvent({ id, name, args }: Extract<ChannelMessage, { readonly kind: 'event' }>): void {
    for (const { about, onEvent, settle } of this.#waiting.values()) {
      if (about !== id) continue;
      try {
        onEvent?.(name, args);
      } catch (error) {
        this.#abort(id, null);
        settle(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  async #answer(id: number | null, work: () => unknown): Promise<void> {
    const { send, explain = sendError } = this.#init;
    let outcome: Outcome;
    try {
      outcome = { kind: 'value', value: await work() };
    } catch (error) {
      outcome = { kind: 'failed', error: explain(error) };
    }
    if (id === null) return;
    try {
      send({ kind: 'answer', id, outcome });
    } catch (error) {
      const cause = new Error(`its answer cannot leave its process: ${(error as Error).message}`, { cause: error });
      send({ kind: 'answer', id, outcome: { kind: 'failed', error: explain(cause) } });
    }
  }

  async #answerTo({ id, request, isStream }: Extract<ChannelMessage, { kind: 'ask' }>): Promise<unknown> {
    const { answer } = this.#init;
    if (id === null) return answer(request as Received, { signal: NEVER, event: () => {} });
    const stop = new AbortController();
    this.#courses.set(id, stop);
    const event: RequestCourse['event'] = (name, ...args) => this.#report({ kind: 'event', id, name, args });
    let isOpen = false;
    try {
      const answered = await answer(request as Received, { signal: stop.signal, event });
      if (!isStream) return answered;
      this.#streams.set(id, { iterator: (answered as AsyncIterable<unknown>)[Symbol.asyncIterator](), pending: null });
      isOpen = true;
    } finally {
      if (!isOpen) this.#courses.delete(id);
    }
    return this.#next(id);
  }

  /** The next item, with following ones that are already available. */
  async #next(id: number): Promise<StreamItems> {
    const stream = this.#streams.get(id);
    if (stream === undefined) return { items: [], isOver: true };
    const items: unknown[] = [];
    const first = await (stream.pending ?? stream.iterator.next());
    stream.pending = null;
    let isOver = first.done === true;
    if (!isOver) items.push(first.value);
    while (!isOver && items.length < MAX_ITEMS) {
      const next = Promise.resolve(stream.iterator.next());
      next.catch(() => {}); // the next request reports the rejection
      const soon = await Promise.race([next.catch(() => null), aTurn()]);
      if (soon === null) {
        stream.pending = next;
        break;
      }
      isOver = soon.done === true;
      if (!isOver) items.push(soon.value);
    }
    if (isOver) this.#forget(id);
    return { items, isOver };
  }

  #stop(id: number): void {
    if (this.#streams.has(id)) this.#courses.get(id)?.abort();
    void this.#forget(id)
      ?.iterator.return?.()
      ?.catch(() => {});
  }

  #forget(id: number): Stream | undefined {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    this.#courses.delete(id);
    return stream;
  }

  #report(message: ChannelMessage): void {
    try {
      this.#init.send(message);
    } catch {
      // an argument that cannot be serialised
    }
  }
}

function aTurn(): Promise<null> {
  return new Promise((resolve) => setImmediate(() => resolve(null)));
}
