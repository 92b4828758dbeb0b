import { describe, expect, it } from 'vitest';
import { limitedFetch } from '../../src/plugin/trust-policy.ts';

describe('limitedFetch', () => {
  const asked: string[] = [];
  const fetchAnything = (async (input) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return new Response('');
  }) as typeof fetch;
  const limited = limitedFetch(['127.0.0.1', 'api.example.org:8443', '*.models.example'], fetchAnything);

  it.each(['http://127.0.0.1:11434/api', 'https://API.example.org/v1', 'https://eu.models.example/a'])(
    'reaches the declared %s',
    async (url) => {
      await limited(url);
      await limited(new Request(url));
      expect(asked.splice(0)).toHaveLength(2);
    },
  );

  it('allows data and blob URLs', async () => {
    await limited('data:text/plain,hello');
    expect(asked.splice(0)).toEqual(['data:text/plain,hello']);
  });

  it.each(['http://localhost/', 'https://example.org/', 'https://models.example/', 'https://evilmodels.example/'])(
    'rejects %s without sending anything',
    async (url) => {
      await expect(limited(url)).rejects.toThrow(`it did not declare that it reaches ${new URL(url).hostname}`);
      expect(asked).toEqual([]);
    },
  );
});
