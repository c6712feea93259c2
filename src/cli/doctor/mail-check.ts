import type { JobRound } from '../../domain/alerts/job-rounds.ts';
import { meansOfNotice } from '../../domain/alerts/means-of-notice.ts';
import { withoutNulls } from '../../domain/items.ts';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { quote } from '../../domain/strings.ts';
import { languageOf } from '../../language/index.ts';
import { AcequiaError } from '../../schema/error.ts';
import { jobRounds } from '../../store/job-rounds.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { mailAddresses, watchedAlertCount } from '../../store/store-statistics.ts';
import {
  type ConnectionLimits,
  type MailSettings,
  readMailSettings,
} from '../mail/mail-settings.ts';
import { probeSmtp, type SmtpProbe } from '../mail/smtp-probe.ts';
import type { Environment } from '../process/environment.ts';
import { formatTerminalCount } from '../process/output.ts';
import { describeRound, RUNNER_NAMES } from './background-job-checks.ts';
import { type DoctorFinding, findingsAbout, formatRoughDuration } from './findings.ts';

const newFinding = findingsAbout('mail');
const MAIL = languageOf(DEFAULT_LANG).service.mail;

/** Talks to the mail server up to the recipients, then resets: no mail is sent. */
export async function checkMail(
  env: Environment,
  view: StoreView | null,
  limits?: ConnectionLimits,
): Promise<DoctorFinding[]> {
  const settings = tryMailSettings(env);
  if (settings instanceof AcequiaError)
    return [newFinding.bad(settings.message, settings.hint ?? 'Correct the mail settings.')];
  if (settings === null) return [await checkMissingServer(view)];
  const addresses = view ? await view.read(mailAddresses) : [];
  return probeFindings(settings, await probeSmtp(settings, addresses, { limits }), view !== null);
}

function tryMailSettings(env: Environment): MailSettings | null | AcequiaError {
  try {
    return readMailSettings(env);
  } catch (error) {
    if (error instanceof AcequiaError) return error;
    throw error;
  }
}

/** Checks this process; others may have a server. */
async function checkMissingServer(view: StoreView | null): Promise<DoctorFinding> {
  const now = Date.now();
  const rounds = view ? await view.read(jobRounds) : [];
  const { mail, since } = meansOfNotice(rounds, now);
  const senders = rounds.filter(({ hasMailServer }) => hasMailServer);
  if (mail === 'leaves')
    return newFinding.good(
      `${NONE_HERE}, but in ${senders.map((round) => describeRound(round, now)).join(', in ')}; ${describeLastMail(senders, now)}`,
    );

  const alerts = view ? await view.read(watchedAlertCount) : 0;
  if (alerts === 0)
    return newFinding.good('no mail server is set (ACEQUIA_SMTP_URL), and no alert needs one');

  const runner = RUNNER_NAMES[senders.find(isAt(since))?.runner ?? 'stdio'];
  const ago = `${formatRoughDuration(Math.max(0, now - (since ?? now)))} ago`;
  if (mail === 'fails')
    return newFinding.doubtful(
      `${NONE_HERE}, and that of ${runner} could not be used ${ago}`,
      `Examine it with the settings of that process; those of a service: acequia doctor --env-file FILE, which "acequia service status" names.`,
    );
  if (mail === 'untried')
    return newFinding.doubtful(
      `${NONE_HERE}, and that of ${RUNNER_NAMES[senders[0]?.runner ?? 'stdio']} has not answered yet`,
      'Run the doctor again in a minute.',
    );
  if (mail === 'stopped')
    return newFinding.doubtful(
      `${NONE_HERE}, and ${runner}, which had one, last ran ${ago}`,
      'Start it again, or keep it on with "acequia service install".',
    );
  if (mail === 'in_chats')
    return newFinding.doubtful(
      `${NONE_HERE}, but in an assistant, so mail waits until a chat is open`,
      ADVICE_WITHOUT_SERVER,
    );
  return newFinding.doubtful(
    `no mail server is set: ${formatTerminalCount(alerts, 'alert is', 'alerts are')} active, and mail stays in the outbox`,
    ADVICE_WITHOUT_SERVER,
  );
}

const NONE_HERE = 'no mail server is set here (ACEQUIA_SMTP_URL)';
const ADVICE_WITHOUT_SERVER =
  'Set ACEQUIA_SMTP_URL to smtp://user:password@host:587 for the server, and for "acequia tick" where cron runs it.';

const isAt =
  (since: number | null) =>
  ({ ranAt, stoppedAt, failedAt }: JobRound): boolean =>
    [ranAt, stoppedAt, failedAt].includes(since);

function describeLastMail(senders: readonly JobRound[], now: number): string {
  const deliveries = withoutNulls(senders.map(({ deliveredAt }) => deliveredAt));
  if (deliveries.length === 0) return 'it has sent none yet';
  return `the last mail left ${formatRoughDuration(Math.max(0, now - Math.max(...deliveries)))} ago`;
}

function probeFindings(
  settings: MailSettings,
  probe: SmtpProbe,
  hasStore: boolean,
): DoctorFinding[] {
  const { failure, refusals, accepted, isEncrypted } = probe;
  const server = `${settings.host}:${settings.port}`;
  if (failure)
    return [
      newFinding.bad(
        `${server} ${MAIL.failures[failure.phase]}: ${failure.answer}`,
        MAIL.advice[failure.phase],
      ),
    ];

  const refused = refusals.map(({ address, status, answer }) =>
    status >= 500
      ? newFinding.bad(
          `${server} refuses mail to ${quote(address)}: ${answer}`,
          MAIL.advice.recipient,
        )
      : newFinding.doubtful(
          `${server} postpones mail to ${quote(address)}: ${answer}`,
          'Run the doctor again in a few minutes; such mail is retried automatically.',
        ),
  );

  const details = MAIL.details(isEncrypted, settings.auth?.user ?? null, settings.from.address);
  if (accepted.length === 0) {
    if (refused.length > 0) return refused;
    const without = hasStore ? '; the store has no recipients yet' : '';
    return [newFinding.good(`${server} accepts the login (${details})${without}`)];
  }

  const text = `${server} accepts mail for ${accepted.map(quote).join(', ')} (${details})`;
  return [...refused, newFinding.good(text)];
}
