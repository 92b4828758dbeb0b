import * as z from 'zod';
import { ErrorV1Schema } from './errors.ts';
import { CountSchema, type DeepReadonly, TimeSchema, versionOf } from './scalars.ts';

const event = { schema_version: versionOf('watch_event'), ts: TimeSchema };

/** An action or a state of a watcher: watch_event.v1, discriminated by `kind`. */
export const WatchEventSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...event,
      kind: z.literal('watching').describe('the folders are watched from now on, or the method has changed'),
      how: z.enum(['events', 'polling']).describe('events: the system reports changes; polling: folders are rescanned'),
      directories: CountSchema,
      reason: z.string().exactOptional().describe('why folders are polled'),
      hint: z.string().exactOptional().describe('what would change that'),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('ingested').describe('the changes are indexed'),
      new: CountSchema,
      updated: CountSchema,
      purged: CountSchema,
      errors: CountSchema,
      left: CountSchema.describe('files that were not touched, because too many disappeared at once'),
      ms: CountSchema.describe('from the start of the scan to the end'),
      paths: z.array(z.strictObject({ source_id: z.string(), doc_path: z.string() })).describe('of the first 100'),
      doc_ids: z
        .array(z.string())
        .describe('documents added or removed, the first 200; an edited document counts as both'),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('embedded').describe('documents were given their vectors'),
      pending: CountSchema.describe('documents that lack vectors still'),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('waiting').describe('the work cannot be done now and will be retried'),
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
      kind: z.literal('replaced').describe('the database was replaced; the last event'),
      database: z.string(),
    }),
    z.strictObject({ ...event, kind: z.literal('error'), error: ErrorV1Schema }),
  ])
  .describe('an action or a state of a watcher');

/** An action or a state of a watcher. */
export type WatchEvent = DeepReadonly<z.infer<typeof WatchEventSchema>>;
