import { key, section } from '@kebab/core';

/** `[pdf]` in the configuration. */
export const pdfSection = section('pdf', {
  doc: 'How PDF files are taken in.',
  after: 'code',
  keys: {
    ocr: key.oneOf(
      'off',
      ['off', 'auto', 'always'],
      'Pages that are read from their image; auto: those without usable text.',
    ),
    min_page_chars: key.int(20, {}, 'Fewer characters do not count as usable text.'),
    min_valid_ratio: key.number(0.5, { max: 1 }, 'Share of characters that must be letters, digits and the like.'),
    password: key.secret('', 'Opens encrypted files.'),
  },
});
