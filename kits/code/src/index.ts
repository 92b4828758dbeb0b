export { codeConfig, type CodeConfig } from './code-config.ts';
export { defineLanguagePack } from './define-language-pack.ts';
export { cFamily, cppSyntax } from './families/c-family.ts';
export { ecmascriptSyntax, type EcmascriptGrammar } from './families/ecmascript.ts';
export type { LanguageDocumentation, LanguagePack } from './language-pack.ts';
export type { Definition, SymbolSource, Syntax, SyntaxNode } from './syntax.ts';
