import { isDeepStrictEqual } from 'node:util';
import { iso, MINUTE } from '../../time.ts';
import type { Json } from '../program.ts';
import {
  LOAD_DEPTHS,
  LOAD_PROBES,
  LOAD_START,
  type LoadCompany,
  loadMoistureAt,
  QUARTER,
  RECORRECTED_PROBE,
} from './mixed-farm.ts';
import type { ApiRequest, ApiResponse } from './server-processes.ts';

export interface ClientRecord {
  readonly company: LoadCompany;
  readonly waterings: Map<number, Json>;
  readonly schedules: Map<number, Json>;
  readonly alerts: Map<string, Json>;
  /** Instants (ms) by probe. */
  readonly readings: ReadonlyMap<number, Set<number>>;
  readonly writes: { readonly request: ApiRequest; readonly answer: ApiResponse }[];
  readonly mismatches: string[];
  readonly countsByKind: Map<string, number>;
}

const tomorrow = (): string => iso(Date.now() + 24 * 60 * MINUTE).slice(0, 10);
const below = (count: number): number => Math.floor(Math.random() * count);
const anyOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;

const BATCH = 24;
const BATCH_STARTS = 2_000;

export const LOAD_KINDS = [
  ...[
    'log',
    'correct',
    'read watering',
    'repeat',
    'schedule',
    'reschedule',
    'ingest',
    'read series',
  ],
  ...['alert', 'change alert', 'install', 'read company'],
] as const;

/** Every batch evaluates the alerts, so few clients create few of them. */
const ALERT_MAKERS = 4;
const MAX_ALERTS_PER_CLIENT = 2;

