import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '../domain/english.ts';
import type { Observer } from '../observe/observer.ts';
import { AcequiaError, refuse, storeUnavailable } from '../schema/error.ts';
import { doChore } from '../service/chore.ts';
import { housekeepingChore, type Tick, type TickReport } from '../service/housekeeping.ts';
import { sendingChore } from '../service/postman.ts';
import { isMissing } from '../store/address.ts';
import { resendRefused, waitingCount } from '../store/outbox.ts';
import { openStore, type Store } from '../store/store.ts';
import { lazyLog } from './log.ts';
import { type MailSettings, mailSettings } from './mail-settings.ts';
import { type Observing, openObserving } from './observing.ts';
import { print } from './output.ts';
import { sayRefusal } from './say-refusal.ts';
import type { Settings } from './settings.ts';

export interface TickOptions {
  /** Instant to step the clock to, in ms. */
  readonly until?: number | undefined;
  /** Width of a step, in ms. */
  readonly every?: number | undefined;
  /** Whether messages that the mail server refused are tried once more. */
  readonly resend?: boolean | undefined;
}

/** How often a lease that another holds is asked for again, in ms. */
const ASK_AGAIN_MS = 250;
const DEFAULT_STEP_MS = 3_600_000;

/**
 * Housekeeping once, or at every step up to an instant; waits while another holds the lease. Then sends the mail that is
 * due. Returns the exit code.
 */
export async function runTick(options: TickOptions, settings: Settings): Promise<number> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let store: Store | undefined;
  let observing: Observing | undefined;
  try {
    const mail = mailSettings(process.env);
    if (isMissing(settings.db))
      throw storeUnavailable(`There is no store ${settings.db}.`, 'Name its file or database with --db or ACEQUIA_DB.');
    const from = settings.clock();
    refuseUsage(options, from);
    store = await openStore({ db: settings.db });
    observing = await openObserving(lazyLog(settings.logLevel));
    const { observer } = observing;
    let total = nothing();
    for (const now of steps(from, options)) {
      total = sum(total, await ticked(store, observer, { now, signal: stopping.signal, lang: settings.lang }));
      if (stopping.signal.aborted) break;
    }
    print(
      `${counted(total.produced, 'planned watering')} produced, ${counted(total.flipped, 'past one')} counted as done, ${counted(total.forgotten, 'expired idempotency record')} forgotten.\n`,
    );
    if (total.watched > 0)
      print(`${counted(total.watched, 'alert')} looked at, ${counted(total.told, 'message')} written.\n`);
    if (options.resend) print(`${counted(await store.writeBeside(resendRefused), 'refused message')} due again.\n`);
    await send(store, observer, mail, stopping.signal);
    return stopping.signal.aborted ? 1 : 0;
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    process.stderr.write(sayRefusal(error));
    return error.code === 'invalid_parameter' ? 2 : 1;
  } finally {
    await store?.close();
    await observing?.end();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function refuseUsage({ until, every }: TickOptions, now: number): void {
  const usage = (message: string, hint: string) => refuse('invalid_parameter', message, { hint });
  if (until === undefined && every !== undefined)
    throw usage('--every steps towards an instant, and none is given.', 'Give --until too.');
  if (until !== undefined && until < now)
    throw usage('--until lies before the clock.', 'Give a later instant, or start the clock earlier with --clock.');
}

/** The instants to keep the books at: now alone, or from now by steps to `until`, which is the last. */
function* steps(now: number, { until, every = DEFAULT_STEP_MS }: TickOptions): Generator<number> {
  if (until === undefined) yield now;
  else {
    for (let at = now; at < until; at += every) yield at;
    yield Math.max(now, until);
  }
}

type Total = Omit<TickReport, 'isHeld'>;

const nothing = (): Total => ({ produced: 0, flipped: 0, forgotten: 0, watched: 0, told: 0 });

const sum = (a: Total, b: Total): Total => ({
  produced: a.produced + b.produced,
  flipped: a.flipped + b.flipped,
  forgotten: a.forgotten + b.forgotten,
  watched: a.watched + b.watched,
  told: a.told + b.told,
});

async function ticked(store: Store, observer: Observer, asked: Omit<Tick, 'holder'>): Promise<Total> {
  const holder = randomUUID();
  let total = nothing();
  for (;;) {
    const done = await doChore({ ...housekeepingChore(store, { ...asked, holder }), observer });
    total = sum(total, done);
    if (!done.isHeld || asked.signal?.aborted) return total;
    await pause(ASK_AGAIN_MS * (0.5 + Math.random()));
  }
}

/** Sends what is due, and says how mail stands where there is any. */
async function send(store: Store, observer: Observer, mail: MailSettings | null, signal: AbortSignal): Promise<void> {
  const openTransport = mail && (async () => (await import('./mailer.ts')).openMailer(mail));
  const done =
    openTransport &&
    (await doChore({ ...sendingChore({ store, openTransport, holder: randomUUID(), signal }), observer }));
  const { sent, refused } = done ?? { sent: 0, refused: 0 };
  const waiting = await store.readAll(waitingCount);
  if (sent + refused + waiting === 0) return;
  const parts = [
    `${counted(sent, 'message')} sent`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    `${waiting} waiting`,
  ];
  print(`${parts.join(', ')}${mail ? '' : ': set ACEQUIA_SMTP_URL to have mail sent'}.\n`);
}
