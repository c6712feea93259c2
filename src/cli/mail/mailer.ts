import { createTransport } from 'nodemailer';
import type { Delivery, MailTransport } from '../../service/mail/outbox.ts';
import { type MailSettings, smtpConnectionOptions } from './mail-settings.ts';

/** Replies that speak of who logs in and how, not of the message. Source: RFC 4954, section 6. */
const LOGIN_REPLY_CODES: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** What the server answers for the message itself. */
const MESSAGE_COMMANDS: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/** What nodemailer itself finds wrong with a message or an address. */
const INVALID_MESSAGE_CODES: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);
/** Characters of an answer that are kept. */
const ANSWER_LENGTH = 500;

/** Sends by SMTP, one connection a message. */
export function openMailer(settings: MailSettings): MailTransport {
  const { auth, from, domain } = settings;
  const transporter = createTransport({
    ...smtpConnectionOptions(settings),
    ...(auth && { auth: { user: auth.user, pass: auth.password } }),
    // Names and words of a message are data: none of them makes it read a file or a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    domain,
    async send({ messageId, createdAt, to, subject, text, html }, signal) {
      try {
        const { response } = await transporter.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId,
          date: new Date(createdAt),
          // No vacation notice answers it. Source: RFC 3834.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        });
        return { outcome: 'sent', answer: toSingleLine(response) };
      } catch (error) {
        return toDelivery(error as SmtpFailure);
      }
    },
  };
}

interface SmtpFailure {
  readonly message: string;
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/**
 * A refusal is what the server answered for good about the message; all else may pass. A sender that it does not take is a
 * setting to mend, and no mail is to be lost by it.
 */
function toDelivery({ message, code, command, response, responseCode }: SmtpFailure): Delivery {
  const answer = toSingleLine(response || message);
  if (responseCode === undefined)
    return { outcome: INVALID_MESSAGE_CODES.has(code ?? '') ? 'refused' : 'unreachable', answer };
  const isForGood = responseCode >= 500;
  const isOfSender = LOGIN_REPLY_CODES.has(responseCode) || (command === 'MAIL FROM' && isForGood);
  if (!MESSAGE_COMMANDS.has(command ?? '') || isOfSender) return { outcome: 'unreachable', answer };
  return { outcome: isForGood ? 'refused' : 'deferred', answer };
}

/** On one line, and not without end: it is kept and shown. */
const toSingleLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_LENGTH);
