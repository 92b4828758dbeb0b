import { definePlugin, type Chunker } from '@kebab/core';

export { formats } from './formats.ts';

/** Kubernetes resources, Dockerfiles, package manifests and other configuration. */
export default definePlugin({
  contributes: {
    extractor: { manifests: async () => (await import('./manifest-extractor.ts')).createManifestExtractor() },
    chunker: {
      'k8s-manifest-resource-v1': async () => (await import('./manifest-chunkers.ts')).createResourceChunker(),
      'dockerfile-file-v1': () => wholeFileChunker('dockerfile-file-v1'),
      'manifest-file-v1': () => wholeFileChunker('manifest-file-v1'),
    },
  },
});

async function wholeFileChunker(id: 'dockerfile-file-v1' | 'manifest-file-v1'): Promise<Chunker> {
  return (await import('./manifest-chunkers.ts')).createWholeFileChunker(id);
}
