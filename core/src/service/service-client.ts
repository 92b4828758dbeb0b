import type { Notice } from '../app/app.ts';
import type { OperationName } from '../app/facade.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { LineChannel } from './line-channel.ts';
import { BUILD, PROTOCOL, type Asker, type ClientMessage, type ServiceMessage } from './messages.ts';
import { packed, unpacked } from './packed-values.ts';

type Answer = Extract<ServiceMessage, { readonly kind: 'welcome' | 'refused' | 'status' | 'stopping' }>;

/** What became of a call that has no answer: whether it was begun, and how much of it had arrived. */
export class ServiceLost extends Error {
  /** False when the service certainly did nothing. */
  readonly isBegun: boolean;
  /** Events that were passed on. */
  readonly events: number;

  constructor({ isBegun, events }: Pick<ServiceLost, 'isBegun' | 'events'>) {
    super('the service ended before it had answered');
    this.name = 'ServiceLost';
    this.isBegun = isBegun;
    this.events = events;
  }
}

/** A call that waits for its answer. */
interface Waiting {
  readonly callbacks: ((...args: readonly unknown[]) => unknown)[];
  readonly onItem: (value: unknown) => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  events: number;
}

/** A connection to a service. While no call is under way it does not keep the process alive. */
export class ServiceClient {
  readonly #channel: LineChannel<ClientMessage, ServiceMessage>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #notices: Notice[] = [];
  #answer: ((message: Answer | null) => void) | undefined;
  #calls = 0;

  private constructor(socket: import('node:net').Socket) {
    this.#channel = new LineChannel(socket, {
      message: (message: ServiceMessage) => this.#take(message),
      end: () => this.#end(),
    });
  }

  /** Connects to an address; null where nobody answers. */
  static connect(address: string): Promise<ServiceClient | null> {
    const { connect } = process.getBuiltinModule('node:net'); // an import would load it for every search
    return new Promise((resolve) => {
      const socket = connect(address);
      socket.once('error', () => resolve(null));
      socket.once('connect', () => resolve(new ServiceClient(socket)));
    });
  }

  /** What the user should know, each once; grows at its end. */
  get notices(): readonly Notice[] {
    return this.#notices;
  }

  get isOpen(): boolean {
    return !this.#channel.socket.destroyed;
  }

  /** Says who asks, and returns the answer; null when none comes in time. */
  async hello(asker: Asker, timeoutMs: number): Promise<Answer | null> {
    const message = { kind: 'hello', protocol: PROTOCOL, version: KEBAB_VERSION, build: BUILD, asker } as const;
    const answer = await this.ask(message, timeoutMs);
    if (answer?.kind === 'welcome') {
      this.#notices.push(...answer.notices);
      this.#channel.socket.unref();
    }
    return answer;
  }

  /** Sends a message that has one answer. */
  ask(message: ClientMessage, timeoutMs: number): Promise<Answer | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.close(), timeoutMs);
      this.#answer = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#channel.send(message);
    });
  }

  /** Has the service perform an operation; `onItem` receives what comes before its end. Throws {@link ServiceLost}. */
  call(
    operation: OperationName,
    args: readonly unknown[],
    onItem: (value: unknown) => void = () => {},
  ): Promise<unknown> {
    const id = ++this.#calls;
    const signals: AbortSignal[] = [];
    const callbacks: Waiting['callbacks'] = [];
    const packedArgs = packed(args, {
      callback: (call) => callbacks.push(call) - 1,
      signal: (signal) => signals.push(signal),
    });
    if (!this.isOpen) return Promise.reject(new ServiceLost({ isBegun: false, events: 0 }));
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { callbacks, onItem, resolve, reject, events: 0 });
    });
    this.#channel.socket.ref();
    this.#channel.send({ kind: 'call', id, operation, args: packedArgs });
    const cancel = (): void => this.cancel(id, signals.find(({ aborted }) => aborted)?.reason);
    for (const signal of signals) {
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
    }
    return answer.finally(() => {
      for (const signal of signals) signal.removeEventListener('abort', cancel);
    });
  }

  /** Asks for the end of a call; its answer comes all the same. */
  cancel(id: number, reason: unknown): void {
    this.#channel.send({ kind: 'cancel', id, reason: packed(reason, NOTHING_ELSE) });
  }

  /** The number of the call that was made last. */
  get lastCall(): number {
    return this.#calls;
  }

  close(): void {
    this.#channel.socket.destroy();
  }

  #take(message: ServiceMessage): void {
    switch (message.kind) {
      case 'welcome':
      case 'refused':
      case 'status':
      case 'stopping':
        this.#answer?.(message);
        this.#answer = undefined;
        break;
      case 'item':
        this.#waiting.get(message.id)?.onItem(unpacked(message.value, NOTHING_THERE));
        break;
      case 'event':
        this.#callBack(message);
        break;
      case 'result':
        this.#settle(message)?.resolve(unpacked(message.value, NOTHING_THERE));
        break;
      case 'failure':
        this.#settle(message)?.reject(unpacked(message.error, NOTHING_THERE));
        break;
      case 'gone':
        this.#settle(message)?.reject(new ServiceLost({ isBegun: false, events: 0 }));
        this.close();
        break;
      default:
        message satisfies never;
    }
  }

  /** What a listener throws ends its call, as it would without a service. */
  #callBack({ id, callback, args }: Extract<ServiceMessage, { readonly kind: 'event' }>): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.events++;
    try {
      waiting.callbacks[callback]?.(...(unpacked(args, NOTHING_THERE) as readonly unknown[]));
    } catch (error) {
      this.cancel(id, null);
      this.#settle({ id })?.reject(error);
    }
  }

  #settle({ id, notices }: { readonly id: number; readonly notices?: readonly Notice[] }): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#notices.push(...(notices ?? []));
    if (this.#waiting.size === 0) this.#channel.socket.unref();
    return waiting;
  }

  #end(): void {
    this.#answer?.(null);
    this.#answer = undefined;
    for (const { reject, events } of this.#waiting.values()) reject(new ServiceLost({ isBegun: true, events }));
    this.#waiting.clear();
  }
}

/** Reasons and answers hold no functions. */
const NOTHING_ELSE = { callback: () => -1, signal: () => {} };
const NOTHING_THERE = { callback: () => () => {}, signal: () => new AbortController().signal };
