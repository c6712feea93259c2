import { isDeepStrictEqual } from 'node:util';
import type { Answer, Asked } from './machines.ts';
import { BEGUN, type Company, DEPTHS, moistureAt, PROBES, QUARTER, RESTLESS } from './mixed-farm.ts';
import type { Wired } from './program.ts';

/** What one client was told, which must stand so; nobody else changes what it made. */
export interface Told {
  readonly company: Company;
  /** Waterings, schedules and alerts by their ids, as they were answered last. */
  readonly waterings: Map<number, Wired>;
  readonly schedules: Map<number, Wired>;
  readonly alerts: Map<string, Wired>;
  /** Instants (ms) whose readings were taken, by probe. */
  readonly readings: ReadonlyMap<number, Set<number>>;
  /** Every write that was answered, with its answer. */
  readonly writes: { readonly asked: Asked; readonly answer: Answer }[];
  /** Answers that are not what they must be. */
  readonly wrong: string[];
  /** How often each kind of request was answered. */
  readonly kinds: Map<string, number>;
}

const MINUTE = 60_000;
const iso = (at: number): string => new Date(at).toISOString();
const tomorrow = (): string => iso(Date.now() + 24 * 60 * MINUTE).slice(0, 10);
const below = (count: number): number => Math.floor(Math.random() * count);
const anyOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;

/** Quarter-hours of a batch, and those that batches begin at. */
const BATCH = 24;
const BEGINNINGS = 2_000;

/** All that clients do. */
export const KINDS = [
  ...['log', 'correct', 'read watering', 'repeat', 'schedule', 'reschedule', 'ingest', 'read series'],
  ...['alert', 'change alert', 'install', 'read company'],
] as const;

/** Alerts are evaluated at each batch: a few clients make them, and few each. */
const ALERT_MAKERS = 4;
const MOST_ALERTS = 2;

/**
 * What one client does, one request after the other, and remembers. `n` tells the clients apart, in all that they write
 * too; `ask` gives each answer, however often that takes.
 */
