// The entry point for plugin authors: kebab's vocabulary, and a builder of documents that computes offsets.
export * from '@kebab/core';
export { DocumentBuilder, type BuiltDocument } from './document-builder.ts';
export {
  markdownExtractor,
  type MarkdownDocument,
  type MarkdownExtractorOptions,
  type MarkdownPart,
  type MarkdownSource,
} from './markdown-extractor.ts';
