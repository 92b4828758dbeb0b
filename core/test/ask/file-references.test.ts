import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openForTests } from '../kb/open-for-tests.ts';
import { teaWorld } from './ask-world.ts';

const open = openForTests();

describe('a question that refers to files', () => {
  it('sends each file before all retrieved passages, numbered first', async () => {
    const world = await teaWorld(open, 'It says "boil" [#1].');
    world.kb.putFile('todo.txt', 'first\nboil water\n');
    const answer = await world.ask('When are roses pruned, says @todo.txt?', { k: 1 });
    const messages = world.model.requests[0]?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[1]?.text).toMatch(
      /^\[1\] todo\.txt \(todo\.txt\)\n<<<passage \w+>>>\n\[File: todo\.txt\]\nfirst\nboil water\n\n<<<end \w+>>>\n\n\[2\] /,
    );
    expect(messages[1]?.text).toMatch(/\n\nQuestion: When are roses pruned, says @todo\.txt\?$/);
    expect(answer).toMatchObject({ grounded: true, alerts: [], retrieval: { chunks_used: 1 } });
    expect(answer.citations).toMatchObject([
      { marker: '[1]', citation: { kind: 'line', uri: 'todo.txt#L1-L2', start: 1, end: 2 }, score: 1, verified: true },
    ]);
  });

  it('cites a file so that the citation can be verified', async () => {
    const world = await teaWorld(open, 'It steeps [#1].');
    const { citations } = await world.ask('@tea/black.md');
    const { uri, content_hash: hash } = citations[0]?.citation ?? { uri: '', content_hash: '' };
    expect(uri).toBe('tea/black.md#L1-L4');
    expect(await world.kb.verify(uri, { hash })).toMatchObject({ status: 'exact' });
  });

  it('cites the sent lines of a truncated file, and says in the message that it was truncated', async () => {
    const world = await teaWorld(open, 'Long [#1].', { env: { KEBAB_RAG_MAX_CONTEXT_TOKENS: '9000' } });
    await world.kb.add('long.md', `${'0123456789'.repeat(10)}\n`.repeat(300));
    const { citations } = await world.ask('@long.md');
    const { uri, content_hash: hash } = citations[0]?.citation ?? { uri: '', content_hash: '' };
    expect(uri).toBe('long.md#L1-L163');
    expect(await world.kb.verify(uri, { hash })).toMatchObject({ status: 'exact' });
    const sent = world.model.requests[0]?.messages.find(({ text }) => text.includes('[File: '))?.text ?? '';
    expect(sent).toContain('\n[...truncated, 30300 bytes total — use read_file for the rest]');
  });

  it('skips retrieval when no text remains, and asks the model about the files alone', async () => {
    const world = await teaWorld(open, 'Tea [#1].');
    const answer = await world.ask('@tea/green.md @tea/black.md');
    expect(answer).toMatchObject({ grounded: true, retrieval: { chunks_returned: 0, chunks_used: 0, top_score: 0 } });
    expect(world.events.some(({ kind }) => kind === 'retrieval_done')).toBe(false);
    expect((await world.ask('@tea/green.md', { explain: true })).explain?.trace.lexical).toEqual([]);
  });

  it('is not refused at the gate when a file was resolved', async () => {
    const world = await teaWorld(open, 'Tea [#1].');
    for (const question of [
      'xylophone @tea/green.md',
      'Which winter orchestra of Reykjavik won the trophy? @tea/green.md',
    ])
      expect(await world.ask(question)).toMatchObject({ answer: 'Tea [1].', citations: [{ marker: '[1]' }] });
  });

  it('refuses without a model when no reference could be resolved and nothing else was asked', async () => {
    const world = await teaWorld(open, 'Tea [#1].');
    const answer = await world.ask('@nope.md @../../etc/passwd');
    expect(answer).toMatchObject({ refusal_reason: 'no_chunks' });
    expect(answer.alerts.map(({ path, code }) => [path, code])).toEqual([
      ['nope.md', 'file_ref_not_found'],
      ['../../etc/passwd', 'file_ref_out_of_scope'],
    ]);
    expect(world.model.requests).toEqual([]);
  });

  it('reports each reference that failed, in the answer and in the message', async () => {
    const world = await teaWorld(open, 'Green tea is steeped [#1].');
    world.kb.putFile('nul.bin', 'a\0b');
    world.kb.putFile('sparse.txt', '');
    truncateSync(join(world.kb.root, 'sparse.txt'), 2 ** 31);
    writeFileSync(join(dirname(world.kb.root), 'secret.md'), 'the secret');
    symlinkSync(join(dirname(world.kb.root), 'secret.md'), join(world.kb.root, 'link.md'));
    const answer = await world.ask('How is green tea steeped? @nul.bin @sparse.txt @tea @link.md');
    expect(answer.grounded).toBe(true);
    expect(answer.alerts.map(({ path, code, level }) => [path, code, level])).toEqual([
      ['nul.bin', 'file_ref_binary', 'warn'],
      ['sparse.txt', 'file_ref_binary', 'warn'],
      ['tea', 'file_ref_io', 'warn'],
      ['link.md', 'file_ref_out_of_scope', 'warn'],
    ]);
    const user = world.model.requests[0]?.messages.find(({ role }) => role === 'user')?.text;
    expect(user?.split('Question: ').at(-1)).toBe(
      'How is green tea steeped? [unresolved file ref: nul.bin] [unresolved file ref: sparse.txt] [unresolved file ref: tea] [unresolved file ref: link.md]',
    );
    expect(JSON.stringify(world.model.requests)).not.toContain('the secret');
  });

  it('is invalid_input when its files do not fit the context', async () => {
    const world = await teaWorld(open, 'x', { env: { KEBAB_RAG_MAX_CONTEXT_TOKENS: '2000' } });
    world.kb.putFile('big.txt', 'word '.repeat(2000));
    await expect(world.ask('what is in @big.txt')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('resolves a file from the working folder first', async () => {
    const world = await teaWorld(open, 'Tea [#1].', { cwd: 'tea' });
    expect((await world.ask('@green.md')).citations[0]?.citation.uri).toBe('tea/green.md#L1-L5');
  });
});
