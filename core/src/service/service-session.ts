import type { Socket } from 'node:net';
import type { App, Notice } from '../app/app.ts';
import { isLasting, type OperationName, type UseCase } from '../app/facade.ts';
import { OPERATIONS } from '../app/operations.ts';
import {
  LineChannel,
  type ClientMessage,
  type Hello,
  type Refusal,
  type ServiceMessage,
  type ServiceState,
} from './messages.ts';
import { NO_CALLBACKS, NO_FUNCTIONS, packed, unpacked } from './packed-values.ts';

/** The service's callbacks for a session. */
export interface SessionInit {
  /** The App in the context of the client, or why it is not served. */
  readonly hello: (hello: Hello) => Promise<App | Refusal>;
  readonly status: () => ServiceState;
  readonly stop: () => void;
  /** Whether a call may start; each that does is followed by `end`. A lasting operation does not count as activity. */
  readonly begin: (isQuestion: boolean) => boolean;
  readonly end: (isQuestion: boolean) => void;
  readonly closed: () => void;
}

/** One connection of a service: its client, and the calls in progress. */
export class ServiceSession {
  readonly init: SessionInit;
  readonly #channel: LineChannel<ServiceMessage, ClientMessage>;
  readonly #calls = new Map<number, AbortController>();
  #app: App | null = null;
  #sentNotices = 0;

  constructor(socket: Socket, init: SessionInit) {
    this.init = init;
    this.#channel = new LineChannel(socket, {
      message: (message: ClientMessage) => void this.#take(message),
      end: () => {
        this.cancel(); // the client is gone
        void this.#app?.close();
        init.closed();
      },
    });
  }

  get isWelcome(): boolean {
    return this.#app !== null;
  }

  /** Cancels the calls in progress. */
  cancel(): void {
    for (const controller of this.#calls.values()) controller.abort();
  }

  /** Closes the connection once all sent messages have left. */
  async close(): Promise<void> {
    const { socket } = this.#channel;
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => socket.destroy(), 500);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      socket.destroySoon();
    });
  }

  async #take(message: ClientMessage): Promise<void> {
    switch (message.kind) {
      case 'hello':
        return this.#hello(message);
      case 'call':
        return this.#call(message);
      case 'cancel':
        return this.#calls.get(message.id)?.abort(unpacked(message.reason, NO_CALLBACKS) ?? undefined);
      case 'status':
        return void this.#channel.send({ kind: 'status', state: packed(this.init.status(), NO_FUNCTIONS) });
      case 'stop':
        this.#channel.send({ kind: 'stopping' });
        return this.init.stop();
      default:
        message satisfies never;
    }
  }

  async #hello(hello: Hello): Promise<void> {
    const answer = await this.init.hello(hello);
    if (typeof answer === 'string') return void this.#channel.send({ kind: 'refused', why: answer });
    this.#app = answer;
    const { names: files } = answer.openedFiles;
    this.#channel.send({ kind: 'welcome', pid: process.pid, files, notices: this.#newNotices() });
  }

  async #call({ id, operation, args }: Extract<ClientMessage, { readonly kind: 'call' }>): Promise<void> {
    const app = this.#app;
    const isQuestion = !isLasting(operation);
    if (app === null || !isServed(operation) || !this.init.begin(isQuestion))
      return void this.#channel.socket.destroy();
    this.#channel.send({ kind: 'begun', id });
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      let unpackedArgs = unpacked(args, {
        callback:
          (callback) =>
          (...values) =>
            void this.#channel.send({ kind: 'event', id, callback, args: packed(values, NO_FUNCTIONS) }),
        signal: () => controller.signal,
      }) as readonly unknown[];
      // The client may disconnect without having passed a signal.
      if (!isQuestion) unpackedArgs = [{ ...(unpackedArgs[0] as object | undefined), signal: controller.signal }];
      const value = await this.#answer(id, (app[operation] as UseCase)(...unpackedArgs));
      this.#channel.send({ kind: 'result', id, value: packed(value, NO_FUNCTIONS), ...this.#more() });
    } catch (error) {
      this.#channel.send({ kind: 'failure', id, error: packed(error, NO_FUNCTIONS), ...this.#more() });
    } finally {
      this.#calls.delete(id);
      this.init.end(isQuestion);
    }
  }

  /** The single value of an operation; a stream is sent item by item, as fast as the client reads it. */
  async #answer(id: number, answer: unknown): Promise<unknown> {
    if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer;
    for await (const item of answer as AsyncIterable<unknown>) {
      if (!this.#channel.send({ kind: 'item', id, value: packed(item, NO_FUNCTIONS) })) await this.#channel.drained();
      if (this.#calls.get(id)?.signal.aborted === true || this.#channel.socket.destroyed) break;
    }
    return undefined;
  }

  #more(): { readonly notices?: readonly Notice[] } {
    const notices = this.#newNotices();
    return notices.length === 0 ? {} : { notices };
  }

  #newNotices(): readonly Notice[] {
    const { notices = [] } = this.#app ?? {};
    const fresh = notices.slice(this.#sentNotices);
    this.#sentNotices = notices.length;
    return fresh;
  }
}

/** Whether a service performs an operation: some always run in the client's process. */
function isServed(operation: string): operation is OperationName {
  return Object.hasOwn(OPERATIONS, operation) && !('runsLocally' in OPERATIONS[operation as OperationName]);
}
