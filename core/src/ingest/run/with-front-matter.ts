const OWN_FRONT_MATTER = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n(?:[\s\S]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/;

/** What a text from outside is known by. */
export interface TextOrigin {
  readonly title: string;
  readonly sourceUri?: string | undefined;
}

/** Puts front matter with title and origin before a Markdown text; one that has its own is left as it is. */
export function withFrontMatter(text: string, { title, sourceUri }: TextOrigin): string {
  if (OWN_FRONT_MATTER.test(text)) return text;
  // A JSON string is a YAML string too, whatever it holds.
  const origin = sourceUri === undefined ? '' : `source_uri: ${JSON.stringify(sourceUri)}\n`;
  return `---\ntitle: ${JSON.stringify(title)}\n${origin}---\n\n${text.startsWith('\uFEFF') ? text.slice(1) : text}`;
}
