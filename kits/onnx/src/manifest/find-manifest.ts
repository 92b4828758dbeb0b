import { BUILTIN_MANIFESTS } from './builtin-manifests.ts';
import type { ModelManifest } from './model-manifest.ts';

/** Endings of a folder's name that tell how the weights are stored, not which model it is. */
const PRECISION_SUFFIX = /-(int8|q8|q4|fp16|fp32|quantized|onnx)$/;

/** The manifest of a name, or undefined. */
export function findManifest(
  name: string,
  manifests: readonly ModelManifest[] = BUILTIN_MANIFESTS,
): ModelManifest | undefined {
  return manifests.find(({ id }) => id === name);
}

/** The manifest that a folder's name speaks of, or undefined: `potion-base-4M-int8` is a `potion-base-4M`. */
export function manifestOfFolder(name: string, manifests?: readonly ModelManifest[]): ModelManifest | undefined {
  return findManifest(name, manifests) ?? findManifest(name.replace(PRECISION_SUFFIX, ''), manifests);
}
