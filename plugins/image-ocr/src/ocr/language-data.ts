import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isKebabError, KebabError } from '@kebab/core';

/** Where language data may be. */
export interface LanguageDataOptions {
  /** The user's folder, searched first; null for none. */
  readonly dataDir: string | null;
  /** A folder in which a temporary folder may be created. */
  readonly tmpDir: string;
}

const NAME = /^[A-Za-z0-9_]{2,40}$/;
/** The languages whose data is a dependency of this plugin. */
const BUNDLED: readonly string[] = ['eng', 'kor'];
/** Languages without spaces between words: listed after another language, Tesseract puts a space between all syllables. */
const DENSE = /^(?:kor|jpn|chi)/;
const require = createRequire(import.meta.url);

/** Sorts languages for the best results of Tesseract: Korean, Japanese and Chinese first, otherwise as given, each once. */
export function orderLanguages(languages: readonly string[]): readonly string[] {
  const once = [...new Set(languages)];
  return [...once.filter((one) => DENSE.test(one)), ...once.filter((one) => !DENSE.test(one))];
}

/** Finds language data and collects it in one folder, because Tesseract accepts only one. */
export class LanguageData {
  readonly #options: LanguageDataOptions;
  readonly #linked = new Set<string>();
  #folder: string | null = null;

  constructor(options: LanguageDataOptions) {
    this.#options = options;
  }

  /** The languages without data. */
  missing(languages: readonly string[]): readonly string[] {
    return languages.filter((language) => this.#find(language) === null);
  }

  /** The languages with data: those of `asked`, the bundled ones, and the user's own. */
  present(asked: readonly string[]): readonly string[] {
    const { dataDir } = this.#options;
    const files = dataDir !== null && existsSync(dataDir) ? readdirSync(dataDir) : [];
    const own = files.flatMap((file) => /^(\w+)\.traineddata(?:\.gz)?$/.exec(file)?.[1] ?? []);
    return [...new Set([...asked, ...BUNDLED, ...own])].filter((language) => this.#find(language) !== null);
  }

  /**
   * A folder with the data of all given languages. Throws `model_not_pulled` if one is missing, for which Tesseract itself would wait
   * forever.
   */
  folderFor(languages: readonly string[]): string {
    const [first, ...others] = this.missing(languages);
    if (first !== undefined) throw notThere([first, ...others]);
    const folder = (this.#folder ??= this.#makeFolder());
    for (const language of languages) {
      const source = this.#find(language);
      if (source === null || this.#linked.has(language)) continue;
      link(source, path.join(folder, `${language}.traineddata.gz`));
      this.#linked.add(language);
    }
    return folder;
  }

  /** Removes the folder that it created. */
  close(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
    this.#linked.clear();
  }

  #find(language: string): string | null {
    if (!NAME.test(language)) return null;
    const { dataDir } = this.#options;
    const own = ['.traineddata.gz', '.traineddata'].map((end) => path.join(dataDir ?? '', `${language}${end}`));
    const files = [...(dataDir === null ? [] : own), ...inPackage(language)];
    return files.find((file) => existsSync(file)) ?? null;
  }

  #makeFolder(): string {
    mkdirSync(this.#options.tmpDir, { recursive: true });
    return mkdtempSync(path.join(this.#options.tmpDir, 'tesseract-'));
  }
}

/** The data file of a language's npm package, if installed. */
function inPackage(language: string): readonly string[] {
  try {
    const manifest = require.resolve(`@tesseract.js-data/${language}/package.json`);
    return [path.join(path.dirname(manifest), '4.0.0_best_int', `${language}.traineddata.gz`)];
  } catch (error) {
    if (isKebabError(error)) throw error; // the optional part for OCR is not installed
    return [];
  }
}

/** Links a data file; its first bytes, not its name, tell whether it is compressed. */
function link(source: string, target: string): void {
  try {
    symlinkSync(source, target);
  } catch {
    copyFileSync(source, target); // where links require a privilege
  }
}

function notThere(languages: readonly string[]): KebabError<'model_not_pulled'> {
  const model = languages.join('+');
  return new KebabError('model_not_pulled', `there is no Tesseract data for ${languages.join(', ')}`, {
    details: { model, provider: 'tesseract' },
    hint: remedyFor(languages[0] ?? ''),
  });
}

/** The remedy for a language without data. */
export function remedyFor(language: string): string {
  return `put ${language}.traineddata into the folder tesseract of storage.model_dir, or take it out of ocr.languages`;
}
