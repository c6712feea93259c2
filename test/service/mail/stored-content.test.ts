import { describe, expect, it } from 'vitest';
import { gatherMail } from '../../../src/language/mail/gathered-mail.ts';
import { plainTextOf } from '../../../src/language/mail/mail-content.ts';
import { parseStoredContent, toStoredContent } from '../../../src/service/mail/stored-content.ts';

describe('the stored text of a mail', () => {
  it('keeps paragraphs apart from the footer, whatever they say', () => {
    const content = {
      paragraphs: [
        ['A', '-- ', ''],
        ['', 'B'],
      ],
      footer: 'Footer\n\n-- \nC',
    };
    expect(parseStoredContent(toStoredContent(content))).toEqual(content);
  });

  it.each([
    'Moisture at North 1 is below 20 %.\nIt is dry.\n\nWater.\n\n-- \nThe footer',
    '12',
    '{"paragraphs":"North 1"}',
  ])('of an older version is sent as it is: %j', (text) => {
    expect(plainTextOf(parseStoredContent(text))).toBe(text);
  });

  it('of a later version, which has more, is that which this one knows', () => {
    const content = { paragraphs: [['A']], footer: 'B' };
    const text = JSON.stringify({ ...content, signature: 'C' });
    expect(parseStoredContent(text)).toEqual(content);
  });

  it('of an older version is gathered whole', () => {
    const mails = ['A', 'B'].map((subject) => ({
      subject,
      content: parseStoredContent(`Text of ${subject}\n\n-- \nFooter of ${subject}`),
    }));
    expect(gatherMail(mails, 'en').text).toBe(
      '- A\n- B\n\nA\n=\nText of A\n\n-- \nFooter of A\n\nB\n=\nText of B\n\n-- \nFooter of B',
    );
  });
});
