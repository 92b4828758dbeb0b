import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Mode, SearchFilters } from '../domain/query.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { checkSearch, wholeNumber } from './check-search.ts';
import type { AskRequest } from './ask-request.ts';

/** A question with every default filled in and every value in its range. */
export interface CheckedAsk {
  readonly question: string;
  readonly k: number;
  readonly mode: Mode;
  readonly filters: SearchFilters;
  /** Null for a single question. */
  readonly session: string | null;
  readonly multiHop: boolean;
  readonly explain: boolean;
  readonly temperature: number;
  readonly seed: number;
  readonly template: 'rag-multi-hop-v1' | ResolvedConfig['rag']['promptTemplateVersion'];
}

const SESSION = /^[A-Za-z0-9._-]{1,128}$/;

/** Fills in defaults and checks ranges. Throws `invalid_input` for an empty question and for what is out of range. */
export function checkAsk(request: AskRequest, config: Pick<ResolvedConfig, 'rag' | 'search' | 'models'>): CheckedAsk {
  const { question, filters, session = null, multiHop = false } = request;
  const { rag, search, models } = config;
  const { mode, k } = checkSearch({ ...request, text: question }, {}, { ...search, defaultK: rag.defaultK });
  if (session !== null) checkSessionName(session);
  const { temperature = models.llm.temperature, seed = models.llm.seed } = request;
  if (!(temperature >= 0 && temperature <= 2))
    throw invalidInput(`temperature is a number from 0 to 2, not ${temperature}`, {
      field: 'temperature',
      value: String(temperature),
    });
  return {
    question,
    k,
    mode,
    filters: filters ?? {},
    session,
    multiHop,
    explain: request.explain ?? rag.explainDefault,
    temperature,
    seed: wholeNumber('seed', seed, { min: 0 }),
    template: multiHop ? 'rag-multi-hop-v1' : rag.promptTemplateVersion,
  };
}

/** Throws `invalid_input` for a text that cannot name a conversation. */
export function checkSessionName(session: string): void {
  if (SESSION.test(session)) return;
  throw invalidInput('a session name has 1 to 128 letters, digits, dots, dashes and underscores', {
    field: 'session',
    value: session.slice(0, 200),
  });
}
