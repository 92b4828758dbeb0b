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
  let here: Promise<App> | undefined;
  const opened: App[] = [];
  const notices: Notice[] = [];
  const local = (): Promise<App> => {
    here ??= openHere().then((app) => {
      opened.push(app);
      return app;
    });
    here.catch(() => (here = undefined)); // the next call tries again
    return here;
  };
  const perform = async (name: OperationName, args: readonly unknown[]): Promise<unknown> =>
    ((await local())[name] as UseCase)(...args);

  /** Throws unless this process may answer instead. The user should know about a service that hangs. */
  const afterLoss = (error: unknown, name: OperationName, args: readonly unknown[]): void => {
    if (!(error instanceof ServiceLost)) throw error;
    const written = writtenBy(name, args);
    if (written !== null || error.events > 0) throw interrupted(written ?? OPERATIONS[name].label, error.message);
    if (error.isHanging)
      notices.push({
        kind: 'service',
        text: `${error.message}, so this process does without it; end it, and the next command starts another`,
      });
  };

  const call = async (name: OperationName, args: readonly unknown[]): Promise<unknown> => {
    try {
      if (client.isOpen) return await client.call(name, args);
    } catch (error) {
      afterLoss(error, name, args);
    }
    return perform(name, args);
  };

  async function* stream(name: OperationName, args: readonly unknown[]): AsyncGenerator {
    let isBegun = false;
    try {
      if (client.isOpen) {
        for await (const item of itemsOf(client, name, args)) {
          isBegun = true;
          yield item;
        }
        return;
      }
    } catch (error) {
      // A watching client opens it again, as after a replaced database.
      if (error instanceof ServiceLost && isLasting(name)) return;
      if (error instanceof ServiceLost && isBegun) throw interrupted(OPERATIONS[name].label, error.message);
      afterLoss(error, name, args);
    }
    yield* (await perform(name, args)) as AsyncIterable<unknown>;
  }

  return createFacade({
    open: async (name) => {
      if ('runsLocally' in OPERATIONS[name]) return (...args) => perform(name, args);
      return isStream(name) ? (...args) => stream(name, args) : (...args) => call(name, args);
    },
    notices: () => {
      for (const notice of [...client.notices, ...opened.flatMap((app) => app.notices)])
        if (!notices.some(({ text }) => text === notice.text)) notices.push(notice);
      return notices;
    },
    openedFiles: {
      names: files.names,
      get outdated() {
        return files.outdated ?? (client.isOpen ? null : 'service');
      },
    },
    readonly,
    close: async () => {
      client.close();
      for (const app of opened) await app.close();
    },
  });
}

/** Repeating such an operation could execute or report something twice. */
function interrupted(operation: string, cause: string): KebabError<'io_error'> {
  return new KebabError('io_error', `${operation}: ${cause}`, {
    details: { kind: 'ECONNRESET', path: null, cause },
    hint: 'run the command again: what was committed is kept, and nothing is half done',
  });
}

/** The answers of a call, as they arrive; leaving the loop early cancels the call. */
async function* itemsOf(service: ServiceClient, name: OperationName, args: readonly unknown[]): AsyncGenerator {
  const items: unknown[] = [];
  let wake: (() => void) | undefined;
  let isOver = false;
  const answer = service
    .call(name, args, (item) => {
      items.push(item);
      wake?.();
    })
    .finally(() => {
      isOver = true;
      wake?.();
    });
  const { lastCall } = service;
  const until = isLasting(name) ? (args[0] as AbortOptions | undefined)?.signal : undefined;
  const leave = (): void => wake?.();
  until?.addEventListener('abort', leave, { once: true });
  answer.catch(() => undefined); // awaited below, unless the loop is left
  try {
    for (;;) {
      for (let item = items.shift(); item !== undefined; item = items.shift()) yield item;
      if (until?.aborted === true) return; // does not wait, in case the service hangs
      if (isOver) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    await answer;
  } finally {
    until?.removeEventListener('abort', leave);
    if (!isOver) service.cancel(lastCall, null);
  }
}
