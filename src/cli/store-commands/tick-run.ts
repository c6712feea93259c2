import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isTrialDue } from '../../domain/alerts/means-of-notice.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import { englishCount } from '../../language/en/grammar.ts';
import type { Observer } from '../../observe/observer.ts';
import {
  noteRound,
  pushOutbox,
  refreshForecastsJob,
  runBackupJob,
  runJob,
  sendMailJob,
  tryMailServer,
} from '../../service/jobs/background-jobs.ts';
import { type HousekeepingReport, housekeepingJob } from '../../service/jobs/housekeeping.ts';
import { jobRounds } from '../../store/job-rounds.ts';
import { retryRefused, waitingMessageCount } from '../../store/mail/outbox.ts';
import type { Store } from '../../store/store.ts';
import { backupJobs } from '../backups/backup-jobs.ts';
import { type MailSettings, readMailSettings } from '../mail/mail-settings.ts';
import {
  assertStoreExists,
  EXIT,
  openExistingStore,
  reportRefusal,
  usageError,
  withStopSignal,
} from '../process/command.ts';
import { type OpenForecast, readForecastOpener } from '../process/job-setup.ts';
import { lazyLog } from '../process/log.ts';
import { type Observability, openObservability } from '../process/observability.ts';
import { print, terminalWidth } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';

interface TickOptions {
  readonly until?: number | undefined;
  readonly every?: number | undefined;
  readonly resend?: boolean | undefined;
}

const LEASE_RETRY_MS = 250;
const DEFAULT_STEP_MS = HOUR_MS;

/** Waits while another process holds the lease. Returns the exit code. */
export const runTick = (options: TickOptions, settings: Settings): Promise<number> =>
  withStopSignal(async ({ signal }) => {
    let store: Store | undefined;
    let observability: Observability | undefined;
    try {
      const mail = readMailSettings(process.env);
      const openForecast = readForecastOpener(process.env);

      assertStoreExists(settings.db);
      const from = settings.clock();
      checkUsage(options, from);
      store = await openExistingStore(settings.db);
      observability = await openObservability(lazyLog(settings.logLevel));
      const context = { store, observer: observability.observer, signal };

      await runHousekeeping(steps(from, options), context);
      // A round that a person runs at a terminal does not show that others follow.
      const isUnattended = terminalWidth() === undefined;
      if (isUnattended && !signal.aborted) await noteRound(store, 'tick', mail !== null);
      if (options.resend) await resendRefused(store);
      if (openForecast) await fetchForecasts(openForecast, settings.clock, context);
      await sendMail(mail, context);
      if (options.until === undefined) await backUpIfDue(settings, context);

      return signal.aborted ? EXIT.failed : EXIT.done;
    } catch (error) {
      return reportRefusal(error);
    } finally {
      await store?.close();
      await observability?.end();
    }
  });

/** Last, because nothing else waits for it. A copy that fails is logged. */
async function backUpIfDue(
  settings: Settings,
  { store, observer, signal }: TickContext,
): Promise<void> {
  const log = lazyLog(settings.logLevel);
  const backups = backupJobs(settings, log);
  if (!backups || signal.aborted) return;

  const holder = randomUUID();
  const report = log.unexpectedError;
  const done = await runBackupJob({ store, backups, holder, signal, observer, report });
  if (done?.copied) print(`The store was copied to ${done.path}.\n`);
  if (done?.drilled) print(`The copy ${done.path} was tried: it can be restored.\n`);
}

interface TickContext {
  readonly store: Store;
  readonly observer: Observer;
  readonly signal: AbortSignal;
}

function checkUsage({ until, every }: TickOptions, now: number): void {
  if (until === undefined && every !== undefined)
    throw usageError('--every needs an instant to step to.', 'Give --until too.', '--every');
  if (until !== undefined && until < now)
    throw usageError(
      '--until is before the current time.',
      'Give a later instant, or start the clock earlier with --clock.',
      '--until',
    );
}

