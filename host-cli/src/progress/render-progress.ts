import { durationText } from '../render/measures.ts';
import { fitEnd, fitStart, textWidth } from '../render/text-width.ts';
import type { ProgressState } from './progress-state.ts';

const BAR_COLUMNS = 20;
const FEWEST_FOR_RATE = 3;
/** A path shorter than this tells nothing. */
const FEWEST_PATH_COLUMNS = 8;

/** One line that tells how far an ingest has come, at most `columns` wide: bar, counts, rate, time left, current path. */
export function renderProgress(state: ProgressState, columns: number): string {
  if (state.kind === 'scanning') return fitStart(`scanning ${state.root}`.trimEnd(), columns);
  const { total, done, activity } = state;
  const counts = `${String(done).padStart(String(total).length)}/${total}`;
  const parts = [`${bar(done, total)} ${counts}`, ...paceOf(state)];
  const line = parts.join('  ');
  const room = columns - textWidth(line) - 2;
  if (activity === '' || room < FEWEST_PATH_COLUMNS) return fitStart(line, columns);
  return `${line}  ${fitEnd(activity, room)}`;
}

function bar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * BAR_COLUMNS);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)}`;
}

/** Files a second and the time left; nothing while too few files are done to tell. */
function paceOf({
  done,
  total,
  startedAt,
  at,
}: Extract<ProgressState, { readonly kind: 'working' }>): readonly string[] {
  const elapsedMs = at - startedAt;
  if (done < FEWEST_FOR_RATE || elapsedMs <= 0) return [];
  const perSecond = (done * 1000) / elapsedMs;
  const rate = `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} files/s`;
  if (done >= total) return [rate];
  return [rate, `${durationText(Math.max(1000, ((total - done) * 1000) / perSecond))} left`];
}
