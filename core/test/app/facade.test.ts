import { describe, expect, it } from 'vitest';
import { createFacade, isStream, type OperationName, type UseCase } from '../../src/app/facade.ts';
import { OpenedFiles } from '../../src/app/opened-files.ts';
import { OPERATIONS } from '../../src/app/operations.ts';

function facadeOver(useCase: UseCase, { readonly = false } = {}) {
  const opened: OperationName[] = [];
  const app = createFacade({
    open: async (name) => {
      opened.push(name);
      return useCase;
    },
    openedFiles: new OpenedFiles({ database: ':memory:', configuration: [] }),
    notices: () => [{ kind: 'plugin', text: 'a notice' }],
    readonly,
    as: async () => Promise.reject(new Error('nobody else')),
    close: async () => undefined,
  });
  return { app, opened };
}

const names = Object.keys(OPERATIONS) as OperationName[];
const always = names.filter((name) => OPERATIONS[name].writes === true);

describe('the facade', () => {
  it('has one method per operation, with a distinct label', () => {
    const { app } = facadeOver(async () => null);
    expect(Object.keys(app).toSorted()).toEqual([...names, 'as', 'close', 'notices', 'openedFiles'].toSorted());
    expect(new Set(names.map((name) => OPERATIONS[name].label)).size).toBe(names.length);
  });

  it('passes arguments on and creates a use case only on first use', async () => {
    const { app, opened } = facadeOver(async (...args) => args);
    expect(opened).toEqual([]);
    expect(await app.search({ text: 'a' }, { cache: false })).toEqual([{ text: 'a' }, { cache: false }]);
    expect(opened).toEqual(['search']);
  });

  it.each(always)('rejects %s in read-only mode before it is created', async (name) => {
    const { app, opened } = facadeOver(async () => null, { readonly: true });
    const answer = (app[name] as UseCase)('all');
    const first = isStream(name) ? (answer as AsyncGenerator).next() : (answer as Promise<unknown>);
    await expect(first).rejects.toMatchObject({
      code: 'readonly_mode',
      details: { command: OPERATIONS[name].label },
    });
    expect(opened).toEqual([]);
  });

  it('rejects in read-only mode what writes only with certain arguments: sessions, reports, trust', async () => {
    const { app } = facadeOver(async () => 'done', { readonly: true });
    const refusal = { code: 'readonly_mode' };
    await expect(app.ask({ question: 'q' })).resolves.toBe('done');
    await expect(app.ask({ question: 'q', session: 's' })).rejects.toMatchObject(refusal);
    await expect(app.evalCompare('a', 'b')).resolves.toBe('done');
    await expect(app.evalCompare('a', 'b', { writeReport: true })).rejects.toMatchObject(refusal);
    await expect(app.trust({ kind: 'list' })).resolves.toBe('done');
    await expect(app.trust({ kind: 'add', path: '/p' })).rejects.toMatchObject(refusal);
  });

  it('converts every error to a KebabError, and an abort to cancelled', async () => {
    const { app } = facadeOver(async () => {
      throw Object.assign(new Error('denied'), { code: 'EACCES', errno: -13, syscall: 'open', path: '/p' });
    });
    await expect(app.doctor()).rejects.toMatchObject({ code: 'io_error' });
    const aborted = facadeOver(async () => {
      throw new DOMException('stop', 'AbortError');
    });
    await expect(aborted.app.doctor()).rejects.toMatchObject({ code: 'cancelled', details: { operation: 'doctor' } });
  });

  it('streams the items of a bulk search, and converts their errors as well', async () => {
    const { app } = facadeOver(async () =>
      (async function* () {
        yield 1;
        throw new DOMException('stop', 'AbortError');
      })(),
    );
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const item of app.bulkSearch(['q'])) seen.push(item);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'cancelled', details: { operation: 'bulk search' } });
    expect(seen).toEqual([1]);
  });
});
