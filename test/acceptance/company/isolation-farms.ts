import { operationsByName } from '../../../tools/index.ts';
import { importFarmFile, importReadingsCsv } from '../../imported-data.ts';
import type { FarmRows, WireFields } from '../../operation-calls.ts';
import { companyTableNamesOf, rowsOf } from '../../stores/stores.ts';
import { CLOCK, type Json, waitUntil } from '../program.ts';
import { createTestKey } from '../rest-service.ts';
import {
  type CallOperation,
  mcpHttpSurface,
  restSurface,
  type SurfaceClient,
  serveStore,
  stdioSurface,
  storeForFile,
  TEST_SURFACES,
  type TestSurface,
} from '../test-surfaces.ts';

/** Values that only one company has; the two are equal in everything else. */
interface CompanyMarks {
  readonly marker: string;
  readonly imei: string;
  readonly serialHex: string;
  readonly areaM2: number;
  readonly depthMm: number;
  readonly moisture: number;
  readonly height: number;
  readonly lat: number;
}

const VERMEIL: CompanyMarks = {
  marker: 'Vermeil',
  imei: '35693803567317',
  serialHex: '0000000000000000007317ab',
  areaM2: 731_731,
  depthMm: 731.73,
  moisture: 31.7,
  height: 17.317,
  lat: 43.73173,
};
const COBALT: CompanyMarks = {
  marker: 'Cobalt',
  imei: '35693803569191',
  serialHex: '0000000000000000009191cd',
  areaM2: 919_191,
  depthMm: 919.19,
  moisture: 49.1,
  height: 19.919,
  lat: 44.91919,
};

export interface CompanySide extends CompanyMarks, FarmRows {
  readonly companyId: number;
  readonly moduleName: string;
  readonly parcelName: string;
  readonly change: string;
  readonly callers: Readonly<Record<TestSurface, CallOperation>>;
  readonly mcpClients: readonly SurfaceClient[];
}

export interface TwoCompanies {
  readonly sides: readonly [CompanySide, CompanySide];
  /** Every row of a company as text, except when its keys were last used. */
  rowsOf(side: CompanySide): Promise<string>;
  isEvaluated(): Promise<boolean>;
  idsOf(side: CompanySide): Promise<ReadonlyMap<string, ReadonlySet<unknown>>>;
}

const farmOf = ({ marker, imei, serialHex, areaM2, lat }: CompanyMarks): object => {
  const gateways = ['1', '2'].map((digit) => `${imei}${digit}`);
  const names = ['North', 'South'];
  return {
    company: {
      name: `Mas ${marker}`,
      legalName: `${marker} SARL`,
      city: `${marker}-les-Bains`,
      region: marker,
      postalCode: marker,
      countryCode: 'FR',
      currency: 'EUR',
      timezone: 'Europe/Paris',
    },
    users: [{ email: `ana@${marker.toLowerCase()}.example`, name: `Ana ${marker}`, role: 'OWNER' }],
    parcels: names.map((name) => ({
      name: `${name} block ${marker}`,
      type: `olive ${marker}`,
      installation: { system: 'sprinkler', flowMmPerH: 6, irrigatedAreaM2: areaM2, notes: marker },
      soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }],
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [3, lat],
            [3.1, lat],
            [3.1, lat + 0.1],
            [3, lat],
          ],
        ],
      },
    })),
    gateways: gateways.map((each, index) => ({
      imei: each,
      firmware: `1.0-${marker}`,
      assignedAt: '2025-01-10T00:00:00Z',
      ...(index === 0
        ? {
            serialHex,
            status: { lastSeen: '2026-07-01T05:00:00Z', batteryMv: 3920, level: 3, lat, lon: 3 },
          }
        : {}),
    })),
    modules: names.map((name, index) => ({
      uid: `${marker}-${index}`,
      name: `${name} ${marker}`,
      category: 'SOIL_PROBE',
      parcel: `${name} block ${marker}`,
      gateway: gateways[index],
      commissionedAt: '2025-01-11T09:00:00Z',
      location: { lat, lon: 3, source: 'manual' },
      sensors: [10, 20].map((depth) => ({ type: 'humidity', depth, label: `${marker} ${depth}` })),
      installation: {
        system: 'drip',
        emitterFlowLph: 1.6,
        emittersPerM2: 2,
        irrigatedAreaM2: areaM2,
        notes: marker,
      },
    })),
  };
};

const readingsOf = ({ marker, moisture }: CompanyMarks): string =>
  [
    'module,type,depth,time,value',
    ...Array.from({ length: 24 }, (_, hour) => {
      const time = new Date(Date.parse(CLOCK) - hour * 3_600_000).toISOString();
      return [10, 20]
        .map((depth) => `North ${marker},humidity,${depth},${time},${moisture}`)
        .join('\n');
    }),
  ].join('\n');

/** Figures match as whole numbers, because a random id may contain their digits. */
const marksOf = ({
  marker,
  imei,
  serialHex,
  areaM2,
  depthMm,
  moisture,
  height,
  lat,
}: CompanyMarks): RegExp => {
  const figures = [areaM2, depthMm, moisture, height, lat].map((each) =>
    String(each).replace('.', '\\.'),
  );
  return new RegExp(
    [marker, imei, serialHex, ...figures.map((each) => `(?<![\\w.])${each}(?![\\w.])`)].join('|'),
    'i',
  );
};

export const markIn = (text: string, side: CompanyMarks): string | null =>
  marksOf(side).exec(text)?.[0] ?? null;

async function expectBody(ask: CallOperation, name: string, wire: WireFields = {}): Promise<Json> {
  const { body, refusal } = await ask(operationsByName.get(name)!, wire);
  if (refusal) throw new Error(`${name} was refused: ${refusal.code} ${refusal.message}`);
  return body;
}

