import type { Notice } from '../app/app.ts';
import { isLasting, type OperationName } from '../app/facade.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { LineChannel, BUILD, PROTOCOL, type Asker, type ClientMessage, type ServiceMessage } from './messages.ts';
import { packed, unpacked } from './packed-values.ts';

type Answer = Extract<ServiceMessage, { readonly kind: 'welcome' | 'refused' | 'status' | 'stopping' }>;

/** A call without an answer: whether it was started, and how much had arrived. */
export class ServiceLost extends Error {
  /** False when the service certainly did nothing. */
  readonly isBegun: boolean;
  /** The number of events that were passed on. */
  readonly events: number;
  /** The reason, for the user. */
  readonly why: string;
  /** Whether the service still runs without responding: then it is not contacted again. */
  readonly isSilent: boolean;

  constructor({ isBegun, events, silence }: ServiceLostInit) {
    const why = silence ?? 'the kebab service ended before it had answered';
    super(why);
    this.name = 'ServiceLost';
    this.isBegun = isBegun;
    this.events = events;
    this.why = why;
    this.isSilent = silence !== null;
  }
}

interface ServiceLostInit extends Pick<ServiceLost, 'isBegun' | 'events'> {
  /** The message about an unresponsive service. */
  readonly silence: string | null;
}

/** A service that has sent nothing for this long, not even an answer to a ping, hangs. Its blocking work takes less. */
const SILENCE_MS = 10_000;
/**
 * How many pings are sent in that time. Pings are counted in addition to the time: if this process itself was suspended, answers may be
 * waiting unread.
 */
const PINGS = 3;

/** A pending call. */
interface Waiting {
  readonly callbacks: ((...args: readonly unknown[]) => unknown)[];
  readonly onItem: (value: unknown) => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Whether an answer is expected soon. */
  readonly isQuestion: boolean;
  events: number;
}

/** A connection to a service. It keeps the process alive only while a call is pending. */
export class ServiceClient {
  readonly #channel: LineChannel<ClientMessage, ServiceMessage>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #notices: Notice[] = [];
  readonly #silenceMs: number;
  #answer: ((message: Answer | null) => void) | undefined;
  #calls = 0;
  #pid = 0;
  #heardAt = 0;
  /** Pings since the last message. */
  #pings = 0;
  #pingTimer: NodeJS.Timeout | undefined;
  #silence: string | null = null;

  private constructor(socket: import('node:net').Socket, silenceMs: number) {
    this.#silenceMs = silenceMs;
    this.#channel = new LineChannel(socket, {
      message: (message: ServiceMessage) => this.#take(message),
      end: () => this.#end(),
    });
  }

  /** Connects to an address; null when nothing answers. */
  static connect(address: string, silenceMs: number = SILENCE_MS): Promise<ServiceClient | null> {
    const { connect } = process.getBuiltinModule('node:net'); // an import would load it for every search
    return new Promise((resolve) => {
      const socket = connect(address);
      socket.once('error', () => resolve(null));
      socket.once('connect', () => resolve(new ServiceClient(socket, silenceMs)));
    });
  }

  /** Notices for the user, each once; new ones are appended. */
  get notices(): readonly Notice[] {
    return this.#notices;
  }

  get isOpen(): boolean {
    return !this.#channel.socket.destroyed;
  }

  /** Introduces the client, and returns the answer; null when there is none in time. */
  async hello(asker: Asker, timeoutMs: number): Promise<Answer | null> {
    const message = { kind: 'hello', protocol: PROTOCOL, version: KEBAB_VERSION, build: BUILD, asker } as const;
    const answer = await this.ask(message, timeoutMs);
    if (answer?.kind === 'welcome') {
      this.#pid = answer.pid;
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

  /** Has the service perform an operation; `onItem` receives the items before its end. Throws {@link ServiceLost}. */
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
    if (!this.isOpen) return Promise.reject(this.#lost({ isBegun: false, events: 0 }));
    const isQuestion = !isLasting(operation);
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { callbacks, onItem, resolve, reject, isQuestion, events: 0 });
    });
    if (isQuestion) this.#listen();
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

  /** Requests the cancellation of a call, which still gets an answer. */
  cancel(id: number, reason: unknown): void {
    this.#channel.send({ kind: 'cancel', id, reason: packed(reason, NOTHING_ELSE) });
  }

  /** The id of the last call. */
  get lastCall(): number {
    return this.#calls;
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

  /** While a call is pending, checks from time to time whether the service is responsive. */
  #listen(): void {
    if (this.#pingTimer !== undefined) return;
    this.#hear();
    this.#pingTimer = setInterval(
      () => {
        if (![...this.#waiting.values()].some(({ isQuestion }) => isQuestion)) this.#stopListening();
        else if (this.#pings < PINGS) {
          this.#pings++;
          this.#channel.send({ kind: 'ping' });
        } else {
          const seconds = Math.max(1, Math.round((performance.now() - this.#heardAt) / 1000));
          this.#silence = `the kebab service (process ${this.#pid}) has not answered for ${seconds} s`;
          this.close();
        }
      },
      this.#silenceMs / (PINGS + 1),
    );
    this.#pingTimer.unref(); // the socket keeps the process alive
  }

  #stopListening(): void {
    clearInterval(this.#pingTimer);
    this.#pingTimer = undefined;
  }

  #lost(lost: Pick<ServiceLost, 'isBegun' | 'events'>): ServiceLost {
    return new ServiceLost({ ...lost, silence: this.#silence });
  }

  #hear(): void {
    this.#heardAt = performance.now();
    this.#pings = 0;
  }

  #take(message: ServiceMessage): void {
    this.#hear();
    switch (message.kind) {
      case 'pong':
        break;
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
        this.#settle(message)?.reject(this.#lost({ isBegun: false, events: 0 }));
        this.close();
        break;
      default:
        message satisfies never;
    }
  }

  /** An error thrown by a callback ends its call, as it would without a service. */
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
    this.#stopListening();
    for (const { reject, events } of this.#waiting.values()) reject(this.#lost({ isBegun: true, events }));
    this.#waiting.clear();
  }
}

/** Reasons and answers contain no functions. */
const NOTHING_ELSE = { callback: () => -1, signal: () => {} };
const NOTHING_THERE = { callback: () => () => {}, signal: () => new AbortController().signal };
