import type { IngestProgress } from '@kebab/core/app';
import type { CallContext } from '../protocol/surface.ts';

/** Turns the events of an ingest into the progress of a call: one step when a file begins, one when it ends. */
export function ingestProgress(report: CallContext['progress']): (event: IngestProgress) => void {
  let total = 0;
  return (event) => {
    if (event.kind === 'scan_completed') total = event.total;
    if (event.kind === 'asset_started')
      report({ done: 2 * event.idx - 1, total: 2 * total, message: `reading ${event.path}` });
    if (event.kind === 'asset_finished')
      report({ done: 2 * event.idx, total: 2 * total, message: `${event.idx} of ${total} files` });
  };
}
