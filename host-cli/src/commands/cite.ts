import { invalidInput, type App, type CitationCheck } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../io/printable.ts';
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
  const uri = context.values.arg('URI');
  let gone = false;
  if (uri === '-') refuseFlagsOfOne(context);
  const claims = uri === '-' ? claimsOnInput(context) : [claimOnLine(uri, context)];
  const app = await context.openApp();
  for await (const claim of claims) {
    const check = await verify(claim, app, context);
    await context.show(check, renderCheck);
    gone ||= check.status === 'gone';
    if (context.io.stdout.closed) break;
  }
  return gone ? EXIT.nothing : EXIT.ok;
}

function verify({ uri, ...options }: Claim, app: App, { signal }: CommandContext): Promise<CitationCheck> {
  return app.verifyCitation(uri, { ...options, signal });
}

function claimOnLine(uri: string, { values }: CommandContext): Claim {
  return { uri, hash: values.text('hash'), source: values.text('source') };
}

/** Each citation on standard input has its own hash and source. */
function refuseFlagsOfOne({ values }: CommandContext): void {
  const flag = ['hash', 'source'].find((name) => values.has(name));
  if (flag === undefined) return;
  throw invalidInput(`--${flag} goes with a URI: citations on standard input have their own`, { field: `--${flag}` });
}

async function* claimsOnInput({ io, signal }: CommandContext): AsyncGenerator<Claim, void, undefined> {
  let number = 0;
  for await (const line of readLines(io.stdin, signal)) yield readClaim(line, ++number);
}

function readClaim(line: string, number: number): Claim {
  const citation = parseObject(line);
  const { uri, content_hash: hash, source_id: source = 'default' } = citation;
  if (typeof uri === 'string' && typeof hash === 'string' && typeof source === 'string') return { uri, hash, source };
  throw invalidInput(`line ${number} of standard input is not a citation.v1 object`, {
    field: 'citation',
    value: line.slice(0, 200),
    hint: 'give the `citation` object of a hit on each line',
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** One citation as one line: its status, and where its text is now. */
function renderCheck(check: CitationCheck, { colors }: Screen): string {
  const paint = { exact: colors.green, moved: colors.yellow, gone: colors.red }[check.status];
  const found = check.found_uri === null ? '' : `  → ${printable(check.found_uri)}`;
  const state = check.freshness === 'changed' || check.freshness === 'deleted' ? `  [${check.freshness}]` : '';
  return `${paint(check.status.padEnd(STATUS_COLUMNS))}  ${printable(check.uri)}${found}${colors.dim(state)}\n`;
}
