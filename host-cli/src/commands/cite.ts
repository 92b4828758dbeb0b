import { invalidInput, printable, type App, type CitationCheck } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { hitNumbered, refuseHitNumber } from '../command/search-history.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { readLines } from '../io/text-input.ts';
import type { Screen } from '../screen/screen.ts';

const STATUS_COLUMNS = 5;

interface Claim {
  readonly uri: string;
  readonly hash?: string | undefined;
  readonly source?: string | undefined;
}

/** `kebab cite verify`: checks that citations still match their sources. */
export async function citeVerify(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  const uri = values.arg('URI');
  let gone = false;
  if (uri === '-') refuseFlagsOfOne(context);
  const claims =
    uri === '-'
      ? claimsOnInput(context)
      : [{ uri: hitNumbered(context, uri) ?? uri, hash: values.text('hash'), source: values.text('source') }];
  const app = await context.openApp();
  for await (const claim of claims) {
    const check = await verify(claim, app, context);
    if (check.freshness === null) refuseHitNumber(context, claim.uri);
    context.show(check, (shown, screen) => renderCheck(shown, claim, screen));
    gone ||= check.status === 'gone';
    if (context.io.stdout.closed) break;
  }
  return gone ? EXIT.nothing : EXIT.ok;
}

function verify({ uri, ...options }: Claim, app: App, { signal }: CommandContext): Promise<CitationCheck> {
  return app.verifyCitation(uri, { ...options, signal });
}

/** Rejects flags for a single citation: each citation on standard input has its own hash and source. */
function refuseFlagsOfOne({ values }: CommandContext): void {
  const flag = ['hash', 'source'].find((name) => values.has(name));
  if (flag === undefined) return;
  throw invalidInput(`--${flag} goes with a URI: citations on standard input have their own`, { field: `--${flag}` });
}

async function* claimsOnInput({ io, signal }: CommandContext): AsyncGenerator<Claim, void, undefined> {
  for await (const { value, line } of readValues(readLines(io.stdin, signal))) {
    const claims = typeof value === 'string' ? [{ uri: value }] : claimsIn(value);
    if (claims === null) throw notCited(line, JSON.stringify(value));
    yield* claims;
  }
}

/** A JSON value of standard input and its first line; blank lines are not counted. */
interface InputValue {
  readonly value: unknown;
  readonly line: number;
}

/**
 * Reads JSON values, one per line or spread over several lines, the last of which begins with the closing bracket. A line that is not JSON is
 * a URI.
 */
async function* readValues(lines: AsyncIterable<string>): AsyncGenerator<InputValue, void, undefined> {
  let open: string[] = [];
  let number = 0;
  for await (const line of lines) {
    number++;
    open.push(line);
    const isWhole = open.length === 1 || /^[}\]]/.test(line);
    const value = isWhole ? parseJson(open.join('\n')) : undefined;
    const begun = number - open.length + 1;
    if (value !== undefined) yield { value, line: begun };
    else if (open.length === 1 && !/^[{[]/.test(line)) {
      if (line.trim() !== '') yield { value: line.trim(), line: begun };
      open = [];
    }
    if (value !== undefined) open = [];
  }
  if (open.length > 0) throw notCited(number - open.length + 1, open[0] ?? '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The citations in one object of a command's JSON output, in order; null if that kind of object has none. */
function claimsIn(value: unknown): readonly Claim[] | null {
  if (Array.isArray(value)) return claimsOfAll(value);
  if (typeof value !== 'object' || value === null) return null;
  const object = value as Fields;
  switch (object['schema_version']) {
    case 'search_response.v1':
      return claimsOfAll(object['hits']);
    case 'bulk_search_item.v1':
      return object['response'] === null ? [] : claimsIn(object['response']);
    case 'answer.v1':
      return claimsOfAll(object['citations']);
    case 'answer_event.v1':
      return object['kind'] === 'final' ? claimsIn(object['answer']) : [];
    case 'fetch_result.v1':
      return claimsOfFetched(object);
    default:
      return claimOf(object) ?? claimOf(object['citation']);
  }
}

function claimsOfAll(values: unknown): readonly Claim[] | null {
  if (!Array.isArray(values)) return null;
  const claims = values.map(claimsIn);
  return claims.includes(null) ? null : claims.flatMap((some) => some ?? []);
}

/** A fetch result is cited by its chunk or its own citation; a whole document has only its path. */
function claimsOfFetched({
  kind,
  chunk,
  citation,
  doc_path: path,
  source_id: source,
}: Fields): readonly Claim[] | null {
  if (kind === 'chunk') return claimsIn(chunk);
  if (kind !== 'doc') return citation === null ? [] : claimOf(citation);
  if (typeof path !== 'string' || typeof source !== 'string') return null;
  return [{ uri: path.replaceAll('%', '%25').replaceAll('#', '%23'), source }];
}

function claimOf(value: unknown): readonly Claim[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const { uri, content_hash: hash, source_id: source = 'default' } = value as Fields;
  const isCitation = typeof uri === 'string' && typeof hash === 'string' && typeof source === 'string';
  return isCitation ? [{ uri, hash, source }] : null;
}

function notCited(line: number, text: string): Error {
  return invalidInput(`line ${line} of standard input holds no citation`, {
    field: 'citation',
    value: text.slice(0, 200),
    hint: 'give citation URIs, one a line, or what `kebab search`, `kebab ask` or a command of `kebab fetch` prints with --json',
  });
}

/** One citation in one line, with the hash that was compared: its status and the current location of its text. */
function renderCheck(check: CitationCheck, { hash }: Claim, { colors }: Screen): string {
  const paint = { exact: colors.green, moved: colors.yellow, gone: colors.red }[check.status];
  const compared = hash ?? (check.status === 'exact' ? check.content_hash : null);
  const newPlace = check.found_uri === null ? '' : `  → ${printable(withHash(check.found_uri, compared))}`;
  const isMissing = check.freshness === null && check.found_uri === null;
  const known = check.freshness === 'changed' || check.freshness === 'deleted' ? check.freshness : null;
  const state = isMissing ? '  [no such document]' : known === null ? '' : `  [${known}]`;
  return `${paint(check.status.padEnd(STATUS_COLUMNS))}  ${printable(withHash(check.uri, compared))}${newPlace}${colors.dim(state)}\n`;
}

/** The place in a document at the end of a URI: a name may have a `#`, too. */
const PLACE = /#(?:L\d|[a-z]+=|caption)[^#]*$/;

/** A URI with the first digits of a hash, unless it has some or designates a whole document. */
function withHash(uri: string, hash: string | null): string {
  return hash === null || !PLACE.test(uri) || /~[\da-f]{6,16}$/i.test(uri) ? uri : `${uri}~${hash.slice(0, 8)}`;
}
