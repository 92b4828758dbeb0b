import type { BlockDraft } from '../../domain/block.ts';
import type { BlockId } from '../../domain/ids.ts';

/** A block whose id is still to be filled in. */
export type NumberedBlock = BlockDraft & { blockId: BlockId; readonly ordinal: number };

/**
 * A block from its draft and its position. The common kinds are written member by member: spreading objects of many
 * shapes takes five times as long, and this runs for every block of an ingest.
 */
export function numberedBlock(draft: BlockDraft, ordinal: number): NumberedBlock {
  const { start, end, headingPath, sourceSpan } = draft;
  const blockId = '' as BlockId;
  switch (draft.kind) {
    case 'paragraph':
    case 'table':
    case 'quote':
      return { kind: draft.kind, start, end, headingPath, sourceSpan, ordinal, blockId };
    case 'heading': {
      const { kind, level, text } = draft;
      return { kind, level, text, start, end, headingPath, sourceSpan, ordinal, blockId };
    }
    case 'code': {
      const { kind, lang, symbol } = draft;
      return { kind, lang, symbol, start, end, headingPath, sourceSpan, ordinal, blockId };
    }
    case 'list': {
      const { kind, ordered, items } = draft;
      return { kind, ordered, items, start, end, headingPath, sourceSpan, ordinal, blockId };
    }
    case 'imageref':
    case 'audioref':
      return { ...draft, ordinal, blockId };
    default:
      return draft satisfies never;
  }
}
