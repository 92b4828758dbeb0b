import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LanguageData, orderLanguages } from '../../src/ocr/language-data.ts';

const folders: string[] = [];
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'kebab-data-'));
  folders.push(made);
  return made;
}

describe('language data', () => {
  it('of the bundled languages is collected in one folder, which is removed at the end', () => {
    const tmpDir = path.join(folder(), 'not', 'there', 'yet');
    const data = new LanguageData({ dataDir: null, tmpDir });
    const found = data.folderFor(['kor', 'eng']);
    expect(readdirSync(found).toSorted()).toEqual(['eng.traineddata.gz', 'kor.traineddata.gz']);
    expect(data.folderFor(['eng'])).toBe(found);
    data.close();
    expect(existsSync(found)).toBe(false);
  });

  it('of the user comes first, compressed or not', () => {
    const dataDir = folder();
    writeFileSync(path.join(dataDir, 'deu.traineddata'), 'x');
    const data = new LanguageData({ dataDir, tmpDir: folder() });
    expect(data.missing(['deu', 'eng', 'fra'])).toEqual(['fra']);
    expect(data.present(['fra', 'eng'])).toEqual(['eng', 'kor', 'deu']);
    expect(readdirSync(data.folderFor(['deu']))).toEqual(['deu.traineddata.gz']);
    data.close();
  });

  it.each([['xyz'], ['../eng'], ['https://example.org/eng'], ['']])(
    'of %j is reported as missing immediately, by name',
    (language) => {
      const data = new LanguageData({ dataDir: null, tmpDir: folder() });
      expect(() => data.folderFor(['eng', language])).toThrow(
        expect.objectContaining({
          code: 'model_not_pulled',
          details: { model: language, provider: 'tesseract' },
        }) as Error,
      );
    },
  );

  it('is ordered with Korean, Japanese and Chinese first', () => {
    expect(orderLanguages(['eng', 'kor', 'deu', 'eng', 'chi_sim'])).toEqual(['kor', 'chi_sim', 'eng', 'deu']);
  });
});
