import type { AbortOptions } from '../../contracts/contribution.ts';
import type { Ports } from '../../ports.ts';
import type { AskRequest } from '../../requests/ask.ts';
import type { SearchQuery } from '../../requests/search.ts';
import type { Answer, CitationCheck, SearchResponse } from '../../wire/index.ts';

/** What is evaluated, and what the evaluation needs besides. */
export interface EvalSources extends Pick<
  Ports,
  'documents' | 'lexicalIndex' | 'embedders' | 'vectorStores' | 'config' | 'clock'
> {
  readonly search: (query: SearchQuery, options: AbortOptions) => Promise<SearchResponse>;
  readonly ask: (request: AskRequest, options: AbortOptions) => Promise<Answer>;
  readonly verify: (uri: string, options: CitedText & AbortOptions) => Promise<CitationCheck>;
}

/** What an answer says of a text that it cites. */
interface CitedText {
  readonly hash: string;
  readonly source: string;
}
