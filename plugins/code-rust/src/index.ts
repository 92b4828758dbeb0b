import { codeConfig, defineLanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { rustSyntax } from './rust-syntax.ts';

/** Rust, read by its syntax tree. */
export default definePlugin({
  name: '@kebab/plugin-code-rust',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '*',
  config: codeConfig,
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: defineLanguagePack({ lang: 'rust', version: 1, syntaxesFor: () => [rustSyntax] }),
});
