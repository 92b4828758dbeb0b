// Starts an extraction process on a file that hangs forever; the process writes its pid to a file. The test then kills this program.
import { ProcessPool } from '../../src/extraction/process-pool.ts';
import { hostileJob } from './hostile-job.ts';
import { hostileManifest } from './hostile-manifest.ts';

const pool = new ProcessPool({
  url: new URL('hostile-worker.ts', import.meta.url),
  env: process.env,
  init: {
    plugins: [{ manifest: hostileManifest, moduleUrl: null, config: {}, settings: {} }],
    memoryMb: 256,
  },
  tmpDir: '/nowhere',
  timeoutMs: 600_000,
  processes: 1,
});
await pool.extract(hostileJob(`hang and write ${process.argv[2]}`), new AbortController().signal);
