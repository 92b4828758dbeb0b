import type { WireName } from './names.ts';
import type { JsonSchema } from './wire-json-schema.ts';

/** The JSON Schema of a wire object. Loads zod on the first call, so that only hosts that show schemas load it. */
export async function loadWireJsonSchema(name: WireName): Promise<JsonSchema> {
  const { wireJsonSchema } = await import('./wire-json-schema.ts');
  return wireJsonSchema(name);
}
