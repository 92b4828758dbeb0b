import {
  bodyLines,
  chartTables,
  childrenOf,
  childAt,
  descendantsOf,
  ownText,
  parseXml,
  relationshipsOf,
  textOf,
  type Archive,
} from '@kebab/formats-kit';
import { unescapedText } from './read-sheet.ts';

/** A comment of a reviewer on a cell. */
interface CellComment {
  readonly cell: string;
  readonly row: number;
  /** Empty if it is unknown. */
  readonly author: string;
  readonly text: string;
}

/** The comments on the cells of a sheet, in their order; where a cell has a conversation, its messages. */
export async function commentsOn(archive: Archive, sheet: string): Promise<readonly CellComment[]> {
  const parts = await relationshipsOf(archive, sheet);
  const of = async (type: string): Promise<readonly CellComment[]> => {
    const targets = parts.filter((part) => part.type === type).map(({ target }) => archive.text(target));
    const read = type === 'comments' ? notesIn : async (xml: string) => messagesIn(xml, await personsOf(archive));
    return (await Promise.all(targets.map((xml) => read(xml)))).flat();
  };
  const messages = await of('threadedComment');
  const cells = new Set(messages.map(({ cell }) => cell));
  const notes = (await of('comments')).filter(({ cell }) => !cells.has(cell)); // a copy for older programs
  return [...notes, ...messages].toSorted((a, b) => a.row - b.row);
}

async function notesIn(xml: string): Promise<readonly CellComment[]> {
  const root = await parseXml(xml);
  const authors = descendantsOf(root, 'author').map((author) => ownText(author));
  return descendantsOf(root, 'comment').map((comment) => {
    const { ref = '', authorId = '' } = comment.attributes;
    const author = authors[Number(authorId)] ?? '';
    const text = unescapedText(textOf(childAt(comment, 'text') ?? comment)).trim();
    const isSigned = author !== '' && text.startsWith(`${author}:`); // as Excel begins a note
    return commentOf(ref, author, isSigned ? text.slice(author.length + 1) : text);
  });
}

async function messagesIn(xml: string, persons: ReadonlyMap<string, string>): Promise<readonly CellComment[]> {
  return descendantsOf(await parseXml(xml), 'threadedComment').map((message) => {
    const { ref = '', personId = '' } = message.attributes;
    return commentOf(ref, persons.get(personId) ?? '', ownText(childAt(message, 'text') ?? message));
  });
}

async function personsOf(archive: Archive): Promise<ReadonlyMap<string, string>> {
  const persons = new Map<string, string>();
  for (const name of archive.names.filter((part) => part.startsWith('xl/persons/')))
    for (const { attributes } of childrenOf(await parseXml(archive.text(name)), 'personList').flatMap((list) =>
      childrenOf(list, 'person'),
    ))
      persons.set(attributes['id'] ?? '', attributes['displayName'] ?? '');
  return persons;
}

function commentOf(cell: string, author: string, text: string): CellComment {
  return { cell, row: Number(/\d+$/.exec(cell)?.[0] ?? 1), author, text: text.trim() };
}

/** A text that lies over the cells of a sheet. */
interface DrawnText {
  /** The row at its top. */
  readonly row: number;
  readonly text: string;
}

/** The text boxes of a sheet, and the titles of its charts, whose values are in cells. */
export async function drawingsOn(archive: Archive, sheet: string): Promise<readonly DrawnText[]> {
  const texts: DrawnText[] = [];
  for (const { target } of (await relationshipsOf(archive, sheet)).filter(({ type }) => type === 'drawing')) {
    const parts = await relationshipsOf(archive, target);
    for (const anchor of childrenOf(await parseXml(archive.text(target))).flatMap((root) => childrenOf(root))) {
      const from = childAt(anchor, 'from', 'row');
      const row = from === undefined ? 1 : Number(ownText(from)) + 1 || 1;
      const lines = descendantsOf(anchor, 'txBody').map((body) => bodyLines(body).join('\n'));
      for (const { attributes } of descendantsOf(anchor, 'chart')) {
        const chart = parts.find(({ id }) => id === attributes['id'])?.target;
        if (chart !== undefined) lines.push(...(await chartTables(await parseXml(archive.text(chart)))).titles);
      }
      for (const text of lines) if (text.trim() !== '') texts.push({ row, text });
    }
  }
  return texts;
}
