import { suiteReply, type PluginFixtures } from '@kebab/plugin/testing';
import { startServer } from './fake-server.ts';

/** Input of the suite: the model, on a server in this process that answers as the suite expects. */
export const fixtures: PluginFixtures = {
  llm: {
    '{{id}}': (make) => ({
      open: async () => {
        const server = await startServer(suiteReply);
        const at = (endpoint: string, model: string, timeoutS = 30) =>
          make({ config: { endpoint, model, contextTokens: 8192, timeoutS } });
        return {
          model: await at(server.url, 'default'),
          unreachable: () => at('http://127.0.0.1:9', 'default'),
          missing: () => at(server.url, 'missing'),
          impatient: () => at(server.url, 'slow', 1),
          breaking: () => at(server.url, 'breaking'),
          endless: async () => ({ model: await at(server.url, 'endless'), stopped: server.stopped }),
          close: server.close,
        };
      },
      arranges: ['unreachable', 'missing', 'impatient', 'breaking', 'endless', 'repeats'],
    }),
  },
};
