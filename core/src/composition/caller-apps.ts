import { type Caller, hasScope, readRulesFor } from '../access/caller.ts';
import { ownSessions, readablePorts, readableReport, replacing } from '../access/readable-ports.ts';
import { shownIn } from '../access/shown-ids.ts';
import type { App } from '../app/app.ts';
import type { FacadeInit } from '../app/facade.ts';
import type { IndexRefresher } from '../app/index-refresher.ts';
import { OPERATIONS } from '../app/operations.ts';
import { compileReadRules, type ReadRule } from '../domain/read-rule.ts';
import { PARTS, port, portTokens, providePorts } from './app-tokens.ts';
import type { Bindings } from './bindings.ts';

/** The ports that a view of the documents replaces. */
const READING = ['documents', 'lexicalIndex', 'vectorStores', 'retrievers', 'config'] as const;

/** How the App of a caller is made of bindings. */
interface CallerParts {
  readonly bindSearcher: (bindings: Bindings) => void;
  readonly facadeOver: (
    bindings: Bindings,
    of: { readonly caller: Caller; readonly ingesting: Bindings; readonly onEnd?: FacadeInit['onEnd'] },
  ) => App;
}

/** Opens the Apps of callers over the bindings of one App. Whoever may read everything shares its searcher. */
export function callerApps(bindings: Bindings, { bindSearcher, facadeOver }: CallerParts): App['as'] {
  const viewFor = (rules: readonly ReadRule[] | null): Bindings => {
    if (rules === null) return bindings;
    const reading = bindings.get(bindings.group(portTokens(READING)));
    const view = bindings.derive();
    const refresher = withoutCounts(bindings.get(port('refresher')));
    providePorts(view, { ...readablePorts(reading, rules), mayRead: compileReadRules(rules), refresher });
    bindSearcher(view);
    return view;
  };
  const audit = bindings.get(PARTS.audit);
  const recording = ({ id }: Caller): FacadeInit['onEnd'] =>
    audit === null
      ? undefined
      : ({ name, ms, results, error }) =>
          audit.info('answered', {
            caller: id,
            operation: OPERATIONS[name].label,
            ms: Math.round(ms),
            ...(error === undefined ? {} : { error: error.code }),
            ...shownIn(results),
          });
  return async (caller) => {
    const rules = readRulesFor(caller, bindings.get(port('config')));
    const own = viewFor(rules).derive();
    if (!hasScope(caller, 'admin'))
      providePorts(own, { sessions: ownSessions(bindings.get(port('sessions')), caller.id) });
    const app = facadeOver(own, { caller, ingesting: bindings, onEnd: recording(caller) });
    return rules === null ? app : Object.assign(app, { ingestText: addingFor(rules, app.ingestText) });
  };
}

/** Brings the index up to date as well, but how many files of all are left, a reader does not learn. */
function withoutCounts(refresher: IndexRefresher): IndexRefresher {
  return replacing(refresher, {
    refresh: async (options) => {
      const state = await refresher.refresh(options);
      return (
        state && { ...state, changed: 0, refreshed: 0, hint: 'files may have changed since: search again in a moment' }
      );
    },
  });
}

/** Adds texts for a reader, whom neither progress nor report tells about documents that they may not read. */
function addingFor(rules: readonly ReadRule[], add: App['ingestText']): App['ingestText'] {
  return async (content, origin, options = {}) =>
    readableReport(await add(content, origin, { ...options, onProgress: undefined }), rules);
}
