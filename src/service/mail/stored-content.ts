import { z } from 'zod/v3';
import type { MailContent } from '../../language/mail/mail-content.ts';

/** A later version may store more. */
const mailContent = z.object({
  paragraphs: z.array(z.array(z.string())),
  footer: z.string().nullable(),
});

/** The form in which the outbox stores the text of a mail, so that several mails can become one. */
export const toStoredContent = ({ paragraphs, footer }: MailContent): string =>
  JSON.stringify({ paragraphs, footer });

export function parseStoredContent(text: string): MailContent {
  const { success, data } = mailContent.safeParse(jsonOf(text));
  return success ? data : contentOfOldRow(text);
}

/** Earlier versions stored the plain text with its footer, which is no such JSON. */
const contentOfOldRow = (text: string): MailContent => ({
  paragraphs: [text.split('\n')],
  footer: null,
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
