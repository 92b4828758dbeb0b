const BOOLEANS: Readonly<Record<string, boolean>> = {
  '1': true,
  true: true,
  yes: true,
  on: true,
  '0': false,
  false: false,
  no: false,
  off: false,
};

/** Parses a boolean as environment variables write it: `1/0 true/false yes/no on/off`, in any letter case; undefined for anything else. */
export function booleanOfText(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : undefined;
}
