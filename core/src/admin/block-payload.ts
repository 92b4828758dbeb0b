import type { Block, ModelCaption, OcrText } from '../domain/block.ts';
import { codeInside } from './code-inside.ts';
import { parseTable } from './parse-table.ts';

/** What an inspection shows of a block beside its place; `text` is the text of the document it belongs to. */
export function blockPayload(block: Block, text: string): Readonly<Record<string, unknown>> {
  const slice = text.slice(block.start, block.end);
  switch (block.kind) {
    case 'heading':
      return { level: block.level, text: block.text };
    case 'paragraph':
      return { text: slice };
    case 'quote':
      return { text: slice.replaceAll(/^[ \t]{0,3}> ?/gm, '') };
    case 'list':
      return { ordered: block.ordered, items: block.items.map(({ start, end }) => ({ text: text.slice(start, end) })) };
    case 'code':
      return { lang: block.lang, symbol: block.symbol, code: block.symbol === null ? codeInside(slice) : slice };
    case 'table':
      return { ...parseTable(slice) };
    case 'imageref':
      return {
        asset_id: block.assetId,
        src: block.src,
        alt: block.alt,
        ocr: block.ocr === null ? null : ocrPayload(block.ocr),
        caption: block.caption === null ? null : captionPayload(block.caption),
      };
    case 'audioref':
      return { asset_id: block.assetId, duration_ms: block.durationMs, transcript: null };
    default:
      return block satisfies never;
  }
}

function ocrPayload({ joined, regions, engine, engineVersion }: OcrText): Readonly<Record<string, unknown>> {
  return { joined, regions, engine, engine_version: engineVersion };
}

function captionPayload({ text, model, modelVersion }: ModelCaption): Readonly<Record<string, unknown>> {
  return { text, model, model_version: modelVersion };
}
