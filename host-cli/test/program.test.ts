import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { watchInterrupts } from '../src/program.ts';

describe('watchInterrupts', () => {
  it('turns the first signal into an abort and quits on the second', () => {
    const source = new EventEmitter();
    let quits = 0;
    const signal = watchInterrupts(source, () => quits++);
    expect([signal.aborted, quits]).toEqual([false, 0]);
    source.emit('SIGTERM');
    expect([signal.aborted, quits]).toEqual([true, 0]);
    source.emit('SIGINT');
    expect([signal.aborted, quits]).toEqual([true, 1]);
  });

  it('aborts with an error that is recognised as an abort', () => {
    const source = new EventEmitter();
    const signal = watchInterrupts(source, () => undefined);
    source.emit('SIGINT');
    expect(signal.reason).toMatchObject({ name: 'AbortError', message: 'interrupted by SIGINT' });
  });
});
