import { AcequiaError } from '../../schema/error.ts';
import type { MailTransport } from '../../service/mail/outbox.ts';
import type { Log } from '../process/log.ts';
import { readMailSettings } from './mail-settings.ts';

export type OpenTransport = () => Promise<MailTransport>;

/** Malformed settings are logged and mail waits; calls must be answered all the same. */
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
