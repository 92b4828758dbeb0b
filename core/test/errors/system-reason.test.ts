import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemReason } from '../../src/errors/system-reason.ts';

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the call did not fail');
}

describe('the reason in a message of the system', () => {
  it('is what is left without code, call and path', () => {
    expect(systemReason(messageOf(() => readFileSync("/no/such 'file'")))).toBe('no such file or directory');
    expect(systemReason(messageOf(() => readdirSync(import.meta.filename)))).toBe('not a directory');
    expect(systemReason('ENOSPC: no space left on device, write')).toBe('no space left on device');
  });

  it('leaves every other message as it is', () => {
    for (const message of ['', 'out of luck', 'EVERYTHING: is lost', 'the disk, it is full'])
      expect(systemReason(message)).toBe(message);
  });
});
