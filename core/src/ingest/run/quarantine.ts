import type { QuarantinedFile } from '../../contracts/document-store.ts';
import type { FailedFile } from './report-builder.ts';

/** What a run says about the files that failed before it and in it. */
export interface QuarantineInput {
  readonly before: readonly QuarantinedFile[];
  readonly failed: readonly FailedFile[];
  /** Whether the run tried, or no longer found, a file that failed before. */
  readonly wasTried: (file: QuarantinedFile) => boolean;
  readonly at: Date;
}

/** The files in quarantine after a run: those that failed in it, and those of before that it did not come to. */
export function quarantineAfter({ before, failed, wasTried, at }: QuarantineInput): readonly QuarantinedFile[] {
  const attempts = new Map(before.map((file) => [keyOf(file), file.attempts]));
  const now = failed.map((file) => ({ ...file, attempts: (attempts.get(keyOf(file)) ?? 0) + 1, lastFailedAt: at }));
  const failedNow = new Set(now.map(keyOf));
  return [...before.filter((file) => !failedNow.has(keyOf(file)) && !wasTried(file)), ...now];
}

function keyOf({ sourceId, workspacePath }: { readonly sourceId: string; readonly workspacePath: string }): string {
  return `${sourceId}\n${workspacePath}`;
}
