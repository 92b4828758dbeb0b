import type { CallContext } from '../../contracts/contribution.ts';
import type { HistoryItem } from '../../domain/turn.ts';
import type { Alert } from '../../wire/index.ts';
import { FileRefInterceptor, resolveFileRefs, type ResolvedFile } from '../submit/resolve-file-refs.ts';
import { FsView } from '../submit/fs-view.ts';
import { parseSegments, textOf } from '../submit/parse-segments.ts';
import { submitPrompt, type Extensions } from '../submit/submit-prompt.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import { sourceRoots } from '../../documents/source-roots.ts';
import { openStore } from '../../documents/open-store.ts';
import type { AskPorts } from './ask-sources.ts';
import type { LanguageModel } from '../../contracts/language-model.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import { isKebabError } from '../../errors/kebab-error.ts';

/** A question that everybody has let pass. */
export interface SubmittedQuestion {
  /** The question without its file references: what is looked up. */
  readonly text: string;
  /** The user's message and the items behind it. */
  readonly items: readonly HistoryItem[];
  readonly files: readonly ResolvedFile[];
  readonly alerts: readonly Alert[];
}

/** Reads the files that a question refers to, and shows it to the extensions. Errors as `submitPrompt`. */
export async function submitQuestion(
  { config, cwd, documents }: Pick<AskPorts, 'config' | 'cwd' | 'documents'>,
  asked: Pick<CheckedAsk, 'question' | 'session'>,
  { hooks, interceptors, context }: Extensions & { readonly context: CallContext },
): Promise<SubmittedQuestion> {
  const segments = parseSegments(asked.question);
  const store = await openStore(documents);
  const sources = sourceRoots(config, await store?.indexedRoots());
  const { userText, files, alerts } = await resolveFileRefs(segments, new FsView(sources, cwd));
  const userItem: HistoryItem = { role: 'user', text: userText };
  const resolver = { name: { plugin: '@kebab/core', pluginVersion: '1' }, extension: new FileRefInterceptor(files) };
  const items = await submitPrompt(
    { segments, userItem, sessionId: asked.session },
    { hooks, interceptors: [resolver, ...interceptors] },
    context,
  );
  return { text: textOf(segments), items, files, alerts };
}

/**
 * The model that writes an answer: the configured one, or the one that the question names. Throws `invalid_input` for a name that
 * cannot be used, besides what opening a model throws.
 */
export async function chooseModel(
  { languageModels, config }: Pick<AskPorts, 'languageModels' | 'config'>,
  { model: name }: Pick<CheckedAsk, 'model'>,
): Promise<LanguageModel> {
  const { provider, model: configured } = config.models.llm;
  if (name === null || name === configured) return languageModels.get(provider);
  const model = await languageModels.named(provider, name).catch((error: unknown) => {
    if (!isKebabError(error, 'config_invalid') || error.details.key !== 'models.llm.model') throw error;
    throw invalidInput(error.details.cause, { field: 'model', value: name, hint: error.hint });
  });
  if (model.model.id === name) return model;
  throw invalidInput(`the provider ${provider} has a model of its own, ${model.model.id}, and cannot use ${name}`, {
    field: 'model',
    value: name,
    hint: 'ask without naming a model, or set models.llm.provider to one that can choose',
  });
}
