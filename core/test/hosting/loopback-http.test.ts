import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { equalsSecret, isLoopbackHost, listenAt } from '../../src/hosting/loopback-http.ts';

describe('a Host header', () => {
  it.each(['127.0.0.1:8765', 'localhost:8765', 'LocalHost:8765', '[::1]:8765'])('%s is this machine', (host) => {
    expect(isLoopbackHost(host, 8765)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'localhost',
    'localhost:8766',
    'localhost.example.com:8765',
    'example.com:8765',
    '127.0.0.1.nip.io:8765',
    '127.0.0.2:8765',
    '[::2]:8765',
    'localhost:8765:8765',
    'localhost:008765',
    'localhost@example.com:8765',
  ])('%s is not', (host) => {
    expect(isLoopbackHost(host, 8765)).toBe(false);
  });

  it('without a port means port 80', () => {
    expect(isLoopbackHost('localhost', 80)).toBe(true);
  });
});

it('compares secrets of any length', () => {
  expect(equalsSecret('café', 'café')).toBe(true);
  expect(equalsSecret('', 'café')).toBe(false);
  expect(equalsSecret('café!', 'café')).toBe(false);
});

it('listens on a free port, and says with the hint why it cannot listen on another', async () => {
  const server = createServer();
  const port = await listenAt(server, { port: 0, hint: 'choose another' });
  try {
    expect(server.address()).toMatchObject({ address: '127.0.0.1', port });
    await expect(listenAt(createServer(), { port, hint: 'choose another' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: `port ${port} is in use: another program listens there`,
      hint: 'choose another',
    });
  } finally {
    server.close();
  }
  for (const none of [-1, 1.5, 65_536, Number.NaN])
    await expect(listenAt(createServer(), { port: none, hint: 'choose another' })).rejects.toThrow(
      'ports go from 0 to 65535',
    );
});
