import * as z from 'zod';
import type { WireName } from './schema-names.ts';

/** The `schema_version` every named object begins with. */
export const versionOf = <N extends WireName>(name: N) => z.literal(`${name}.v1` as const);

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

/** RFC 3339 with offset. The pattern is short on purpose: it is repeated wherever a time stands. */
export const TimeSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/)
  .meta({ format: 'date-time' });

/** A JSON object whose members belong to somebody else. */
export const ObjectSchema = z.record(z.string(), z.unknown());
