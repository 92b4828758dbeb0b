// Simulates a new user's first ten minutes in a terminal of 80 columns, in a fresh home, and prints each screen: install, add, ingest,
// search, read, cite, edit, search again, an agent's configuration, a question to a scripted server.
//   node scripts/first-ten-minutes.mjs [--columns 40]
// Needs tmux. Exits with 1 if a command prints an error.
import { startFakeOllama } from '../kits/ollama/dist/testing/index.js';
import { Terminal } from './record-terminal.mjs';

const COMMANDS = [
  'kebab',
  'kebab help | head -30',
  'kebab add ~/notes',
  'kebab ingest',
  'kebab status',
  'kebab search "how long does the dough ferment" -k 2',
  'kebab search backoff -k 1',
  'kebab search 예산 -k 1',
  'kebab search exponental backof',
  'kebab get notes:http/retry.ts:13-16',
  'kebab open notes:tea/green.md#L3',
  'kebab cite verify notes:tea/green.md#L3',
  "sed -i 's/80 degrees/85 degrees/' ~/notes/tea/green.md",
  'kebab cite verify notes:tea/green.md#L3',
  'kebab search "green tea" -k 1',
  'kebab ingest',
  'kebab search "green tea" -k 1',
  'kebab list docs',
  'kebab list sources',
  'kebab config set search.default_k 5',
  'kebab doctor',
  'kebab mcp install --client claude-code',
  'kebab ask "At how many degrees is green tea steeped?"',
  'kebab ask "Which taxes are due on the moon?"',
];

const at = process.argv.indexOf('--columns');
const columns = at === -1 ? 80 : Number(process.argv[at + 1]);
const model = await startFakeOllama({
  models: { 'qwen2.5:14b-instruct': { contextTokens: 32_768, capabilities: ['completion'] } },
  reply: () => 'Green tea is steeped at 85 degrees for three minutes [1].',
});
const terminal = new Terminal({ columns, rows: 60, env: { KEBAB_MODELS_LLM_ENDPOINT: model.url, PAGER: 'cat' } });
const problems = [];
try {
  for (const command of COMMANDS) {
    await terminal.type('clear');
    await terminal.type(command);
    const screen = terminal.screen({ colours: false }).trimEnd().replace(/\n\$$/, '');
    process.stdout.write(`${'─'.repeat(columns)}\n${screen}\n`);
    if (/^error:/m.test(screen)) problems.push(command);
  }
} finally {
  terminal.close();
  await model.close();
}
process.stdout.write(`${'─'.repeat(columns)}\n${COMMANDS.length} screens, ${problems.length} with errors\n`);
for (const command of problems) process.stdout.write(`error: ${command}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
