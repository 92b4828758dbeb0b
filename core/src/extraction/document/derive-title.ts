import type { BlockDraft } from '../../domain/block.ts';
import type { MediaType } from '../../domain/media.ts';
import { firstChars } from '../../domain/text-size.ts';

const MAX_CHARS = 80;

/** What a title can be taken from. */
export interface TitleInput {
  readonly media: MediaType;
  readonly text: string;
  readonly blocks: readonly BlockDraft[];
  readonly fileName: string;
}

/**
 * The title of a document that gives none: for prose its first heading of level 1, else its first heading, else the
 * beginning of its first paragraph; in the end, and for everything else, the name of the file without its extension.
 */
export function deriveTitle({ media, text, blocks, fileName }: TitleInput): string {
  const isProse = media.kind === 'markdown' || media.kind === 'text';
  return (isProse ? titleInProse(text, blocks) : null) ?? fileStem(fileName);
}

/** The name of a file without its last extension. */
export function fileStem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

function titleInProse(text: string, blocks: readonly BlockDraft[]): string | null {
  const headings = blocks.filter((block) => block.kind === 'heading' && block.text !== '');
  const heading = headings.find((block) => block.kind === 'heading' && block.level === 1) ?? headings[0];
  if (heading?.kind === 'heading') return heading.text;
  for (const block of blocks) {
    if (block.kind !== 'paragraph') continue;
    const words = text.slice(block.start, block.end).replaceAll(/\s+/g, ' ').trim();
    // Raw HTML and thematic breaks are paragraphs too, and say nothing.
    if (!words.startsWith('<') && /[\p{L}\p{N}]/u.test(words)) return firstChars(words, MAX_CHARS).trim();
  }
  return null;
}
