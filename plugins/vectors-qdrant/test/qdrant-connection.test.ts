import { describe, expect, it } from 'vitest';
import { serverAddress } from '../src/qdrant-connection.ts';

describe('serverAddress', () => {
  it.each([
    ['http://127.0.0.1:6333', 'http://127.0.0.1:6333'],
    ['http://qdrant', 'http://qdrant:6333'],
    ['http://localhost:6333/', 'http://localhost:6333'],
    ['https://example.org', 'https://example.org:6333'],
    ['https://example.org:443', 'https://example.org:443'],
    ['http://example.org:80/', 'http://example.org:80'],
    ['https://example.org/vectors/', 'https://example.org:6333/vectors'],
    ['http://[::1]:7000/a/b', 'http://[::1]:7000/a/b'],
    ['http://[::1]', 'http://[::1]:6333'],
    ['https://user:secret@example.org:8443', 'https://example.org:8443'],
  ])('takes %s for %s', (text, endpoint) => {
    const address = serverAddress(text);
    expect(address.endpoint).toBe(endpoint);
    expect(`${address.url}:${address.port}${address.prefix}`).toBe(endpoint);
  });
});
