import type { CallContext } from '../../contracts/contribution.ts';
import type { Interception, Interceptor, PromptSubmit } from '../../contracts/interceptor.ts';
import type { HistoryItem } from '../../domain/turn.ts';
import { isAbort } from '../../errors/abort.ts';
import { isKebabError, KebabError } from '../../errors/kebab-error.ts';
import type { ComponentName } from '../../plugin/components.ts';
import { type NamedHook, frozenCopy } from '../../plugin/hooks.ts';
import { pluginFailure, withoutSecrets } from '../../plugin/plugin-failure.ts';

/** An interceptor with the name used in reports. */
interface NamedInterceptor {
  readonly name: Pick<ComponentName, 'plugin' | 'pluginVersion' | 'secrets'>;
  readonly extension: Interceptor;
}

/** The extensions that see a question before it is processed. */
export interface Extensions {
  /** In order of registration. */
  readonly hooks: readonly NamedHook[];
  /** In order of registration, the resolver of file references first. */
  readonly interceptors: readonly NamedInterceptor[];
}

/**
 * Submits a question: hooks see a frozen copy and may stop it, interceptors may stop it or add items. Returns the user's message with the
 * items after it, in order. Errors: `cancelled` when one of them stops it, `plugin_failed` for an interceptor that throws or returns an
 * invalid result; a hook that throws is logged and counts as `continue`.
 */
export async function submitPrompt(
  submit: PromptSubmit,
  { hooks, interceptors }: Extensions,
  context: CallContext,
): Promise<readonly HistoryItem[]> {
  for (const hook of hooks) await runHook(submit, hook, context);
  const items: HistoryItem[] = [];
  for (const interceptor of interceptors) {
    const decision = await intercept(submit, interceptor, context);
    if (decision.action === 'cancel') throw stopped(decision.reason, interceptor);
    if (decision.action === 'continueWith') items.push(...decision.items.map(({ role, text }) => ({ role, text })));
  }
  return [submit.userItem, ...items];
}

async function runHook(submit: PromptSubmit, { name, extension }: NamedHook, context: CallContext): Promise<void> {
  let decision;
  try {
    decision = await extension.onPromptSubmit?.(frozenCopy(submit), context);
  } catch (error) {
    if (context.signal.aborted && isAbort(error)) throw error;
    context.log.error('hook failed', { plugin: name.plugin, stage: 'onPromptSubmit', cause: String(error) });
    return;
  }
  if (decision?.action === 'cancel') throw stopped(decision.reason, { name });
}

async function intercept(
  submit: PromptSubmit,
  { name, extension }: NamedInterceptor,
  context: CallContext,
): Promise<Interception> {
  if (extension.onPromptSubmit === undefined) return { action: 'continue' };
  const site = {
    plugin: { name: name.plugin, version: name.pluginVersion },
    kind: 'interceptor',
    stage: 'onPromptSubmit',
  };
  try {
    const decision = await extension.onPromptSubmit(submit, context);
    if (!isInterception(decision)) throw new Error('its onPromptSubmit answered nothing that can be followed');
    return decision;
  } catch (error) {
    const shown = withoutSecrets(error, name.secrets?.() ?? []);
    if (isKebabError(shown) && shown.code !== 'plugin_failed') throw pluginFailure(new Error(shown.message), site);
    throw pluginFailure(shown, site);
  }
}

function isInterception(value: unknown): value is Interception {
  if (typeof value !== 'object' || value === null) return false;
  const { action, items, reason } = value as Record<string, unknown>;
  if (action === 'continue') return true;
  if (action === 'cancel') return typeof reason === 'string';
  return action === 'continueWith' && Array.isArray(items) && items.every(isItem);
}

function isItem(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { role, text } = value as Record<string, unknown>;
  return (role === 'user' || role === 'system' || role === 'assistant') && typeof text === 'string';
}

function stopped(reason: string, { name }: Pick<NamedInterceptor, 'name'>): KebabError<'cancelled'> {
  return new KebabError('cancelled', `the question was stopped: ${reason}`, {
    details: { operation: 'ask', reason },
    hint: `${name.plugin}@${name.pluginVersion} stopped it: ask otherwise, or take that plugin out of \`plugins\``,
  });
}
