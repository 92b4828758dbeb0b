import { invalidInput } from '@kebab/plugin';

/** Callbacks for parsing XML. */
export interface XmlEvents {
  readonly onOpen?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly onText?: (text: string) => void;
  readonly onClose?: (name: string) => void;
}

const MAX_DEPTH = 500;

/** Parses XML to its end, even if it is malformed. Errors: `invalid_input` for more than 500 nested elements. */
export async function readXml(xml: string, { onOpen, onText, onClose }: XmlEvents): Promise<void> {
  const { Parser } = await import('htmlparser2');
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH) throw invalidInput(`it has more than ${MAX_DEPTH} elements in one another`);
        onOpen?.(name, attributes);
      },
      ontext: (text) => onText?.(text),
      onclosetag: (name) => {
        depth--;
        onClose?.(name);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
}
