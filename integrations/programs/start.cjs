// Starts the server of an MCP bundle: node start.cjs PACKAGE
const { spawn } = require('node:child_process');

const server = spawn('npx', ['-y', process.argv[2], 'mcp'], {
  shell: process.platform === 'win32', // npx is a script there
  stdio: 'inherit',
});
server.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
