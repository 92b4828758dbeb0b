import { printable, printableLines, type Answer } from '@kebab/core/app';
import type { Screen } from '../screen/screen.ts';

/** A line of an answer in which failed claims are highlighted, with the reasons below it. */
interface MarkedLine {
  readonly text: string;
  readonly doubtful: boolean;
}

/** The lines of an answer. */
export function markedLines(answer: Pick<Answer, 'answer' | 'checks'>, { colors }: Screen): readonly MarkedLine[] {
  const findings = answer.checks?.findings ?? [];
  let start = 0;
  return answer.answer.split('\n').map((line) => {
    const end = start + line.length;
    const here = findings.filter((finding) => finding.end <= end && finding.end >= start);
    let marked = '';
    let from = 0;
    for (const { end: place, level } of here.toSorted((a, b) => a.end - b.end)) {
      const mark = level === 'failed' ? colors.red(' ✗') : colors.yellow(' ?');
      marked += `${printableLines(line.slice(from, place - start))}${mark}`;
      from = place - start;
    }
    start = end + 1;
    const notes = here.map(({ level, message }) =>
      level === 'failed'
        ? `\n  ${colors.red(`✗ ${printable(message)}`)}`
        : `\n  ${colors.yellow(`? ${printable(message)}`)}`,
    );
    return { text: `${marked}${printableLines(line.slice(from))}${notes.join('')}`, doubtful: here.length > 0 };
  });
}

/** The members of an answer that describe how it was checked. */
type Judged = Pick<Answer, 'failure' | 'checks' | 'unsupported' | 'refusal_reason'>;

/** Renders what went wrong, numbers that occur in no passage, and what was checked, one line each; empty if there are none. */
export function renderVerdict(answer: Judged, screen: Screen): string {
  return `${renderFailure(answer, screen)}${renderUnsupported(answer, screen)}${renderChecks(answer)}`;
}

/** The footer's mark for whether an answer is grounded. */
export function groundedMark(grounded: boolean, colors: Screen['colors']): string {
  return grounded ? `grounded ${colors.green('✓')}` : `grounded ${colors.red('✗')}`;
}

/** The message of the failure, or a note that the text is incomplete; empty for neither. */
function renderFailure({ failure, checks, refusal_reason: reason }: Judged, { colors }: Screen): string {
  if (failure === undefined) {
    const isPart = reason === 'llm_stream_aborted' && checks !== undefined; // a refusal without text has its own message
    return isPart ? `${colors.red('interrupted:')} the answer is not complete\n` : '';
  }
  const label =
    reason === 'llm_stream_aborted'
      ? 'broke off:'
      : reason === 'nli_model_unavailable'
        ? 'not verified:'
        : reason === 'multi_hop_decompose_failed'
          ? 'not taken apart:'
          : 'cut short:';
  return `${colors.red(label)} ${printable(failure)}\n`;
}

/** The numbers that occur in no passage, on a separate line; empty without any. */
function renderUnsupported({ unsupported }: Judged, { colors }: Screen): string {
  return unsupported.length === 0 ? '' : `${colors.magenta('unsupported:')} ${printable(unsupported.join(', '))}\n`;
}

/** What was checked and how, and why an answer did not pass, on a separate line; empty if there is no text. */
function renderChecks({ checks }: Judged): string {
  if (checks === undefined) return '';
  const { method, sentences, cited, details, findings, reason } = checks;
  const failed = findings.filter(({ level }) => level === 'failed').length;
  const parts = [
    `check ${method}`,
    `${cited} of ${sentences} sentences cited`,
    `${details} details compared`,
    `${failed} failed`,
  ];
  return `${[...parts, ...(reason === null ? [] : [REASONS[reason]])].join('  ')}\n`;
}

const REASONS: Readonly<Record<NonNullable<NonNullable<Answer['checks']>['reason']>, string>> = {
  not_in_passage: 'not all of it is in what it cites',
  unknown_citation: 'it cites passages that it was not given',
  no_citation: 'not every sentence is in a passage',
  beside_the_question: 'it says nothing about what was asked',
  nothing_to_check: 'nothing in it could be compared',
};
