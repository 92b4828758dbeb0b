import type { Socket } from 'node:net';
import type { App } from '../app/app.ts';
import { isLasting, isStream, type OperationName, type UseCase } from '../app/facade.ts';
import { OPERATIONS } from '../app/operations.ts';
import { classifyError } from '../errors/classify-error.ts';
import { sendError } from '../errors/kebab-error.ts';
import type { Channel, RequestCourse } from '../plugin/process/channel.ts';
import { revivedArgument } from '../plugin/process/sent-arguments.ts';
import {
  channelOver,
  type Hello,
  type HelloAnswer,
  type OperationCall,
  type Refusal,
  type ServiceRequest,
  type ServiceState,
} from './messages.ts';

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
  readonly #socket: Socket;
  readonly #channel: Channel<never, ServiceRequest>;
  #app: App | null = null;

  constructor(socket: Socket, host: SessionHost) {
    this.#host = host;
    this.#socket = socket;
    this.#channel = channelOver<never, ServiceRequest>(socket, {
      answer: (request, course) => this.#answer(request, course),
      explain: (error) => sendError(classifyError(error)),
      onEnd: () => {
        this.#channel.end(new Error('the client is gone'));
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
    this.#channel.cancel();
  }

  /** Closes the connection once all sent messages have left. */
  async close(): Promise<void> {
    const socket = this.#socket;
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

  #answer(request: ServiceRequest, course: RequestCourse): unknown {
    switch (request.kind) {
      case 'hello':
        return this.#hello(request);
      case 'call':
        return this.#call(request, course);
      case 'status':
        return this.#host.state();
      case 'stop':
        return this.#host.stop();
      default:
        return request satisfies never;
    }
  }

  async #hello(hello: Hello): Promise<HelloAnswer> {
    const answer = await this.#host.hello(hello);
    if (typeof answer === 'string') return { kind: 'refused', why: answer };
    this.#app = answer;
    return { kind: 'welcome', files: answer.openedFiles.names, notices: answer.notices };
  }

  /** The value of an operation, or its stream. */
  async #call({ operation, args }: OperationCall, course: RequestCourse): Promise<unknown> {
    const app = this.#app;
    const isQuestion = isServed(operation) && !isLasting(operation);
    if (app === null || !isServed(operation) || !this.#host.begin(isQuestion)) return void this.#socket.destroy();
    const end = (): void => {
      course.event('notices', app.notices);
      this.#host.end(isQuestion);
    };
    const revived = args.map((arg) => revivedArgument(arg, course));
    // The client may disconnect without having passed a signal.
    const ownArgs = isQuestion ? revived : [{ ...(revived[0] as object | undefined), signal: course.signal }];
    const answer = (app[operation] as UseCase)(...ownArgs);
    if (isStream(operation)) return itemsOf(answer as AsyncIterable<unknown>, end);
    return (answer as Promise<unknown>).finally(end);
  }
}

async function* itemsOf(items: AsyncIterable<unknown>, end: () => void): AsyncGenerator {
  try {
    yield* items;
  } finally {
    end();
  }
}

/** Whether a service performs an operation: some always run in the client's process. */
function isServed(operation: string): operation is OperationName {
  return Object.hasOwn(OPERATIONS, operation) && !('runsLocally' in OPERATIONS[operation as OperationName]);
}
