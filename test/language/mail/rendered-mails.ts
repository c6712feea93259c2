import * as alertMail from '../../../src/language/mail/alert-mail.ts';
import * as doubtMail from '../../../src/language/mail/doubt-mail.ts';
import { type MailContent, plainTextOf } from '../../../src/language/mail/mail-content.ts';

const withText = <T extends { readonly content: MailContent }>(mail: T) => ({
  ...mail,
  text: plainTextOf(mail.content),
});

/** With the plain text as it is sent. */
export const renderAlertMail = (...args: Parameters<typeof alertMail.renderAlertMail>) =>
  withText(alertMail.renderAlertMail(...args));

/** With the plain text as it is sent. */
export const renderDoubtMail = (...args: Parameters<typeof doubtMail.renderDoubtMail>) =>
  withText(doubtMail.renderDoubtMail(...args));