function* steps(now: number, { until, every = DEFAULT_STEP_MS }: TickOptions): Generator<number> {
  if (until === undefined) yield now;
  else {
    for (let at = now; at < until; at += every) yield at;
    yield Math.max(now, until);
  }
}

type HousekeepingCounts = Omit<HousekeepingReport, 'isHeld'>;

const emptyTotal = (): HousekeepingCounts => ({
  produced: 0,
  confirmed: 0,
  expired: 0,
  evaluated: 0,
  notified: 0,
});

const addTotals = (a: HousekeepingCounts, b: HousekeepingCounts): HousekeepingCounts => ({
  produced: a.produced + b.produced,
  confirmed: a.confirmed + b.confirmed,
  expired: a.expired + b.expired,
  evaluated: a.evaluated + b.evaluated,
  notified: a.notified + b.notified,
});

async function runHousekeeping(instants: Iterable<number>, context: TickContext): Promise<void> {
  let total = emptyTotal();
  for (const now of instants) {
    total = addTotals(total, await runHousekeepingAt(now, context));
    if (context.signal.aborted) break;
  }

  const { produced, confirmed, expired, evaluated, notified } = total;
  print(
    `${englishCount(produced, 'planned watering')} produced, ${englishCount(confirmed, 'past one')} counted as done, ${englishCount(expired, 'expired idempotency record')} deleted.\n`,
  );
  if (evaluated + notified > 0)
    print(
      `${englishCount(evaluated, 'alert')} evaluated, ${englishCount(notified, 'message')} written.\n`,
    );
}

async function runHousekeepingAt(
  now: number,
  { store, observer, signal }: TickContext,
): Promise<HousekeepingCounts> {
  const holder = randomUUID();
  let total = emptyTotal();
  for (;;) {
    const report = await runJob({ ...housekeepingJob(store, { now, signal, holder }), observer });
    total = addTotals(total, report);
    if (!report.isHeld || signal.aborted) return total;
    await pause(LEASE_RETRY_MS * (0.5 + Math.random()));
  }
}

async function resendRefused(store: Store): Promise<void> {
  const count = await store.writeUnlocked(retryRefused);
  print(`${englishCount(count, 'refused message')} due again.\n`);
}

async function fetchForecasts(
  openForecast: OpenForecast,
  clock: () => number,
  { store, observer, signal }: TickContext,
): Promise<void> {
  const job = refreshForecastsJob({ store, openForecast, clock, signal });
  const { fetched, failed } = await runJob({ ...job, observer });
  if (fetched + failed === 0) return;

  const failures = failed === 0 ? '' : `, ${failed} not: see "acequia doctor"`;
  print(`${englishCount(fetched, 'forecast')} fetched${failures}.\n`);
}

/** Push messages are sent even if no mail server is set. */
async function sendMail(
  mail: MailSettings | null,
  { store, observer, signal }: TickContext,
): Promise<void> {
  const pushJob = sendMailJob({ ...pushOutbox(store), holder: randomUUID(), signal });
  const { sent: pushed, refused: refusedPushes } = await runJob({ ...pushJob, observer });
  let sent = pushed;
  let refused = refusedPushes;

  if (mail) {
    const openTransport = async () => (await import('../mail/mailer.ts')).openMailer(mail);
    const holder = randomUUID();
    const rounds = await store.readAll(jobRounds);
    const own = rounds.find((round) => round.runner === 'tick' && round.hasMailServer);
    if (isTrialDue(own, Date.now())) await tryMailServer(store, 'tick', openTransport, signal);
    const mailJob = sendMailJob({ store, openTransport, holder, runner: 'tick', signal });
    const mailed = await runJob({ ...mailJob, observer });
    sent += mailed.sent;
    refused += mailed.refused;
  }

  const waiting = await store.readAll(waitingMessageCount);
  if (sent + refused + waiting === 0) return;

  const parts = [`${englishCount(sent, 'message')} sent`];
  if (refused > 0) parts.push(`${refused} refused`);
  parts.push(`${waiting} waiting`);
  print(`${parts.join(', ')}${mail ? '' : ': set ACEQUIA_SMTP_URL to send mail'}.\n`);
}
