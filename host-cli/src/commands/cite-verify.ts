import { invalidInput, type App, type CitationCheck } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

interface Claim {
  readonly uri: string;
  readonly hash?: string;
  readonly source?: string;
}

/** `kebab cite verify`: checks that citations still say what they said. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const uri = context.values.arg('URI');
  let gone = false;
  const claims = uri === '-' ? await claimsOnInput(context) : [claimOnLine(uri, context)];
  const app = await context.openApp();
  for await (const claim of claims) {
    const check = await verify(claim, app, context);
    await context.show(check, async () => (await import('../render/citation-check.ts')).renderCitationCheck);
    gone ||= check.status === 'gone';
    if (context.io.stdout.closed) break;
  }
  return gone ? EXIT.nothing : EXIT.ok;
}

function verify({ uri, ...options }: Claim, app: App, { signal }: CommandContext): Promise<CitationCheck> {
  return app.verifyCitation(uri, { ...options, signal });
}

function claimOnLine(uri: string, { values }: CommandContext): Claim {
  const hash = values.text('hash');
  const source = values.text('source');
  return { uri, ...(hash === undefined ? {} : { hash }), ...(source === undefined ? {} : { source }) };
}

/** The citations on standard input; each line carries its own hash and source. */
async function claimsOnInput({ values, io, signal }: CommandContext): Promise<AsyncIterable<Claim>> {
  for (const flag of ['hash', 'source']) {
    if (values.has(flag))
      throw invalidInput(`--${flag} goes with a URI: citations on standard input bring their own`, {
        field: `--${flag}`,
      });
  }
  const { readLines } = await import('../io/text-input.ts');
  return claimsOf(readLines(io.stdin, signal));
}

async function* claimsOf(lines: AsyncIterable<string>): AsyncGenerator<Claim, void, undefined> {
  let number = 0;
  for await (const line of lines) yield readClaim(line, ++number);
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
