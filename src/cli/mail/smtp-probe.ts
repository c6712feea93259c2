import { domainToASCII } from 'node:url';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { singleLine } from '../../domain/strings.ts';
import {
  type ConnectionLimits,
  type MailSettings,
  smtpConnectionOptions,
} from './mail-settings.ts';

type SmtpPhase = 'connection' | 'encryption' | 'login' | 'sender' | 'recipient';

interface RecipientRefusal {
  readonly address: string;
  /** 4xx: temporary; 5xx: permanent. Source: RFC 5321, section 4.2.1. */
  readonly status: number;
  readonly answer: string;
}

export interface SmtpProbe {
  readonly isEncrypted: boolean;
  readonly accepted: readonly string[];
  readonly refusals: readonly RecipientRefusal[];
  readonly failure: { readonly phase: SmtpPhase; readonly answer: string } | null;
}

const PROBE_TIMEOUT_MS = 30_000;
const QUIT_TIMEOUT_MS = 1_000;
/**
 * nodemailer sends a caller's commands only within a custom login method, so this one sends MAIL
 * FROM and RCPT TO.
 */
const ENVELOPE = 'ENVELOPE';

interface SmtpReply {
  readonly status: number;
  readonly response: string;
}
type SendCommand = (command: string) => Promise<SmtpReply>;

interface ProbeProgress {
  phase: SmtpPhase;
  isEncrypted: boolean;
  readonly accepted: string[];
  readonly refusals: RecipientRefusal[];
}

export async function probeSmtp(
  settings: MailSettings,
  recipients: readonly string[],
  { limits, signal }: { limits?: ConnectionLimits; signal?: AbortSignal } = {},
): Promise<SmtpProbe> {
  const { auth } = settings;
  const progress: ProbeProgress = {
    phase: 'connection',
    isEncrypted: false,
    accepted: [],
    refusals: [],
  };

  const sendEnvelope = async (command: SendCommand): Promise<void> => {
    progress.phase = 'sender';
    expectAccepted(await command(`MAIL FROM:<${toAsciiAddress(settings.from.address)}>`));
    progress.phase = 'recipient';
    for (const address of recipients) {
      const { status, response } = await command(`RCPT TO:<${toAsciiAddress(address)}>`);
      if (status >= 200 && status < 300) progress.accepted.push(address);
      else progress.refusals.push({ address, status, answer: toRedactedLine(response, settings) });
    }
    await command('RSET');
  };

  const connection = new SMTPConnection({
    ...smtpConnectionOptions(settings, limits),
    customAuth: { [ENVELOPE]: ({ sendCommand }) => sendEnvelope(sendCommand) },
  });
  let failure: SmtpProbe['failure'] = null;
  try {
    await untilErrorOrTimeout(connection, signal, async () => {
      await withCallback((done) => connection.connect(done));
      progress.isEncrypted = connection.secure;
      progress.phase = 'login';
      if (auth && connection.allowsAuth)
        await withCallback((done) =>
          connection.login({ user: auth.user, pass: auth.password }, done),
        );
      await withCallback((done) => connection.login({ method: ENVELOPE }, done));
    });
    await quit(connection);
  } catch (error) {
    const { message, code, originalCode, response } = error as SmtpFailure;
    // Errors of TLS have the code ETLS, or one of Node.js or OpenSSL.
    const isEncryptionError =
      code === 'ETLS' || /SSL|TLS|CERT|SIGNATURE/.test(`${originalCode} ${code}`);
    failure = {
      phase: isEncryptionError ? 'encryption' : progress.phase,
      answer: toRedactedLine(response || message, settings),
    };
  } finally {
    connection.close();
  }

  const { isEncrypted, accepted, refusals } = progress;
  return { isEncrypted, accepted, refusals, failure };
}

interface SmtpFailure {
  readonly message: string;
  readonly code?: string;
  readonly originalCode?: string;
  readonly response?: string;
}

const withCallback = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));

async function untilErrorOrTimeout(
  connection: SMTPConnection,
  signal: AbortSignal | undefined,
  steps: () => Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const interrupted = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    signal?.addEventListener('abort', () => reject(new Error('the check was stopped')));
    timer = setTimeout(
      () => reject(new Error(`the check did not end within ${PROBE_TIMEOUT_MS / 1000} s`)),
      PROBE_TIMEOUT_MS,
    );
  });
  try {
    await Promise.race([steps(), interrupted]);
  } finally {
    clearTimeout(timer);
  }
}

const quit = (connection: SMTPConnection): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, QUIT_TIMEOUT_MS);
    connection.once('end', () => {
      clearTimeout(timer);
      resolve();
    });
    connection.quit();
  });

function expectAccepted({ status, response }: SmtpReply): void {
  if (status < 200 || status >= 300) throw new Error(response);
}

/** Drops characters that could end the command. */
function toAsciiAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.replace(/[\p{Cc}\s<>]/gu, '');
}

function toRedactedLine(text: string, { auth }: MailSettings): string {
  const line = singleLine(text).slice(0, 300);
  return auth?.password ? line.replaceAll(auth.password, '…') : line;
}
