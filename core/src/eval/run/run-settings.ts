import { checkAsk } from '../../requests/ask.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { Mode } from '../../domain/query.ts';
import type { EvalRequest } from '../eval-request.ts';

/** How every query of one run is searched and asked. */
export interface RunSettings {
  readonly mode: Mode;
  readonly k: number;
  readonly withRag: boolean;
  readonly temperature: number;
  readonly seed: number;
}

const DEFAULT_K = 10;

/** Fills in defaults. Throws `invalid_input` for what is out of range, before anything runs. */
export function runSettings(request: EvalRequest, config: ResolvedConfig): RunSettings {
  const { mode, temperature, seed, withRag = false } = request;
  const checked = checkAsk(
    {
      question: 'any',
      k: request.k ?? DEFAULT_K,
      ...(mode === undefined ? {} : { mode }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
    },
    config,
  );
  return { mode: checked.mode, k: checked.k, temperature: checked.temperature, seed: checked.seed, withRag };
}
