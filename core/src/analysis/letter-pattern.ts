/** What the properties of characters that our patterns name come to among ASCII characters. */
const ASCII: ReadonlyMap<string, string> = new Map([
  ['L', 'A-Za-z'],
  ['Lu', 'A-Z'],
  ['Ll', 'a-z'],
  ['Lo', ''],
  ['M', ''],
  ['N', '0-9'],
]);

/**
 * A pattern over letters of any script, for the text that it is asked for. Each `\p{…}` in it stands within brackets. For
 * ASCII texts, which most queries are, it names the letters themselves and matches the same: V8 takes half a millisecond
 * to two to compile a pattern with properties, and the patterns of one search would take a cold one five.
 */
export function letterPattern(source: string, flags: string): (text: string) => RegExp {
  let ascii: RegExp | undefined;
  let any: RegExp | undefined;
  return (text) => {
    if (/[\u0080-\uffff]/.test(text)) return (any ??= new RegExp(source, flags));
    return (ascii ??= new RegExp(source.replaceAll(/\\p\{(\w+)\}/g, asciiOf), flags));
  };
}

function asciiOf(property: string, name: string): string {
  const characters = ASCII.get(name);
  if (characters === undefined) throw new Error(`no ASCII characters are known of ${property}`);
  return characters;
}
