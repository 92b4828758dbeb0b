import type { ServedTool, Surface } from '../../src/protocol/surface.ts';

const TOOLS: readonly ServedTool[] = [
  {
    name: 'echo',
    listed: true,
    described: { name: 'echo', inputSchema: { type: 'object' } },
    call: async (args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }], structuredContent: args }),
  },
  {
    name: 'count',
    listed: true,
    described: { name: 'count', inputSchema: { type: 'object' } },
    call: async (_args, { progress }) => {
      for (const done of [1, 1, 2]) progress({ done, total: 2, message: `${done} of 2` });
      return { content: [{ type: 'text', text: 'counted' }] };
    },
  },
  {
    name: 'wait',
    listed: false,
    described: {},
    call: (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  },
  { name: 'break', listed: false, described: {}, call: () => Promise.reject(new Error('a secret')) },
];

/** A surface with a tool for every feature of the protocol. */
export function fakeSurface(): Surface {
  return {
    info: { name: 'fake', title: 'Fake', version: '1.2.3' },
    instructions: 'Use it.',
    tools: TOOLS,
    resources: {
      templates: [{ uriTemplate: 'fake://{id}', name: 'fake' }],
      list: async (cursor) => ({
        items: [{ uri: `fake://${cursor ?? 'first'}`, name: 'f' }],
        nextCursor: cursor === undefined ? 'second' : null,
      }),
      read: async (uri) => (uri === 'fake://first' ? [{ uri, text: 'content' }] : null),
      versions: async (uris) => uris.map((uri) => (uri === 'fake://first' ? '1' : null)),
    },
    prompts: [
      {
        name: 'greet',
        title: 'Greet',
        description: 'Greets somebody.',
        arguments: [{ name: 'name', description: 'Who.', required: true }],
        render: ({ name = '' }) => [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }],
      },
    ],
    complete: async ({ typed }) => [`${typed}1`, `${typed}2`],
  };
}
