import { EventEmitter, on } from 'node:events';
import type { Notice } from '../app/app.ts';
import type { OperationName } from '../app/facade.ts';
import { OpenedFiles } from '../app/opened-files.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { receiveError } from '../errors/kebab-error.ts';
import { BUILD, type Caller, type ClientMessage, LineChannel, type ServiceMessage } from './messages.ts';
import { packed, unpacked } from './packed-values.ts';

type Answer = Extract<ServiceMessage, { readonly kind: 'welcome' | 'refused' | 'status' | 'stopping' }>;

/** The connection ended before a call was answered. */
export class ServiceLost extends Error {
  /** Whether something of the answer was passed on. */
  readonly hasBegun: boolean;

  constructor(hasBegun: boolean) {
    super('the kebab service ended before it had answered');
    this.name = 'ServiceLost';
    this.hasBegun = hasBegun;
  }
}

/** A pending call. */
interface PendingCall {
  readonly callbacks: readonly ((...args: readonly unknown[]) => unknown)[];
  readonly onItem: (value: unknown) => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  hasBegun: boolean;
}

/** A call that has been sent. */
interface SentCall {
  readonly id: number;
  /** Throws {@link ServiceLost}. */
  readonly answer: Promise<unknown>;
}

/** A connection to a service. It keeps the process alive only while a call is pending. */
export class ServiceClient {
  /** What the App of the service depends on; null before {@link hello} was accepted. */
  openedFiles: OpenedFiles | null = null;
  /** Notices for the user, each once; new ones are appended. */
  notices: readonly Notice[] = [];
  readonly #channel: LineChannel<ClientMessage, ServiceMessage>;
  readonly #pending = new Map<number, PendingCall>();
  #onAnswer: ((message: Answer | null) => void) | undefined;
  #calls = 0;

  private constructor(socket: import('node:net').Socket) {
    this.#channel = new LineChannel(socket, {
      message: (message: ServiceMessage) => this.#take(message),
      end: () => this.#end(),
    });
  }

  /** Connects to an address; null when nothing answers. */
  static connect(address: string): Promise<ServiceClient | null> {
    const { connect } = process.getBuiltinModule('node:net'); // an import would load it for every search
    return new Promise((resolve) => {
      const socket = connect(address);
      socket.once('error', () => resolve(null));
      socket.once('connect', () => resolve(new ServiceClient(socket)));
    });
  }

  get isOpen(): boolean {
    return !this.#channel.socket.destroyed;
  }

  /** Introduces the client, and returns the answer; null when there is none in time. */
  async hello(caller: Caller, timeoutMs: number): Promise<Answer | null> {
    const answer = await this.ask({ kind: 'hello', version: KEBAB_VERSION, build: BUILD, caller }, timeoutMs);
    if (answer?.kind === 'welcome') {
      this.openedFiles = new OpenedFiles(answer.files);
      this.notices = answer.notices;
      this.#channel.socket.unref();
    }
    return answer;
  }

  /** Sends a message that has one answer; null when there is none in time, or the connection has ended. */
  ask(message: ClientMessage, timeoutMs: number): Promise<Answer | null> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve(null);
      const timer = setTimeout(() => this.#onAnswer?.(null), timeoutMs);
      this.#onAnswer = (answer) => {
        this.#onAnswer = undefined;
        clearTimeout(timer);
        resolve(answer);
      };
      this.#channel.send(message);
    });
  }

  /** Has the service perform an operation. Throws {@link ServiceLost}. */
  call(operation: OperationName, args: readonly unknown[]): Promise<unknown> {
    return this.#call(operation, args, () => {}).answer;
  }

  /** Has the service perform an operation that returns a stream, which ends without waiting once `until` fires. Throws {@link ServiceLost}. */
  async *stream(
    operation: OperationName,
    args: readonly unknown[],
    until: AbortSignal | undefined,
  ): AsyncGenerator<unknown, void, undefined> {
    const emitter = new EventEmitter();
    const items = on(emitter, 'item', { close: ['end'] });
    const { id, answer } = this.#call(operation, args, (item) => emitter.emit('item', item));
    const end = (): void => void emitter.emit('end');
    answer.then(end, end);
    until?.addEventListener('abort', end, { once: true });
    if (until?.aborted === true) end();
    try {
      for await (const [item] of items as AsyncIterable<readonly unknown[]>) yield item;
      if (until?.aborted !== true) await answer;
    } finally {
      until?.removeEventListener('abort', end);
      if (this.#pending.has(id)) this.#cancel(id, undefined);
    }
  }

  close(): void {
    this.#channel.socket.destroy();
  }

  /** Waits until the connection is closed; false when the service keeps it open for longer. */
  closed(timeoutMs: number): Promise<boolean> {
    const { socket } = this.#channel;
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve(true);
      const timer = setTimeout(() => resolve(false), timeoutMs);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #call(operation: OperationName, args: readonly unknown[], onItem: (value: unknown) => void): SentCall {
    const id = ++this.#calls;
    const signals: AbortSignal[] = [];
    const callbacks: ((...args: readonly unknown[]) => unknown)[] = [];
    const packedArgs = packed(args, {
      callback: (call) => callbacks.push(call) - 1,
      signal: (signal) => signals.push(signal),
    });
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { callbacks, onItem, resolve, reject, hasBegun: false });
    });
    this.#channel.socket.ref();
    this.#channel.send({ kind: 'call', id, operation, args: packedArgs });
    if (!this.isOpen) this.#end();
    const cancel = (): void => this.#cancel(id, signals.find(({ aborted }) => aborted)?.reason);
    for (const signal of signals) {
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
    }
    const settled = answer.finally(() => {
      for (const signal of signals) signal.removeEventListener('abort', cancel);
    });
    return { id, answer: settled };
  }

  /** Requests the cancellation of a call, which still gets an answer. */
  #cancel(id: number, reason: unknown): void {
    this.#channel.send({ kind: 'cancel', id, reason: typeof reason === 'string' ? reason : null });
  }

  #take(message: ServiceMessage): void {
    if (!('id' in message)) return this.#onAnswer?.(message);
    const call = this.#pending.get(message.id);
    if (call === undefined) return;
    switch (message.kind) {
      case 'item':
        call.hasBegun = true;
        call.onItem(unpacked(message.value));
        break;
      case 'event':
        call.hasBegun = true;
        this.#callBack(message, call);
        break;
      case 'result':
        this.#settle(message);
        call.resolve(unpacked(message.value));
        break;
      case 'failure':
        this.#settle(message);
        call.reject(receiveError(message.error));
        break;
      default:
        message satisfies never;
    }
  }

  /** An error thrown by a callback ends its call, as it would without a service. */
  #callBack(
    { id, callback, args }: Extract<ServiceMessage, { readonly kind: 'event' }>,
    { callbacks, reject }: PendingCall,
  ): void {
    try {
      callbacks[callback]?.(...(unpacked(args) as readonly unknown[]));
    } catch (error) {
      this.#cancel(id, undefined);
      this.#settle({ id });
      reject(error);
    }
  }

  #settle({ id, notices }: { readonly id: number; readonly notices?: readonly Notice[] }): void {
    this.#pending.delete(id);
    this.notices = notices ?? this.notices;
    if (this.#pending.size === 0) this.#channel.socket.unref();
  }

  #end(): void {
    this.#onAnswer?.(null);
    for (const { hasBegun, reject } of this.#pending.values()) reject(new ServiceLost(hasBegun));
    this.#pending.clear();
  }
}
