import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import type { ResolvedConfig } from '../../src/config/resolved-config.ts';
import { captionFingerprint, ocrFingerprint } from '../../src/composition/plugin-contexts.ts';

async function configWith(env: Readonly<Record<string, string>>): Promise<ResolvedConfig> {
  return (await resolveConfig({ cwd: '/', env, homeDir: '/nowhere' })).config;
}

describe('the fingerprints of picture readers', () => {
  it('are null while none is enabled', async () => {
    const config = await configWith({});
    expect([ocrFingerprint(config), captionFingerprint(config)]).toEqual([null, null]);
  });

  it('change with everything that affects the output, and with nothing else', async () => {
    const base = { KEBAB_OCR_ENGINE: 'tesseract', KEBAB_CAPTION_PROVIDER: 'ollama' };
    const first = await configWith(base);
    const of = async (env: Readonly<Record<string, string>>) => {
      const config = await configWith({ ...base, ...env });
      return [
        ocrFingerprint(config) !== ocrFingerprint(first),
        captionFingerprint(config) !== captionFingerprint(first),
      ];
    };
    expect(await of({ KEBAB_OCR_ENGINE: 'ollama' })).toEqual([true, false]);
    expect(await of({ KEBAB_OCR_MODEL: 'minicpm-v' })).toEqual([true, false]);
    expect(await of({ KEBAB_OCR_MAX_PIXELS: '1000' })).toEqual([true, false]);
    expect(await of({ KEBAB_OCR_LANGUAGES: 'kor' })).toEqual([true, true]);
    expect(await of({ KEBAB_CAPTION_MODEL: 'moondream' })).toEqual([false, true]);
    expect(await of({ KEBAB_CAPTION_MAX_PIXELS: '500' })).toEqual([false, true]);
    expect(await of({ KEBAB_OCR_TIMEOUT_S: '5', KEBAB_CAPTION_TIMEOUT_S: '5' })).toEqual([false, false]);
  });
});
