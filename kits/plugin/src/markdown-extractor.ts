import {
  invalidInput,
  mediaTypeOf,
  throwIfCancelled,
  type CallContext,
  type ExtractedDocument,
  type Extractor,
  type Place,
} from '@kebab/core';
import { DocumentBuilder, type BuiltDocument } from './document-builder.ts';

/** Markdown of one place in the file, such as slide 3 or cell 12. */
export interface MarkdownPart {
  readonly at: Place;
  readonly markdown: string;
}

/** A file as Markdown, as a whole or by places, and its metadata. */
export interface MarkdownDocument extends BuiltDocument {
  readonly markdown: string | readonly MarkdownPart[];
}

/** The result of a conversion: Markdown, a {@link MarkdownDocument}, or a document from {@link DocumentBuilder}. */
export type MarkdownSource = string | MarkdownDocument | ExtractedDocument;

/** What {@link markdownExtractor} needs. */
export interface MarkdownExtractorOptions {
  /** Its id, in lower case; `docx` is labelled `docx-v1`. */
  readonly id: string;
  /** Extensions without the dot, which kebab must not already read as something else. */
  readonly extensions: readonly string[];
  /** Converts the bytes of a file to Markdown. An error is reported for that file only. */
  readonly toMarkdown: (bytes: Uint8Array, file: ConvertedFile) => MarkdownSource | Promise<MarkdownSource>;
  /** Increment it when the output changes, so that files are read again. `1` by default. */
  readonly version?: string | undefined;
  /** Identifies settings that affect the output. */
  readonly fingerprint?: (() => string) | undefined;
}

/** The file to convert. */
interface ConvertedFile extends Pick<CallContext, 'signal' | 'log'> {
  /** Its path inside the source. */
  readonly path: string;
}

/**
 * Creates an extractor from a function that converts bytes to Markdown. kebab cuts the document at its headings and cites it by section, or
 * by the places of its parts. It runs in isolation, with limits of time and memory.
 */
export function markdownExtractor(options: MarkdownExtractorOptions): Extractor {
  const { id, toMarkdown, version = '1', fingerprint } = options;
  if (typeof toMarkdown !== 'function') throw invalidInput('toMarkdown of a markdownExtractor must be a function');
  if (!Array.isArray(options.extensions) || options.extensions.some((one) => typeof one !== 'string'))
    throw invalidInput("extensions of a markdownExtractor must be a list of texts, such as ['journal']");
  const extensions = options.extensions.map((extension) => extension.replace(/^\./, '').toLowerCase());
  const known = extensions.find((extension) => mediaTypeOf(`file.${extension}`).kind !== 'other');
  if (known !== undefined)
    throw invalidInput(`kebab knows what .${known} files are: write an Extractor that matches their medium instead`);
  return {
    id,
    version,
    match: { extensions },
    isolation: 'worker',
    supports: (media) => media.kind === 'other' && extensions.includes(media.ext),
    parserVersion: () => `${id}-v${/^\d+/.exec(version)?.[0] ?? 1}`,
    chunkerId: () => 'md-heading-v1',
    ...(fingerprint === undefined ? {} : { fingerprint }),
    extract: async ({ asset, bytes }, { signal, log }) => {
      throwIfCancelled(signal, `reading ${asset.workspacePath}`);
      const made = await toMarkdown(bytes, { path: asset.workspacePath, signal, log });
      throwIfCancelled(signal, `reading ${asset.workspacePath}`);
      if (typeof made === 'object' && made !== null && 'blocks' in made) return made;
      const { markdown, ...facts } = typeof made === 'string' ? { markdown: made } : checked(made);
      const document = new DocumentBuilder();
      if (typeof markdown === 'string') document.markdown(markdown);
      else for (const part of markdown) document.at(part.at).markdown(part.markdown);
      return document.build(facts);
    },
  };
}

/** Validates the result of an author's function at run time, like a type checker. */
function checked(made: MarkdownDocument): MarkdownDocument {
  const markdown: unknown = (made as MarkdownDocument | null | undefined)?.markdown;
  if (typeof markdown === 'string') return made;
  if (!Array.isArray(markdown))
    throw new TypeError('toMarkdown must return a string, { markdown }, or what a DocumentBuilder built');
  const odd = markdown.findIndex(
    (part: Partial<MarkdownPart> | null) => typeof part?.markdown !== 'string' || typeof part.at !== 'object',
  );
  if (odd === -1) return made;
  throw new TypeError(`part ${odd} of what toMarkdown returned must be { at: { name: value }, markdown: string }`);
}