async function addRecords(ask: CallOperation, { marker, depthMm, height }: CompanyMarks) {
  const [first, second] = (await expectBody(ask, 'list_modules')).data;
  const [parcel] = (await expectBody(ask, 'list_parcels')).data;
  const at = Date.parse('2026-06-15T00:00:00Z');
  for (const { id: moduleId } of [first, second]) {
    const schedule = {
      targetModuleId: moduleId,
      label: marker,
      freq: 'weekly',
      weekdays: [1],
      startTimes: ['05:30'],
      timezone: 'Europe/Paris',
      startsOn: '2026-07-01',
      inputMode: 'depth_mm',
      inputDepthMm: depthMm,
    };
    await expectBody(ask, 'create_schedule', schedule);
    await expectBody(ask, 'set_module_placement', {
      moduleId,
      emitterDistanceCm: 30,
      notes: marker,
    });
  }
  const watering = {
    moduleId: first.id,
    inputMode: 'depth_mm',
    inputDepthMm: depthMm,
    note: marker,
  };
  const { event } = await expectBody(ask, 'log_watering', {
    ...watering,
    startedAt: '2026-06-10T06:00',
  });
  const { parcel: fallow } = await expectBody(ask, 'set_parcel', { name: `${marker} fallow` });
  const { ofParcel } = await expectBody(ask, 'log_parcel_watering', {
    parcelId: fallow.id,
    inputMode: 'depth_mm',
    inputDepthMm: depthMm,
    note: marker,
    startedAt: '2026-06-10T06:00',
  });
  const line = {
    moduleId: first.id,
    type: 'h-line',
    p1: [at, height],
    style: { fill: 'threshold2' },
    text: marker,
  };
  const drawn = await expectBody(ask, 'create_annotation', line);
  // It fires at once, which adds a message.
  await expectBody(ask, 'create_alert', { moduleId: first.id, threshold: 90 });
  const notes: string[] = [];
  for (const _ of TEST_SURFACES)
    notes.push(
      (
        await expectBody(ask, 'create_annotation', {
          moduleId: first.id,
          type: 'text',
          p1: [at, 50],
          text: marker,
        })
      ).id,
    );
  return {
    module: first.id,
    moduleName: first.name,
    parcel: parcel.id,
    parcelName: parcel.name,
    event: event.id,
    parcelEvent: ofParcel.event.id,
    rain: (await expectBody(ask, 'log_rain', { mm: depthMm / 2, when: '2026-06-11', note: marker }))
      .rain.id,
    schedule: (await expectBody(ask, 'list_schedules')).data[0].id,
    version: (await expectBody(ask, 'get_irrigation_setup', { moduleId: first.id })).versions[0].id,
    change: String((await expectBody(ask, 'list_changes')).data[0].id),
    line: drawn.id,
    notes,
  };
}

export async function twoCompanies(): Promise<TwoCompanies> {
  const db = await storeForFile();
  for (const marks of [VERMEIL, COBALT]) {
    await importFarmFile(db, farmOf(marks));
    await importReadingsCsv(db, readingsOf(marks), { company: `Mas ${marks.marker}` });
  }
  const base = await serveStore(db);
  const sides = (await Promise.all(
    [VERMEIL, COBALT].map((each) => createSide(each, db, base)),
  )) as [CompanySide, CompanySide];
  // The first check for doubts writes rows of each company, whoever calls.
  await waitUntil(async () => (await rowsOf(db, 'select 1 from doubt_checks')).length === 2);
  const tables = await companyTableNamesOf(db);
  const rowsOfSide = async ({ companyId }: CompanySide, table: string) => {
    const rows = await rowsOf(db, `select * from ${table} where company_id = ${companyId}`);
    return rows.map(({ last_used_at: _, ...row }) => row);
  };
  return {
    sides,
    async rowsOf(side) {
      const result = [
        JSON.stringify(await rowsOf(db, `select * from companies where id = ${side.companyId}`)),
      ];
      for (const table of tables)
        for (const row of await rowsOfSide(side, table))
          result.push(`${table} ${JSON.stringify(row)}`);
      return result.sort().join('\n');
    },
    async isEvaluated() {
      return (
        (await rowsOf(db, 'select 1 from alert_states where pending_marks > evaluated_marks'))
          .length === 0
      );
    },
    async idsOf(side) {
      const result = new Map<string, ReadonlySet<unknown>>();
      for (const table of tables)
        result.set(table, new Set((await rowsOfSide(side, table)).map(({ id }) => id)));
      return result;
    },
  };
}

async function createSide(marks: CompanyMarks, db: string, base: string): Promise<CompanySide> {
  const { key } = await createTestKey(db, '--company', `Mas ${marks.marker}`);
  const [stdio, remote, mcpHttp] = await Promise.all([
    stdioSurface(['--db', db], { ACEQUIA_API_KEY: key }),
    stdioSurface(['--remote', base], { ACEQUIA_API_KEY: key }),
    mcpHttpSurface(base, key),
  ]);
  const callers = {
    stdio: stdio.call,
    REST: restSurface(base, key),
    remote: remote.call,
    posted: mcpHttp.call,
  };
  const { id: companyId } = await expectBody(callers.REST, 'get_company');
  const records = await addRecords(callers.REST, marks);
  const { data: alerts } = await expectBody(callers.REST, 'list_alerts');
  const { id: alert } = alerts.find(({ annotationId }: Json) => annotationId === records.line);
  return { ...marks, ...records, companyId, alert, callers, mcpClients: [stdio, remote, mcpHttp] };
}
