import * as z from 'zod';
import { BLOCK_KINDS } from '../domain/block.ts';
import { MEDIA, SOURCE_TYPES, TRUST_LEVELS } from '../domain/media.ts';
import { MODES } from '../domain/query.ts';
import { ERROR_CODES } from '../errors/codes.ts';

/** The kind of a document. */
export const MediaSchema = z.enum(MEDIA);
/** How far a document is to be trusted. */
export const TrustSchema = z.enum(TRUST_LEVELS);
/** What a document is to its owner. */
export const SourceTypeSchema = z.enum(SOURCE_TYPES);
/** The code of a failure. */
export const ErrorCodeSchema = z.enum(ERROR_CODES);

/** Which retrievers a search uses. */
export const ModeSchema = z.enum(MODES);
/** The structural kind of a block. */
export const BlockKindSchema = z.enum(BLOCK_KINDS);

/** How the source file compares with what was indexed. */
export const FreshnessSchema = z.enum(['fresh', 'changed', 'deleted']);
/** How the source file compares with what was indexed. */
export type Freshness = z.infer<typeof FreshnessSchema>;

/** What the score of a hit measures. */
export const ScoreKindSchema = z.enum(['rrf', 'bm25', 'cosine', 'rerank']);
/** What the score of a hit measures. */
export type ScoreKind = z.infer<typeof ScoreKindSchema>;
