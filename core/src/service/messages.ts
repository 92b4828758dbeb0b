import type { Socket } from 'node:net';
import type { App, Notice } from '../app/app.ts';
import type { OperationName } from '../app/facade.ts';
import type { SentError } from '../errors/kebab-error.ts';
import type { ServiceStatus } from '../wire/index.ts';

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

/** A message of a client. Only one that was welcomed may call. */
export type ClientMessage =
  | Hello
  | { readonly kind: 'call'; readonly id: number; readonly operation: OperationName; readonly args: unknown }
  | { readonly kind: 'cancel'; readonly id: number; readonly reason: string | null }
  | { readonly kind: 'status' }
  | { readonly kind: 'stop' };

/** Why a service does not serve a client: its version or build, its database, or its other settings differ. */
export type Refusal = 'version' | 'database' | 'settings';

/** The state of a service, as users see it, and its build. */
export interface ServiceState extends Omit<NonNullable<ServiceStatus['service']>, 'is_usable'> {
  readonly build: string;
}

/** A message of a service. Notices are all those that its App has for the client so far. */
export type ServiceMessage =
  /** Names the files that the client's App depends on. */
  | { readonly kind: 'welcome'; readonly files: App['openedFiles']['names']; readonly notices: readonly Notice[] }
  | { readonly kind: 'refused'; readonly why: Refusal }
  | { readonly kind: 'status'; readonly state: ServiceState }
  | { readonly kind: 'stopping' }
  /** One of several answers to a call. */
  | { readonly kind: 'item'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'event'; readonly id: number; readonly callback: number; readonly args: unknown }
  /** The final answer to a call. */
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown; readonly notices: readonly Notice[] }
  | { readonly kind: 'failure'; readonly id: number; readonly error: SentError; readonly notices: readonly Notice[] };

/** Messages over a socket, one line of JSON each. */
export class LineChannel<Sent, Received> {
  readonly socket: Socket;
  #parts: string[] = [];

  /** `message` is called for each message received; `end` is called once, when the connection has ended for any reason. */
  constructor(socket: Socket, on: { readonly message: (message: Received) => void; readonly end: () => void }) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#take(text, on.message));
    socket.on('error', () => socket.destroy());
    socket.once('close', on.end);
  }

  /** Sends a message, unless the connection has ended. */
  send(message: Sent): void {
    if (!this.socket.destroyed) this.socket.write(`${JSON.stringify(message)}\n`);
  }

  #take(text: string, onMessage: (message: Received) => void): void {
    this.#parts.push(text);
    if (!text.includes('\n')) return;
    const lines = this.#parts.join('').split('\n');
    this.#parts = [lines.pop() ?? ''];
    try {
      for (const line of lines) onMessage(JSON.parse(line) as Received);
    } catch {
      this.socket.destroy(); // not a message of kebab's
    }
  }
}
