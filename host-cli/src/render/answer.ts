import type { Answer, AnswerCitation } from '@kebab/core/app';
import { printable, printableLines } from '../io/printable.ts';
import type { Screen } from './screen.ts';

const RULE = '─'.repeat(57);
const INDENT = '    ';
const MOST_CANDIDATES = 3;

/** What stands above the candidates of a refusal; nothing for the reasons that have none. */
function candidatesHeading({ refusal_reason: reason, retrieval }: Answer): string {
  switch (reason) {
    case 'score_gate':
      return `closest candidates (all below the threshold ${retrieval.score_gate.toFixed(2)}):`;
    case 'nli_verification_failed':
    case 'nli_model_unavailable':
      return 'searched, but the answer was not verified by:';
    case 'multi_hop_decompose_failed':
      return 'closest candidates:';
    case 'llm_stream_aborted':
      return 'searched, when it was interrupted:';
    default:
      return 'searched, but the model found no answer in:';
  }
}

/** An answer as people read it, with what it cites; or why there is none, with what came closest. */
export function renderAnswer(answer: Answer, screen: Screen): string {
  return `${printableLines(answer.answer)}\n${renderBelowAnswer(answer, screen)}`;
}

/** What stands below the text of an answer, which a terminal may have seen growing. */
export function renderBelowAnswer(answer: Answer, screen: Screen): string {
  const footer = `${renderUnsupported(answer, screen)}${renderFooter(answer, screen)}\n`;
  if (!answer.grounded) return `${renderCandidates(answer, screen)}\n${footer}`;
  const citations = answer.citations.map((citation) => renderCitation(citation, screen));
  return `\n${screen.colors.dim(RULE)}\n${citations.join('')}\n${footer}`;
}

/** The candidates of a refusal, at most three; empty without any. */
export function renderCandidates(answer: Answer, { colors }: Screen): string {
  if (answer.citations.length === 0) return '';
  const lines = answer.citations
    .slice(0, MOST_CANDIDATES)
    .map(({ citation, score }) => `  · ${colors.cyan(printable(citation.uri))}  (score ${score.toFixed(2)})`);
  return `${[candidatesHeading(answer), ...lines].join('\n')}\n`;
}

/** The numbers that stand in no passage, on a line of their own; empty without any. */
export function renderUnsupported({ unsupported }: Answer, { colors }: Screen): string {
  return unsupported.length === 0 ? '' : `${colors.magenta('unsupported:')} ${printable(unsupported.join(', '))}\n`;
}

/** The line that tells how far to trust an answer. */
export function renderFooter(
  { grounded, model, prompt_template_version, retrieval }: Answer,
  { colors }: Screen,
): string {
  const { chunks_used: used } = retrieval;
  const chunks = grounded ? `${used} chunks` : used === 0 ? '0 chunks used' : `${used} chunks searched, 0 grounded`;
  const mark = grounded ? `grounded ${colors.green('✓')}` : `grounded ${colors.red('✗')}`;
  return [mark, printable(model.id), printable(prompt_template_version), chunks].join('  ');
}

function renderCitation({ marker, citation, verified }: AnswerCitation, { colors }: Screen): string {
  const flag = verified === false ? `  ${colors.red('✗ quote not found')}` : '';
  return `${colors.yellow(marker ?? '')} ${colors.cyan(printable(citation.uri))}${flag}\n${INDENT}${printable(labelOf(citation))}\n`;
}

function labelOf(citation: AnswerCitation['citation']): string {
  switch (citation.kind) {
    case 'line':
    case 'page':
      return citation.section ?? '-';
    case 'code':
      return citation.symbol ?? '-';
    case 'region':
    case 'caption':
    case 'time':
      return '-';
    default:
      return citation satisfies never;
  }
}
