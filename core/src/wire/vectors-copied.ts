import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, versionOf } from './scalars.ts';

/** What was copied between vector stores: vectors_copied.v1. */
export const VectorsCopiedSchema = z.strictObject({
  schema_version: versionOf('vectors_copied'),
  from: z.string().describe('id of the vector store that was read'),
  to: z.string().describe('id of the vector store that was written'),
  collections: z.array(z.strictObject({ collection: z.string(), vectors: CountSchema })),
});

/** What was copied between vector stores. */
export type VectorsCopied = DeepReadonly<z.infer<typeof VectorsCopiedSchema>>;
