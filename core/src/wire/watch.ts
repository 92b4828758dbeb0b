import * as z from 'zod';
import { ErrorV1Schema } from './errors.ts';
import { CountSchema, type DeepReadonly, TimeSchema, versionOf } from './scalars.ts';

const event = { schema_version: versionOf('watch_event'), ts: TimeSchema };

/** What a watcher did or waits for: watch_event.v1, discriminated by `kind`. */
export const WatchEventSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...event,
      kind: z.literal('watching').describe('the folders are followed from now on, or in another way than before'),
      how: z.enum(['events', 'polling']).describe('events: the system reports changes; polling: folders are looked at'),
      directories: CountSchema,
      reason: z.string().exactOptional().describe('why folders are polled'),
      hint: z.string().exactOptional().describe('what would change that'),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('ingested').describe('what had changed is in the index'),
      new: CountSchema,
      updated: CountSchema,
      purged: CountSchema,
      errors: CountSchema,
      left: CountSchema.describe('files that were not touched, because too many are gone at once'),
      ms: CountSchema.describe('from the look at the folders to the end'),
      paths: z.array(z.strictObject({ source_id: z.string(), doc_path: z.string() })).describe('of the first 100'),
      doc_ids: z
        .array(z.string())
        .describe('documents that are new or gone, the first 200; an edited document is one of each'),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('embedded').describe('documents were given their vectors'),
      pending: CountSchema.describe('documents that lack vectors still'),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('waiting').describe('nothing can be done at the moment; it is done later'),
      reason: z.enum(['locked', 'disk_full', 'no_database']),
      hint: z.string(),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('degraded').describe('something is left out'),
      reason: z.string(),
      hint: z.string(),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('replaced').describe('the database is another file than it was; the last event'),
      database: z.string(),
    }),
    z.strictObject({ ...event, kind: z.literal('error'), error: ErrorV1Schema }),
  ])
  .describe('what a watcher did or waits for');

/** What a watcher did or waits for. */
export type WatchEvent = DeepReadonly<z.infer<typeof WatchEventSchema>>;
