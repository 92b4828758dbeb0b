import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { loadModel, type ModelProgram, type LoadedModel } from '../encode/load-model.ts';
import { stageErrorOf, type ModelStage } from '../encode/model-stage-error.ts';
import type { ModelFailure, WorkerAnswer, WorkerRequest } from './model-thread.ts';

if (parentPort === null) throw new Error('this file is the program of a worker thread');
serveModel(parentPort, () => loadModel(workerData as ModelProgram));

/** Thrown between steps of a job whose caller no longer waits. */
const STOPPED = new Error('stopped');

/**
 * Serves the requests of a port with a model, one after the other; after `close` it frees the model and closes the port, so that the thread
 * ends by itself. Terminating a thread while a model runs would crash the process.
 */
function serveModel(port: MessagePort, load: () => Promise<LoadedModel>): void {
  const answer = (message: WorkerAnswer): void => {
    const buffers = message.kind === 'done' ? message.answers.flat().flatMap((numbers) => numbers?.buffer ?? []) : [];
    port.postMessage(message, buffers as ArrayBuffer[]);
  };
  const loading = load();
  let last: Promise<unknown> = loading.then(
    ({ dimensions }) => answer({ kind: 'ready', dimensions }),
    (error: unknown) => answer({ kind: 'unusable', ...failureOf(error, 'files') }),
  );
  port.on('message', (request: WorkerRequest) => {
    last = last.then(async () => {
      switch (request.kind) {
        case 'run':
          return answer(await run(loading, request));
        case 'close':
          await loading.then((model) => model.release()).catch(() => {}); // freed or not, the thread ends
          return port.close();
        default:
          return request satisfies never;
      }
    });
  });
}

async function run(
  loading: Promise<LoadedModel>,
  { job, inputs, stop }: Extract<WorkerRequest, { readonly kind: 'run' }>,
): Promise<WorkerAnswer> {
  try {
    const model = await loading;
    const answers = await model.run(inputs, () => {
      if (Atomics.load(stop, 0) === 1) throw STOPPED;
    });
    return { kind: 'done', job, answers };
  } catch (error) {
    return error === STOPPED ? { kind: 'stopped', job } : { kind: 'failed', job, ...failureOf(error, 'run') };
  }
}

function failureOf(error: unknown, at: ModelStage): ModelFailure {
  const { stage, message, hint } = stageErrorOf(error, at);
  return { stage, message, hint };
}
