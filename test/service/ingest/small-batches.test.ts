import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { httpLimits } from '../../../src/http/http-limits.ts';
import { createObserver } from '../../../src/observe/observer.ts';
import type { EvaluateAlerts } from '../../../src/operation/local/operation-run.ts';
import { evaluateMarkedAlerts } from '../../../src/service/alerts/due-evaluations.ts';
import { withEvaluationPaused } from '../../../src/service/alerts/evaluation-pause.ts';
import { createBackgroundJobs } from '../../../src/service/jobs/background-jobs.ts';
import { createKey } from '../../../src/service/keys/key-administration.ts';
import type { MailTransport } from '../../../src/service/mail/transport.ts';
import { companyByName } from '../../../src/store/company/companies.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { operationsByName } from '../../../tools/index.ts';
import { HOUR, iso, MINUTE, type TestFarm, withFarm } from '../../farm.ts';
import { ServerProxy } from '../../store/postgres/server-proxy.ts';

type Fields = Record<string, unknown>;

const DEPTHS = [10, 20, 30];

const companyOf = async ({ store }: TestFarm) =>
  (await store.readAll((all) => companyByName(all, 'Mas Rouge')))!;

/** "North 1" with three sensors and an alert below 20 %. */
async function addAlert(farm: TestFarm): Promise<void> {
  const moduleId = farm.idOf('North 1');
  await farm.write(async (db) => {
    for (const depth of DEPTHS)
      await db
        .insertInto('sensors')
        .values({ module_id: moduleId, type: 'humidity', depth, label: null })
        .execute();
  });
  await farm.wire('create_alert', { moduleId, threshold: 20 });
}

const readingsAt = (at: number, value: number) =>
  DEPTHS.map((depth) => ({ module: 'North 1', type: 'humidity', depth, time: iso(at), value }));

const NEVER = new Promise<never>(() => {});

/** A service whose mail server never answers. */
interface Service {
  /** Sends a batch over REST. */
  send(batch: Fields): Promise<{ status: number; body: Fields }>;
  readonly keyId: number;
  readonly counts: { transactions: number; statements: number };
  readonly reported: unknown[];
  /** How often readings were left to the evaluator. */
  readonly announced: () => number;
  /** Resolves once a mail is about to be sent. */
  readonly sendingMail: Promise<void>;
}

async function serviceOn(
  farm: TestFarm,
  store: Store,
  evaluateAlerts?: EvaluateAlerts,
): Promise<Service> {
  const company = await companyOf(farm);
  const { id: keyId, key } = await createKey(
    farm.store,
    { company, preset: 'everything', surface: 'api', expiresAt: null },
    farm.now,
  );
  const counts = { transactions: 0, statements: 0 };
  const reported: unknown[] = [];
  let announcements = 0;
  const report = async (error: unknown) => `ref-${reported.push(error)}`;
  let onMail = () => {};
  const sendingMail = new Promise<void>((resolve) => {
    onMail = resolve;
  });
  const openTransport = (): Promise<MailTransport> => {
    onMail();
    return NEVER;
  };
  const jobs = createBackgroundJobs({ store, clock: () => farm.now, openTransport, report });

  const app = createApp({
    store,
    operations: operationsByName,
    clock: () => farm.now,
    lang: 'en',
    limits: httpLimits((setting) => setting.default),
    openApiDocument: '{}',
    observer: createObserver([
      {
        onQuery: () => void counts.statements++,
        onTransactionEnd: () => void counts.transactions++,
      },
    ]),
    onReadings: () => void announcements++,
    evaluateAlerts: evaluateAlerts ?? jobs.evaluateAlertsInWrite,
    report,
  });

  const send = async (batch: Fields) => {
    const body = Buffer.from(JSON.stringify(batch));
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': String(body.length),
    };
    const headersDistinct = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    );
    const incoming = Object.assign(Readable.from([body]), {
      url: '/v1/ingest',
      method: 'POST',
      socket: {},
      complete: true,
      headers,
      headersDistinct,
    });
    const answer = await app.request('/v1/ingest', { method: 'POST' }, { incoming });
    return { status: answer.status, body: (await answer.json()) as Fields };
  };
  return { send, keyId, counts, reported, announced: () => announcements, sendingMail };
}

const alertState = async (farm: TestFarm) =>
  (await farm.tool<{ data: { state: Fields }[] }>('list_alerts')).data[0]!.state;

const queuedMails = (farm: TestFarm): Promise<unknown[]> =>
  farm.write((db) => db.selectFrom('outbox').select('kind').execute());

const storedReadings = async (farm: TestFarm): Promise<number> =>
  (await farm.write((db) => db.selectFrom('readings').select('at').execute())).length;

