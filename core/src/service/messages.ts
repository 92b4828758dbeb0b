import type { Socket } from 'node:net';
import type { App, Notice } from '../app/app.ts';
import type { OperationName } from '../app/facade.ts';
import { Channel, type ChannelMessage } from '../plugin/process/channel.ts';
import type { SentArgument } from '../plugin/process/sent-arguments.ts';
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

/** The first request of a connection. */
export interface Hello {
  readonly kind: 'hello';
  readonly version: string;
  readonly build: string;
  readonly caller: Caller;
}

/** The answer to {@link Hello}. */
export type HelloAnswer =
  /** Names the files that the client's App depends on, and all notices that it has so far. */
  | { readonly kind: 'welcome'; readonly files: App['openedFiles']['names']; readonly notices: readonly Notice[] }
  | { readonly kind: 'refused'; readonly why: Refusal };

/** A call of an operation, which only a client that was welcomed may make. Its event `notices` has all notices of the App so far. */
export interface OperationCall {
  readonly kind: 'call';
  readonly operation: OperationName;
  readonly args: readonly SentArgument[];
}

/** A request to a service. */
export type ServiceRequest =
  | Hello
  | OperationCall
  /** Answered with a {@link ServiceState}. */
  | { readonly kind: 'status' }
  /** The service ends after its answer. */
  | { readonly kind: 'stop' };

/** Why a service does not serve a client: its version or build, its database, or its other settings differ. */
export type Refusal = 'version' | 'database' | 'settings';

/** The state of a service, as users see it, and its build. */
export interface ServiceState extends Omit<NonNullable<ServiceStatus['service']>, 'is_usable'> {
  readonly build: string;
}

/** Opens the channel over a socket: each message is one line. `onEnd` is called once, when the connection has ended for any reason. */
export function channelOver<Request, Received>(
  socket: Socket,
  init: Omit<ConstructorParameters<typeof Channel<Request, Received>>[0], 'send'> & { readonly onEnd: () => void },
): Channel<Request, Received> {
  const { serialize, deserialize } = process.getBuiltinModule('node:v8');
  const channel = new Channel<Request, Received>({
    ...init,
    send: (message) => {
      const line = `${serialize(message).toString('base64')}\n`;
      if (!socket.destroyed) socket.write(line);
    },
  });
  let parts: string[] = [];
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    parts.push(text);
    if (!text.includes('\n')) return;
    const lines = parts.join('').split('\n');
    parts = [lines.pop() ?? ''];
    try {
      for (const line of lines) channel.take(deserialize(Buffer.from(line, 'base64')) as ChannelMessage);
    } catch {
      socket.destroy(); // not a message of kebab's
    }
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', init.onEnd);
  return channel;
}
