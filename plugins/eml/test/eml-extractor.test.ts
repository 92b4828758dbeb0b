import { citedBlocks, extractDocument, extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createEmlExtractor } from '../src/eml-extractor.ts';
import { MESSAGE } from './message.ts';

const read = (content: string | Uint8Array) => extractDocument(createEmlExtractor(), 'a.eml', content);
const lines = (...all: readonly string[]) => all.join('\r\n');
/** A message with a head of its subject alone. */
const withBody = (...all: readonly string[]) => lines('Subject: Pier', ...all);
const bodyOf = async (content: string | Uint8Array) => (await read(content)).text.replace(/^Pier\n\n/, '').trimEnd();
const multipart = (type: string, ...parts: readonly (readonly string[])[]) =>
  withBody(
    `Content-Type: multipart/${type}; boundary="b 1"`,
    '',
    'preamble',
    ...parts.flatMap((part) => ['--b 1', ...part]),
    '--b 1--',
    'epilogue',
  );
const plain = (text: string) => ['Content-Type: text/plain; charset=utf-8', '', text];
const html = (text: string) => ['Content-Type: text/html; charset=utf-8', '', text];
const warningsOf = async (content: string) =>
  (await extractFile(createEmlExtractor(), 'a.eml', content)).warnings?.map(({ note }) => note).join();

describe('a message', () => {
  it('is read in order, each block with its citation', async () => {
    const document = await read(MESSAGE);
    expect(document.title).toBe('Fog signal – repair');
    expect(citedBlocks(document)).toEqual([
      ['heading', 'section=fog-signal-repair', 'Fog signal – repair'],
      [
        'paragraph',
        'section=fog-signal-repair',
        'From: Ada Keeper <ada@example.org>\nTo: harbour@example.org, 등대 <light@example.org>\nDate: 2026-03-02T09:15:00.000Z\nAttachments: plan.pdf',
      ],
      ['paragraph', 'section=fog-signal-repair', 'The fog signal is broken — again.'],
      ['quote', 'section=fog-signal-repair', '> When will it work?\n> We need it.'],
      ['paragraph', 'section=fog-signal-repair', 'By Friday.'],
    ]);
  });
});

