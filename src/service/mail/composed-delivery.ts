import type { Kysely } from 'kysely';
import { firstOf } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { langOfCountry } from '../../language/index.ts';
import { gatherMail, gatherPush } from '../../language/mail/gathered-mail.ts';
import { plainTextOf } from '../../language/mail/mail-content.ts';
import { companyById } from '../../store/company/companies.ts';
import { pushSubscriptionOf } from '../../store/keys/sessions.ts';
import { messageTexts, type Recipient } from '../../store/mail/outbox.ts';
import type { Tables } from '../../store/tables.ts';
import type { GatheredDelivery } from './message-turns.ts';
import { langOfPush } from './push.ts';
import { parseStoredContent } from './stored-content.ts';
import type { OutgoingMail } from './transport.ts';

/** The mail to send: one message as it was written, several as one. */
export async function composeDelivery(
  all: Kysely<Tables>,
  { recipient, messages }: GatheredDelivery,
): Promise<Omit<OutgoingMail, 'createdAt' | 'messageId'>> {
  const { to, sessionId } = recipient;
  const stored = await messageTexts(
    all,
    messages.map(({ id }) => id),
  );
  if (stored.length === 1) {
    const message = firstOf(stored);
    const text = sessionId === null ? plainTextOf(parseStoredContent(message.text)) : message.text;
    return { to, sessionId, alertId: messages[0].alertId, ...message, text };
  }

  const lang = await langOf(all, recipient);
  const gathered =
    sessionId === null ? gatherMail(stored.map(withContent), lang) : gatherPush(stored, lang);
  return { to, sessionId, alertId: null, ...gathered };
}

const withContent = ({ subject, text }: { readonly subject: string; readonly text: string }) => ({
  subject,
  content: parseStoredContent(text),
});

/** Mail is in the language of the company, a push message in that of the device. */
async function langOf(all: Kysely<Tables>, { companyId, sessionId }: Recipient): Promise<Lang> {
  const subscription = sessionId === null ? null : await pushSubscriptionOf(all, sessionId);
  if (subscription !== null) return langOfPush(subscription);
  return langOfCountry((await companyById(all, companyId))?.country_code ?? null);
}
