import { parentPort, workerData } from 'node:worker_threads';
import { loadModel, type ModelProgram } from '../encode/load-model.ts';
import { serveModel } from './serve-model.ts';

if (parentPort === null) throw new Error('this file is the program of a worker thread');
serveModel(parentPort, () => loadModel(workerData as ModelProgram));
