import type { Plugin } from '@kebab/plugin';
import { chunkerIdOf, CodeChunker } from './code-chunker.ts';
import type { CodeConfig } from './code-config.ts';
import { CodeExtractor } from './code-extractor.ts';
import type { LanguagePack } from './language-pack.ts';

/** Makes the contributions of a language's plugin: the extractor `code-<lang>` and the chunker `code-<lang>-ast-v<n>`. */
export function defineLanguagePack(pack: LanguagePack): Plugin<CodeConfig>['contributes'] {
  return {
    extractor: { [`code-${pack.lang}`]: ({ config }) => new CodeExtractor(pack, config) },
    chunker: { [chunkerIdOf(pack.lang)]: () => new CodeChunker(pack.lang) },
  };
}
