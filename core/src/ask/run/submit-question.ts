import type { CallContext } from '../../contracts/contribution.ts';
import type { HistoryItem, Segment } from '../../domain/turn.ts';
import type { Alert } from '../../wire/index.ts';
import { FileRefInterceptor, resolveFileRefs, type ResolvedFile } from '../submit/resolve-file-refs.ts';
import { FsView } from '../submit/fs-view.ts';
import { submitPrompt, type Extensions } from '../submit/submit-prompt.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import { sourceRoots } from '../../documents/source-roots.ts';
import { openStore } from '../../documents/open-store.ts';
import type { AskPorts } from './ask-sources.ts';
import type { LanguageModel } from '../../contracts/language-model.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import { isKebabError } from '../../errors/kebab-error.ts';

/** A question that no extension has stopped. */
export interface SubmittedQuestion {
  /** The question without its file references, for the search. */
  readonly text: string;
  /** The user's message and the items after it. */
  readonly items: readonly HistoryItem[];
  readonly files: readonly ResolvedFile[];
  readonly alerts: readonly Alert[];
}

/** Reads the files that a question refers to, and passes it to the extensions. Errors as for `submitPrompt`. */
export async function submitQuestion(
  { config, cwd, documents, mayRead }: Pick<AskPorts, 'config' | 'cwd' | 'documents' | 'mayRead'>,
  asked: Pick<CheckedAsk, 'question' | 'session'>,
  { hooks, interceptors, context }: Extensions & { readonly context: CallContext },
): Promise<SubmittedQuestion> {
  const segments = parseSegments(asked.question);
  const store = await openStore(documents);
  const sources = sourceRoots(config, await store?.indexedRoots());
  const { userText, files, alerts } = await resolveFileRefs(segments, new FsView(sources, cwd, mayRead));
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
 * The model for an answer: the configured one, or the one that the question names. Throws `invalid_input` for an unusable name, and what
 * opening a model throws.
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

const MAY_STAND_BEFORE = /[\s([{<"'“‘«「『（【]/u;
const TRAILING = /[.,;:!?)\]}]+$/;
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '«': '»',
  '「': '」',
  '『': '』',
};

/**
 * Splits a question into text and file references: `@path` or `@"path with spaces"` where `@` begins the text or follows white space, an
 * opening bracket or a quote. A path without quotes ends at white space and loses trailing punctuation. `\@` and `me@host` are text.
 * Joining the pieces reproduces the question.
 */
export function parseSegments(question: string): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  const takeText = (to: number): void => {
    if (to > from) segments.push({ kind: 'text', text: question.slice(from, to) });
  };
  for (let at = question.indexOf('@'); at !== -1; at = question.indexOf('@', at + 1)) {
    if (at < from || (at > 0 && !MAY_STAND_BEFORE.test(question[at - 1] ?? ''))) continue;
    const found = referenceAt(question, at);
    if (found === undefined) continue;
    takeText(at);
    segments.push({ kind: 'file_ref', ...found });
    from = at + found.raw.length;
  }
  takeText(question.length);
  return segments;
}

/** The question without its references, as it is searched for. */
export function textOf(segments: readonly Segment[]): string {
  const texts = segments.map((segment) => (segment.kind === 'text' ? segment.text : ' '));
  return texts
    .join('')
    .replaceAll(String.raw`\@`, '@')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function referenceAt(question: string, at: number): { readonly path: string; readonly raw: string } | undefined {
  if (question[at + 1] === '"') {
    const end = question.indexOf('"', at + 2);
    if (end <= at + 2) return undefined;
    return { path: question.slice(at + 2, end), raw: question.slice(at, end + 1) };
  }
  const run = /^[^\s]*/.exec(question.slice(at + 1, at + 4097))?.[0] ?? '';
  const closing = CLOSING[question[at - 1] ?? ''];
  let path = run.replace(TRAILING, '');
  // A reference inside quotes ends at the closing quote.
  if (closing !== undefined && path.endsWith(closing)) path = path.slice(0, -1).replace(TRAILING, '');
  return path === '' ? undefined : { path, raw: `@${path}` };
}
