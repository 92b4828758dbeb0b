import * as z from 'zod';
import { MEDIA } from '../domain/media.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { TimeSchema } from './scalars.ts';
import { SourceTypeSchema, TrustSchema } from './vocabulary.ts';

const ListSchema = z.array(z.string());

/** The filters of a request; all must hold, values within one are alternatives. */
export const WireFiltersSchema = z.strictObject({
  tag: ListSchema.exactOptional().describe('documents with one of these tags'),
  lang: ListSchema.exactOptional().describe('documents in one of these languages'),
  path_glob: ListSchema.exactOptional().describe('globs on the path; * does not cross /, ** does'),
  trust_min: TrustSchema.exactOptional().describe('at least this trust: primary > secondary > generated'),
  media: z
    .array(z.enum([...MEDIA, 'md', 'txt']))
    .exactOptional()
    .describe('kinds of document; md and txt are short for markdown and text'),
  ingested_after: TimeSchema.exactOptional().describe('committed at or after this time'),
  doc_id: ListSchema.exactOptional().describe('these documents only'),
  repo: ListSchema.exactOptional().describe('code of these repositories'),
  code_lang: ListSchema.exactOptional().describe('code in these programming languages'),
  source: ListSchema.exactOptional().describe('ids of sources'),
  source_type: z.array(SourceTypeSchema).exactOptional().describe('what the document is to its owner'),
});

/** The filters of a request, as written on the wire. */
export type WireFilters = DeepReadonly<z.infer<typeof WireFiltersSchema>>;
