import type { DocumentRow, SharedEmbeddingsFound } from '../../contracts/document-store.ts';
import type { LanguageModel } from '../../contracts/language-model.ts';
import { allDocuments } from '../../documents/open-store.ts';
import { fingerprintOf } from '../../domain/policy-hash.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { chatEndpoint } from '../chat-endpoint.ts';
import {
  absent,
  checkOf,
  type DoctorContext,
  failed,
  fine,
  optionalUnlessSet,
  type Outcome,
  unavailable,
} from './outcome.ts';

const EMBEDDING = 'models.embedding';
const LLM = 'models.llm';

/** Whether the embedding model is available. */
export const checkEmbeddingModel = checkOf('embedding_model', async (context) => {
  const missing = withoutEmbedder(context);
  if (missing !== null) return missing;
  return optionalUnlessSet(context, EMBEDDING, async () => {
    const { provider } = context.resolution.config.models.embedding;
    const embedder = await context.ports.embedders.get(provider);
    await embedder.probe?.();
    return fine(`${embedder.modelId} (${embedder.dimensions}d)`);
  });
});

/** Whether every document has vectors of the current model. */
export const checkEmbeddings = checkOf('embeddings_complete', async (context) => {
  const missing = withoutEmbedder(context);
  if (missing !== null) return missing.ok ? missing : fine('nothing embeds');
  // Without a model there is nothing to embed with: the check of the model gives the first step.
  if ((await checkEmbeddingModel(context)).optional === true)
    return absent('no vectors; documents are found by their words', 'kebab models pull, then kebab ingest');
  const { provider } = context.resolution.config.models.embedding;
  const fingerprint = fingerprintOf(await context.ports.embedders.get(provider));
  const store = await context.ports.documents.read();
  const pending: DocumentRow[] = [];
  for await (const document of allDocuments(store)) if (isPending(document, fingerprint)) pending.push(document);
  const foreign = pending.filter(({ fingerprints }) => fingerprints.embedding !== null).length;
  if (pending.length === 0) return fine(`0 pending${sharedWith(await store.sharedEmbeddings?.())}`);
  const detail = `${pending.length} pending${foreign === 0 ? '' : `, ${foreign} of them embedded by another model`}`;
  return failed(detail, 'kebab ingest');
});

/** The vectors that are shared so that no other knowledge base embeds the same text again. */
function sharedWith(shared: SharedEmbeddingsFound | null | undefined): string {
  if (shared === null || shared === undefined) return '';
  const mebibytes = (shared.bytes / 1_048_576).toFixed(1);
  return `; ${shared.entries} in ${shared.file} (${mebibytes} MiB) for all knowledge bases`;
}

function withoutEmbedder(context: DoctorContext): Outcome | null {
  const { provider } = context.resolution.config.models.embedding;
  if (provider === 'none') return fine('disabled');
  if (context.ports.embedders.names().some(({ id }) => id === provider)) return null;
  return unavailable(context, 'models.embedding.provider', provider);
}

/** Whether the provider of answers is available. */
export const checkLlm = checkOf(
  (context) => (isOllama(context) ? 'ollama_reachable' : 'llm_reachable'),
  async (context) => {
    const missing = withoutLlm(context);
    if (missing !== null) return missing;
    return optionalUnlessSet(context, LLM, async () => {
      await probed(context).catch((error: unknown) => {
        // the server answered: what is wrong with the model is reported below
        if (!isKebabError(error, 'model_not_pulled') && !isKebabError(error, 'config_invalid')) throw error;
      });
      return fine(whereAnswers(context));
    });
  },
);

/** Which model answers questions. */
export const checkLlmModel = checkOf(
  (context) => (isOllama(context) ? 'ollama_model_pulled' : 'llm_model'),
  async (context) => {
    const missing = withoutLlm(context);
    if (missing !== null) return missing;
    return optionalUnlessSet(context, LLM, async () => fine((await probed(context)).model.id));
  },
);

async function probed({ resolution, ports }: DoctorContext): Promise<LanguageModel> {
  const model = await ports.languageModels.get(resolution.config.models.llm.provider);
  await model.probe?.();
  return model;
}

function isOllama({ resolution: { config }, ports }: DoctorContext): boolean {
  return config.models.llm.provider === 'ollama' && chatEndpoint(config, ports.languageModels) !== null;
}

/** The URL of a server, or the plugin that provides the model. */
function whereAnswers({ resolution: { config }, ports: { languageModels } }: DoctorContext): string {
  const endpoint = chatEndpoint(config, languageModels);
  if (endpoint !== null) return endpoint;
  const name = languageModels.names().find(({ id }) => id === config.models.llm.provider);
  return `${config.models.llm.provider} of ${name?.plugin}@${name?.pluginVersion}`;
}

function withoutLlm(context: DoctorContext): Outcome | null {
  const { provider } = context.resolution.config.models.llm;
  if (provider === 'none') return fine('disabled');
  if (context.ports.languageModels.names().some(({ id }) => id === provider)) return null;
  return unavailable(context, 'models.llm.provider', provider);
}

/** Whether a document lacks vectors of the embedder with this fingerprint; nothing is pending without an embedder. */
function isPending({ fingerprints }: DocumentRow, embedding: string | null): boolean {
  return embedding !== null && fingerprints.embedding !== embedding;
}
