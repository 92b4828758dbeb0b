import { describe, expect, it } from 'vitest';
import { setInJson } from '../../src/commands/mcp-clients.ts';

const NEW = [{ path: ['servers', 'kebab', 'command'], value: 'kebab' }];

describe('setInJson', () => {
  it.each([
    ['an empty file', '', '{\n  "servers": {\n    "kebab": {\n      "command": "kebab"\n    }\n  }\n}\n'],
    [
      'a line comment behind the last member',
      '{\n\t"a": 1 // one\n\t// end\n}',
      '{\n\t"a": 1, // one\n\t// end\n\t"servers": {\n\t\t"kebab": {\n\t\t\t"command": "kebab"\n\t\t}\n\t}\n}',
    ],
    [
      'a trailing comma and a comment with one',
      '{\n  "servers": {\n    "theirs": {}, // one, two\n  },\n}',
      '{\n  "servers": {\n    "theirs": {}, // one, two\n    "kebab": {\n      "command": "kebab"\n    },\n  },\n}',
    ],
    [
      'lines that end as on Windows',
      '{\r\n  "servers": {"kebab": {}}\r\n}\r\n',
      '{\r\n  "servers": {"kebab": {\r\n      "command": "kebab"\r\n    }}\r\n}\r\n',
    ],
    [
      'a value to replace',
      '{"servers": {"kebab": {"command": "old" /* why */, "mine": [1,2]}}}',
      '{"servers": {"kebab": {"command": "kebab" /* why */, "mine": [1,2]}}}',
    ],
  ])('keeps the layout around what it sets: %s', async (_, before, after) => {
    expect(await setInJson(before, NEW)).toBe(after);
  });
});
