// Prints what `kebab status` says in the form in which an agent adds it to a session: node status.cjs FORM PACKAGE
const { spawnSync } = require('node:child_process');

const [form, name] = process.argv.slice(2);
const { status, stdout } = spawnSync('npx', ['-y', name, 'status'], {
  encoding: 'utf8',
  shell: process.platform === 'win32', // npx is a script there
  stdio: ['ignore', 'pipe', 'ignore'],
});
const text = status === 0 ? `State of the kebab knowledge base:\n${stdout}` : '';
const forms = {
  cursor: { additional_context: text },
  event: { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } },
};
process.stdout.write(text === '' ? '{}\n' : `${JSON.stringify(forms[form])}\n`);
