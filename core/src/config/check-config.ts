import { invalidConfig } from './invalid-config.ts';
import type { ResolvedConfig } from './resolved-config.ts';
import { settingOf, type Settings } from './settings.ts';

/** Checks the rules that concern more than one value. Throws `config_invalid` for the first that is broken. */
export function checkConfig(config: ResolvedConfig, settings: Settings): void {
  const [conflict] = conflicts(config);
  if (conflict === undefined) return;
  const { keys, cause } = conflict;
  const key = keys.find((name) => settingOf(settings, name).origin.origin !== 'default') ?? keys[0];
  throw invalidConfig({ origin: settingOf(settings, key).origin, key }, cause);
}

/** A rule between keys that was broken. */
interface Conflict {
  /** The keys concerned; the first is the one to blame, unless only another was set. */
  readonly keys: readonly [string, ...string[]];
  readonly cause: string;
}

function* conflicts({ chunking, code, search, workspace }: ResolvedConfig): Generator<Conflict> {
  if (chunking.overlapTokens >= chunking.targetTokens)
    yield {
      keys: ['chunking.overlap_tokens', 'chunking.target_tokens'],
      cause: `chunking.overlap_tokens (${chunking.overlapTokens}) must be less than chunking.target_tokens (${chunking.targetTokens})`,
    };
  if (chunking.maxChunkTokens < chunking.targetTokens)
    yield {
      keys: ['chunking.max_chunk_tokens', 'chunking.target_tokens'],
      cause: `chunking.max_chunk_tokens (${chunking.maxChunkTokens}) must be at least chunking.target_tokens (${chunking.targetTokens})`,
    };
  if (code.windowOverlapLines >= code.windowLines)
    yield {
      keys: ['code.window_overlap_lines', 'code.window_lines'],
      cause: `code.window_overlap_lines (${code.windowOverlapLines}) must be less than code.window_lines (${code.windowLines})`,
    };
  if (search.weightLexical + search.weightVector === 0)
    yield {
      keys: ['search.weight_lexical', 'search.weight_vector'],
      cause: 'search.weight_lexical and search.weight_vector must not both be 0',
    };
  yield* sourceConflicts(workspace.sources.map(({ id }) => id));
}

function* sourceConflicts(ids: readonly string[]): Generator<Conflict> {
  for (const [index, id] of ids.entries()) {
    if (id === 'default' || id === 'external')
      yield { keys: ['workspace.sources'], cause: `the source id ${id} is reserved` };
    if (ids.indexOf(id) !== index) yield { keys: ['workspace.sources'], cause: `two sources have the id ${id}` };
  }
}
