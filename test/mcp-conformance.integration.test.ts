import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The exit code of both scripts when the npm registry, from which they install the tools, cannot be reached. */
const UNREACHABLE = 3;
/** A guard against hangs: each script takes half a minute once the tools are installed, several times that on a busy machine. */
const LIMIT_MS = 240_000;

/** Runs a script and returns its output and exit code; skips the test when its tools cannot be installed. */
async function run(script: string, context: TestContext): Promise<{ code: number | null; lines: readonly string[] }> {
  const child = spawn(process.execPath, [script], { cwd: root, timeout: LIMIT_MS - 10_000 });
  const [out, all]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (data: Buffer) => [out, all].forEach((each) => each.push(data)));
  child.stderr.on('data', (data: Buffer) => all.push(data));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = Buffer.concat(all).toString('utf8');
  if (code === UNREACHABLE) context.skip(`skipped: ${said.trim()}`);
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${said}`);
  return { code, lines: Buffer.concat(out).toString('utf8').trim().split('\n') };
}

describe('the MCP host under the official MCP tools (installed from the npm registry, skipped without it)', () => {
  it(
    'passes the official conformance suite in every revision, except for features it does not offer',
    async (context) => {
      const { lines } = await run('scripts/mcp-conformance.mjs', context);
      for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28'])
        expect(lines).toContainEqual(
          expect.stringMatching(`revision ${revision}: [2-9]\\d scenarios pass, \\d+ fail as expected`),
        );
    },
    LIMIT_MS,
  );

  it(
    'serves the official Inspector over a pipe, in both protocol eras',
    async (context) => {
      const { lines } = await run('scripts/mcp-inspector.mjs', context);
      for (const revision of ['2025-11-25', '2026-07-28'])
        for (const method of ['tools/list', 'tools/call', 'resources/list', 'prompts/list'])
          expect(lines).toContainEqual(expect.stringMatching(`^${revision} ${method}.*: ok$`));
    },
    LIMIT_MS,
  );
});
