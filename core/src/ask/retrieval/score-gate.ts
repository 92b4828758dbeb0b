import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { Mode } from '../../domain/query.ts';

/** The least relevance that an answer needs in the mode that ran: `rag.score_gate`, or the override of the mode. */
export function scoreGate(rag: ResolvedConfig['rag'], mode: Mode): number {
  switch (mode) {
    case 'lexical':
      return rag.scoreGateLexical ?? rag.scoreGate;
    case 'vector':
      return rag.scoreGateVector ?? rag.scoreGate;
    case 'hybrid':
      return rag.scoreGateHybrid ?? rag.scoreGate;
    default:
      return mode satisfies never;
  }
}
