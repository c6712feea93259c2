import type { Kysely } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from '../domain/event-loop.ts';
import { maxDailyRows } from '../domain/shares/daily-rows.ts';
import { dailyRowsOfCompanies } from '../store/daily-rows.ts';
import { outboxStatistics } from '../store/mail/outbox.ts';
import type { Store } from '../store/store.ts';
import { allLeases, firingAlertCount } from '../store/store-statistics.ts';
import type { Tables } from '../store/tables.ts';
import type { CallEnd, CallListener, ObservedCall, TransactionEnd } from './listener.ts';

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAIT_BUCKETS_S = [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30];
/** The API has fewer error codes, so that only a bug can exceed this. */
const MAX_CODES = 150;

export interface Metrics {
  readonly listener: CallListener;
  readonly registry: Registry;
}

/** Every label has few values (operations, surfaces, codes), never an id or a name. */
export function openMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const build = new Gauge({
    name: 'acequia_build_info',
    help: 'Running version',
    labelNames: ['version'],
    registers: [registry],
  });
  build.set({ version }, 1);

  return { registry, listener: new CallMetrics(registry) };
}

const CALL_LABELS = ['surface', 'operation'] as const;

class CallMetrics implements CallListener {
  readonly #calls;
  readonly #errors;
  readonly #limited;
  readonly #durations;
  readonly #callWaits;
  readonly #transactionWaits;
  readonly #transactions;
  readonly #deliveries;
  readonly #stretches;
  readonly #boundedCode = limitDistinctValues(MAX_CODES);

  constructor(registry: Registry) {
    const registers = [registry];

    this.#calls = new Counter({
      name: 'acequia_calls_total',
      help: 'Completed calls',
      labelNames: CALL_LABELS,
      registers,
    });
    this.#errors = new Counter({
      name: 'acequia_call_errors_total',
      help: 'Completed calls that failed, by error code',
      labelNames: [...CALL_LABELS, 'code'],
      registers,
    });
    this.#limited = new Counter({
      name: 'acequia_rate_limited_total',
      help: 'Calls refused by the rate limit',
      labelNames: ['surface'],
      registers,
    });

    this.#durations = new Histogram({
      name: 'acequia_call_duration_seconds',
      help: 'Time from the start of a call to its answer',
      labelNames: CALL_LABELS,
      buckets: LATENCY_BUCKETS_S,
      registers,
    });
    this.#callWaits = new Histogram({
      name: 'acequia_call_wait_seconds',
      help: 'Time of a call before its answer in which it waited for others',
      labelNames: CALL_LABELS,
      buckets: WAIT_BUCKETS_S,
      registers,
    });

    this.#transactionWaits = new Histogram({
      name: 'acequia_store_wait_seconds',
      help: 'Time that a transaction waited: first for others in this process (queue), then for other programs (lock)',
      labelNames: ['side', 'for'],
      buckets: WAIT_BUCKETS_S,
      registers,
    });
    this.#transactions = new Histogram({
      name: 'acequia_store_transaction_seconds',
      help: 'Time from the start of a transaction to its end',
      labelNames: ['side'],
      buckets: LATENCY_BUCKETS_S,
      registers,
    });
    this.#deliveries = new Counter({
      name: 'acequia_mail_attempts_total',
      help: 'Attempts of this process to send a message, by outcome',
      labelNames: ['outcome'],
      registers,
    });
    this.#stretches = new Counter({
      name: 'acequia_long_stretches_total',
      help: 'Stretches of more than 250 ms in which the event loop did nothing else',
      labelNames: CALL_LABELS,
      registers,
    });
  }

  onCallEnd({ surface, operation }: ObservedCall, { code, ms, waitedMs }: CallEnd): void {
    const labels = { surface, operation: operation ?? 'none' };
    this.#calls.inc(labels);
    this.#durations.observe(labels, ms / 1000);
    this.#callWaits.observe(labels, waitedMs / 1000);

    if (code === null) return;
    this.#errors.inc({ ...labels, code: this.#boundedCode(code) });
    if (code === 'rate_limited') this.#limited.inc({ surface });
  }

  onTransactionEnd(_: ObservedCall, { kind: side, queueMs, lockWaitMs, ms }: TransactionEnd): void {
    this.#transactionWaits.observe({ side, for: 'queue' }, queueMs / 1000);
    this.#transactionWaits.observe({ side, for: 'lock' }, lockWaitMs / 1000);
    this.#transactions.observe({ side }, ms / 1000);
  }

  onDelivery(_: ObservedCall, outcome: string): void {
    this.#deliveries.inc({ outcome });
  }

  /** Counted once, for the first of several calls. */
  onLongStretch([call]: readonly ObservedCall[]): void {
    this.#stretches.inc({
      surface: call?.surface ?? 'none',
      operation: call?.operation ?? 'none',
    });
  }
}

