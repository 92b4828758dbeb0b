import { describe, expect, it } from 'vitest';
import { serveStdio } from '../../src/transport/serve-stdio.ts';
import { splitLines } from '../../src/transport/serve-stdio.ts';
import { fakeSurface } from '../fakes/fake-surface.ts';

async function* bytes(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

async function serve(...pieces: readonly string[]): Promise<readonly unknown[]> {
  const lines: string[] = [];
  await serveStdio({
    input: bytes(...pieces),
    write: (line) => lines.push(line),
    surface: fakeSurface(),
  });
  for (const line of lines) expect(line).toMatch(/^[^\n]*\n$/);
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe('a server on a pipe', () => {
  it('answers requests received before the input ended', async () => {
    const ping = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
    expect(await serve(ping(1), ping(2).slice(0, 9), ping(2).slice(9), ping(3).trimEnd())).toEqual(
      [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, result: {} })),
    );
  });

  it('answers a line that is not JSON with an error, and the next one normally', async () => {
    const answers = await serve('{"jsonrpc": \n', '\n', '{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n');
    expect(answers).toMatchObject([{ error: { code: -32700 } }, { id: 1, result: {} }]);
  });
});

describe('what the package would end a connection for', () => {
  it('is no reason to leave a call unanswered: the end of the input', async () => {
    const surface = fakeSurface();
    const call = async (): Promise<{ content: [] }> => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { content: [] };
    };
    const slow = { name: 'slow', listed: false, described: {}, call };
    const lines: string[] = [];
    await serveStdio({
      surface: { ...surface, tools: [slow] },
      input: bytes('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}\n'),
      write: (line) => lines.push(line),
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { jsonrpc: '2.0', id: 1, result: { content: [] } },
    ]);
  });

  it('is only rejected: a message over 32 MiB', async () => {
    const answers = await serve(`${'x'.repeat(33 * 2 ** 20)}\n`, '{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect(answers).toMatchObject([{ error: { code: -32600 } }, { id: 1, result: {} }]);
  });

  it('is read: a message of 12 MB', async () => {
    const params = { name: 'echo', arguments: { a: 'x'.repeat(12_000_000) } };
    const [answer] = await serve(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    expect(answer).toMatchObject({ result: { structuredContent: params.arguments } });
  });
});

describe('many requests at once on a pipe', () => {
  it('are answered without a runtime warning about listeners', async () => {
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', note);
    try {
      const requests = Array.from({ length: 50 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`);
      const lines: string[] = [];
      const { signal } = new AbortController();
      await serveStdio({
        surface: fakeSurface(),
        input: bytes(...requests),
        write: (line) => lines.push(line),
        signal,
      });
      await new Promise((resolve) => setImmediate(resolve)); // warnings are emitted one turn later
      expect([lines.length, warnings]).toEqual([50, []]);
    } finally {
      process.off('warning', note);
    }
  });
});

describe('the lines of a stream', () => {
  async function lines(
    maxBytes: number,
    ...pieces: readonly (string | Uint8Array)[]
  ): Promise<readonly (string | null)[]> {
    const found: (string | null)[] = [];
    for await (const line of splitLines(bytes(...pieces), maxBytes)) found.push(line);
    return found;
  }

  it('are assembled from pieces of any size, including split multi-byte characters', async () => {
    const text = Buffer.from('ein\n"쓰다"\n\n  \nzwei');
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.subarray(i * size, (i + 1) * size),
      );
      expect(await lines(100, ...pieces)).toEqual(['ein', '"쓰다"', 'zwei']);
    }
  });

  it('are null if they are too long, and the next one is complete', async () => {
    expect(await lines(5, '123', '456', '789\nok\n', '123456')).toEqual([null, 'ok', null]);
  });
});
