import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { ChunkPolicy } from '../domain/chunk.ts';

/** How a configuration wants documents cut. */
export function chunkPolicyOf({ chunking, code }: Pick<ResolvedConfig, 'chunking' | 'code'>): ChunkPolicy {
  return {
    targetTokens: chunking.targetTokens,
    overlapTokens: chunking.overlapTokens,
    maxChunkTokens: chunking.maxChunkTokens,
    respectMarkdownHeadings: chunking.respectMarkdownHeadings,
    maxUnitLines: code.maxUnitLines,
    windowLines: code.windowLines,
    windowOverlapLines: code.windowOverlapLines,
  };
}
