import { sampleIds, sampleVector, numbersFrom } from '@kebab/testing';
import { openVectorFile } from '../src/database/open-vector-file.ts';
import { LocalVectorStore } from '../src/local-vector-store.ts';

// Writes batches of 50 vectors, deletes the batch before the last, and reports the existing ones after each, until it is killed.
const [file = '', start = '0'] = process.argv.slice(2);
const config = { file, readonly: false };
const store = new LocalVectorStore(await openVectorFile(config), config);
await store.ensureCollection('killed', 24);
for (let batch = Number(start); ; batch++) {
  const random = numbersFrom(batch);
  const numbers = Array.from({ length: 50 }, (_, at) => batch * 50 + at);
  await store.upsert(
    'killed',
    numbers.map((n) => ({ ...sampleIds(n), vector: sampleVector(24, random) })),
  );
  if (batch % 2 === 1)
    await store.delete(
      'killed',
      numbers.map((n) => sampleIds(n - 50).embeddingId),
    );
  process.stdout.write(`${batch}\n`);
}
