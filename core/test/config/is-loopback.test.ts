import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../src/config/is-loopback.ts';

describe('isLoopback', () => {
  it.each([
    'http://localhost',
    'http://LOCALHOST.:8080/x',
    'http://127.0.0.1:11434',
    'http://127.1.2.3',
    'http://0x7f.1',
    'http://[::1]:6333',
    'http://[::ffff:127.0.0.1]',
    'https://user:password@localhost',
  ])('knows this machine: %s', (address) => {
    expect(isLoopback(address)).toBe(true);
  });

  it.each([
    'http://example.org',
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
    'http://127.0.0.1@example.org',
    'http://0.0.0.0',
    'http://192.168.0.1',
    'http://[2001:db8::1]',
    'localhost',
    '',
  ])('knows no other: %s', (address) => {
    expect(isLoopback(address)).toBe(false);
  });
});
