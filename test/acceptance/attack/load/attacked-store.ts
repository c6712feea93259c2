import { importFarmFile, importReadingsCsv } from '../../../imported-data.ts';
import { executeStatements, isOnPostgres, rowsOf } from '../../../stores/stores.ts';
import { templateStore } from '../../../stores/template-stores.ts';
import { copyOfStore } from '../../../temporary-places.ts';
import { DAY, HOUR, iso } from '../../../time.ts';
import { START_TIMES } from './mix.ts';

export const ATTACKER = 'Attacker';
export const VICTIM = 'Victim';
export const ATTACKER_PROBES = 300;
/** Members of the company of the attacker, each with the page open on several devices. */
export const ATTACKER_MEMBERS = 20;
export const PLANNED_DAYS = 90;
export const PLANNED_WATERINGS = ATTACKER_PROBES * START_TIMES.length * PLANNED_DAYS;

const DEPTH = 30;

export const memberEmail = (company: string, index: number): string =>
  `member.${index}@${company.toLowerCase()}.example.org`;

export const probeName = (company: string, index: number): string => `${company} ${index}`;

interface FarmSize {
  readonly probes: number;
  readonly members: number;
}

const farmOf = (company: string, { probes, members }: FarmSize) => ({
  company: { name: company, timezone: 'Europe/Paris' },
  users: Array.from({ length: members }, (_, index) => ({
    email: memberEmail(company, index),
    name: `Member ${index}`,
    role: index === 0 ? 'OWNER' : 'MANAGER',
  })),
  parcels: [
    {
      name: `${company} block`,
      type: 'olive',
      soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }],
      installation: { system: 'sprinkler', flowMmPerH: 6 },
    },
  ],
  modules: Array.from({ length: probes }, (_, index) => ({
    uid: probeName(company, index),
    name: probeName(company, index),
    category: 'SOIL_PROBE',
    parcel: `${company} block`,
    commissionedAt: iso(Date.now() - 400 * DAY),
    sensors: [{ type: 'humidity', depth: DEPTH }],
    settings: { rootDepthCm: 60 },
  })),
});

/** Rises with a watering every fifth day, and falls by the hour in between. */
const moistureAt = (at: number): number => 30 - ((at / HOUR) % 120) / 10;

/** A year of hourly readings of the attacker's first probe. */
function yearCsv(): string {
  const until = Math.floor(Date.now() / HOUR) * HOUR;
  const rows = [`time,humidity_${DEPTH}`];
  for (let at = until - 365 * DAY; at < until; at += HOUR) {
    const value = moistureAt(at).toFixed(2);
    rows.push(`${iso(at)},${value}`);
  }
  return rows.join('\n');
}

/**
 * Each other sensor gets those of the first one, up to 5 points higher. To import them takes ten
 * times as long. By table: the columns that are copied, the column of values, and what it becomes.
 */
const COPIED_COLUMNS = {
  readings: ['at', 'value', 'value + step'],
  reading_hours: ['bucket_at, count', 'sum', 'sum + count * step'],
  reading_days: ['bucket_at, count', 'sum', 'sum + count * step'],
  reading_local_days: ['bucket_at, count', 'sum', 'sum + count * step'],
} as const;

const copyStatements = (): string[] =>
  Object.entries(COPIED_COLUMNS).map(
    ([table, [keys, value, raised]]) => `
      insert into ${table} (company_id, sensor_id, ${keys}, ${value})
        select company_id, other, ${keys}, ${raised}
          from ${table} join (
            select id as other, 0.5 * (id % 11) as step, company_id as company,
              min(id) over (partition by company_id) as first from sensors
          ) as sensors on first = sensor_id and company = company_id and other <> first
          order by other, 3`,
  );

const filledStore = templateStore(async (db) => {
  await importFarmFile(db, farmOf(VICTIM, { probes: 2, members: 1 }));
  const large = { probes: ATTACKER_PROBES, members: ATTACKER_MEMBERS };
  await importFarmFile(db, farmOf(ATTACKER, large));

  await importReadingsCsv(db, yearCsv(), { company: ATTACKER, module: probeName(ATTACKER, 0) });
  await executeStatements(db, ...copyStatements());

  // The server of the tests gathers no statistics by itself.
  if (isOnPostgres) await executeStatements(db, 'analyze');
});

/**
 * A copy, for one test, of a store with two companies: the attacker with 300 probes and a year of
 * hourly readings of each, and the victim with two probes.
 */
export const newAttackedStore = async (): Promise<string> => copyOfStore(await filledStore());

interface AttackedFarm {
  readonly probes: readonly { readonly id: number; readonly name: string }[];
  readonly parcelId: number;
}

export async function attackersFarm(db: string): Promise<AttackedFarm> {
  const modules = await rowsOf<{ id: number; name: string; parcel_id: number }>(
    db,
    `select id, name, parcel_id from modules where uid like '${ATTACKER} %' order by id`,
  );
  const probes = modules.map(({ id, name }) => ({ id, name }));
  return { probes, parcelId: modules[0]!.parcel_id };
}
