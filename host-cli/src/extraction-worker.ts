import { parentPort } from 'node:worker_threads';
import { serveExtraction } from '@kebab/core/app';
import { builtins } from '@kebab/builtins';

if (parentPort === null) throw new Error('this file is the program of a worker thread');
void serveExtraction(builtins, parentPort);
