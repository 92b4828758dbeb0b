// Waits until its standard input ends, which is when the test run that started it has ended in whatever way, and then ends the programs
// whose environment or command line names the folder of the run (on systems with /proc), and removes the folder.
//   node scripts/clean-up-after-tests.mjs FOLDER
import { readFileSync, readdirSync, rmSync } from 'node:fs';

const [folder] = process.argv.slice(2);
process.stdin.resume().once('close', () => {
  if (process.platform === 'linux') readdirSync('/proc').filter(isStartedByTests).forEach(end);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

function isStartedByTests(name) {
  if (!/^\d+$/.test(name) || name === String(process.pid)) return false;
  try {
    return ['environ', 'cmdline'].some((file) => readFileSync(`/proc/${name}/${file}`, 'utf8').includes(folder));
  } catch {
    return false; // it has ended in the meantime, or belongs to another user
  }
}

function end(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {} // it has ended in the meantime
}
