import { describe, expect, it } from 'vitest';
import { ALL_TOOLS } from '../../src/kebab-surface.ts';
import { outputSchemaOf } from '../../src/tools/output-schema.ts';
import { OUTPUT_SCHEMAS } from '../../src/tools/output-schemas.generated.ts';

describe('the output schemas of tools', () => {
  it('equal those that scripts/generate-wire-schema.mjs generates from the wire objects', async () => {
    const keys = [...new Set(ALL_TOOLS.map(({ outputs }) => outputs.join(' ')))];
    expect(Object.keys(OUTPUT_SCHEMAS)).toEqual(keys);
    for (const { outputs } of ALL_TOOLS)
      expect(OUTPUT_SCHEMAS[outputs.join(' ')]).toEqual(await outputSchemaOf(outputs));
  });
});
