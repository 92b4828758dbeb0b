import type { Notice } from '../app/app.ts';
import type { OperationName } from '../app/facade.ts';
import { OpenedFiles } from '../app/opened-files.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { BUILD, type Caller, type ClientMessage, LineChannel, type ServiceMessage } from './messages.ts';
import { NO_CALLBACKS, NO_FUNCTIONS, packed, unpacked } from './packed-values.ts';

type Answer = Extract<ServiceMessage, { readonly kind: 'welcome' | 'refused' | 'status' | 'stopping' }>;

/** A call without an answer. */
export class ServiceLost extends Error {
  /** The number of events that were passed on. */
  readonly events: number;
  /** Whether the service still runs without responding. */
  readonly isHanging: boolean;

  constructor(why: string, { events, isHanging }: Pick<ServiceLost, 'events' | 'isHanging'>) {
    super(why);
    this.name = 'ServiceLost';
    this.events = events;
    this.isHanging = isHanging;
  }
}

/** A service that has not begun a call by then hangs. Its blocking work takes less. */
const BEGIN_MS = 10_000;

/** A pending call. */
interface Waiting {
  readonly callbacks: ((...args: readonly unknown[]) => unknown)[];
  readonly onItem: (value: unknown) => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly deadline: NodeJS.Timeout;
  events: number;
}

/** A connection to a service. It keeps the process alive only while a call is pending. */
export class ServiceClient {
  /** What the App of the service depends on; null before {@link hello} was accepted. */
  openedFiles: OpenedFiles | null = null;
  readonly #channel: LineChannel<ClientMessage, ServiceMessage>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #notices: Notice[] = [];
  readonly #beginMs: number;
  #answer: ((message: Answer | null) => void) | undefined;
  #calls = 0;
  #pid = 0;
  #isHanging = false;

  private constructor(socket: import('node:net').Socket, beginMs: number) {
    this.#beginMs = beginMs;
    this.#channel = new LineChannel(socket, {
      message: (message: ServiceMessage) => this.#take(message),
      end: () => this.#end(),
    });
  }

  /** Connects to an address; null when nothing answers. */
  static connect(address: string, beginMs: number = BEGIN_MS): Promise<ServiceClient | null> {
    const { connect } = process.getBuiltinModule('node:net'); // an import would load it for every search
    return new Promise((resolve) => {
      const socket = connect(address);
      socket.once('error', () => resolve(null));
      socket.once('connect', () => resolve(new ServiceClient(socket, beginMs)));
    });
  }

  /** Notices for the user, each once; new ones are appended. */
  get notices(): readonly Notice[] {
    return this.#notices;
  }

  get isOpen(): boolean {
    return !this.#channel.socket.destroyed;
  }

  /** The id of the last call. */
  get lastCall(): number {
    return this.#calls;
  }

  /** Introduces the client, and returns the answer; null when there is none in time. */
  async hello(caller: Caller, timeoutMs: number): Promise<Answer | null> {
    const answer = await this.ask({ kind: 'hello', version: KEBAB_VERSION, build: BUILD, caller }, timeoutMs);
    if (answer?.kind === 'welcome') {
      this.#pid = answer.pid;
      this.openedFiles = new OpenedFiles(answer.files);
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
    const answer = new Promise<unknown>((resolve, reject) => {
      const deadline = setTimeout(() => this.#hang(), this.#beginMs);
      this.#waiting.set(id, { callbacks, onItem, resolve, reject, deadline, events: 0 });
    });
    this.#channel.socket.ref();
    this.#channel.send({ kind: 'call', id, operation, args: packedArgs });
    if (!this.isOpen) this.#end();
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
    this.#channel.send({ kind: 'cancel', id, reason: packed(reason, NO_FUNCTIONS) });
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

  #hang(): void {
    this.#isHanging = true;
    this.close();
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
      case 'begun':
        clearTimeout(this.#waiting.get(message.id)?.deadline);
        break;
      case 'item':
        this.#waiting.get(message.id)?.onItem(unpacked(message.value, NO_CALLBACKS));
        break;
      case 'event':
        this.#callBack(message);
        break;
      case 'result':
        this.#settle(message)?.resolve(unpacked(message.value, NO_CALLBACKS));
        break;
      case 'failure':
        this.#settle(message)?.reject(unpacked(message.error, NO_CALLBACKS));
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
      waiting.callbacks[callback]?.(...(unpacked(args, NO_CALLBACKS) as readonly unknown[]));
    } catch (error) {
      this.cancel(id, null);
      this.#settle({ id })?.reject(error);
    }
  }

  #settle({ id, notices }: { readonly id: number; readonly notices?: readonly Notice[] }): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.deadline);
    this.#waiting.delete(id);
    this.#notices.push(...(notices ?? []));
    if (this.#waiting.size === 0) this.#channel.socket.unref();
    return waiting;
  }

  #end(): void {
    this.#answer?.(null);
    this.#answer = undefined;
    const why = this.#isHanging
      ? `the kebab service (process ${this.#pid}) has not answered for ${this.#beginMs / 1000} s`
      : 'the kebab service ended before it had answered';
    for (const [id, { reject, events }] of this.#waiting) {
      this.#settle({ id });
      reject(new ServiceLost(why, { events, isHanging: this.#isHanging }));
    }
  }
}
