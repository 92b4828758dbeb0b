import { createRequire } from 'node:module';

/**
 * The program of Tesseract's worker thread, with everything that it prints turned off: the thread would write into the
 * output of the process. A failure nobody caught ends the thread, which its owner hears.
 */
export function quietWorkerUrl(): URL {
  const require = createRequire(import.meta.url);
  const program = require.resolve('tesseract.js/src/worker-script/node/index.js');
  const source = [
    `import { createRequire } from 'node:module';`,
    `for (const say of ['log', 'info', 'warn', 'error', 'debug']) console[say] = () => {};`,
    `for (const stream of [process.stdout, process.stderr]) stream.write = () => true;`,
    `for (const failure of ['uncaughtException', 'unhandledRejection']) process.on(failure, () => process.exit(1));`,
    `createRequire(${JSON.stringify(program)})(${JSON.stringify(program)});`,
  ].join('\n');
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}
