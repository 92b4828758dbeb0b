import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { HttpGate } from '../../src/hosting/http-gate.ts';

it('goes on reporting the last known revision while the store cannot be read', async () => {
  let isAway = false;
  const app = {
    configView: async () => ({ entries: [{ key: 'access.listen', value: '127.0.0.1' }] }),
    followCorpus: async function* () {
      if (isAway) throw new Error('away');
      yield 7;
    },
  } as unknown as App;
  const gate = await HttpGate.open({ use: (run) => run(app), server: 'mcp', endpoint: '/mcp', ownToken: 'own' });
  const headers = { host: '127.0.0.1:80', authorization: 'Bearer own' };
  const request = { url: '/metrics', method: 'GET', headers, headersDistinct: {} } as unknown as IncomingMessage;
  for (isAway of [false, true]) expect((await gate.answer(request, 80))?.body).toMatch(/^kebab_corpus_revision 7$/m);
});
