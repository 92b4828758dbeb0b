import type { Socket } from 'node:net';
import type { App, Notice } from '../app/app.ts';
import type { OperationName } from '../app/facade.ts';

/**
 * Identifies the build of kebab: `scripts/bundle.mjs` inserts a mark, so that a service started before an upgrade, or from another checkout,
 * does not answer, and the programs of one build use the same service.
 */
export const BUILD = '@kebab-build@';

/** The context of a caller: everything that its configuration and its answers depend on besides the user's files. */
export interface Caller {
  /** Absolute. */
  readonly cwd: string;
  readonly homeDir: string;
  /** The variables that kebab reads and that its settings may refer to. */
  readonly env: Readonly<Record<string, string>>;
  /** `--config PATH`, absolute. */
  readonly config: string | null;
  /** `--user`. */
  readonly user: boolean;
  readonly readonly: boolean;
}

/** The first message of a connection. */
export interface Hello {
  readonly kind: 'hello';
  readonly version: string;
  readonly build: string;
  readonly caller: Caller;
}

/** A message of a client after the answer to its {@link Hello}, or instead of it. */
export type ClientMessage =
  | Hello
  | { readonly kind: 'call'; readonly id: number; readonly operation: OperationName; readonly args: unknown }
  | { readonly kind: 'cancel'; readonly id: number; readonly reason: unknown }
  | { readonly kind: 'status' }
  | { readonly kind: 'stop' };

/** Why a service does not serve a client: its version or build, its database, or its other settings differ. */
export type Refusal = 'version' | 'database' | 'settings';

/** The state of a service. */
export interface ServiceState {
  readonly pid: number;
  readonly version: string;
  readonly build: string;
  readonly knowledgeBase: string;
  readonly database: string;
  readonly startedAt: Date;
  readonly idleMinutes: number;
  /** Connections accepted, and calls answered and in progress. */
  readonly clients: number;
  readonly answered: number;
  readonly running: number;
  readonly memoryBytes: number;
}

/** A message of a service. */
export type ServiceMessage =
  | {
      readonly kind: 'welcome';
      readonly pid: number;
      /** What the client's App depends on. */
      readonly files: App['openedFiles']['names'];
      readonly notices: readonly Notice[];
    }
  | { readonly kind: 'refused'; readonly why: Refusal }
  /** A call has started; without this message, the service hangs. */
  | { readonly kind: 'begun'; readonly id: number }
  /** The final answer to a call, with new notices. */
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown; readonly notices?: readonly Notice[] }
  | { readonly kind: 'failure'; readonly id: number; readonly error: unknown; readonly notices?: readonly Notice[] }
  /** One of several answers to a call. */
  | { readonly kind: 'item'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'event'; readonly id: number; readonly callback: number; readonly args: unknown }
  | { readonly kind: 'status'; readonly state: unknown }
  | { readonly kind: 'stopping' };

/** Longer than any message of kebab: the sender is not kebab. */
const MAX_CHARS = 256 * 1_048_576;

/** Messages over a socket, one line of JSON each. */
export class LineChannel<Sent, Received> {
  readonly socket: Socket;
  #rest: string[] = [];
  #restChars = 0;

  /** `message` is called for each message received; `end` is called once, when the connection has ended for any reason. */
  constructor(socket: Socket, on: { readonly message: (message: Received) => void; readonly end: () => void }) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#take(text, on.message));
    socket.on('error', () => socket.destroy());
    socket.once('close', on.end);
  }

  /** Sends a message, and returns whether more may be sent at once. */
  send(message: Sent): boolean {
    return !this.socket.destroyed && this.socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Waits until sent messages have left this process, or never will. */
  async drained(): Promise<void> {
    const { socket } = this;
    if (socket.destroyed || !socket.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.once('drain', done).once('close', done);
    });
  }

  #take(text: string, onMessage: (message: Received) => void): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const line = this.#rest.length === 0 ? text.slice(from, end) : `${this.#rest.join('')}${text.slice(from, end)}`;
      this.#rest = [];
      this.#restChars = 0;
      from = end + 1;
      try {
        onMessage(JSON.parse(line) as Received);
      } catch {
        this.socket.destroy(); // not a message of kebab's
        return;
      }
    }
    if (from < text.length) this.#rest.push(text.slice(from));
    this.#restChars += text.length - from;
    if (this.#restChars > MAX_CHARS) this.socket.destroy();
  }
}
