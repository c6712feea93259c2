import type { NewMail } from '../../store/mail/outbox.ts';

/** Every attempt to send a message has the same message id. */
export interface OutgoingMail extends Pick<NewMail, 'to' | 'subject' | 'text' | 'html'> {
  readonly createdAt: number;
  readonly messageId: string;
  /** Null for a message about a probe in doubt, and for several messages. */
  readonly alertId: string | null;
  /** Null for mail. */
  readonly sessionId: number | null;
}

export interface Delivery {
  /**
   * `deferred` is the server's request to retry; `unreachable` includes timeouts and failed logins.
   */
  readonly outcome: 'sent' | 'refused' | 'deferred' | 'unreachable';
  readonly answer: string;
}

export interface MailTransport {
  readonly domain: string;
  /**
   * Whether the server lets us log in and takes our sender; undefined where nothing can be tried.
   */
  readonly accepts?: (signal: AbortSignal) => Promise<boolean>;
  send(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery>;
}
