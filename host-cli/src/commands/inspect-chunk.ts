import type { ChunkId } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab inspect chunk`: everything known of a chunk. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const id = (await app.resolveId('chunk', context.values.arg('ID'))) as ChunkId;
  const inspection = await app.inspectChunk(id, { signal: context.signal });
  await context.show(inspection, async () => (await import('../render/chunk-inspection.ts')).renderChunkInspection);
  return EXIT.ok;
}
