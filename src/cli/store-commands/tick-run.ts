import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '../../domain/periods.ts';
import { englishCount } from '../../language/en/grammar.ts';
import type { Observer } from '../../observe/observer.ts';
import {
  pushOutbox,
  refreshForecastsJob,
  runJob,
  sendMailJob,
} from '../../service/jobs/background-jobs.ts';
import {
  type HousekeepingOptions,
  type HousekeepingReport,
  housekeepingJob,
} from '../../service/jobs/housekeeping.ts';
import { retryRefused, waitingMessageCount } from '../../store/mail/outbox.ts';
import type { Store } from '../../store/store.ts';
import { type MailSettings, readMailSettings } from '../mail/mail-settings.ts';
import {
  assertStoreExists,
  EXIT,
  openExistingStore,
  reportRefusal,
  usageError,
  withStopSignal,
} from '../process/command.ts';
import { forecastProviderOf } from '../process/job-setup.ts';
import { lazyLog } from '../process/log.ts';
import { type Observability, openObservability } from '../process/observability.ts';
import { print } from '../process/output.ts';
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
      const openForecast = forecastProviderOf(process.env);

      assertStoreExists(settings.db);
      const from = settings.clock();
      checkUsage(options, from);
      store = await openExistingStore(settings.db);
      observability = await openObservability(lazyLog(settings.logLevel));

      const { observer } = observability;
      let total = emptyTotal();

      for (const now of steps(from, options)) {
        total = addTotals(total, await runHousekeeping(store, observer, { now, signal }));
        if (signal.aborted) break;
      }

      print(
        `${englishCount(total.produced, 'planned watering')} produced, ${englishCount(total.confirmed, 'past one')} counted as done, ${englishCount(total.expired, 'expired idempotency record')} deleted.\n`,
      );

      if (total.evaluated > 0)
        print(
          `${englishCount(total.evaluated, 'alert')} evaluated, ${englishCount(total.notified, 'message')} written.\n`,
        );

      if (options.resend)
        print(
          `${englishCount(await store.writeUnlocked(retryRefused), 'refused message')} due again.\n`,
        );

      if (openForecast) {
        const options = { store, openForecast, clock: settings.clock, signal };
        const { fetched, failed } = await runJob({ ...refreshForecastsJob(options), observer });
        if (fetched + failed > 0)
          print(
            `${englishCount(fetched, 'forecast')} fetched${failed === 0 ? '' : `, ${failed} not: see "acequia doctor"`}.\n`,
          );
      }

      await sendMail(store, observer, mail, signal);
      return signal.aborted ? EXIT.failed : EXIT.done;
    } catch (error) {
      return reportRefusal(error);
    } finally {
      await store?.close();
      await observability?.end();
    }
  });

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

type Total = Omit<HousekeepingReport, 'isHeld'>;

const emptyTotal = (): Total => ({
  produced: 0,
  confirmed: 0,
  expired: 0,
  evaluated: 0,
  notified: 0,
});

const addTotals = (a: Total, b: Total): Total => ({
  produced: a.produced + b.produced,
  confirmed: a.confirmed + b.confirmed,
  expired: a.expired + b.expired,
  evaluated: a.evaluated + b.evaluated,
  notified: a.notified + b.notified,
});

async function runHousekeeping(
  store: Store,
  observer: Observer,
  tick: Omit<HousekeepingOptions, 'holder'>,
): Promise<Total> {
  const holder = randomUUID();
  let total = emptyTotal();
  for (;;) {
    const done = await runJob({ ...housekeepingJob(store, { ...tick, holder }), observer });
    total = addTotals(total, done);
    if (!done.isHeld || tick.signal?.aborted) return total;
    await pause(LEASE_RETRY_MS * (0.5 + Math.random()));
  }
}

async function sendMail(
  store: Store,
  observer: Observer,
  mail: MailSettings | null,
  signal: AbortSignal,
): Promise<void> {
  const pushed = await runJob({
    ...sendMailJob({ ...pushOutbox(store), holder: randomUUID(), signal }),
    observer,
  });
  const openTransport = mail && (async () => (await import('../mail/mailer.ts')).openMailer(mail));
  const done =
    openTransport &&
    (await runJob({
      ...sendMailJob({ store, openTransport, holder: randomUUID(), signal }),
      observer,
    }));

  const sent = pushed.sent + (done?.sent ?? 0);
  const refused = pushed.refused + (done?.refused ?? 0);
  const waiting = await store.readAll(waitingMessageCount);
  if (sent + refused + waiting === 0) return;

  const parts = [`${englishCount(sent, 'message')} sent`];
  if (refused > 0) parts.push(`${refused} refused`);
  parts.push(`${waiting} waiting`);
  print(`${parts.join(', ')}${mail ? '' : ': set ACEQUIA_SMTP_URL to send mail'}.\n`);
}
