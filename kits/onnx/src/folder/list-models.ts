import { stat } from 'node:fs/promises';
import path from 'node:path';
import { BUILTIN_MANIFESTS } from '../manifest/builtin-manifests.ts';
import type { ModelManifest, ModelRole } from '../manifest/model-manifest.ts';
import { namedModelPath } from './model-path.ts';

/** A model known by name, and whether it lies in the model folder. */
export interface ListedModel {
  readonly id: string;
  readonly role: ModelRole;
  /** Whether every file is there. */
  readonly present: boolean;
  /** On the disk; null for a model that is not present. */
  readonly bytes: number | null;
}

/** The models of a list in its order, with what of them lies in `modelDir`. Nothing is loaded. */
export function listModels(
  modelDir: string,
  manifests: readonly ModelManifest[] = BUILTIN_MANIFESTS,
): Promise<readonly ListedModel[]> {
  return Promise.all(
    manifests.map(async ({ id, role, files }) => {
      const sizes = await Promise.all(
        files.map(({ path: file }) => bytesOf(path.join(namedModelPath(id, modelDir), file))),
      );
      const present = sizes.every((size) => size !== null && size > 0);
      return { id, role, present, bytes: present ? sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) : null };
    }),
  );
}

async function bytesOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch {
    return null; // whatever keeps it from being read, it cannot be used
  }
}
