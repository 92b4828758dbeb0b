import type { App, Notice } from '../app/app.ts';
import { createFacade, isLasting, isStream, type OperationName, type UseCase, writtenBy } from '../app/facade.ts';
import { OPERATIONS } from '../app/operations.ts';
import type { OpenedFiles } from '../app/opened-files.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { ServiceLost, type ServiceClient } from './service-client.ts';

/** The inputs of an App in another process. */
export interface RemoteAppInit {
  readonly client: ServiceClient;
  readonly files: OpenedFiles;
  readonly readonly: boolean;
  /** Opens everything in this process, for operations that a service does not perform and when there is no service any more. */
  readonly openHere: () => Promise<App>;
}

/**
 * The App of a service. When the service ends during a call that only reads, this process answers. Throws `io_error` when an operation that
 * writes, or of which something was passed on, was interrupted.
 */
export function remoteApp({ client, files, readonly, openHere }: RemoteAppInit): App {
  let opening: Promise<App> | undefined;
  let local: App | undefined;
  const openLocal = async (): Promise<App> => {
    opening ??= openHere();
    opening.catch(() => (opening = undefined)); // the next call tries again
    local = await opening;
    return local;
  };
  const perform = async (name: OperationName, args: readonly unknown[]): Promise<unknown> =>
    ((await openLocal())[name] as UseCase)(...args);

  const call = async (name: OperationName, args: readonly unknown[]): Promise<unknown> => {
    let hasBegun = false;
    try {
      if (client.isOpen) return await client.call(name, args, () => (hasBegun = true));
    } catch (error) {
      refuseRepeating(error, { name, args, hasBegun });
    }
    return perform(name, args);
  };

  async function* stream(name: OperationName, args: readonly unknown[]): AsyncGenerator {
    const until = isLasting(name) ? (args[0] as AbortOptions | undefined)?.signal : undefined;
    let hasBegun = false;
    const onEvent = (): void => void (hasBegun = true);
    try {
      if (client.isOpen) {
        for await (const item of client.stream(name, args, { until, onEvent })) {
          hasBegun = true;
          yield item;
        }
        return;
      }
    } catch (error) {
      // A watching client opens it again, as after a replaced database.
      if (error instanceof ServiceLost && isLasting(name)) return;
      refuseRepeating(error, { name, args, hasBegun });
    }
    yield* (await perform(name, args)) as AsyncIterable<unknown>;
  }

  return createFacade({
    open: async (name) => {
      if ('runsLocally' in OPERATIONS[name]) return (...args) => perform(name, args);
      return isStream(name) ? (...args) => stream(name, args) : (...args) => call(name, args);
    },
    notices: () => {
      const notices: readonly Notice[] = [...client.notices, ...(local?.notices ?? [])];
      return notices.filter(({ text }, at) => notices.findIndex((other) => other.text === text) === at);
    },
    openedFiles: {
      names: files.names,
      get outdated() {
        return files.outdated ?? (client.isOpen ? null : 'service');
      },
    },
    readonly,
    // A service answers the user of this machine only.
    as: async (caller) => (await openLocal()).as(caller),
    close: async () => {
      client.close();
      const app = await opening?.catch(() => undefined);
      await app?.close();
    },
  });
}

/** A call of an operation, of whose answer something may have been passed on. */
interface Attempt {
  readonly name: OperationName;
  readonly args: readonly unknown[];
  readonly hasBegun: boolean;
}

/** Throws unless this process may perform an operation again: repeating it must not execute or report anything twice. */
function refuseRepeating(error: unknown, { name, args, hasBegun }: Attempt): void {
  if (!(error instanceof ServiceLost)) throw error;
  const written = writtenBy(name, args);
  if (written === null && !hasBegun) return;
  const { message: cause } = error;
  throw new KebabError('io_error', `${written ?? OPERATIONS[name].label}: ${cause}`, {
    details: { kind: 'ECONNRESET', path: null, cause },
    hint: 'run the command again: what was committed is kept, and nothing is half done',
  });
}
