import { codeConfig, defineLanguagePack, type LanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { pythonSyntax } from './python-syntax.ts';

/** What Python is to kebab. */
export const pack: LanguagePack = {
  lang: 'python',
  version: 1,
  documentation: {
    units: 'functions, methods, classes, type aliases, names bound to a lambda',
    symbolForm: '<module path>.Class.method',
    examples: ['kebab_eval.metrics.compute_mrr', 'kebab_eval.metrics.Metric.total'],
  },
  syntaxesFor: () => [pythonSyntax],
};

/** Python, read by its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
