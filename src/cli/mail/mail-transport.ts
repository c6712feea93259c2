import { AcequiaError } from '../../schema/error.ts';
import type { MailTransport } from '../../service/mail/outbox.ts';
import type { Log } from '../process/log.ts';
import { readMailSettings } from './mail-settings.ts';

/** Opens the way to the mail server; called when there is something to send. */
export type OpenTransport = () => Promise<MailTransport>;

/** The way that the environment names; where that is malformed, it is logged and mail waits: calls are answered all the same. */
export function mailTransportOpener(log: Pick<Log, 'warn'>): OpenTransport | undefined {
  try {
    const mail = readMailSettings(process.env);
    return mail ? async () => (await import('./mailer.ts')).openMailer(mail) : undefined;
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    void log.warn({ hint: error.hint }, `No mail is sent: ${error.message}`);
    return undefined;
  }
}
