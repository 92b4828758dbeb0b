import { allDocuments } from '../../documents/all-documents.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { checkOf, fine } from './outcome.ts';

/** How many documents hold what looks like secrets, where they are looked for. */
export const checkSecrets = checkOf('secrets_in_documents', async ({ resolution, ports }) => {
  const { secrets } = resolution.config.indexing;
  if (secrets === 'allow') return fine('not looked for (indexing.secrets)');
  if (secrets === 'skip') return fine('files that hold some are left out (indexing.secrets)');
  try {
    let count = 0;
    for await (const { fingerprints } of allDocuments(await ports.documents.read()))
      if (fingerprints.hasSecrets) count++;
    return fine(`${count} ${count === 1 ? 'document' : 'documents'} with some, which are redacted`);
  } catch (error) {
    if (isKebabError(error, 'not_indexed')) return fine('nothing is indexed yet');
    throw error;
  }
});
