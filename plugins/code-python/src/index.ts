import { codeConfig, defineLanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { pythonSyntax } from './python-syntax.ts';

/** Python, read by its syntax tree. */
export default definePlugin({
  name: '@kebab/plugin-code-python',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '*',
  config: codeConfig,
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: defineLanguagePack({ lang: 'python', version: 1, syntaxesFor: () => [pythonSyntax] }),
});
