import { createTransport } from 'nodemailer';
import { singleLine } from '../../domain/strings.ts';
import type { Delivery, MailTransport } from '../../service/mail/transport.ts';
import { type MailSettings, smtpConnectionOptions } from './mail-settings.ts';
import { probeSmtp } from './smtp-probe.ts';

/** Replies about the login, not about the message. Source: RFC 4954, section 6. */
const LOGIN_REPLY_CODES: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** Commands whose reply concerns the message itself. */
const MESSAGE_COMMANDS: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
const INVALID_MESSAGE_CODES: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);
const MAX_ANSWER_LENGTH = 500;

export function openMailer(settings: MailSettings): MailTransport {
  const { auth, from, domain } = settings;
  const transporter = createTransport({
    ...smtpConnectionOptions(settings),
    auth: auth ? { user: auth.user, pass: auth.password } : undefined,
    // The texts of a message are data and must not make nodemailer read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    domain,
    accepts: async (signal) => (await probeSmtp(settings, [], { signal })).failure === null,
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
          // Suppresses vacation notices. Source: RFC 3834.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        });

        return { outcome: 'sent', answer: singleLine(response).slice(0, MAX_ANSWER_LENGTH) };
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

/** A rejected login or sender is a wrong setting, so the message stays due. */
function toDelivery({ message, code, command, response, responseCode }: SmtpFailure): Delivery {
  const answer = singleLine(response || message).slice(0, MAX_ANSWER_LENGTH);
  if (responseCode === undefined)
    return { outcome: INVALID_MESSAGE_CODES.has(code ?? '') ? 'refused' : 'unreachable', answer };

  const isPermanent = responseCode >= 500;
  const isAboutSender =
    LOGIN_REPLY_CODES.has(responseCode) || (command === 'MAIL FROM' && isPermanent);
  if (!MESSAGE_COMMANDS.has(command ?? '') || isAboutSender)
    return { outcome: 'unreachable', answer };

  return { outcome: isPermanent ? 'refused' : 'deferred', answer };
}
