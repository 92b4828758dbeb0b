import { parentPort } from 'node:worker_threads';
import { serveExtraction } from '../../../src/ingest/extraction-worker.ts';

if (parentPort !== null) serveExtraction([], parentPort);
