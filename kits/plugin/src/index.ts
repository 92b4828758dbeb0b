// The door of authors: the vocabulary of kebab, and what makes a document of text without counting offsets.
export * from '@kebab/core';
export { DocumentBuilder, type BuiltDocument } from './document-builder.ts';
export {
  markdownExtractor,
  type MarkdownDocument,
  type MarkdownExtractorOptions,
  type MarkdownPart,
  type MarkdownSource,
} from './markdown-extractor.ts';
