import { isPair, isScalar, parseDocument, visit, type Document, type Node, type Pair } from 'yaml';
import { isKnownKey, yesOrNo } from './plain-yaml.ts';

/**
 * Parses YAML 1.2 with two exceptions: `yes`, `no`, `on` and `off` are booleans, and plain scalars under a known key are strings, exactly
 * as written. Throws for invalid syntax and for aliases that expand excessively.
 */
export function parseYaml(raw: string): unknown {
  const document = parseDocument(raw, { logLevel: 'error', prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  visit(document, {
    Scalar: (at, node, path) => {
      if (at === 'key' || node.type !== 'PLAIN' || node.value === null) return;
      if (isKnownKey(topKey(path))) node.value = node.source ?? node.value;
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