/** Longer than the pause between two announcements of changes to other processes. */
const ANNOUNCED_MS = 400;
const MAX_STATEMENTS = 25;
const MAX_MESSAGES = 15;

describe('a call of three readings with an armed alert', () => {
  it('costs one transaction of few statements, sent in few messages', () =>
    withFarm(async (farm) => {
      await addAlert(farm);
      const proxy = farm.db.startsWith('postgres') ? new ServerProxy(farm.db) : null;
      await proxy?.open();
      const store = await openStore({ db: proxy?.url ?? farm.db });
      try {
        const { send, counts } = await serviceOn(farm, store);
        for (const minutes of [60, 45, 30])
          await send({ readings: readingsAt(farm.now - minutes * MINUTE, 25) });
        await pause(ANNOUNCED_MS);

        const before = { ...counts, messages: proxy?.messagesReceived ?? 0 };
        const { status } = await send({ readings: readingsAt(farm.now - 15 * MINUTE, 25) });
        await pause(ANNOUNCED_MS);
        expect(status).toBe(200);
        expect(counts.transactions - before.transactions).toBe(1);
        expect(counts.statements - before.statements).toBeLessThanOrEqual(MAX_STATEMENTS);
        const messages = (proxy?.messagesReceived ?? 0) - before.messages;
        expect(messages).toBeLessThanOrEqual(MAX_MESSAGES);
        expect(await alertState(farm)).toMatchObject({ time: iso(farm.now - 15 * MINUTE) });
      } finally {
        await store.close();
        proxy?.close();
      }
    }));

  it('has fired the alert and queued its mail once when it is answered, and waits for no mail', () =>
    withFarm(async (farm) => {
      await addAlert(farm);
      const { send, announced, sendingMail } = await serviceOn(farm, farm.store);
      await send({ readings: readingsAt(farm.now - 30 * MINUTE, 25) });
      await send({ readings: readingsAt(farm.now - 15 * MINUTE, 12) });
      expect(await alertState(farm)).toMatchObject({ status: 'firing' });
      expect(await queuedMails(farm)).toHaveLength(1);
      expect(announced()).toBe(0);
      await sendingMail;
    }));

  it('stores the readings if the evaluation fails, and leaves it for later', () =>
    withFarm(async (farm) => {
      await addAlert(farm);
      const failure = new Error('no such function');
      const { send, reported, announced } = await serviceOn(farm, farm.store, () =>
        Promise.reject(failure),
      );
      const { status } = await send({ readings: readingsAt(farm.now - 15 * MINUTE, 12) });
      expect([status, await storedReadings(farm)]).toEqual([200, DEPTHS.length]);
      expect([reported, announced()]).toEqual([[failure], 1]);
    }));

  it('is refused if the key was revoked a moment ago, before anything is said of the batch', () =>
    withFarm(async (farm) => {
      await addAlert(farm);
      const { send, keyId } = await serviceOn(farm, farm.store);
      await send({ readings: readingsAt(farm.now - 30 * MINUTE, 25) });
      await farm.write((db) =>
        db.updateTable('api_keys').set({ revoked_at: farm.now }).where('id', '=', keyId).execute(),
      );

      const readings = readingsAt(farm.now - 15 * MINUTE, 25);
      expect((await send({ readings, timezone: 'Mars/Olympus' })).status).toBe(401);
      expect((await send({ readings })).status).toBe(401);
      expect(await storedReadings(farm)).toBe(DEPTHS.length);
    }));
});

describe('the alerts of a small batch are left to the evaluator', () => {
  const evaluate = async (farm: TestFarm) => {
    const company = await companyOf(farm);
    return farm.store.writeUnscoped(company.id, (all) =>
      evaluateMarkedAlerts(
        all,
        { db: farm.store.scopeToCompany(all, company.id), now: farm.now },
        company,
      ),
    );
  };

  it('if they read many readings, which would hold the lock of the write for long', () =>
    withFarm(async (farm) => {
      await addAlert(farm);
      await farm.wire('ingest', { readings: readingsAt(farm.now - 20 * HOUR, 25) });
      expect(await evaluate(farm)).toBe(0);

      const minutes = Array.from({ length: 350 }, (_, index) => index);
      const readings = minutes.flatMap((minute) =>
        readingsAt(farm.now - 19 * HOUR + minute * MINUTE, 25),
      );
      await farm.wire('ingest', { readings });
      expect(await evaluate(farm)).toBe(null);
    }));

  it('while an import runs', () =>
    withFarm(async (farm) => {
      await addAlert(farm);
      await farm.wire('ingest', { readings: readingsAt(farm.now - MINUTE, 25) });
      const { id } = await companyOf(farm);
      expect(await withEvaluationPaused(farm.store, id, () => evaluate(farm))).toBe(null);
      expect(await evaluate(farm)).toBe(0);
    }));
});