export function mixedLoad(
  ask: (request: ApiRequest) => Promise<ApiResponse>,
  company: LoadCompany,
  n: number,
): { record: ClientRecord; step(): Promise<void> } {
  const record: ClientRecord = {
    company,
    waterings: new Map(),
    schedules: new Map(),
    alerts: new Map(),
    readings: new Map(LOAD_PROBES.map((_, probe) => [probe, new Set()])),
    writes: [],
    mismatches: [],
    countsByKind: new Map(),
  };
  let last = 0;

  const wrong = (what: string, request: ApiRequest, answer: ApiResponse): void =>
    void record.mismatches.push(
      `${what}: ${JSON.stringify(request)} was answered ${JSON.stringify(answer)}`,
    );

  async function sendExpecting(
    kind: string,
    status: number,
    request: ApiRequest,
  ): Promise<ApiResponse | null> {
    const answer = await ask(request);
    record.countsByKind.set(kind, (record.countsByKind.get(kind) ?? 0) + 1);
    if (answer.status === status) return answer;
    wrong(`Not ${status}`, request, answer);
    return null;
  }

  async function written(kind: string, status: number, request: ApiRequest): Promise<Json | null> {
    const keyed = { ...request, idempotencyKey: `${n}-${++last}` };
    const answer = await sendExpecting(kind, status, keyed);
    if (answer) record.writes.push({ request: keyed, answer });
    return answer?.body ?? null;
  }

  const newWatering = () => ({
    startedAt: iso(LOAD_START + (last * 64 + n) * MINUTE),
    inputMode: 'duration',
    durationMin: 1 + below(200),
    status: 'done',
    note: `client ${n}, watering ${last}`,
  });

  async function log(): Promise<void> {
    const path = `/modules/${anyOf(company.modules)}/irrigation/events`;
    const body = await written('log', 201, { method: 'POST', path, body: newWatering() });
    if (body) record.waterings.set(body.event.id, body.event);
  }

  async function correct(): Promise<void> {
    const event = anyOf([...record.waterings.values()]);
    const { startedAt, inputMode } = event;
    const body = { startedAt, inputMode, durationMin: 1 + below(200) };
    const answer = await written('correct', 200, {
      method: 'PATCH',
      path: `/irrigation/events/${event.id}`,
      body,
    });
    if (answer) record.waterings.set(event.id, answer.event);
  }

  async function readWatering(): Promise<void> {
    const event = anyOf([...record.waterings.values()]);
    const from = encodeURIComponent(event.startedAt);
    const to = encodeURIComponent(iso(Date.parse(event.startedAt) + MINUTE));
    const request = { method: 'GET', path: `/irrigation/events?from=${from}&to=${to}` } as const;
    const answer = await sendExpecting('read watering', 200, request);
    if (answer && !isDeepStrictEqual(answer.body.data, [event]))
      wrong(`Not ${JSON.stringify(event)}`, request, answer);
  }

  async function repeat(): Promise<void> {
    const { request, answer: first } = anyOf(record.writes);
    const answer = await sendExpecting('repeat', first.status, request);
    if (answer && !isDeepStrictEqual(answer.body, first.body))
      wrong(`Not ${JSON.stringify(first)}`, request, answer);
  }

  async function schedule(): Promise<void> {
    const body = {
      targetModuleId: anyOf(company.modules),
      label: `client ${n}, schedule ${last}`,
      freq: 'daily',
      startTimes: ['06:00', '18:30'],
      timezone: 'Europe/Paris',
      startsOn: tomorrow(),
      inputMode: 'duration',
      durationMin: 30,
    };
    const answer = await written('schedule', 201, {
      method: 'POST',
      path: '/irrigation/schedules',
      body,
    });
    if (answer) record.schedules.set(answer.id, answer);
  }

  async function reschedule(): Promise<void> {
    const { id } = anyOf([...record.schedules.values()]);
    const body = {
      startTimes: anyOf([['05:00'], ['06:00', '18:30'], ['07:15', '21:45']]),
      durationMin: 10 + below(50),
    };
    const answer = await written('reschedule', 200, {
      method: 'PATCH',
      path: `/irrigation/schedules/${id}`,
      body,
    });
    if (answer) record.schedules.set(id, answer);
  }

  async function ingest(): Promise<void> {
    const probe = below(LOAD_PROBES.length);
    const batchStart = LOAD_START + below(BATCH_STARTS) * QUARTER;
    const instants = Array.from({ length: BATCH }, (_, index) => batchStart + index * QUARTER);
    const readings = instants.flatMap((at) =>
      LOAD_DEPTHS.map((depth) => ({
        module: LOAD_PROBES[probe],
        type: 'humidity',
        depth,
        time: iso(at),
        value: probe === RECORRECTED_PROBE ? 5 + below(300) / 10 : loadMoistureAt(at),
      })),
    );
    const request = { method: 'POST', path: '/ingest', body: { readings } } as const;
    const answer = await written('ingest', 200, request);
    if (answer === null) return;
    if (answer.readings.refused !== 0) wrong('Refused', request, { status: 200, body: answer });
    for (const at of instants) record.readings.get(probe)!.add(at);
  }

  async function readSeries(): Promise<void> {
    const probe = below(RECORRECTED_PROBE);
    const batchStart = anyOf([...record.readings.get(probe)!, LOAD_START]);
    const end = batchStart + 8 * 4 * QUARTER;
    const path = `/modules/${company.modules[probe]}/measurements/weighted?interval=900&start=${iso(batchStart)}&end=${iso(end)}`;
    const request = { method: 'GET', path } as const;
    const mine = [...record.readings.get(probe)!].filter((at) => at >= batchStart && at < end);
    const answer = await sendExpecting('read series', 200, request);
    if (!answer) return;
    const values = new Map<number, number | null>();
    for (const { time, value_vwc } of answer.body.data) values.set(Date.parse(time), value_vwc);
    for (const at of mine)
      if (values.get(at) == null) wrong(`Nothing at ${iso(at)}`, request, answer);
    for (const [at, value] of values)
      if (value !== null && Math.abs(value - loadMoistureAt(at)) > 0.051)
        wrong(`Wrong at ${iso(at)}`, request, answer);
  }

  async function alert(): Promise<void> {
    const body = { moduleId: anyOf(company.modules), threshold: 15 + below(10) };
    const answer = await written('alert', 201, { method: 'POST', path: '/alerts', body });
    if (answer) record.alerts.set(answer.id, answer);
  }

  async function changeAlert(): Promise<void> {
    const { id, recipients } = anyOf([...record.alerts.values()]);
    const body = anyOf([
      { threshold: 15 + below(10) },
      { isActive: false },
      { isActive: true, threshold: 20 },
    ]);
    const answer = await written('change alert', 200, {
      method: 'PATCH',
      path: `/alerts/${id}`,
      body,
    });
    if (answer) record.alerts.set(id, { ...answer, recipients });
  }

  async function install(): Promise<void> {
    const path = `/modules/${anyOf(company.modules)}/irrigation/installation`;
    const body = { system: 'drip', emitterFlowLph: 1 + below(20) / 10, emittersPerM2: 2 };
    await written('install', 200, { method: 'PUT', path, body });
  }

  async function readCompany(): Promise<void> {
    const request = { method: 'GET', path: '/company' } as const;
    const answer = await sendExpecting('read company', 200, request);
    if (answer && answer.body.name !== company.name) wrong('Of another company', request, answer);
  }

  /** Weights of what is possible now, about per cent. */
  const actions = (): [number, () => Promise<void>][] => [
    [30, log],
    [5, readCompany],
    [10, ingest],
    [10, readSeries],
    [2, install],
    [record.schedules.size < 3 ? 3 : 0, schedule],
    [record.schedules.size > 0 ? 8 : 0, reschedule],
    [n % (64 / ALERT_MAKERS) === 0 && record.alerts.size < MAX_ALERTS_PER_CLIENT ? 20 : 0, alert],
    [record.alerts.size > 0 ? 5 : 0, changeAlert],
    ...(record.waterings.size > 0
      ? ([
          [12, correct],
          [18, readWatering],
        ] as [number, () => Promise<void>][])
      : []),
    [record.writes.length > 0 ? 7 : 0, repeat],
  ];

  return {
    record,
    async step() {
      const act = anyOf(
        actions().flatMap(([weight, each]) => Array<typeof each>(weight).fill(each)),
      );
      await act();
    },
  };
}
