import { sampleVector, numbersFrom } from '@kebab/testing';
import { openVectorFile } from '../src/database/open-vector-file.ts';
import { LocalVectorStore } from '../src/local-vector-store.ts';

/** Opens a file for reading, searches it, and prints the number of hits. */
const [, , file = ''] = process.argv;
const config = { file, readonly: true };
const store = new LocalVectorStore(await openVectorFile(config), config);
const [name = ''] = await store.listCollections();
const hits = await store.search(name, { vector: sampleVector(8, numbersFrom(5)), limit: 10, allow: { kind: 'all' } });
process.stdout.write(String(hits.length));
store.close();
