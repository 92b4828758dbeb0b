import type { Socket } from 'node:net';
import type { Notice } from '../app/app.ts';
import type { OperationName } from '../app/facade.ts';

/** Raised when messages change; a client and a service of two protocols do not speak. */
export const PROTOCOL = 2;

/**
 * Which build of kebab this is: `scripts/bundle.mjs` puts a hash of the sources here that a service runs, so that one that was started
 * before an upgrade, or from another checkout, answers no program, and every program of the same build uses the same service.
 */
export const BUILD = '@kebab-build@';

/** From where an App is asked: everything that its configuration and its answers depend on beside the files of the user. */
export interface Asker {
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
  readonly protocol: number;
  readonly version: string;
  readonly build: string;
  readonly asker: Asker;
}

/** What a client says after the answer to its {@link Hello}, or instead of it. */
export type ClientMessage =
  | Hello
  | { readonly kind: 'call'; readonly id: number; readonly operation: OperationName; readonly args: unknown }
  | { readonly kind: 'cancel'; readonly id: number; readonly reason: unknown }
  /** Whether anything is still heard at the other side; answered at once. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'status' }
  | { readonly kind: 'stop' };

/** Why a service does not answer somebody. */
export type Refusal =
  /** It is of another version or build. */
  | { readonly why: 'version' }
  /** The asker's knowledge base is another one; its service has this name. */
  | { readonly why: 'elsewhere'; readonly name: string }
  /** The asker's settings differ, or cannot be used. */
  | { readonly why: 'settings' }
  /** The asker's settings switch services off. */
  | { readonly why: 'off' };

/** How a service stands. */
export interface ServiceState {
  readonly pid: number;
  readonly version: string;
  readonly build: string;
  readonly knowledgeBase: string;
  readonly database: string;
  readonly startedAt: Date;
  readonly idleMinutes: number;
  /** Connections that have been welcomed, and calls answered so far and under way. */
  readonly clients: number;
  readonly answered: number;
  readonly running: number;
  readonly memoryBytes: number;
}

/** What a service says. */
export type ServiceMessage =
  | {
      readonly kind: 'welcome';
      readonly pid: number;
      readonly knowledgeBase: string;
      /** A hash of the settings in effect. */
      readonly settings: string;
      readonly notices: readonly Notice[];
    }
  | ({ readonly kind: 'refused' } & Refusal)
  /** The last answer to a call, with the notices that are new. */
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown; readonly notices?: readonly Notice[] }
  | { readonly kind: 'failure'; readonly id: number; readonly error: unknown; readonly notices?: readonly Notice[] }
  /** One of many answers to a call. */
  | { readonly kind: 'item'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'event'; readonly id: number; readonly callback: number; readonly args: unknown }
  /** The call was not begun: the service ends. */
  | { readonly kind: 'gone'; readonly id: number }
  | { readonly kind: 'pong' }
  | { readonly kind: 'status'; readonly state: unknown }
  | { readonly kind: 'stopping' };

/** A longer message than any use of kebab makes: what sends it is not kebab. */
const MAX_CHARS = 256 * 1_048_576;

/** Messages over a socket, each one line of JSON. */
export class LineChannel<Sent, Received> {
  readonly socket: Socket;
  #rest: string[] = [];
  #restChars = 0;

  /** `onMessage` receives what comes; `onEnd` is called once, when nothing comes any more, whatever the reason. */
  constructor(socket: Socket, on: { readonly message: (message: Received) => void; readonly end: () => void }) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#take(text, on.message));
    socket.on('error', () => socket.destroy());
    socket.once('close', on.end);
  }

  /** Sends a message, and returns whether more may follow at once. */
  send(message: Sent): boolean {
    return !this.socket.destroyed && this.socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Waits until what was sent has left this process, or cannot any more. */
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
        this.socket.destroy(); // no message of kebab's
        return;
      }
    }
    if (from < text.length) this.#rest.push(text.slice(from));
    this.#restChars += text.length - from;
    if (this.#restChars > MAX_CHARS) this.socket.destroy();
  }
}
