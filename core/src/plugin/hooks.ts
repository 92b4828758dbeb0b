import type { Logger } from '../contracts/contribution.ts';
import type { Hook, DeepReadonly } from '../contracts/hook.ts';
import type { ComponentName } from './components.ts';
import { deepFreeze } from '../domain/json.ts';

/** A hook with the name used in reports. */
export interface NamedHook {
  readonly name: Pick<ComponentName, 'plugin' | 'pluginVersion'>;
  readonly extension: Hook;
}

/** The hooks that plugins contribute, each created on first use. */
interface HookCatalog {
  names(): readonly ComponentName[];
  get(id: string): Promise<Hook>;
}

/** The hooks of all plugins, in order of registration. A hook that does not load is logged and left out. */
export async function findHooks({
  hooks: catalog,
  log,
}: {
  readonly hooks: HookCatalog;
  readonly log: Logger;
}): Promise<readonly NamedHook[]> {
  const hooks: NamedHook[] = [];
  for (const name of catalog.names()) {
    try {
      hooks.push({ name, extension: await catalog.get(name.id) });
    } catch (error) {
      log.error('hook failed', { plugin: name.plugin, stage: 'create', cause: String(error) });
    }
  }
  return hooks;
}

/** Calls hooks with a frozen copy of an event; a hook that throws is logged. */
export function notifyHooks(
  hooks: readonly NamedHook[],
  event: 'onRetrieved' | 'onAnswer' | 'onIngested',
  { value, log }: { readonly value: unknown; readonly log: Logger },
): void {
  for (const { name, extension } of hooks) {
    const failed = (error: unknown): void =>
      log.error('hook failed', { plugin: name.plugin, stage: event, cause: String(error) });
    try {
      // A hook may return a promise in breach of its contract; its rejection must not end the process.
      Promise.resolve(extension[event]?.(frozenCopy(value))).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}

/** A deeply frozen copy of a plain value; the value itself is not changed. */
export function frozenCopy<T>(value: T): DeepReadonly<T> {
  return deepFreeze(structuredClone(value)) as DeepReadonly<T>;
}
