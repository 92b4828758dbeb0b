import type { RunVersions } from '../run/run-snapshot.ts';

type Chunkers = RunVersions['chunkers'];

/** What was cut by different chunkers in two runs, a text each; media that only one of them has are no difference. */
export function chunkerDifferences(a: Chunkers, b: Chunkers): readonly string[] {
  return Object.entries(a).flatMap(([media, labels]) => {
    const others = Object.hasOwn(b, media) ? (b[media] ?? labels) : labels;
    return labels.join(', ') === others.join(', ') ? [] : [`${media} (${labels.join(', ')} and ${others.join(', ')})`];
  });
}
