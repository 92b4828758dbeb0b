import * as z from 'zod';
import { WIRE_SCHEMAS, type WireObjects } from '../../src/wire/schemas.ts';

/** Parses a value as the named wire object. Throws a TypeError that lists every deviation by path. */
export function parseWire<N extends keyof WireObjects>(name: N, value: unknown): WireObjects[N] {
  const result = WIRE_SCHEMAS[name].safeParse(value);
  if (!result.success) throw new TypeError(`not a valid ${name}.v1:\n${z.prettifyError(result.error)}`);
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- without it the compiler gives up on the union
  return result.data as WireObjects[N];
}