describe('a header', () => {
  const words = (charset: string, bytes: Buffer, ...at: readonly number[]) =>
    [0, ...at]
      .map((start, index) => `=?${charset}?B?${bytes.subarray(start, at[index]).toString('base64')}?=`)
      .join('\r\n ');
  const utf8 = Buffer.from('등대 수리 일정');
  const base64 = utf8.toString('base64').replaceAll('=', '');
  it.each([
    ['that breaks inside a character', words('UTF-8', utf8, 4, 11), '등대 수리 일정'],
    [
      'that breaks inside a character without padding',
      words('utf-8', utf8, 4, 11).replaceAll('=?=', '?=').replaceAll('=?=', '?='),
      '등대 수리 일정',
    ],
    [
      'that breaks inside a group of base64',
      `=?UTF-8?B?${base64.slice(0, 6)}?= =?UTF-8?B?${base64.slice(6)}?=`,
      '등대 수리 일정',
    ],
    ['of quoted words that break inside a character', '=?UTF-8?Q?M=C3?=\r\n =?UTF-8?Q?=BChle_am_Kai?=', 'Mühle am Kai'],
    ['of both encodings', '=?UTF-8?Q?M=C3?= =?UTF-8?B?vGhsZQ==?=', 'Mühle'],
    ['in Shift_JIS', '=?Shift_JIS?B?k/qWew==?=', '日本'],
    ['in Shift_JIS that breaks inside a character', '=?Shift_JIS?B?k/qW?=\r\n\t=?shift_jis?B?ew==?=', '日本'],
    ['in ISO-2022-JP', '=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=', '日本'],
    [
      'in ISO-2022-JP that begins again in each word',
      '=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=\r\n =?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=',
      '日本日本',
    ],
    ['in ISO-2022-KR', '=?ISO-2022-KR?B?GyQpQw41bjRrDw==?=', '등대'],
    ['in Big5 by the name that Python gives it', '=?big5_tw?B?vWDEbA==?=', '窯爐'],
    ['in CP949', '=?cp949?B?te606w==?=', '등대'],
    ['with a language', '=?utf-8*en?Q?Pier=20four?=', 'Pier four'],
    ['of words and plain text', 'Re: =?utf-8?Q?M=C3=BChle?= (old) =?utf-8?Q?Kai?=', 'Re: Mühle (old) Kai'],
    ['of words in two encodings', '=?utf-8?Q?M=C3=BChle_?= =?iso-8859-1?Q?K=F6ln?=', 'Mühle Köln'],
    ['in raw UTF-8', 'Mühle 등대', 'Mühle 등대'],
    ['that is no encoded word', '=?utf-8?X?abc?= a=?b', '=?utf-8?X?abc?= a=?b'],
  ])('%s is read whole', async (_, subject, title) => {
    expect((await read(lines(`Subject: ${subject}`, `From: ${subject} <a@example.org>`, '', 'x'))).title).toBe(title);
    expect((await read(lines(`From: ${subject} <a@example.org>`, '', 'x'))).text).toContain(
      `From: ${title} <a@example.org>`,
    );
  });

  it.each(['To', 'Cc', 'Bcc'])('names the recipients: %s', async (name) => {
    expect((await read(lines('From: a@example.org', `${name}: "Keeper, Ada" <ada@example.org>`, '', 'x'))).text).toBe(
      `From: a@example.org\n${name}: Keeper, Ada <ada@example.org>\n\nx\n`,
    );
  });

  it('in raw bytes is read with the encoding of the text', async () => {
    const raw = Buffer.from([0xb5, 0xee, 0xb4, 0xeb]); // 등대 in EUC-KR
    const message = Buffer.concat([
      Buffer.from('Subject: '),
      raw,
      Buffer.from('\r\nContent-Type: text/plain; charset=euc-kr\r\n\r\n'),
      raw,
    ]);
    const { title, text } = await read(new Uint8Array(message));
    expect([title, text]).toEqual(['등대', '등대\n\n등대\n']);
  });

  it('in raw UTF-8 is that, whatever the encoding of the text', async () => {
    const raw = 'Subject: Mühle\r\nContent-Type: text/plain; charset=gb2312\r\n\r\n';
    const message = Buffer.concat([Buffer.from(raw), Buffer.from([0xcb, 0xfe])]);
    expect(await read(new Uint8Array(message))).toMatchObject({ title: 'Mühle', text: 'Mühle\n\n塔\n' });
  });

  it.each([
    ['Subject: Locks', 'a lock needs no new line', 'Locks\n\na lock needs no new line'],
    [
      'Subject: Locks and',
      'weirs of the canal',
      'From: a@example.org',
      'Locks and weirs of the canal\n\nFrom: a@example.org',
    ],
    ['no header at all', 'only lines', 'no header at all\nonly lines'],
    ['a line in front', 'Subject: Locks', 'Locks\n\na line in front'],
    ['Subject: Locks', 'closed until', '\tMonday', 'Locks\n\nclosed until\n\tMonday'],
  ])('ends where lines are none: %j, %j', async (...all) => {
    expect((await read(lines(...all.slice(0, -1)))).text).toBe(`${all.at(-1)}\n`);
  });

  it('of a part ends where lines are none', async () => {
    expect(await bodyOf(multipart('mixed', ['Content-Type: text/plain', 'no empty line above']))).toBe(
      'no empty line above',
    );
  });

  it('names files in pieces, in another encoding, and in encoded words', async () => {
    const file = (disposition: string) => [
      'Content-Type: application/pdf',
      `Content-Disposition: attachment; ${disposition}`,
      '',
      'x',
    ];
    const message = multipart(
      'mixed',
      file("filename*=utf-8''%EB%93%B1%EB%8C%80.pdf"),
      file('filename*0="long "; filename*1="name.pdf"'),
      file("filename*0*=utf-8''M%C3%BC; filename*1*=hle.pdf"),
      file('filename="=?utf-8?B?65Ox64yA?=.pdf"'),
      file('filename=plain.pdf; size=3'),
    );
    expect(await bodyOf(message)).toBe('Attachments: 등대.pdf, long name.pdf, Mühle.pdf, 등대.pdf, plain.pdf');
  });
});