export function mixedLoad(
  ask: (asked: Asked) => Promise<Answer>,
  company: Company,
  n: number,
): { told: Told; step(): Promise<void> } {
  const told: Told = {
    company,
    waterings: new Map(),
    schedules: new Map(),
    alerts: new Map(),
    readings: new Map(PROBES.map((_, probe) => [probe, new Set()])),
    writes: [],
    wrong: [],
    kinds: new Map(),
  };
  let last = 0;

  const wrong = (what: string, asked: Asked, answer: Answer): void =>
    void told.wrong.push(`${what}: ${JSON.stringify(asked)} was answered ${JSON.stringify(answer)}`);

  /** An answer of the status that is due; null where it has another. */
  async function heard(kind: string, status: number, asked: Asked): Promise<Answer | null> {
    const answer = await ask(asked);
    told.kinds.set(kind, (told.kinds.get(kind) ?? 0) + 1);
    if (answer.status === status) return answer;
    wrong(`Not ${status}`, asked, answer);
    return null;
  }

  async function written(kind: string, status: number, asked: Asked): Promise<Wired | null> {
    const keyed = { ...asked, idempotencyKey: `${n}-${++last}` };
    const answer = await heard(kind, status, keyed);
    if (answer) told.writes.push({ asked: keyed, answer });
    return answer?.body ?? null;
  }

  /** Every client has minutes of its own. */
  const newWatering = () => ({
    startedAt: iso(BEGUN + (last * 64 + n) * MINUTE),
    inputMode: 'duration',
    durationMin: 1 + below(200),
    status: 'done',
    note: `client ${n}, watering ${last}`,
  });

  async function log(): Promise<void> {
    const path = `/modules/${anyOf(company.modules)}/irrigation/events`;
    const body = await written('log', 201, { method: 'POST', path, body: newWatering() });
    if (body) told.waterings.set(body.event.id, body.event);
  }

  async function correct(): Promise<void> {
    const event = anyOf([...told.waterings.values()]);
    const { startedAt, inputMode } = event;
    const body = { startedAt, inputMode, durationMin: 1 + below(200) };
    const answer = await written('correct', 200, { method: 'PATCH', path: `/irrigation/events/${event.id}`, body });
    if (answer) told.waterings.set(event.id, answer.event);
  }

  async function readWatering(): Promise<void> {
    const event = anyOf([...told.waterings.values()]);
    const from = encodeURIComponent(event.startedAt);
    const to = encodeURIComponent(iso(Date.parse(event.startedAt) + MINUTE));
    const asked = { method: 'GET', path: `/irrigation/events?from=${from}&to=${to}` } as const;
    const answer = await heard('read watering', 200, asked);
    if (answer && !isDeepStrictEqual(answer.body.data, [event])) wrong(`Not ${JSON.stringify(event)}`, asked, answer);
  }

  async function repeat(): Promise<void> {
    const { asked, answer: first } = anyOf(told.writes);
    const answer = await heard('repeat', first.status, asked);
    if (answer && !isDeepStrictEqual(answer.body, first.body)) wrong(`Not ${JSON.stringify(first)}`, asked, answer);
  }

  async function schedule(): Promise<void> {
    const body = {
      ...{ targetModuleId: anyOf(company.modules), label: `client ${n}, schedule ${last}`, freq: 'daily' },
      ...{ startTimes: ['06:00', '18:30'], timezone: 'Europe/Paris', startsOn: tomorrow() },
      ...{ inputMode: 'duration', durationMin: 30 },
    };
    const answer = await written('schedule', 201, { method: 'POST', path: '/irrigation/schedules', body });
    if (answer) told.schedules.set(answer.id, answer);
  }

  async function reschedule(): Promise<void> {
    const { id } = anyOf([...told.schedules.values()]);
    const body = {
      startTimes: anyOf([['05:00'], ['06:00', '18:30'], ['07:15', '21:45']]),
      durationMin: 10 + below(50),
    };
    const answer = await written('reschedule', 200, { method: 'PATCH', path: `/irrigation/schedules/${id}`, body });
    if (answer) told.schedules.set(id, answer);
  }

  /** A stretch of readings of all depths; those of the restless probe are others each time. */
  async function ingest(): Promise<void> {
    const probe = below(PROBES.length);
    const begun = BEGUN + below(BEGINNINGS) * QUARTER;
    const instants = Array.from({ length: BATCH }, (_, index) => begun + index * QUARTER);
    const readings = instants.flatMap((at) =>
      DEPTHS.map((depth) => ({
        ...{ module: PROBES[probe], type: 'humidity', depth, time: iso(at) },
        value: probe === RESTLESS ? 5 + below(300) / 10 : moistureAt(at),
      })),
    );
    const asked = { method: 'POST', path: '/ingest', body: { readings } } as const;
    const answer = await written('ingest', 200, asked);
    if (answer === null) return;
    if (answer.readings.refused !== 0) wrong('Refused', asked, { status: 200, body: answer });
    for (const at of instants) told.readings.get(probe)!.add(at);
  }

  async function readSeries(): Promise<void> {
    const probe = below(RESTLESS);
    const begun = anyOf([...told.readings.get(probe)!, BEGUN]);
    const end = begun + 8 * 4 * QUARTER;
    const path = `/modules/${company.modules[probe]}/measurements/weighted?interval=900&start=${iso(begun)}&end=${iso(end)}`;
    const asked = { method: 'GET', path } as const;
    const mine = [...told.readings.get(probe)!].filter((at) => at >= begun && at < end);
    const answer = await heard('read series', 200, asked);
    if (!answer) return;
    const values = new Map<number, number | null>();
    for (const { time, value_vwc } of answer.body.data) values.set(Date.parse(time), value_vwc);
    for (const at of mine) if (values.get(at) == null) wrong(`Nothing at ${iso(at)}`, asked, answer);
    for (const [at, value] of values)
      if (value !== null && Math.abs(value - moistureAt(at)) > 0.051) wrong(`Wrong at ${iso(at)}`, asked, answer);
  }

  async function alert(): Promise<void> {
    const body = { moduleId: anyOf(company.modules), threshold: 15 + below(10) };
    const answer = await written('alert', 201, { method: 'POST', path: '/alerts', body });
    if (answer) told.alerts.set(answer.id, answer);
  }

  async function changeAlert(): Promise<void> {
    const { id, recipients } = anyOf([...told.alerts.values()]);
    const body = anyOf([{ threshold: 15 + below(10) }, { isActive: false }, { isActive: true, threshold: 20 }]);
    const answer = await written('change alert', 200, { method: 'PATCH', path: `/alerts/${id}`, body });
    if (answer) told.alerts.set(id, { ...answer, recipients });
  }

  async function install(): Promise<void> {
    const path = `/modules/${anyOf(company.modules)}/irrigation/installation`;
    const body = { system: 'drip', emitterFlowLph: 1 + below(20) / 10, emittersPerM2: 2 };
    await written('install', 200, { method: 'PUT', path, body });
  }

  async function readCompany(): Promise<void> {
    const asked = { method: 'GET', path: '/company' } as const;
    const answer = await heard('read company', 200, asked);
    if (answer && answer.body.name !== company.name) wrong('Of another company', asked, answer);
  }

  /** What can be done by now, and out of a hundred requests how many do it. */
  const actions = (): [number, () => Promise<void>][] => [
    [30, log],
    [5, readCompany],
    [10, ingest],
    [10, readSeries],
    [2, install],
    [told.schedules.size < 3 ? 3 : 0, schedule],
    [told.schedules.size > 0 ? 8 : 0, reschedule],
    [n % (64 / ALERT_MAKERS) === 0 && told.alerts.size < MOST_ALERTS ? 20 : 0, alert],
    [told.alerts.size > 0 ? 5 : 0, changeAlert],
    ...(told.waterings.size > 0
      ? ([
          [12, correct],
          [18, readWatering],
        ] as [number, () => Promise<void>][])
      : []),
    [told.writes.length > 0 ? 7 : 0, repeat],
  ];

  return {
    told,
    async step() {
      const act = anyOf(actions().flatMap(([weight, each]) => Array<typeof each>(weight).fill(each)));
      await act();
    },
  };
}
