import { entryOf } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { langOfCountry } from '../../language/index.ts';
import type { MailContent } from '../../language/mail/mail-content.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { pushDevices } from '../../store/keys/sessions.ts';
import { addMail, type MailRecipient, type NewMail } from '../../store/mail/outbox.ts';
import { parsePush } from './push.ts';
import { toStoredContent } from './stored-content.ts';

/** A message in one language. */
interface RenderedMessage {
  readonly mail: Pick<NewMail, 'subject' | 'html'> & { readonly content: MailContent };
  readonly push: { readonly title: string; readonly body: string };
}

interface Message extends Pick<NewMail, 'alertId' | 'kind'> {
  readonly moduleId: number;
  /** A push message replaces an older one with the same tag. */
  readonly tag: string;
  readonly recipients: readonly MailRecipient[];
  render(lang: Lang): Promise<RenderedMessage>;
}

/**
 * As mail to the recipients, in the language of the company, and as push messages to all devices of
 * the company that take them, each in its own. Returns how many were written.
 */
export async function queueMessages(
  { db, now }: WriteContext,
  company: CompanyRow,
  { alertId, kind, moduleId, tag, recipients, render }: Message,
): Promise<number> {
  const devices = (await pushDevices(db, now)).map((device) => ({
    ...device,
    ...parsePush(device.push),
  }));
  const companyLang = langOfCountry(company.country_code);
  const langs = new Set(devices.map(({ lang }) => lang));
  if (recipients.length > 0) langs.add(companyLang);

  const renderedIn = new Map<Lang, RenderedMessage>();
  for (const lang of langs) renderedIn.set(lang, await render(lang));

  const mails = recipients.map(({ userId, email }) => {
    const { subject, content, html } = entryOf(renderedIn, companyLang).mail;
    return { alertId, kind, userId, to: email, subject, text: toStoredContent(content), html };
  });
  const pushes = devices.map(({ userId, sessionId, lang }) => {
    const { push } = entryOf(renderedIn, lang);
    // A push message has no address and no HTML.
    return {
      alertId,
      kind,
      userId,
      sessionId,
      to: '',
      subject: push.title,
      text: JSON.stringify({ ...push, tag, moduleId }),
      html: '',
    };
  });
  await addMail(db, [...mails, ...pushes], now);
  return mails.length + pushes.length;
}
