import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isKebabError, KebabError } from '@kebab/core';

/** Where language data may lie. */
export interface LanguageDataOptions {
  /** A folder of the user's own, looked at first; null for none. */
  readonly dataDir: string | null;
  /** A folder in which one may be made. */
  readonly tmpDir: string;
}

const NAME = /^[A-Za-z0-9_]{2,40}$/;
/** What this plugin depends on. */
const BUNDLED: readonly string[] = ['eng', 'kor'];
/** Scripts without spaces between words: after another language, Tesseract puts one between all syllables. */
const DENSE = /^(?:kor|jpn|chi)/;
const require = createRequire(import.meta.url);

/**
 * The languages in the order in which Tesseract reads them best: Korean, Japanese and Chinese before all others, else as
 * given, each once.
 */
export function orderLanguages(languages: readonly string[]): readonly string[] {
  const once = [...new Set(languages)];
  return [...once.filter((one) => DENSE.test(one)), ...once.filter((one) => !DENSE.test(one))];
}

/** Finds language data and brings it together in one folder, which is all that Tesseract can be given. */
export class LanguageData {
  readonly #options: LanguageDataOptions;
  readonly #linked = new Set<string>();
  #folder: string | null = null;

  constructor(options: LanguageDataOptions) {
    this.#options = options;
  }

  /** The languages of which there is no data. */
  missing(languages: readonly string[]): readonly string[] {
    return languages.filter((language) => this.#find(language) === null);
  }

  /** The languages of which there is data: those of `asked` that are there, what came along, and what the user has. */
  present(asked: readonly string[]): readonly string[] {
    const { dataDir } = this.#options;
    const files = dataDir !== null && existsSync(dataDir) ? readdirSync(dataDir) : [];
    const own = files.flatMap((file) => /^(\w+)\.traineddata(?:\.gz)?$/.exec(file)?.[1] ?? []);
    return [...new Set([...asked, ...BUNDLED, ...own])].filter((language) => this.#find(language) !== null);
  }

  /**
   * A folder that holds the data of all of these languages. Throws `model_not_pulled` when there is none of one of them:
   * Tesseract itself would wait for it for ever.
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

  /** Removes the folder it made. */
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

/** The data of the npm package of a language, if it is installed. */
function inPackage(language: string): readonly string[] {
  try {
    const manifest = require.resolve(`@tesseract.js-data/${language}/package.json`);
    return [path.join(path.dirname(manifest), '4.0.0_best_int', `${language}.traineddata.gz`)];
  } catch (error) {
    if (isKebabError(error)) throw error; // what reads text is not installed at all
    return [];
  }
}

/** The first bytes of a file say whether it is packed, not its name. */
function link(source: string, target: string): void {
  try {
    symlinkSync(source, target);
  } catch {
    copyFileSync(source, target); // where links take a privilege
  }
}

function notThere(languages: readonly string[]): KebabError<'model_not_pulled'> {
  const model = languages.join('+');
  return new KebabError('model_not_pulled', `there is no Tesseract data for ${languages.join(', ')}`, {
    details: { model, provider: 'tesseract' },
    hint: remedyFor(languages[0] ?? ''),
  });
}

/** What to do about a language without data. */
export function remedyFor(language: string): string {
  return `put ${language}.traineddata into the folder tesseract of storage.model_dir, or take it out of ocr.languages`;
}
