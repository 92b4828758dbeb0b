import type { Archive } from './open-archive.ts';
import { localName, readXml, type XmlElement } from './read-xml.ts';

/** A relationship of a part of an office file to another part. */
export interface PartRelationship {
  readonly id: string;
  /** The last step of its type: `slide`, `comments`, `chart`. */
  readonly type: string;
  /** The path of the other part in the archive. */
  readonly target: string;
}

/** The relationships of a part of an office file to other parts; without a part, those of the file. */
export async function relationshipsOf(archive: Archive, part = ''): Promise<readonly PartRelationship[]> {
  const all: PartRelationship[] = [];
  await readXml(archive.text(part.replace(/([^/]*)$/, '_rels/$1.rels')), {
    onOpen: (name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode = '' }) => {
      if (localName(name) !== 'Relationship' || mode === 'External') return;
      const path = pathFrom(part, target);
      if (path !== null) all.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: path });
    },
  });
  return all;
}

/** The path of the main part of an office file, which its relationships name. */
export async function mainPart(archive: Archive, usual: string): Promise<string> {
  if (archive.bytes(usual) !== undefined) return usual;
  return (await relationshipsOf(archive)).find(({ type }) => type === 'officeDocument')?.target ?? usual;
}

/** The id of the relationship that an element names, such as `r:id`. */
export function relationId({ attributes }: XmlElement, name = 'id'): string {
  return Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1] ?? '';
}

/** The path in an archive of what a part of it refers to; null for an invalid one. */
export function pathFrom(part: string, target: string): string | null {
  try {
    return decodeURIComponent(new URL(target, `zip:/${part}`).pathname).replace(/^\//, '');
  } catch {
    return null;
  }
}
