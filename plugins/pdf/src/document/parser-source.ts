/** A passage of the parser's source, and what stands there instead. */
type Change = readonly [passage: string, replacement: string];

const CHANGES: readonly Change[] = [
  // Visible soft hyphens are text: fonts give U+00AD to the hyphen at the end of a line.
  [
    'if (category.isInvisibleFormatMark) {',
    String.raw`if (category.isInvisibleFormatMark && !(glyph.unicode === "\u00AD" && glyph.width > 0)) {`,
  ],
  // The replacement text of marked content, from its properties in the stream or in the resources.
  ['id: Number.isInteger(mcid) ?', 'actualText: actualTextOf(args[1], resources), id: Number.isInteger(mcid) ?'],
  // Character spacing is no space between words.
  [
    'const advanceX = (posX - lastPosX) / textContentItem.textAdvanceScale;',
    `let advanceX = (posX - lastPosX) / textContentItem.textAdvanceScale;
     if (textContentItem.initialized && textContentItem.spacing > 0.05 * textState.fontSize && advanceX >= 0.99 * textContentItem.spacing) {
       textContentItem.width += textContentItem.spacing;
       advanceX -= textContentItem.spacing;
     }`,
  ],
  [
    'textChunk.prevTransform = getCurrentTextTransform();',
    `textChunk.prevTransform = getCurrentTextTransform();
     textChunk.spacing = textState.charSpacing * textState.textHScale;`,
  ],
  // The text that stamps and signatures are drawn with.
  [
    `get hasTextContent() {
    return false;`,
    `get hasTextContent() {
    return !!this.appearance && (this.data.annotationType === AnnotationType.STAMP || this.data.fieldType === "Sig");`,
  ],
  // The gaps that became spaces, each by its start from that of the piece, and its width; null where the page has a space.
  [
    'textContentItem.hasEOL = false;',
    'textContentItem.hasEOL = false; textContentItem.spacing = 0; textContentItem.gaps = [];',
  ],
  ['hasEOL: textChunk.hasEOL', 'hasEOL: textChunk.hasEOL, gaps: textChunk.gaps'],
  ['textChunk.str.push(" ");', 'textChunk.str.push(" "); textChunk.gaps.push(null);'],
  [
    `resetLastChars();
          textContentItem.str.push(" ");`,
    `textContentItem.gaps.push(twoLastChars[(twoLastCharsPos + 1) % 2] === " " ? null : {
            from: Math.hypot(transf[4] - textContentItem.transform[4], transf[5] - textContentItem.transform[5]),
            width: Math.abs(width) * textContentItem.textAdvanceScale,
          });
          resetLastChars();
          textContentItem.str.push(" ");`,
  ],
];

/** Evaluated in the scope of the parser. */
const ACTUAL_TEXT = `
function actualTextOf(properties, resources) {
  try {
    const dict = properties instanceof Name ? resources.get("Properties")?.get(properties.name) : properties;
    const text = dict instanceof Dict ? dict.get("ActualText") : null;
    return typeof text === "string" ? stringToPDFString(text) : null;
  } catch {
    return null;
  }
}`;

const EXPORT = /^export \{ WorkerMessageHandler \};$/m;

/**
 * The source of pdf.js's parser as the body of a function that returns its `WorkerMessageHandler`, with what its text content leaves out:
 * soft hyphens, the replacement text of marked content, the text of stamps, and the width of the gaps that it turns into spaces. No interface of pdf.js 5.4
 * gives any of these. A passage that is not there stays as it is, so that another version still reads files, without these refinements.
 */
export function parserFunction(source: string, url: string): string {
  const changed = CHANGES.reduce(
    (text, [passage, replacement]) => text.replace(passage, () => replacement),
    source.replaceAll('import.meta.url', () => JSON.stringify(url)),
  );
  return `'use strict';${changed.replace(EXPORT, 'return WorkerMessageHandler;')}${ACTUAL_TEXT}`;
}

/** The passages that {@link parserFunction} changes. */
export const CHANGED_PASSAGES: readonly string[] = CHANGES.map(([passage]) => passage);
