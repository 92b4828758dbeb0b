import type { Logger } from '../../contracts/contribution.ts';
import type { Hook } from '../../contracts/hook.ts';
import type { Components } from '../../plugin/components.ts';
import type { Extensions, Named } from '../submit/submit-prompt.ts';
import { frozenCopy } from '../submit/frozen-copy.ts';

/**
 * Everything that plugins contribute to asking, in order of registration. A hook that does not load is logged and left out;
 * an interceptor that does not load fails with `plugin_failed`, since it may be there to stop questions.
 */
export async function findExtensions(components: Components, log: Logger): Promise<Extensions> {
  const hooks: Named<Hook>[] = [];
  for (const name of components.list('hook')) {
    try {
      hooks.push({ name, extension: await components.get('hook', name.id) });
    } catch (error) {
      log.error('hook failed', { plugin: name.plugin, stage: 'create', cause: String(error) });
    }
  }
  const interceptors = components
    .list('interceptor')
    .map(async (name) => ({ name, extension: await components.get('interceptor', name.id) }));
  return { hooks, interceptors: await Promise.all(interceptors) };
}

/** Shows hooks a frozen copy of what happened; one that throws is logged. */
export function tellHooks(
  hooks: Extensions['hooks'],
  event: 'onRetrieved' | 'onAnswer',
  { value, log }: { readonly value: unknown; readonly log: Logger },
): void {
  for (const { name, extension } of hooks) {
    const failed = (error: unknown): void =>
      log.error('hook failed', { plugin: name.plugin, stage: event, cause: String(error) });
    try {
      // A hook may be asynchronous against its contract; its rejection must not end the process.
      Promise.resolve(extension[event]?.(frozenCopy(value))).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
