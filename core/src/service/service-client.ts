import type { Notice } from '../app/app.ts';
import type { OperationName } from '../app/facade.ts';
import { OpenedFiles } from '../app/opened-files.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { withDeadline } from '../errors/abort.ts';
import type { Channel, RequestOptions } from '../plugin/process/channel.ts';
import { heardIn, sentArgument } from '../plugin/process/sent-arguments.ts';
import {
  BUILD,
  type Caller,
  channelOver,
  type HelloAnswer,
  type OperationCall,
  type ServiceRequest,
  type ServiceState,
} from './messages.ts';

/** The connection ended before a call was answered. */
export class ServiceLost extends Error {
  constructor() {
    super('the kebab service ended before it had answered');
    this.name = 'ServiceLost';
  }
}

/** A connection to a service. It keeps the process alive only while a call is pending. */
export class ServiceClient {
  /** What the App of the service depends on; null before {@link hello} was accepted. */
  openedFiles: OpenedFiles | null = null;
  /** Notices for the user, each once; new ones are appended. */
  notices: readonly Notice[] = [];
  readonly #socket: import('node:net').Socket;
  readonly #channel: Channel<ServiceRequest>;

  private constructor(socket: import('node:net').Socket) {
    this.#socket = socket;
    this.#channel = channelOver<ServiceRequest, never>(socket, {
      answer: () => null, // a service asks nothing
      onBusy: (isBusy) => (isBusy ? socket.ref() : socket.unref()),
      onEnd: () => this.#channel.end(new ServiceLost()),
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
    return !this.#socket.destroyed;
  }

  /** Introduces the client, and returns the answer; null when there is none in time. */
  async hello(caller: Caller, timeoutMs: number): Promise<HelloAnswer | null> {
    const hello = { kind: 'hello', version: KEBAB_VERSION, build: BUILD, caller } as const;
    const answer = (await this.#ask(hello, timeoutMs)) as HelloAnswer | null;
    if (answer?.kind === 'welcome') {
      this.openedFiles = new OpenedFiles(answer.files);
      this.notices = answer.notices;
    }
    return answer;
  }

  /** Queries the state of the service; null when there is no answer in time. */
  async status(timeoutMs: number): Promise<ServiceState | null> {
    return (await this.#ask({ kind: 'status' }, timeoutMs)) as ServiceState | null;
  }

  /** Asks the service to end. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#ask({ kind: 'stop' }, timeoutMs);
  }

  /** Has the service perform an operation; `onEvent` is called before each of its callbacks. Throws {@link ServiceLost}. */
  call(operation: OperationName, args: readonly unknown[], onEvent: () => void): Promise<unknown> {
    return this.#channel.ask(callOf(operation, args), this.#options(args, onEvent));
  }

  /** The same for an operation that returns a stream, which ends without waiting once `until` fires. */
  async *stream(
    operation: OperationName,
    args: readonly unknown[],
    { onEvent, until }: { readonly onEvent: () => void; readonly until: AbortSignal | undefined },
  ): AsyncGenerator<unknown, void, undefined> {
    const options = this.#options(args, onEvent);
    const limit: RequestOptions['limit'] =
      until === undefined ? undefined : (work) => withDeadline(work, { operation, signal: until });
    try {
      yield* this.#channel.stream(callOf(operation, args), { ...options, limit });
    } catch (error) {
      if (until?.aborted !== true) throw error;
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Waits until the connection is closed; false when the service keeps it open for longer. */
  closed(timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve(true);
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.#socket.once('close', () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** The answer to a request; null when there is none in time, or the connection has ended. */
  async #ask(request: ServiceRequest, timeoutMs: number): Promise<unknown> {
    const limits = { operation: request.kind, timeoutMs };
    return this.#channel.ask(request, { limit: (work) => withDeadline(work, limits) }).catch(() => null);
  }

  #options(args: readonly unknown[], onEvent: () => void): RequestOptions {
    const heard = heardIn(args);
    return {
      signal: heard.signal,
      onEvent: (name, values) => {
        if (name === 'notices') this.notices = values[0] as readonly Notice[];
        else {
          onEvent();
          heard.onEvent(name, values);
        }
      },
    };
  }
}

function callOf(operation: OperationName, args: readonly unknown[]): OperationCall {
  return { kind: 'call', operation, args: args.map((arg) => sentArgument(arg)) };
}
