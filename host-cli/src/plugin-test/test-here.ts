import process from 'node:process';
import { testPlugin, toErrorV1, type WireObjects } from '@kebab/core/app';
import type { TestMessage } from './test-messages.ts';
import type { TestTarget } from './test-target.ts';

/**
 * Runs the suites in this process. When another process started it for that, everything is told to that one as it happens,
 * and null is given back.
 */
export async function testHere(target: TestTarget): Promise<WireObjects['plugin_test'] | null> {
  if (process.send === undefined) return testPlugin(target);
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
  try {
    await testPlugin({
      ...target,
      onPlan: (plugin, promises) => tell({ kind: 'plan', plugin, promises }),
      onStart: () => tell({ kind: 'start' }),
      onResult: (result) => tell({ kind: 'result', result }),
    });
    await tell({ kind: 'end' });
  } catch (error) {
    await tell({ kind: 'unusable', message: toErrorV1(error, { operation: 'plugin test' }).message });
  }
  return null;
}

/** Settles when the message is on its way, so that the process does not end before. */
async function tell(message: TestMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    process.send?.(message, () => resolve());
  });
}

/** Tells of an error that nobody caught, which ends the process. */
function stray(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.send?.({ kind: 'stray', message } satisfies TestMessage, () => process.exit(1));
}
