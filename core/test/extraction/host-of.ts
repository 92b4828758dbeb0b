import { ExtractionHost } from '../../src/extraction/extraction-job.ts';

/** A host that answers every request like this. */
export function hostOf(run: ExtractionHost['run']): ExtractionHost {
  return new (class extends ExtractionHost {
    run = run;
  })();
}
