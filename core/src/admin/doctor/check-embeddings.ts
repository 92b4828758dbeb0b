import { allDocuments } from '../../documents/all-documents.ts';
import { isPending } from '../is-pending.ts';
import type { DoctorContext } from './doctor-context.ts';
import { checkOf, failed, fine, unavailable, type Outcome } from './outcome.ts';

/** Whether the embedding model is there. */
export const checkEmbeddingModel = checkOf('embedding_model', async (context) => {
  const missing = withoutEmbedder(context);
  if (missing !== null) return missing;
  const { provider } = context.resolution.config.models.embedding;
  const embedder = await context.ports.embedders.get(provider);
  await embedder.probe?.();
  return fine(`${embedder.modelId} (${embedder.dimensions}d)`);
});

/** Whether every document has vectors of the model in use. */
export const checkEmbeddings = checkOf('embeddings_complete', async (context) => {
  const missing = withoutEmbedder(context);
  if (missing !== null) return missing.ok ? missing : fine('nothing embeds');
  const { provider } = context.resolution.config.models.embedding;
  const fingerprint = (await context.ports.embedders.get(provider)).fingerprint();
  const store = await context.ports.documents.read();
  const pending = [...allDocuments(store)].filter((document) => isPending(document, fingerprint));
  const foreign = pending.filter(({ fingerprints }) => fingerprints.embedding !== null).length;
  if (pending.length === 0) return fine('0 pending');
  const detail = `${pending.length} pending${foreign === 0 ? '' : `, ${foreign} of them embedded by another model`}`;
  return failed(detail, 'kebab ingest');
});

function withoutEmbedder(context: DoctorContext): Outcome | null {
  const { provider } = context.resolution.config.models.embedding;
  if (provider === 'none') return fine('disabled');
  if (context.ports.embedders.names().some(({ id }) => id === provider)) return null;
  return unavailable(context, 'models.embedding.provider', provider);
}
