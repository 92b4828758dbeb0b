// A server with everything that the official conformance suite requires of every server, on the same protocol and transport as kebab. node
// --import ./scripts/run-ts.mjs host-mcp/test/conformance/fixture-host.ts
import { setTimeout as delay } from 'node:timers/promises';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { ContentPart, ServedPrompt, ServedTool, Surface } from '../../src/protocol/surface.ts';
import { serveFake } from '../fakes/serve-fake.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const image: ContentPart = { type: 'image', data: PNG, mimeType: 'image/png' };
const text = (words: string): ContentPart => ({ type: 'text', text: words });
const resource = (uri: string, mimeType: string, content: string): ContentPart => ({
  type: 'resource',
  resource: { uri, mimeType, text: content },
});

const RICH_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

function tool(
  name: string,
  content: readonly ContentPart[],
  more: Partial<ServedTool> & { schema?: object } = {},
): ServedTool {
  const { schema = { type: 'object', properties: {}, additionalProperties: false }, ...rest } = more;
  return {
    name,
    listed: true,
    described: { name, description: `The conformance tool ${name}`, inputSchema: schema },
    call: async () => ({ content }),
    ...rest,
  };
}

const TOOLS: readonly ServedTool[] = [
  tool('test_simple_text', [text('This is a simple text response for testing.')]),
  tool('test_image_content', [image]),
  tool('test_audio_content', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
  tool('test_embedded_resource', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  tool('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  tool('test_error_handling', [], {
    call: async () => ({ content: [text('This tool intentionally returns an error for testing')], isError: true }),
  }),
  tool('test_tool_with_progress', [], {
    call: async (_args, { progress }) => {
      for (const done of [0, 50, 100]) {
        progress({ done, total: 100 });
        await delay(50);
      }
      return { content: [text('done')] };
    },
  }),
  // The suite only tests the rejection: this tool needs a capability that no client of the suite declares.
  tool('test_missing_capability', [], {
    call: async () => {
      const data = { requiredCapabilities: { sampling: {} } };
      throw new ProtocolError(-32021, 'sampling is needed', data);
    },
  }),
  // These two are called to check that a stream carries only responses and progress.
  tool('test_streaming_elicitation', [text('nothing was asked')]),
  tool('test_logging_tool', [text('nothing was logged')]),
  tool('json_schema_2020_12_tool', [text('ok')], { schema: RICH_SCHEMA }),
];

const user = (content: ContentPart): { role: string; content: ContentPart } => ({ role: 'user', content });
const argument = (name: string): ServedPrompt['arguments'][number] => ({ name, description: name, required: true });

const PROMPTS: readonly ServedPrompt[] = [
  {
    name: 'test_simple_prompt',
    title: 'Simple',
    description: 'A simple prompt',
    arguments: [],
    render: () => [user(text('This is a simple prompt for testing.'))],
  },
  {
    name: 'test_prompt_with_arguments',
    title: 'With arguments',
    description: 'A prompt with arguments',
    arguments: [argument('arg1'), argument('arg2')],
    render: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    title: 'With a resource',
    description: 'A prompt with a resource',
    arguments: [argument('resourceUri')],
    render: ({ resourceUri = '' }) => [
      user(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      user(text('Please process the embedded resource above.')),
    ],
  },
  {
    name: 'test_prompt_with_image',
    title: 'With an image',
    description: 'A prompt with an image',
    arguments: [],
    render: () => [user(image), user(text('Please analyze the image above.'))],
  },
];

const surface: Surface = {
  info: { name: 'conformance-fixture', title: 'Conformance fixture', version: '1.0.0' },
  instructions: 'Serves the conformance suite.',
  tools: TOOLS,
  resources: {
    templates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
    list: async () => ({
      items: [
        { uri: 'test://static-text', name: 'text', description: 'A text', mimeType: 'text/plain' },
        { uri: 'test://static-binary', name: 'binary', description: 'An image', mimeType: 'image/png' },
      ],
      nextCursor: null,
    }),
    versions: async (uris) => uris.map(() => '1'),
    read: async (uri) => {
      const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
      if (id !== undefined)
        return [
          {
            uri,
            mimeType: 'application/json',
            text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          },
        ];
      if (uri === 'test://static-text')
        return [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }];
      return uri === 'test://static-binary' ? [{ uri, mimeType: 'image/png', blob: PNG }] : null;
    },
  },
  prompts: PROMPTS,
  complete: async ({ typed }) => ['paris', 'park', 'party'].filter((value) => value.startsWith(typed)),
};

const { url } = await serveFake(surface);
process.stdout.write(`${url}\n`);
