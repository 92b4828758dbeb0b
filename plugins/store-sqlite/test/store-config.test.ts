import { describe, expect, it } from 'vitest';
import { storeConfigSchema } from '../src/store-config.ts';

const validate = (value: unknown): unknown => storeConfigSchema['~standard'].validate(value);
const config = { file: '/data/kebab.sqlite', readonly: true, lockFile: '/data/kebab.lock', embeddingCache: '' };

describe('storeConfigSchema', () => {
  it('accepts the configuration that kebab passes to it', () => expect(validate(config)).toEqual({ value: config }));

  it.each([
    ['nothing', undefined, [undefined]],
    ['a text', 'kebab.sqlite', [undefined]],
    ['a missing file', { ...config, file: undefined }, [['file']]],
    ['an empty file', { ...config, file: '' }, [['file']]],
    ['a wrong type', { ...config, readonly: 'yes' }, [['readonly']]],
    ['an unknown key', { ...config, lockfile: 'x' }, [['lockfile']]],
    ['several faults', {}, [['file'], ['readonly'], ['lockFile'], ['embeddingCache']]],
  ])('names the place of %s', (_name, value, paths) => {
    const { issues } = validate(value) as { readonly issues: readonly { readonly path?: unknown }[] };
    expect(issues.map(({ path }) => path)).toEqual(paths);
  });
});
