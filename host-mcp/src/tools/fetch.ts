import { invalidInput, parseChunkId, parseDocumentId, type FetchQuery } from '@kebab/core/app';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { KebabTool } from './kebab-tool.ts';

type Kind = FetchQuery['kind'];

/** What each kind needs, and what it takes besides. */
const ARGUMENTS: Readonly<Record<Kind, { readonly needs: readonly string[]; readonly takes: readonly string[] }>> = {
  chunk: { needs: ['chunk_id'], takes: ['context'] },
  doc: { needs: ['doc_id'], takes: ['max_tokens'] },
  span: { needs: ['doc_id', 'line_start', 'line_end'], takes: ['max_tokens'] },
  uri: { needs: ['uri'], takes: ['max_tokens'] },
};

/** `fetch`: exact text. */
export const fetch: KebabTool = {
  name: 'fetch',
  title: 'Read exact text',
  description:
    'Reads text exactly as it was indexed: a chunk of a hit with its neighbours, whole lines of a document, what a citation uri designates, or a document from its beginning. Use it before quoting; snippets are shortened.',
  parameters: [
    {
      name: 'kind',
      type: 'string',
      required: true,
      allowed: Object.keys(ARGUMENTS),
      description:
        'chunk needs chunk_id; doc needs doc_id; span needs doc_id, line_start and line_end; uri needs uri. Nothing else may be given but context (chunk) or max_tokens (the others).',
    },
    { name: 'chunk_id', type: 'string', description: 'For kind chunk: chunk_id of a hit, 32 hex digits.' },
    { name: 'doc_id', type: 'string', description: 'For kind doc and span: doc_id of a hit, 32 hex digits.' },
    { name: 'line_start', type: 'integer', description: 'For kind span: the first line, from 1.' },
    { name: 'line_end', type: 'integer', description: 'For kind span: the last line, inclusive.' },
    { name: 'uri', type: 'string', description: 'For kind uri: the uri of a citation, as in notes/a.md#L10-L12.' },
    {
      name: 'context',
      type: 'integer',
      minimum: 0,
      description: 'For kind chunk: chunks before and after; default 0.',
    },
    {
      name: 'max_tokens',
      type: 'integer',
      minimum: 0,
      description: 'Longest text in tokens of four characters, for all kinds but chunk. truncated tells if it was cut.',
    },
  ],
  output: 'fetch_result',
  writes: false,
  run(args, { app, settings, signal }) {
    const kind = args['kind'] as Kind;
    checkKind(kind, args);
    const { context, max_tokens: maxTokens = settings.defaultMaxTokens } = args as {
      readonly context?: number;
      readonly max_tokens?: number;
    };
    const options = kind === 'chunk' ? (context === undefined ? {} : { context }) : { maxTokens };
    return app.fetch(queryOf(kind, args), { ...options, signal });
  },
};

function checkKind(kind: Kind, args: JsonObject): void {
  const { needs, takes } = ARGUMENTS[kind];
  const missing = needs.find((name) => args[name] === undefined);
  if (missing !== undefined)
    throw invalidInput(`kind ${kind} needs ${needs.join(', ')}: ${missing} is missing`, {
      field: missing,
      allowed: [...needs, ...takes],
    });
  const odd = Object.keys(args).find((name) => name !== 'kind' && !needs.includes(name) && !takes.includes(name));
  if (odd === undefined) return;
  throw invalidInput(`kind ${kind} does not take ${odd}`, { field: odd, allowed: [...needs, ...takes] });
}

function queryOf(kind: Kind, args: JsonObject): FetchQuery {
  switch (kind) {
    case 'chunk':
      return { kind, chunkId: parseChunkId(args['chunk_id'] as string) };
    case 'doc':
      return { kind, docId: parseDocumentId(args['doc_id'] as string) };
    case 'span':
      return {
        kind,
        docId: parseDocumentId(args['doc_id'] as string),
        lineStart: args['line_start'] as number,
        lineEnd: args['line_end'] as number,
      };
    case 'uri':
      return { kind, uri: args['uri'] as string };
    default:
      return kind satisfies never;
  }
}
