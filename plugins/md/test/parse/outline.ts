import type { BlockDraft } from '@kebab/core';
import { MarkdownTree } from '../../src/parse/markdown-tree.ts';
import { readBlocks } from '../../src/parse/read-blocks.ts';

/** The blocks of a text without front matter. */
export function draftsOf(text: string): readonly BlockDraft[] {
  return readBlocks({ text, bodyLine: 1, tree: MarkdownTree.parse(text) }).blocks;
}

/** Describes each block in one line: `list 3-7 2o` is an ordered list of two items on lines 3 to 7. */
export function outlineOf(text: string): readonly string[] {
  return draftsOf(text).map((block) => {
    const { kind, sourceSpan } = block;
    if (sourceSpan.kind !== 'line') throw new Error('a block of Markdown lies on lines');
    return `${kind} ${sourceSpan.start}-${sourceSpan.end}${moreOf(block)}`;
  });
}

function moreOf(block: BlockDraft): string {
  if (block.kind === 'heading') return ` ${block.level}`;
  return block.kind === 'list' ? ` ${block.items.length}${block.ordered ? 'o' : 'u'}` : '';
}
