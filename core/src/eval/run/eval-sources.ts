import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { AbortOptions, Clock } from '../../contracts/contribution.ts';
import type { Components } from '../../plugin/components.ts';
import type { AskRequest } from '../../requests/ask.ts';
import type { SearchQuery } from '../../requests/search.ts';
import type { Answer, CitationCheck, SearchResponse } from '../../wire/index.ts';

/** What is evaluated, and what the evaluation needs besides. */
export interface EvalSources {
  readonly components: Components;
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly search: (query: SearchQuery, options: AbortOptions) => Promise<SearchResponse>;
  readonly ask: (request: AskRequest, options: AbortOptions) => Promise<Answer>;
  readonly verify: (uri: string, options: CitedText & AbortOptions) => Promise<CitationCheck>;
}

/** What an answer says of a text that it cites. */
interface CitedText {
  readonly hash: string;
  readonly source: string;
}
