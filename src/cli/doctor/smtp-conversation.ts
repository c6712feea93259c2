import { domainToASCII } from 'node:url';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailSettings } from '../mail-settings.ts';
import { connectionOptions } from '../smtp-options.ts';

/** How far a conversation with a mail server came. */
export type Stage = 'connection' | 'encryption' | 'login' | 'sender' | 'recipient';

export interface Refusal {
  readonly address: string;
  /** The reply's code: 4xx for now, 5xx for good. Source: RFC 5321, section 4.2.1. */
  readonly status: number;
  readonly answer: string;
}

export interface Conversation {
  readonly isEncrypted: boolean;
  readonly accepted: readonly string[];
  readonly refusals: readonly Refusal[];
  /** Where it ended early, and why; null where it was led to its end. */
  readonly failure: { readonly stage: Stage; readonly answer: string } | null;
}

/** For the whole conversation, ms. */
const PATIENCE_MS = 30_000;
/** For the server's farewell, ms. */
const FAREWELL_MS = 1_000;
/** Names the envelope among the ways to log in: the client's one door for commands of our own. */
const ENVELOPE = 'ENVELOPE';

interface Reply {
  readonly status: number;
  readonly response: string;
}
type Command = (command: string) => Promise<Reply>;

/** Connects and logs in as the sender does, names the sender and the recipients, and takes them back. Never throws. */
export async function converse(settings: MailSettings, recipients: readonly string[]): Promise<Conversation> {
  const told = {
    stage: 'connection' as Stage,
    isEncrypted: false,
    accepted: [] as string[],
    refusals: [] as Refusal[],
  };
  const envelope = async (command: Command): Promise<void> => {
    told.stage = 'sender';
    expectTaken(await command(`MAIL FROM:<${inAscii(settings.from.address)}>`));
    told.stage = 'recipient';
    for (const address of recipients) {
      const { status, response } = await command(`RCPT TO:<${inAscii(address)}>`);
      if (status >= 200 && status < 300) told.accepted.push(address);
      else told.refusals.push({ address, status, answer: plain(response, settings) });
    }
    await command('RSET');
  };
  const connection = new SMTPConnection({
    ...connectionOptions(settings),
    customAuth: { [ENVELOPE]: ({ sendCommand }) => envelope(sendCommand) },
  });
  let failure: Conversation['failure'] = null;
  try {
    await withinTime(connection, async () => {
      await answered((done) => connection.connect(done));
      told.isEncrypted = connection.secure;
      told.stage = 'login';
      if (settings.auth && connection.allowsAuth)
        await answered((done) => connection.login({ user: settings.auth!.user, pass: settings.auth!.password }, done));
      await answered((done) => connection.login({ method: ENVELOPE }, done));
    });
    await farewell(connection);
  } catch (error) {
    const { message, code, originalCode, response } = error as SmtpFailure;
    const isTls = code === 'ETLS' || /SSL|TLS|CERT|SIGNATURE/.test(`${originalCode} ${code}`);
    failure = { stage: isTls ? 'encryption' : told.stage, answer: plain(response || message, settings) };
  } finally {
    connection.close();
  }
  const { isEncrypted, accepted, refusals } = told;
  return { isEncrypted, accepted, refusals, failure };
}

interface SmtpFailure {
  readonly message: string;
  readonly code?: string;
  readonly originalCode?: string;
  readonly response?: string;
}

const answered = (ask: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => ask((error) => (error ? reject(error) : resolve())));

/** The steps, unless the connection fails first or all of it takes too long. */
async function withinTime(connection: SMTPConnection, steps: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    timer = setTimeout(() => reject(new Error(`no end within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    await Promise.race([steps(), broken]);
  } finally {
    clearTimeout(timer);
  }
}

const farewell = (connection: SMTPConnection): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, FAREWELL_MS);
    connection.once('end', () => {
      clearTimeout(timer);
      resolve();
    });
    connection.quit();
  });

function expectTaken({ status, response }: Reply): void {
  if (status < 200 || status >= 300) throw new Error(response);
}

/** An address as it travels: its domain in ASCII, and nothing that would end the command. */
function inAscii(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.replace(/[\p{Cc}\s<>]/gu, '');
}

/** The server's words on one line, without the password should it repeat it. */
function plain(text: string, { auth }: MailSettings): string {
  const line = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);
  return auth?.password ? line.replaceAll(auth.password, '…') : line;
}
