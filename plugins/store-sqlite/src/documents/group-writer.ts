import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { PreparedDocument } from '@kebab/core/store';
import { openDatabase } from '../database/open-database.ts';
import type { GroupRequest } from './document-groups.ts';
import { SqliteDocumentWriter } from './document-writer.ts';

if (parentPort === null) throw new Error('this file is the program of a worker thread');
void serveGroups(parentPort, workerData as string);

async function serveGroups(port: MessagePort, file: string): Promise<void> {
  const db = await openDatabase({ file, readonly: false, now: () => new Date() });
  const writer = new SqliteDocumentWriter(db, { location: file, embeddingCache: null, onClose: () => {} });
  port.on('message', (request: GroupRequest) => {
    if (request.kind === 'put') {
      port.postMessage(isCommitted(writer, request.documents));
      return;
    }
    port.close();
    writer.close();
    db.close();
  });
}

function isCommitted(writer: SqliteDocumentWriter, documents: readonly PreparedDocument[]): boolean {
  try {
    writer.transaction((tx) => {
      for (const document of documents) tx.putDocument(document);
    });
    return true;
  } catch {
    return false; // the calling thread tries again and reports the failure
  }
}