describe('the body of a message', () => {
  const letter = 'The crane on pier four has been repaired and lifts forty tons again.';
  it.each([
    [
      'the plain text of two that say the same',
      multipart('alternative', plain(letter), html(`<p>${letter.replace('forty', '<b>forty</b>')}</p>`)),
      letter,
    ],
    [
      'the HTML beside a plain text that is its beginning',
      multipart('alternative', plain(`${letter.slice(0, 40)}…`), html(`<p>${letter} The old crane is for sale.</p>`)),
      `${letter} The old crane is for sale.`,
    ],
    [
      'the HTML beside a plain text of invisible characters',
      multipart('alternative', plain('\u200B \uFEFF\u00AD'), html('<p>Words</p>')),
      'Words',
    ],
    ['the HTML beside an empty plain text', multipart('alternative', plain(''), html('<p>Words</p>')), 'Words'],
    [
      'the plain text beside an HTML of a picture',
      multipart('alternative', plain(letter), html('<img src="x">')),
      letter,
    ],
    [
      'both texts that say different things',
      multipart('alternative', plain('Please open this in another program.'), html(`<p>${letter}</p>`)),
      `${letter}\n\nPlease open this in another program.`,
    ],
    [
      'the same in Japanese once',
      multipart(
        'alternative',
        plain('桟橋四番の\nクレーンが直りました。'),
        html('<p>桟橋四番のクレーンが<b>直りました</b>。</p>'),
      ),
      '桟橋四番の\nクレーンが直りました。',
    ],
    [
      'HTML with its pictures',
      multipart('alternative', plain('x'), [
        'Content-Type: multipart/related; boundary=r',
        '',
        '--r',
        ...html('<p>Related words</p>'),
        '--r',
        'Content-Type: image/png; name=a.png',
        'Content-Transfer-Encoding: base64',
        '',
        'AAAA',
        '--r--',
      ]),
      'Attachments: a.png\n\nRelated words\n\nx',
    ],
    [
      'parts one after another',
      multipart('mixed', plain('First.'), html('<p>Second.</p>'), plain('Third.')),
      'First.\n\nSecond.\n\nThird.',
    ],
    [
      'an attached text below its name',
      multipart('mixed', plain('See below.'), [
        'Content-Type: text/plain; name=tides.txt',
        'Content-Disposition: attachment',
        '',
        'High at six.',
      ]),
      'Attachments: tides.txt\n\nSee below.\n\ntides.txt\n\nHigh at six.',
    ],
    [
      'an attached text of unknown type',
      multipart('mixed', [
        'Content-Type: application/octet-stream',
        'Content-Disposition: attachment; filename="notes.md"',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from('High at six.').toString('base64'),
      ]),
      'Attachments: notes.md\n\nnotes.md\n\nHigh at six.',
    ],
    ['no text for programs', multipart('mixed', plain('Words.'), ['Content-Type: text/css', '', 'p {}']), 'Words.'],
    [
      'a report of delivery',
      multipart('report', plain('Not delivered.'), [
        'Content-Type: message/delivery-status',
        '',
        'Final-Recipient: rfc822; a@example.org',
      ]),
      'Not delivered.\n\nFinal-Recipient: rfc822; a@example.org',
    ],
    [
      'flowed lines as one',
      withBody('Content-Type: text/plain; format=flowed', '', 'one two ', 'three', '', '> quote ', '> more'),
      'one two three\n\n> quote \n> more',
    ],
    [
      'quoted-printable',
      withBody(
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'M=C3=BChle am =',
        'Kai = =3D',
      ),
      'Mühle am Kai = =',
    ],
    [
      'quotation marks and a currency of windows-1252',
      withBody(
        'Content-Type: text/plain; charset=windows-1252',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        '=84Kai=93 =96 5=80, caf=E9',
      ),
      '„Kai“ – 5€, café',
    ],
    [
      'such marks that are called Latin-1',
      withBody(
        'Content-Type: text/plain; charset=iso-8859-1',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'it=92s 5=80',
      ),
      'it’s 5€',
    ],
    [
      'a multipart without its end',
      withBody('Content-Type: multipart/mixed; boundary=x', '', '--x', '', 'Words', '--x', '', 'More'),
      'Words\n\nMore',
    ],
    ['a multipart without a boundary', withBody('Content-Type: multipart/mixed', '', 'Words'), 'Words'],
  ])('is %s', async (_, message, expected) => {
    expect(await bodyOf(message)).toBe(expected);
  });

  it.each([
    [
      'encapsulated',
      [
        'Content-Type: message/rfc822',
        '',
        lines('From: Cem <c@example.org>', 'Subject: =?utf-8?Q?M=C3=BChle?=', '', 'Inner words.'),
      ],
    ],
    [
      'in base64',
      [
        'Content-Type: message/rfc822',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from(lines('From: Cem <c@example.org>', 'Subject: Mühle', '', 'Inner words.')).toString('base64'),
      ],
    ],
    [
      'by its name',
      [
        'Content-Type: application/octet-stream',
        'Content-Disposition: attachment; filename=a.eml',
        '',
        lines('From: Cem <c@example.org>', 'Subject: Mühle', '', 'Inner words.'),
      ],
    ],
  ])('has an attached message, %s, with its head', async (_, part) => {
    const { blocks, text } = await read(multipart('mixed', plain('Outer words.'), part));
    const inner = blocks.slice(-3).map(({ kind, start, end }) => [kind, text.slice(start, end)]);
    expect(inner).toEqual([
      ['heading', 'Mühle'],
      ['paragraph', 'From: Cem <c@example.org>'],
      ['paragraph', 'Inner words.'],
    ]);
    expect(blocks.at(-1)?.headingPath).toEqual(['Pier', 'Mühle']);
  });

  it('has the messages of a digest', async () => {
    expect(
      await bodyOf(
        multipart('digest', ['', lines('Subject: One', '', 'First.')], ['', lines('Subject: Two', '', 'Second.')]),
      ),
    ).toBe('One\n\nFirst.\n\nTwo\n\nSecond.');
  });

  const event = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'SUMMARY:Crane\\, new',
    'DTSTART;TZID=Asia/Seoul:20260302T093000',
    'DTEND:20260302T013000Z',
    'LOCATION:Pier',
    '  four',
    'DESCRIPTION:Bring\\nboots',
    'ORGANIZER;CN="Ada K":mailto:ada@example.org',
    'BEGIN:VALARM',
    'DESCRIPTION:Reminder',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  const shownEvent =
    'Event: Crane, new\nStart: 2026-03-02 09:30 (Asia/Seoul)\nEnd: 2026-03-02 01:30 UTC\nLocation: Pier four\nOrganizer: Ada K <ada@example.org>\nDescription: Bring\nboots';
  it.each([
    ['alone', withBody('Content-Type: text/calendar; charset=utf-8; method=REQUEST', '', ...event), shownEvent],
    [
      'beside a text',
      multipart('alternative', plain('Invitation'), ['Content-Type: text/calendar', '', ...event]),
      `Invitation\n\n${shownEvent}`,
    ],
    [
      'as a file',
      multipart('mixed', plain('Invitation'), ['Content-Type: application/ics; name=i.ics', '', ...event]),
      `Attachments: i.ics\n\nInvitation\n\n${shownEvent}`,
    ],
    [
      'of a day',
      withBody(
        'Content-Type: text/calendar',
        '',
        'BEGIN:VEVENT',
        'SUMMARY:Tide',
        'DTSTART;VALUE=DATE:20260302',
        'END:VEVENT',
      ),
      'Event: Tide\nStart: 2026-03-02',
    ],
    [
      'of a task',
      withBody('Content-Type: text/calendar', '', 'BEGIN:VTODO', 'SUMMARY:Paint', 'DUE:20260302T120000', 'END:VTODO'),
      'Event: Paint\nDue: 2026-03-02 12:00',
    ],
  ])('has the events of a calendar %s', async (_, message, expected) => {
    expect(await bodyOf(message)).toBe(expected);
  });

  it.each([
    ['euc-kr', Buffer.from([0xb5, 0xee, 0xb4, 0xeb]), '등대'],
    ['ks_c_5601-1987', Buffer.from([0xb5, 0xee, 0xb4, 0xeb]), '등대'],
    ['cp932', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['iso-2022-jp', Buffer.from('\u001B$BF|K\\\u001B(B'), '日本'],
    ['', Buffer.from('\u001B$BF|K\\\u001B(B'), '日本'],
    ['iso-8859-1', Buffer.from([0x4d, 0xfc, 0x68, 0x6c, 0x65]), 'Mühle'],
    ['iso-8859-1', Buffer.from('Mühle'), 'Mühle'],
    ['us-ascii', Buffer.from('Mühle'), 'Mühle'],
    ['x-unknown', Buffer.from('Mühle'), 'Mühle'],
  ])('in %s is decoded', async (charset, body, words) => {
    const head = Buffer.from(
      `Subject: Pier\nContent-Type: text/plain${charset === '' ? '' : `; charset="${charset}"`}\n\n`,
    );
    expect(await bodyOf(new Uint8Array(Buffer.concat([head, body])))).toBe(words);
  });

  it('without a charset is recognised like any file', async () => {
    const euc = [
      0xb0, 0xa1, 0xb8, 0xb6, 0xb4, 0xc2, 0x20, 0xb9, 0xe3, 0xbb, 0xf5, 0x20, 0xbd, 0xc4, 0xbe, 0xfa, 0xb4, 0xd9, 0x2e,
      0x20, 0xb5, 0xee, 0xb4, 0xeb, 0xb4, 0xc2, 0x20, 0xb9, 0xe0, 0xbe, 0xd2, 0xb4, 0xd9, 0x2e,
    ];
    const message = Buffer.concat([Buffer.from('Subject: Pier\n\n'), Buffer.from(euc)]);
    expect(await bodyOf(new Uint8Array(message))).toBe('가마는 밤새 식었다. 등대는 밝았다.');
  });

  it.each([
    [
      withBody(
        'Content-Type: multipart/encrypted; boundary=x',
        '',
        '--x',
        'Content-Type: application/pgp-encrypted',
        '',
        'Version: 1',
        '--x--',
      ),
      /encrypted/,
    ],
    [withBody('Content-Type: application/pkcs7-mime; smime-type=enveloped-data', '', 'MIIB'), /encrypted \(S\/MIME\)/],
    [withBody('Content-Type: application/pkcs7-mime; smime-type=signed-data', '', 'MIIB'), /signed container/],
    [withBody('', '-----BEGIN PGP MESSAGE-----', 'hQEM', '-----END PGP MESSAGE-----'), /OpenPGP/],
    [multipart('mixed', plain('Words'), ['Content-Type: application/x-pkcs7-mime', '', 'MIIB']), /S\/MIME/],
  ])('that is encrypted is named, and its noise is not read', async (message, reason) => {
    expect(await warningsOf(message)).toMatch(reason);
    expect((await read(message)).text).not.toMatch(/MIIB|hQEM/);
  });

  it('of alternatives in alternatives is read in linear time', async () => {
    let part = plain('Deep words');
    for (let level = 0; level < 28; level++)
      part = [
        `Content-Type: multipart/alternative; boundary=b${level}`,
        '',
        `--b${level}`,
        ...html(`<p>${level}</p>`),
        `--b${level}`,
        ...plain('other'),
        `--b${level}`,
        ...part,
        `--b${level}--`,
      ];
    expect((await read(withBody(...part))).text).toContain('Deep words');
  });
});
