import { isCollection, parseDocument } from 'yaml';
import { edited, type ConfigEdit } from './config-edit.ts';

/** Applies one change to a YAML text and keeps its comments. Throws the parser's error for invalid YAML. */
export function editYaml(text: string, edit: ConfigEdit): string {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw problem;
  const { path } = edit;
  const wanted = path.reduce<unknown>(
    (table, step) => (table as Readonly<Record<string, unknown>> | undefined)?.[step],
    edited(document.toJS(), edit),
  );
  if (edit.kind === 'append' && isCollection(document.getIn(path)))
    document.addIn(path, document.createNode(edit.table));
  else if (edit.kind === 'remove' && wanted !== undefined) document.deleteIn([...path, edit.index]);
  else if (wanted === undefined) document.deleteIn(path);
  else document.setIn(path, typeof wanted === 'object' ? document.createNode(wanted) : wanted);
  return document.toString({ lineWidth: 0 });
}
