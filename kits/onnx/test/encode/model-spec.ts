import { readModelFolder } from '../../src/folder/read-model-folder.ts';
import type { TextModelSpec } from '../../src/encode/text-model.ts';

/** The specification of the model in a folder, ready to be loaded; `told` overrides its members. */
export async function specFor(folder: string, told: Partial<TextModelSpec> = {}): Promise<TextModelSpec> {
  const { manifest, weights } = await readModelFolder(folder, { modelDir: '/nowhere' });
  const { prefixes, maxTokens, pooling, precision, dimensions } = manifest;
  return { folder, weights, prefixes, maxTokens, pooling, precision, dimensions, batchSize: 4, threads: 1, ...told };
}
