import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

async function modulesLoadedBy(file: string): Promise<readonly string[]> {
  const input = fileURLToPath(new URL(`../../src/wire/${file}`, import.meta.url));
  const bundle = await rolldown({ input, platform: 'node', treeshake: false });
  const { output } = await bundle.generate({ format: 'esm' });
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

describe('the modules that wire files load', () => {
  it.each(['index.ts', 'names.ts', 'to-error.ts'])('include no library for %s', async (file) => {
    const modules = await modulesLoadedBy(file);
    expect(modules.length).toBeGreaterThan(0);
    expect(modules.filter((id) => id.includes('node_modules'))).toEqual([]);
  });

  it('include zod for schemas.ts, so the check above can detect it', async () => {
    expect((await modulesLoadedBy('schemas.ts')).some((id) => id.includes('node_modules/zod'))).toBe(true);
  });
});
