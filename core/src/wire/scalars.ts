import * as z from 'zod';
import { BLOCK_KINDS } from '../domain/block.ts';
import { MEDIA, SOURCE_TYPES, TRUST_LEVELS } from '../domain/kinds.ts';
import { MODES } from '../domain/query.ts';
import { ERROR_CODES } from '../errors/codes.ts';
import type { WireName } from './names.ts';

/** Deeply readonly `T`; `unknown` is left unchanged. */
export type DeepReadonly<T> = unknown extends T ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> };

/** The `schema_version` at the beginning of every named object. */
export const versionOf = <N extends WireName>(name: N) => z.literal(`${name}.v1` as const);

/** The schema of a named object with these members. */
export const wireObject = <N extends WireName, S extends z.core.$ZodLooseShape>(name: N, members: S) =>
  z.strictObject({ schema_version: versionOf(name), ...members });

/** A whole number from 0. */
export const CountSchema = z.int().min(0);
/** A whole number from 1: lines, pages, ranks. */
export const PositiveSchema = z.int().min(1);
/** A number from 0 to 1, both included. */
export const UnitSchema = z.number().min(0).max(1);

/** The first 16 hex digits of a blake3 hash. */
export const Hex16Schema = z.string().regex(/^[0-9a-f]{16}$/);
/** An id: 32 hex digits. */
export const Hex32Schema = z.string().regex(/^[0-9a-f]{32}$/);
/** A full blake3 hash: 64 hex digits. */
export const Hex64Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** RFC 3339 with offset. The pattern is short because it is repeated for every time. */
export const TimeSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/)
  .meta({ format: 'date-time' });

/** A JSON object whose members kebab does not define. */
export const ObjectSchema = z.record(z.string(), z.unknown());

/** The kind of a document. */
export const MediaSchema = z.enum(MEDIA);
/** How far a document can be trusted. */
export const TrustSchema = z.enum(TRUST_LEVELS);
/** The role of a document for its owner. */
export const SourceTypeSchema = z.enum(SOURCE_TYPES);
/** The code of a failure. */
export const ErrorCodeSchema = z.enum(ERROR_CODES);

/** Which retrievers a search uses. */
export const ModeSchema = z.enum(MODES);
/** The structural kind of a block. */
export const BlockKindSchema = z.enum(BLOCK_KINDS);

/** How the source file compares with its indexed version. */
export const FreshnessSchema = z.enum(['fresh', 'changed', 'deleted']);
/** How the source file compares with its indexed version. */
export type Freshness = z.infer<typeof FreshnessSchema>;

/** The kind of a hit's score. */
export const ScoreKindSchema = z.enum(['rrf', 'cosine', 'rerank', 'fused', 'relevance']);
/** The kind of a hit's score. */
export type ScoreKind = z.infer<typeof ScoreKindSchema>;
