import { parentPort } from 'node:worker_threads';
import { serveExtraction } from '../../src/extraction/extraction-worker.ts';

if (parentPort !== null) serveExtraction([], parentPort);
