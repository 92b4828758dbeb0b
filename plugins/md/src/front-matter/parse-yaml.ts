import { isPair, isScalar, parseDocument, visit, type Document, type Node, type Pair } from 'yaml';

/**
 * Parses YAML 1.2 with three exceptions: `yes`, `no`, `on` and `off` are booleans, plain scalars under a key that `isText` accepts are
 * strings, exactly as written, and hash tags are the value of such a key without another (`tags: #sea #wind`). Throws for invalid syntax
 * and for aliases that expand excessively.
 */
export function parseYaml(raw: string, isText: (key: string) => boolean): unknown {
  const document = parseDocument(raw, { logLevel: 'error', prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  visit(document, {
    Scalar: (at, node, path) => {
      if (at === 'key' || node.type !== 'PLAIN') return;
      const key = topKey(path);
      if (node.value === null) {
        if (path.length === 3 && isText(key) && /^[^\s#]/.test(node.comment ?? ''))
          node.value = `#${node.comment ?? ''}`;
      } else if (isText(key)) node.value = node.source ?? node.value;
      else if (typeof node.value === 'string') node.value = yesOrNo(node.value) ?? node.value;
    },
  });
  return document.toJS();
}

/** The key of the outermost pair that contains a node. */
function topKey(path: readonly (Document | Node | Pair)[]): string {
  const pair = path.find(isPair);
  return pair !== undefined && isScalar(pair.key) ? String(pair.key.value) : '';
}

const YES: ReadonlySet<string> = new Set(['yes', 'Yes', 'YES', 'on', 'On', 'ON']);
const NO: ReadonlySet<string> = new Set(['no', 'No', 'NO', 'off', 'Off', 'OFF']);

/** The boolean for an unquoted `yes`, `no`, `on` or `off`, as in `published: yes`; undefined for any other word. */
function yesOrNo(word: string): boolean | undefined {
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
