import type { Notice } from '../app/app.ts';
import type { OperationName } from '../app/facade.ts';

/** Raised when messages change; a client and a service of two protocols do not speak. */
export const PROTOCOL = 2;

/**
 * Which build of kebab this is: `scripts/bundle.mjs` puts a hash of the sources here that a service runs, so that one that was started
 * before an upgrade, or from another checkout, answers nobody, and every program of the same build uses the same service.
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
