import type { WireName } from './names.ts';
import type { JsonSchema } from './wire-json-schema.ts';

/** The JSON Schema of a wire object. Loads zod with the first call, so that a host pays for schemas only if it shows them. */
export async function loadWireJsonSchema(name: WireName): Promise<JsonSchema> {
  const { wireJsonSchema } = await import('./wire-json-schema.ts');
  return wireJsonSchema(name);
}
