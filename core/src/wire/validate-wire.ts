import * as z from 'zod';
import type { WireName } from './schema-names.ts';
import { WIRE_SCHEMAS, type WireObjects } from './schemas.ts';

/** Reads a value as the named wire object. Throws a TypeError that lists every deviation by path. */
export function parseWire<N extends WireName>(name: N, value: unknown): WireObjects[N] {
  const result = WIRE_SCHEMAS[name].safeParse(value);
  if (!result.success) throw new TypeError(`not a valid ${name}.v1:\n${z.prettifyError(result.error)}`);
  return result.data as WireObjects[N];
}
