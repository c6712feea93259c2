import { describe, expect, it } from 'vitest';
import type { ComposedCall } from '../../../src/operation/call.ts';
import type { FactSource } from '../../../src/operation/fact-source.ts';
import type { AnyOperation } from '../../../src/operation/operation.ts';
import { isWrite } from '../../../src/operation/operation-kind.ts';
import { OPERATIONS_OF_FACTS } from '../../../src/remote/facts/fact-operations.ts';
import { FactRequests } from '../../../src/remote/facts/fact-requests.ts';
import { WireFacts } from '../../../src/remote/facts/wire-facts.ts';
import { endpointKey } from '../../../src/remote/service/supported-operations.ts';
import { plainError } from '../../../src/schema/error.ts';
import { operations, operationsByName } from '../../../tools/index.ts';
import { FARM_NOW, iso } from '../../farm.ts';
import { DAY, HOUR } from '../../time.ts';
import { sampleBody } from '../sample-body.ts';

type Fields = Readonly<Record<string, unknown>>;
type Answer = (fields: Fields) => unknown;

const CALL: ComposedCall = {
  now: FARM_NOW,
  zone: 'Europe/Paris',
  isZoneDeclared: true,
  units: 'metric',
  lang: 'en',
  directory: { modules: async () => [], parcels: async () => [] },
  advise: () => undefined,
  yieldOrCancel: async () => undefined,
};

class FakeService {
  readonly requests: { readonly name: string; readonly fields: Fields }[] = [];
  mostAtOnce = 0;
  #running = 0;
  readonly facts: WireFacts;

  constructor(
    answers: Readonly<Record<string, Answer>> = {},
    { missing = [] as readonly string[], signal = undefined as AbortSignal | undefined } = {},
  ) {
    const present = operations.filter(({ name }) => !missing.includes(name));
    const requests = new FactRequests({
      endpoints: new Map(present.map(({ endpoint }) => [endpointKey(endpoint), new Set()])),
      lang: 'en',
      signal,
      requestRead: async (operation, fields) => {
        this.requests.push({ name: operation.name, fields });
        this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#running);
        await new Promise((resolve) => setImmediate(resolve));
        this.#running--;
        const body = answers[operation.name]?.(fields) ?? validBody(operation);
        return { body, mismatches: [] };
      },
    });
    this.facts = new WireFacts(requests, CALL);
  }

  namesOfRequests(): string[] {
    return [...new Set(this.requests.map(({ name }) => name))];
  }

  fieldsOf(operation: string): Fields[] {
    return this.requests.flatMap(({ name, fields }) => (name === operation ? [fields] : []));
  }
}

const validBody = ({ output }: Pick<AnyOperation, 'output'>): unknown =>
  sampleBody(output, { fixed: { next_cursor: null } });

const bodyOf = (name: string, changes: object = {}): object => ({
  ...(validBody(operationsByName.get(name)!) as object),
  ...changes,
});

const notFound = (): never => {
  throw plainError({ code: 'not_found', status: 404, message: 'No.', hint: 'Look.' });
};

const PERIOD = { start: FARM_NOW - DAY, end: FARM_NOW };
const MODULE = { id: 1, uid: 'U1', name: null, category: 'SOIL_PROBE', parcelId: 1 };

const CALLS: Readonly<Record<keyof FactSource, (facts: FactSource) => unknown>> = {
  module: (facts) => facts.module(1),
  modules: (facts) => facts.modules(),
  probes: (facts) => facts.probes([1, 2]),
  state: (facts) => facts.state(1),
  states: (facts) => facts.states([1]),
  setup: (facts) => facts.setup(1),
  parcel: (facts) => facts.parcel(1),
  series: (facts) => facts.series(1, PERIOD, HOUR),
  readings: (facts) => facts.readings(1, PERIOD),
  thermometers: (facts) => facts.thermometers(1, PERIOD),
  waterHours: (facts) => facts.waterHours(new Map([[1, PERIOD]])),
  sparklines: (facts) => facts.sparklines([1, 2]),
  waterings: (facts) => facts.waterings({ from: 0, to: FARM_NOW }),
  parcelWaterings: (facts) => facts.parcelWaterings(1, { from: 0, to: FARM_NOW }),
  wateringBodies: (facts) => facts.wateringBodies({ from: 0, to: FARM_NOW }),
  newestWaterings: (facts) => facts.newestWaterings([MODULE]),
  wateringsWithoutDose: (facts) => facts.wateringsWithoutDose(1, 3),
  rain: (facts) => facts.rain({ from: FARM_NOW - DAY, to: FARM_NOW }),
  weather: (facts) => facts.weather(),
  alerts: (facts) => facts.alerts([1, 2]),
  schedules: (facts) => facts.schedules(),
  gateways: (facts) => facts.gateways(),
  waterSources: (facts) => facts.waterSources(),
  waitingDevices: (facts) => facts.waitingDevices(5),
  waitingCounts: (facts) => facts.waitingCounts(),
  notices: (facts) => facts.notices(),
  doubtfulTemperatures: (facts) => facts.doubtfulTemperatures(),
  farm: (facts) => facts.farm(),
  overview: (facts) => facts.overview(20),
  moistureSeries: (facts) => facts.moistureSeries(1, {}),
  agronomicState: (facts) => facts.agronomicState(1),
};

