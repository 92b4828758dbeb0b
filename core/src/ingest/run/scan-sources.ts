import type { SourceConnector, SourceEntry, SourceFile } from '../../contracts/source-connector.ts';
import { extensionOf } from '../../domain/media.ts';
import type { IngestContext } from '../ingest-context.ts';
import { skipBySize } from '../scan/skip-rules.ts';
import { BreathingSpace } from './breathing-space.ts';
import type { IngestSource } from './ingest-sources.ts';
import { HOST_AGENT } from './report-builder.ts';

/** A source with what walks it. */
export interface WalkedSource extends IngestSource {
  readonly connector: SourceConnector;
}

/** What a walk of one source found. */
export interface SourceScan {
  readonly source: WalkedSource;
  /** The files to process, in order. */
  readonly files: readonly SourceFile[];
  /** The paths of everything that is there, taken in or not. */
  readonly present: ReadonlySet<string>;
  /** Why the root cannot be walked; null when it can. */
  readonly rootFailure: string | null;
}

type ScanContext = Pick<IngestContext, 'pipelines' | 'report' | 'config' | 'call'>;

/** How a walk names the root itself. */
const ROOT = '.';

/** Walks one source: files of supported media and sizes are kept, everything else goes into the report. */
export async function scanSource(source: WalkedSource, context: ScanContext): Promise<SourceScan> {
  const { root, include, exclude } = source;
  const files: SourceFile[] = [];
  const present = new Set<string>();
  const breath = new BreathingSpace();
  let rootFailure: string | null = null;
  for await (const entry of source.connector.scan({ root, include, exclude }, context.call)) {
    if (breath.isDue) await breath.take();
    present.add(entry.workspacePath);
    if (entry.kind === 'error' && entry.workspacePath === ROOT) rootFailure = entry.message;
    if (keeps(entry, source.id, context)) files.push(entry);
  }
  return { source, files, present, rootFailure };
}

/** Whether an entry is a file to process; what is not is reported. */
function keeps(entry: SourceEntry, sourceId: string, { pipelines, report, config }: ScanContext): entry is SourceFile {
  const { workspacePath } = entry;
  if (entry.kind === 'error') {
    report.fail({ sourceId, workspacePath, reason: entry.message, code: entry.code, agent: HOST_AGENT });
    return false;
  }
  if (entry.kind === 'skipped') {
    report.skip(sourceId, workspacePath, entry.counter);
    return false;
  }
  if (pipelines.of(entry.mediaType) === null) {
    report.skipUnsupported(sourceId, entry, extensionOf(workspacePath.slice(workspacePath.lastIndexOf('/') + 1)));
    return false;
  }
  const counter = skipBySize(entry.size, entry.mediaType, config);
  if (counter !== null) report.skip(sourceId, workspacePath, counter);
  return counter === null;
}
