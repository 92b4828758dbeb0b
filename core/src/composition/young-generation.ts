/** Operations between two looks at the heap, which take a few microseconds each. */
const OPERATIONS_PER_LOOK = 8;

/** Of all Apps in this process: V8 flags apply to the whole process. */
let operations = 0;

/**
 * Counts an operation. In a process that runs many, as servers do, V8's young generation stops growing once it has 16 MiB; by default a
 * server that searches 20,000 documents takes 250 MiB instead of 140 on Node 24. Nothing is loaded for the first few operations, by when
 * most code has been compiled or read from V8's cache.
 */
export function operationBegins(): void {
  if (++operations % OPERATIONS_PER_LOOK === 0)
    void import('../ingest/run/v8-settings.ts').then((v8) => v8.holdYoung());
}

/** Restores V8's default when an App is closed, before Node writes compiled code to its cache; operations after that count from zero. */
export async function operationsEnd(): Promise<void> {
  if (operations >= OPERATIONS_PER_LOOK) (await import('../ingest/run/v8-settings.ts')).growYoungAsUsual();
  operations = 0;
}