const KINDS = Object.keys(CALLS) as (keyof FactSource)[];

describe('the facts of a service', () => {
  it.each(KINDS)('%s are made of the operations that the table names', async (kind) => {
    const service = new FakeService();
    await CALLS[kind](service.facts);
    const named = OPERATIONS_OF_FACTS[kind].map(({ name }) => name);
    expect(service.namesOfRequests().sort()).toEqual([...named].sort());
  });

  it('are made of listed reads within the scope of readings', () => {
    for (const operation of Object.values(OPERATIONS_OF_FACTS).flat()) {
      expect(operations).toContain(operation);
      expect([isWrite(operation), operation.scope]).toEqual([false, 'readings:read']);
    }
  });

  it('are requested once for an answer, also by two that ask at the same time', async () => {
    const service = new FakeService();
    const { facts } = service;
    await Promise.all([facts.weather(), facts.weather(), facts.state(1), facts.agronomicState(1)]);
    await facts.weather();
    expect(service.requests.map(({ name }) => name)).toEqual([
      'get_weather',
      'get_agronomic_state',
    ]);
  });

  it('are requested four probes at a time, with progress', async () => {
    const ids = Array.from({ length: 9 }, (_, index) => index + 1);
    const rows = ids.map((id) => ({ ...bodyOf('get_module'), id }));
    const service = new FakeService({
      list_modules: () => ({ data: rows, next_cursor: null }),
    });
    const progress: number[] = [];
    const probes = await service.facts.probes(ids, (done) => void progress.push(done));
    expect([...probes.keys()].sort((a, b) => a - b)).toEqual(ids);
    expect(progress).toEqual(ids);
    expect(service.mostAtOnce).toBe(4);
  });

  it('take the waterings of many targets from those of the farm', async () => {
    const [watering] = (bodyOf('list_waterings') as { data: object[] }).data;
    const service = new FakeService({
      list_modules: () => ({
        data: [1, 2, 3].map((id) => ({ ...MODULE, id, parcelId: id })),
        next_cursor: null,
      }),
      list_waterings: () => ({
        data: [1, 2, 3].map((id) => ({ ...watering, id, moduleId: id })),
        next_cursor: null,
      }),
    });
    const others = [11, 12, 13, 14, 15, 16, 17].map((moduleId) => ({ moduleId }));
    const targets = [{ moduleId: 1 }, { parcelId: 2 }, ...others];
    const found = await service.facts.waterings({ targets, from: 0, to: FARM_NOW });
    expect(found.map(({ id }) => id)).toEqual([1, 2]);
    expect(service.fieldsOf('list_waterings')).toHaveLength(1);
  });

  it('leave out probes that were never in service, and those without a sparkline', async () => {
    const service = new FakeService({
      get_module: ({ moduleId }) => bodyOf('get_module', { id: moduleId }),
      get_moisture_series: ({ moduleId }) => (moduleId === 2 ? notFound() : undefined),
    });
    expect([...(await service.facts.probes([1, 2])).keys()]).not.toContain(2);
    expect((await service.facts.probes([2])).size).toBe(0);
    await expect(service.facts.series(2, PERIOD, HOUR)).rejects.toMatchObject({ status: 404 });

    const empty = new FakeService({
      get_moisture_series: () => bodyOf('get_moisture_series', { data: [] }),
    });
    expect((await empty.facts.sparklines([1])).size).toBe(0);
  });

  it('stop at the first refusal, and let nothing run after it', async () => {
    const service = new FakeService({
      get_moisture_series: ({ moduleId }) => {
        if (moduleId === 3)
          throw plainError({ code: 'forbidden', status: 403, message: 'No.', hint: 'Ask.' });
      },
    });
    const ids = Array.from({ length: 40 }, (_, index) => index + 1);
    await expect(service.facts.sparklines(ids)).rejects.toMatchObject({
      status: 403,
    });
    const count = service.requests.length;
    expect(count).toBeLessThan(20);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(service.requests.length).toBe(count);
  });

  it('are no longer requested once the call is cancelled', async () => {
    const service = new FakeService({}, { signal: AbortSignal.abort() });
    await expect(service.facts.state(1)).rejects.toThrow('cancelled');
    expect(service.requests).toEqual([]);
  });

  it('say nothing of rain, weather and devices for a service without them', async () => {
    const { facts, requests } = new FakeService(
      {},
      { missing: ['list_rain', 'get_weather', 'list_devices', 'farm_overview'] },
    );
    expect(await facts.rain({ from: 0, to: FARM_NOW })).toMatchObject({ records: [] });
    expect(await facts.weather()).toEqual({ data: [], pace: null, forecast: null });
    expect(await facts.waitingDevices(5)).toEqual({ unassigned: [], unread: [] });
    expect(await facts.overview(20)).toBeNull();
    expect(requests).toEqual([]);
  });

  it('have no settings, and no doubts, for a service of the specification', async () => {
    const {
      settings: _,
      settingsVersions: __,
      ...setup
    } = bodyOf('get_irrigation_setup') as {
      settings: unknown;
      settingsVersions: unknown;
    };
    const { doubts: ___, ...state } = bodyOf('get_agronomic_state') as { doubts: unknown };
    const { facts } = new FakeService({
      get_irrigation_setup: () => setup,
      get_agronomic_state: () => state,
    });
    expect(await facts.setup(1)).toMatchObject({ settings: null, settingsVersions: undefined });
    expect((await facts.state(1)).doubts).toEqual([]);
  });

  it('have instants in ms', async () => {
    const at = iso(FARM_NOW);
    const { facts } = new FakeService({
      list_waterings: () => ({
        data: [
          { ...bodyOf('log_watering'), id: 8, moduleId: 1, startedAt: at, status: 'done' },
          { ...bodyOf('log_watering'), id: 7, moduleId: 1, startedAt: at, status: 'done' },
          { ...bodyOf('log_watering'), id: 9, moduleId: 1, startedAt: iso(0), status: 'done' },
        ],
        next_cursor: null,
      }),
    });
    const waterings = await facts.waterings({
      from: 0,
      to: FARM_NOW + 1,
      targets: [{ moduleId: 1 }, { parcelId: 1 }],
    });
    expect(waterings.map(({ id, startedAt }) => [id, startedAt])).toEqual([
      [9, 0],
      [7, FARM_NOW],
      [8, FARM_NOW],
    ]);
    expect((await facts.newestWaterings([MODULE])).get(1)).toMatchObject({
      startedAt: FARM_NOW,
      isConfirmed: true,
    });
  });

  it('count the waterings of its parcel for a tensiometer, and none for a station', async () => {
    const service = new FakeService();
    const other = (id: number, category: string) => ({ ...MODULE, id, category, parcelId: 4 });
    await service.facts.newestWaterings([
      other(1, 'SOIL_PROBE'),
      other(2, 'TENSIOMETER'),
      other(3, 'WEATHER_STATION'),
    ]);
    expect(service.fieldsOf('list_waterings')).toMatchObject([
      { moduleId: 1, limit: 1 },
      { parcelId: 4, limit: 1 },
    ]);
  });

  it('have readings unless the service gives means', async () => {
    const answer = (interval: number | null) => () =>
      bodyOf('get_moisture_series', { interval_seconds: interval });
    const single = new FakeService({ get_moisture_series: answer(null) });
    expect(await single.facts.readings(1, PERIOD)).toMatchObject({ hasSensors: true });
    const means = new FakeService({ get_moisture_series: answer(900) });
    expect(await means.facts.readings(1, PERIOD)).toBeNull();
  });

  it('show no step where a calibration begins', async () => {
    const sensor = {
      id: 1,
      type: 'humidity',
      depth: 20,
      weight: 1,
      topCm: 0,
      bottomCm: 40,
      fieldCapacity: null,
      wiltingPoint: null,
      saturation: null,
      values: [20, 19, 25, 24],
      calibratedFrom: [iso(2 * HOUR)],
    };
    const { facts } = new FakeService({
      get_moisture_series: () =>
        bodyOf('get_moisture_series', {
          interval_seconds: 3600,
          data: sensor.values.map((value, hour) => ({ time: iso(hour * HOUR), value_vwc: value })),
          sensors: [sensor],
        }),
    });
    const { curve } = await facts.series(1, PERIOD, HOUR);
    expect(curve.map(({ value }) => value)).toEqual([26, 25, 25, 24]);
  });

  it('show the tension of water potentials in a sparkline', async () => {
    const { facts } = new FakeService({
      get_moisture_series: () =>
        bodyOf('get_moisture_series', {
          type: 'tensio',
          data: [
            { time: iso(0), value_tensio: -12 },
            { time: iso(HOUR), value_tensio: null },
          ],
        }),
    });
    const [series] = (await facts.sparklines([1])).values();
    expect(series).toMatchObject({ type: 'tensio', curve: [{ at: 0, value: 12 }] });
  });
});
