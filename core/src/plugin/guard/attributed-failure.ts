import { isAbort } from '../../errors/abort.ts';
import { isKebabError, KebabError } from '../../errors/kebab-error.ts';
import type { ComponentName } from '../components.ts';
import type { PluginKind } from '../contributions.ts';
import { pluginFailure } from '../plugin-failure.ts';

/** What can be done without a plugin's contribution, by kind; of the other kinds there is nothing but to take it out. */
const INSTEAD: { readonly [K in PluginKind]?: string } = {
  source: 'give that source of workspace.sources another connector',
  embedder: 'name another embedder in models.embedding.provider',
  reranker: 'set models.rerank.provider to none',
  llm: 'name another model in models.llm.provider',
  ocr: 'name another engine in ocr.engine',
  captioner: 'name another model in caption.provider',
  groundedness: 'name another checker in models.nli.provider',
  vector_store: 'name another store in storage.vector_store',
};

/** Kinds whose failure leaves a search or an ingest running, which then says no more of it than the hint. */
const TOLD_BY_HINT: ReadonlySet<PluginKind> = new Set(['embedder', 'vector_store', 'ocr', 'captioner']);

/**
 * What went wrong in a contribution, with the name and version of the plugin and what to do about it. Aborts pass through untouched; an error of kebab's own list keeps its code.
 */
export function attributedFailure(error: unknown, name: ComponentName, stage: string): Error {
  if (isAbort(error) || isKebabError(error, 'cancelled')) return error as Error;
  const plugin = { name: name.plugin, version: name.pluginVersion };
  const failure = pluginFailure(error, { plugin, kind: name.kind, stage });
  if (!isKebabError(failure)) return failure;
  const { code, message, details } = failure;
  const agent = `${plugin.name}@${plugin.version}`;
  const hint = isKebabError(failure, 'plugin_failed') ? hintFor(name.kind, agent, failure.details) : failure.hint;
  return new KebabError(code, prefixed(message, agent, plugin.name), {
    details,
    cause: failure.cause ?? failure,
    hint: prefixed(hint, agent, plugin.name),
  });
}

function prefixed(text: string, agent: string, name: string): string {
  return text.includes(name) ? text : `${agent}: ${text}`;
}

function hintFor(
  kind: PluginKind,
  agent: string,
  { stage, cause }: { readonly stage: string; readonly cause: string },
): string {
  const instead = INSTEAD[kind] ?? 'take it out of `plugins`';
  const remedy = `${firstRemedy(stage, agent)}, or ${instead}; \`kebab plugin doctor\` looks closer`;
  return TOLD_BY_HINT.has(kind) ? `${agent} failed: ${cause}; ${remedy}` : remedy;
}

function firstRemedy(stage: string, agent: string): string {
  if (stage === 'configure') return `correct the config of ${agent} where \`plugins\` names it`;
  return stage === 'load' ? `install ${agent} again` : `update ${agent}`;
}
