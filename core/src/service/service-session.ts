import type { Socket } from 'node:net';
import type { App } from '../app/app.ts';
import { isLasting, type OperationName, type UseCase } from '../app/facade.ts';
import { OPERATIONS } from '../app/operations.ts';
import { classifyError } from '../errors/classify-error.ts';
import { sendError } from '../errors/kebab-error.ts';
import {
  LineChannel,
  type ClientMessage,
  type Hello,
  type Refusal,
  type ServiceMessage,
  type ServiceState,
} from './messages.ts';
import { packed, unpacked } from './packed-values.ts';

/** The service, as its sessions see it. */
export interface SessionHost {
  /** The App in the context of the client, or why it is not served. */
  hello(hello: Hello): Promise<App | Refusal>;
  state(): ServiceState;
  stop(): void;
  /** Whether a call may start; each that does is followed by `end`. A lasting operation does not count as activity. */
  begin(isQuestion: boolean): boolean;
  end(isQuestion: boolean): void;
  closed(session: ServiceSession): void;
}

/** One connection of a service: its client, and the calls in progress. */
export class ServiceSession {
  readonly #host: SessionHost;
  readonly #channel: LineChannel<ServiceMessage, ClientMessage>;
  readonly #calls = new Map<number, AbortController>();
  #app: App | null = null;

  constructor(socket: Socket, host: SessionHost) {
    this.#host = host;
    this.#channel = new LineChannel(socket, {
      message: (message: ClientMessage) => void this.#take(message),
      end: () => {
        this.cancel(); // the client is gone
        void this.#app?.close();
        host.closed(this);
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
        return this.#calls.get(message.id)?.abort(message.reason ?? undefined);
      case 'status':
        return this.#channel.send({ kind: 'status', state: this.#host.state() });
      case 'stop':
        this.#channel.send({ kind: 'stopping' });
        return this.#host.stop();
      default:
        message satisfies never;
    }
  }

  async #hello(hello: Hello): Promise<void> {
    const answer = await this.#host.hello(hello);
    if (typeof answer === 'string') return this.#channel.send({ kind: 'refused', why: answer });
    this.#app = answer;
    this.#channel.send({ kind: 'welcome', files: answer.openedFiles.names, notices: answer.notices });
  }

  async #call({ id, operation, args }: Extract<ClientMessage, { readonly kind: 'call' }>): Promise<void> {
    const app = this.#app;
    const isQuestion = !isLasting(operation);
    if (app === null || !isServed(operation) || !this.#host.begin(isQuestion))
      return void this.#channel.socket.destroy();
    const controller = new AbortController();
    const { signal } = controller;
    this.#calls.set(id, controller);
    try {
      const unpackedArgs = unpacked(args, {
        callback:
          (callback) =>
          (...values) =>
            this.#channel.send({ kind: 'event', id, callback, args: packed(values) }),
        signal: () => signal,
      }) as readonly unknown[];
      // The client may disconnect without having passed a signal.
      const ownArgs = isQuestion ? unpackedArgs : [{ ...(unpackedArgs[0] as object | undefined), signal }];
      const value = await this.#answer(id, (app[operation] as UseCase)(...ownArgs));
      this.#channel.send({ kind: 'result', id, value: packed(value), notices: app.notices });
    } catch (error) {
      this.#channel.send({ kind: 'failure', id, error: sendError(classifyError(error)), notices: app.notices });
    } finally {
      this.#calls.delete(id);
      this.#host.end(isQuestion);
    }
  }

  /** The single value of an operation; a stream is sent item by item. */
  async #answer(id: number, answer: unknown): Promise<unknown> {
    if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer;
    for await (const item of answer as AsyncIterable<unknown>) {
      this.#channel.send({ kind: 'item', id, value: packed(item) });
      if (this.#calls.get(id)?.signal.aborted === true || this.#channel.socket.destroyed) break;
    }
    return undefined;
  }
}

/** Whether a service performs an operation: some always run in the client's process. */
function isServed(operation: string): operation is OperationName {
  return Object.hasOwn(OPERATIONS, operation) && !('runsLocally' in OPERATIONS[operation as OperationName]);
}
