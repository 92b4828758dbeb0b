export {
  isLongTable,
  textWithout,
  type CodeConfig,
  type LanguageDocumentation,
  type LanguagePack,
  type Recovery,
  type Definition,
  type SymbolSource,
  type Syntax,
  type SyntaxNode,
} from './language-pack.ts';
export { defineLanguagePack } from './code-extractor.ts';
export { blank, closingBrace } from './broken-code.ts';
export { cFamily, cppSyntax } from './families/c-family.ts';
export { ecmascriptSyntax, type EcmascriptGrammar } from './families/ecmascript.ts';
