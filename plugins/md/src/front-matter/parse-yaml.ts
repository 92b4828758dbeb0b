import { isPair, isScalar, parseDocument, visit, type Document, type Node, type Pair } from 'yaml';
import { isKnownKey, yesOrNo } from './plain-yaml.ts';

/**
 * Reads YAML 1.2 with two concessions: `yes`, `no`, `on` and `off` are booleans, and scalars under a key that kebab knows
 * are texts as they are written. Throws for syntax that does not parse and for aliases that explode.
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

/** The key of the outermost pair that a node lies in. */
function topKey(path: readonly (Document | Node | Pair)[]): string {
  const pair = path.find(isPair);
  return pair !== undefined && isScalar(pair.key) ? String(pair.key.value) : '';
}
