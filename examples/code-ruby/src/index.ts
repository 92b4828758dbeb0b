import { defineLanguagePack, type LanguagePack, type Syntax } from '@kebab/code-kit';

const rubySyntax: Syntax = {
  lang: 'ruby',
  from: import.meta.url,
  wasm: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
  tags: [],
  supplement: `
    (method name: (_) @name) @definition.method
    (singleton_method name: (_) @name) @definition.method
    (class name: (_) @name) @definition.class
    (module name: (_) @name) @definition.module`,
  separator: '::',
  containers: ['class', 'module'],
  wrappers: [],
  lookThrough: ['body_statement', 'program'],
  leading: ['comment'],
};

const pack: LanguagePack = {
  lang: 'ruby',
  version: 1,
  documentation: {
    units: 'methods, classes, modules',
    symbolForm: 'Module::Class::method',
    examples: ['Harbour::Lighthouse::light'],
  },
  syntaxesFor: () => [rubySyntax],
};

/** Ruby, parsed into a syntax tree. */
export default defineLanguagePack(pack);
