import { quoted } from '../../operation/names.ts';
import { AcequiaError } from '../../schema/error.ts';
import { mailAddresses, watchedAlerts } from '../../store/standing.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { counted } from '../counted.ts';
import { type MailSettings, mailSettings } from '../mail-settings.ts';
import type { Said } from './configuration.ts';
import { type Finding, findingsOn } from './finding.ts';
import { type Conversation, converse, type Stage } from './smtp-conversation.ts';

const found = findingsOn('mail');

/** Speaks with the mail server as the sender does, up to the recipients, and takes it all back: no mail is sent. */
export async function checkMail(env: Said['env'], view: StoreView | null): Promise<Finding[]> {
  const settings = settingsIn(env);
  if (settings instanceof AcequiaError) return [found.bad(settings.message, settings.hint ?? 'Mend it.')];
  if (settings === null) return [await withoutServer(view)];
  const addresses = view ? await view.read(mailAddresses) : [];
  return findingsFrom(settings, await converse(settings, addresses));
}

function settingsIn(env: Said['env']): MailSettings | null | AcequiaError {
  try {
    return mailSettings(env);
  } catch (error) {
    if (error instanceof AcequiaError) return error;
    throw error;
  }
}

async function withoutServer(view: StoreView | null): Promise<Finding> {
  const alerts = view ? await view.read(watchedAlerts) : 0;
  if (alerts === 0) return found.good('no mail server is named, and no alert needs one (ACEQUIA_SMTP_URL)');
  return found.doubtful(
    `no mail server is named: ${counted(alerts, 'alert is', 'alerts are')} watched, and what they have to tell stays in the outbox`,
    'Set ACEQUIA_SMTP_URL to smtp://user:password@host:587 for the server, and for "acequia tick" where cron runs it.',
  );
}

function findingsFrom(settings: MailSettings, conversation: Conversation): Finding[] {
  const { failure, refusals, accepted, isEncrypted } = conversation;
  const server = `${settings.host}:${settings.port}`;
  if (failure) return [found.bad(`${server} ${SAID[failure.stage]}: ${failure.answer}`, ADVICE[failure.stage])];
  const refused = refusals.map(({ address, status, answer }) =>
    status >= 500
      ? found.bad(`${server} refuses mail to ${quoted(address)}: ${answer}`, ADVICE.recipient)
      : found.doubtful(
          `${server} puts off mail to ${quoted(address)}: ${answer}`,
          'Run the doctor again in some minutes; such mail is tried again by itself.',
        ),
  );
  const ways = [
    isEncrypted ? 'encrypted' : 'not encrypted',
    settings.auth ? `logged in as ${quoted(settings.auth.user)}` : 'without a login',
    `from ${settings.from.address}`,
  ].join(', ');
  if (accepted.length === 0) {
    if (refused.length > 0) return refused;
    return [found.good(`${server} lets us in (${ways}); the store names nobody yet to write to`)];
  }
  const said = `${server} takes mail for ${accepted.map(quoted).join(', ')} (${ways})`;
  return [...refused, found.good(said)];
}

/** What went wrong, by how far the conversation came. */
const SAID: Readonly<Record<Stage, string>> = {
  connection: 'cannot be reached or does not answer',
  encryption: 'offers no encryption that can be trusted',
  login: 'does not let us log in',
  sender: 'does not take mail from us',
  recipient: 'breaks off',
};

const ADVICE: Readonly<Record<Stage, string>> = {
  connection:
    'Check host and port in ACEQUIA_SMTP_URL, and that this machine may connect to it: 587 with smtp://, 465 with smtps://.',
  encryption:
    'Use smtps:// for port 465 and smtp:// for 587. A certificate of your own is trusted with NODE_EXTRA_CA_CERTS; ?startTls=never behind the URL gives encryption up.',
  login: 'Put user and password right in ACEQUIA_SMTP_URL; many providers want a password made for programs.',
  sender: 'Set ACEQUIA_MAIL_FROM to an address that this server sends for.',
  recipient:
    "If the address is right, ask the mail server's keeper what it relays. If it is not, disable the alert with update_alert and create it anew as a member whose address is.",
};
