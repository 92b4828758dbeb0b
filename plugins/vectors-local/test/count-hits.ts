import { sampleVector, numbersFrom } from '@kebab/core/testing';
import { openVectorFile } from '../src/database/open-vector-file.ts';
import { LocalVectorStore } from '../src/local-vector-store.ts';

/** Searches a file that is opened for reading, and prints how many vectors it finds. */
const [, , file = ''] = process.argv;
const config = { file, readonly: true };
const store = new LocalVectorStore(await openVectorFile(config), config);
const [name = ''] = await store.listCollections();
const hits = await store.search(name, { vector: sampleVector(8, numbersFrom(5)), limit: 10, allow: { kind: 'all' } });
process.stdout.write(String(hits.length));
store.close();