function limitDistinctValues(limit: number): (value: string) => string {
  const reported = new Set<string>();
  return (value) => {
    if (reported.size < limit) reported.add(value);
    return reported.has(value) ? value : 'other';
  };
}

const SCRAPE_TIMEOUT_MS = 2_000;

/** Prefixes: the name of an import lease also has the company and the process. */
const REPORTED_LEASES = ['housekeeping', 'outbox', 'import'] as const;

async function readStoreFigures(all: Kysely<Tables>, today: number) {
  // Leases expire in real time, even if the service uses a simulated clock.
  const now = Date.now();
  const heldLeases = (await allLeases(all)).filter(({ expires_at }) => expires_at > now);
  return {
    outbox: await outboxStatistics(all),
    firing: await firingAlertCount(all),
    dailyRows: await dailyRowsOfCompanies(all, today),
    leases: REPORTED_LEASES.filter((lease) =>
      heldLeases.some(({ name }) => name.startsWith(lease)),
    ),
  };
}

export function registerStoreGauges(
  registry: Registry,
  store: Store,
  clock: () => number,
): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });

  const up = gauge('acequia_store_up', '1 if the store answered this scrape');
  const messages = gauge('acequia_outbox_messages', 'Messages not sent yet', ['state']);
  const oldest = gauge(
    'acequia_outbox_oldest_seconds',
    'Age of the oldest waiting message; 0 if there is none',
  );
  const firing = gauge('acequia_alerts_firing', 'Firing alerts');
  const dailyRows = gauge('acequia_daily_rows', 'Rows that companies have added today (UTC)');
  const fullest = gauge(
    'acequia_daily_rows_fullest_ratio',
    'Share of its daily rows that the company has added that is nearest to its limit',
  );
  const leases = gauge('acequia_lease_held', '1 while a process holds the lease', ['lease']);

  return async () => {
    const figures = await withTimeout(
      store.readAll((all) => readStoreFigures(all, clock())),
      SCRAPE_TIMEOUT_MS,
    );
    up.set(figures === null ? 0 : 1);
    if (figures === null) {
      // No value is better than an old one.
      messages.reset();
      leases.reset();
      oldest.remove();
      firing.remove();
      dailyRows.remove();
      fullest.remove();
      return;
    }

    const { waiting, refused, oldestWaitingAt } = figures.outbox;
    messages.set({ state: 'waiting' }, waiting);
    messages.set({ state: 'refused' }, refused);
    oldest.set(oldestWaitingAt === null ? 0 : Math.max(0, clock() - oldestWaitingAt) / 1000);
    firing.set(figures.firing);
    dailyRows.set(figures.dailyRows.reduce((sum, { rows }) => sum + rows, 0));
    fullest.set(
      Math.max(0, ...figures.dailyRows.map(({ rows, probes }) => rows / maxDailyRows(probes ?? 0))),
    );
    for (const lease of REPORTED_LEASES)
      leases.set({ lease }, figures.leases.includes(lease) ? 1 : 0);
  };
}
