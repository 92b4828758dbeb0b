import { describe, expect, it } from 'vitest';
import { FileOutput, type FileCalls } from '../../src/io/file-output.ts';

/** A pipe that accepts `room` bytes per call, after failing with the listed errors. */
function pipe(room: number, errors: (string | null)[] = []) {
  const taken: Buffer[] = [];
  const calls: FileCalls = {
    isCharacterDevice: () => false,
    write: (_fd, bytes) => {
      const code = errors.shift();
      if (typeof code === 'string') throw Object.assign(new Error(code), { code });
      const part = Buffer.from(bytes.subarray(0, room));
      taken.push(part);
      return part.length;
    },
  };
  return { calls, text: () => Buffer.concat(taken).toString('utf8') };
}

describe('FileOutput', () => {
  it('writes everything to a reader that accepts little at a time', () => {
    const reader = pipe(3);
    new FileOutput(1, reader.calls).write('한국어 text');
    expect(reader.text()).toBe('한국어 text');
  });

  it('keeps order and loses nothing when the reader is slow', async () => {
    const reader = pipe(4, [null, 'EAGAIN', 'EAGAIN']);
    const output = new FileOutput(1, reader.calls);
    output.write('first line\n');
    output.write('second line\n');
    await output.flush();
    expect(reader.text()).toBe('first line\nsecond line\n');
  });

  it('is closed, not broken, when the reader is gone', async () => {
    const reader = pipe(100, ['EPIPE']);
    const output = new FileOutput(1, reader.calls);
    output.write('lost');
    output.write('lost too');
    await output.flush();
    expect([output.closed, reader.text()]).toEqual([true, '']);
  });

  it('throws when the text cannot be stored', () => {
    const output = new FileOutput(1, pipe(100, ['ENOSPC']).calls);
    expect(() => output.write('text')).toThrow('ENOSPC');
  });

  it('does not treat a pipe as a terminal', () => {
    const output = new FileOutput(1, pipe(1).calls);
    expect([output.isTerminal, output.columns]).toEqual([false, null]);
  });
});
