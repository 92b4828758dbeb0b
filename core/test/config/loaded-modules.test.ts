import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

/** The modules of the first chunk and of those it imports are always loaded, the others when their `import()` is reached. */
async function modulesOf(
  file: string,
): Promise<{ readonly always: readonly string[]; readonly later: readonly string[] }> {
  const input = fileURLToPath(new URL(`../../src/config/${file}`, import.meta.url));
  const bundle = await rolldown({ input, platform: 'node', treeshake: false });
  const { output } = await bundle.generate({ format: 'esm' });
  const chunks = output.filter((chunk) => chunk.type === 'chunk');
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const fileName of first) {
    for (const imported of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? []) first.add(imported);
  }
  const modules = (always: boolean): readonly string[] =>
    chunks.filter(({ fileName }) => first.has(fileName) === always).flatMap(({ moduleIds }) => moduleIds);
  return { always: modules(true), later: modules(false) };
}

describe('resolving the configuration', () => {
  it('loads no library but the edit distance one, unless a file needs one', async () => {
    const { always, later } = await modulesOf('resolve-config.ts');
    expect(always.some((id) => id.endsWith('/keys.ts'))).toBe(true);
    const loaded = always.flatMap((id) => /node_modules\/([^/]+)/.exec(id)?.[1] ?? []);
    expect(loaded).toEqual(['damerau-levenshtein']);
    const libraries = ['smol-toml', 'cosmiconfig', 'js-yaml', 'blake3-jit'];
    const loads = (library: string): boolean => later.some((id) => id.includes(`node_modules/${library}/`));
    expect(libraries.filter(loads)).toEqual(libraries);
    expect(later.filter((id) => id.includes('node_modules/zod/'))).toEqual([]);
  });
});
