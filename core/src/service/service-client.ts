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
  /** Whether something of the answer was passed on. */
  readonly hasBegun: boolean;

  constructor(hasBegun: boolean) {
    super('the kebab service ended before it had answered');
    this.name = 'ServiceLost';
    this.hasBegun = hasBegun;
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
      onEnd: () => this.#channel.end(new ServiceLost(false)),
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

  /** Has the service perform an operation. Throws {@link ServiceLost}. */
  async call(operation: OperationName, args: readonly unknown[]): Promise<unknown> {
    const { call, options, failure } = this.#prepared(operation, args);
    try {
      return await this.#channel.ask(call, options);
    } catch (error) {
      throw failure(error, false);
    }
  }

  /** Has the service perform an operation that returns a stream, which ends without waiting once `until` fires. Throws {@link ServiceLost}. */
  async *stream(
    operation: OperationName,
    args: readonly unknown[],
    until: AbortSignal | undefined,
  ): AsyncGenerator<unknown, void, undefined> {
    const { call, options, failure } = this.#prepared(operation, args);
    const limit: RequestOptions['limit'] =
      until === undefined ? undefined : (work) => withDeadline(work, { operation, signal: until });
    let hasBegun = false;
    try {
      for await (const item of this.#channel.stream(call, { ...options, limit })) {
        hasBegun = true;
        yield item;
      }
    } catch (error) {
      if (until?.aborted !== true) throw failure(error, hasBegun);
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

  /** A call, its options, and the error for one that failed. */
  #prepared(operation: OperationName, args: readonly unknown[]) {
    const { signal, onEvent } = heardIn(args);
    let isHeard = false;
    const call: OperationCall = { kind: 'call', operation, args: args.map((arg) => sentArgument(arg)) };
    const options: RequestOptions = {
      signal,
      onEvent: (name, values) => {
        if (name === 'notices') this.notices = values[0] as readonly Notice[];
        else {
          isHeard = true;
          onEvent(name, values);
        }
      },
    };
    const failure = (error: unknown, hasBegun: boolean): unknown =>
      error instanceof ServiceLost ? new ServiceLost(hasBegun || isHeard) : error;
    return { call, options, failure };
  }
}
