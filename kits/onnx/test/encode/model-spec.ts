import { readModelFolder } from '../../src/folder/read-model-folder.ts';
import type { TextModelSpec } from '../../src/encode/text-model.ts';

/** What a folder says of its model, ready to be loaded; anything may be told otherwise. */
export async function specFor(folder: string, told: Partial<TextModelSpec> = {}): Promise<TextModelSpec> {
  const { manifest, weights } = await readModelFolder(folder, { modelDir: '/nowhere' });
  const { prefixes, maxTokens, pooling, precision, dimensions } = manifest;
  return { folder, weights, prefixes, maxTokens, pooling, precision, dimensions, batchSize: 4, threads: 1, ...told };
}
