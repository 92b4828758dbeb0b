import * as z from 'zod';
import { ERROR_CODES, type ErrorCode, type ErrorDetails } from '../errors/codes.ts';
import { CountSchema, type DeepReadonly, wireObject } from './scalars.ts';

const text = z.string();
const textOrNull = z.string().nullable();

const DETAILS = {
  config_invalid: z.strictObject({ path: textOrNull, key: textOrNull, cause: text, suggestion: textOrNull }),
  config_not_found: z.strictObject({ path: text }),
  not_indexed: z.strictObject({ expected: text, found: text }),
  model_unreachable: z.strictObject({ endpoint: text, model: text, cause: text }),
  model_not_pulled: z.strictObject({ model: text, provider: text }),
  timeout: z.strictObject({ operation: text, after_ms: z.number().min(0) }),
  io_error: z.strictObject({ kind: text.describe('ENOENT, EACCES …'), path: textOrNull, cause: text }),
  store_damaged: z.strictObject({
    store: text,
    table: textOrNull.describe('null when unknown'),
    cause: text,
  }),
  stale_cursor: z.strictObject({ reason: z.enum(['revision', 'stages']), expected: text, found: text }),
  invalid_input: z.strictObject({
    field: textOrNull,
    value: textOrNull,
    allowed: z.array(text).nullable(),
    suggestion: textOrNull.describe('nearest valid name'),
  }),
  chunk_not_found: z.strictObject({ chunk_id: text }),
  doc_not_found: z.strictObject({ doc_id: textOrNull, path: textOrNull }),
  span_not_supported: z.strictObject({
    doc_id: text,
    media: text,
    alternatives: z.tuple([z.literal('chunk'), z.literal('doc')]),
  }),
  readonly_mode: z.strictObject({ command: text }),
  plugin_failed: z.strictObject({
    plugin: text,
    version: text,
    kind: text,
    stage: text,
    cause: text,
    path: textOrNull,
  }),
  plugin_incompatible: z.strictObject({
    plugin: text,
    api_version: CountSchema.nullable(),
    supported: z.array(CountSchema),
    reason: text,
  }),
  vector_store_unreachable: z.strictObject({ store: text, endpoint: textOrNull, cause: text }),
  locked: z.strictObject({ path: text, pid: CountSchema.nullable() }),
  cancelled: z.strictObject({ operation: text, reason: textOrNull }),
  generic: z.strictObject({ chain: z.array(text).describe('messages, outermost first') }),
} satisfies { readonly [C in ErrorCode]: z.ZodType<ErrorDetails[C]> };

const variantOf = <C extends ErrorCode>(code: C) =>
  wireObject('error', {
    code: z.literal(code),
    message: z
      .string()
      .regex(/^[^\r\n]*$/)
      .describe('one line'),
    details: DETAILS[code],
    hint: textOrNull.describe('what to do'),
  });

type Variant = { readonly [C in ErrorCode]: ReturnType<typeof variantOf<C>> }[ErrorCode];

/** A failure: error.v1. `code` determines the shape of `details`. */
export const ErrorV1Schema = z
  .discriminatedUnion('code', ERROR_CODES.map(variantOf) as unknown as readonly [Variant, ...Variant[]])
  .describe('a failure; code determines the shape of details');

/** A failure. */
export type ErrorV1 = DeepReadonly<z.infer<typeof ErrorV1Schema>>;
