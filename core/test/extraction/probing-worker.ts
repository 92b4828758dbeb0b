import { serveExtraction } from '../../src/extraction/extraction-worker.ts';

serveExtraction([]);
