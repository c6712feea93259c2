import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '../../../../src/domain/periods.ts';
import type { AdviceBody } from '../../../../src/schema/advice/advice.ts';
import { importFarmFile, importReadingsCsv } from '../../../imported-data.ts';
import { runInProcess } from '../../../in-process-command.ts';
import type { CallTool } from '../../../mcp/local-tools.ts';
import { folderForFile } from '../../../temporary-places.ts';
import { bodyOf, toolsForFile } from '../../mcp-session.ts';
import { CLOCK, type Json } from '../../program.ts';
import type { Course } from './simulated-soil.ts';

/**
 * One probe in a parcel of its own (`NAME block`), unless `parcel` names that of another situation.
 * By default: 10, 30 and 50 cm in loam, olives with a root depth of 60 cm, drip with 1.25 mm/h.
 */
export interface Situation {
  readonly name: string;
  readonly depthsCm?: readonly number[];
  readonly moisture?: Course;
  /** Soil temperature in degrees C, where the probe has thermometers. */
  readonly temperature?: Course;
  /** In kPa, instead of moisture. */
  readonly tension?: Course;
  /** How many days of hourly readings. */
  readonly days?: number;
  /** Fields of the farm file that replace the defaults. */
  readonly module?: Json;
  readonly parcel?: Json;
  readonly installation?: Json | null;
  readonly usdaClass?: string;
  /** Done waterings. */
  readonly waterings?: readonly { readonly daysBefore: number; readonly minutes: number }[];
  /** Further calls of tools, such as drawn lines; `module` is filled in. */
  readonly calls?: readonly (readonly [tool: string, args: Json])[];
}

export interface SituationFarm {
  readonly db: string;
  readonly call: CallTool;
  /** The answer to `advise_watering` about the probe of that name. */
  advise(
    name: string,
    args?: Json,
  ): Promise<AdviceBody & { readonly summary: string; readonly next: string }>;
  body(tool: string, args?: Json): Promise<Json>;
}

interface FarmOptions {
  readonly now?: string;
  readonly company?: Json;
  /** Parcels without a probe, as the farm file has them. */
  readonly parcels?: readonly Json[];
  /** A CSV of daily weather, as `acequia import` reads it. */
  readonly weather?: string;
}

const DEFAULT_DEPTHS_CM = [10, 30, 50];

/** One store for all situations of a file. Call it in `beforeAll`. */
export async function situationFarm(
  situations: readonly Situation[],
  { now = CLOCK, company, parcels = [], weather }: FarmOptions = {},
): Promise<SituationFarm> {
  const folder = await folderForFile();
  const db = join(folder, 'farm.db');
  await importFarmFile(db, farmFile(situations, parcels, company), { clock: now });
  const readings = readingsOf(situations, Date.parse(now));
  if (readings.length > 0) await importReadingsCsv(db, readings.join('\n'), { clock: now });
  if (weather !== undefined) await importWeather(folder, weather, ['--db', db, '--clock', now]);

  const call = await toolsForFile(db, { clock: now });
  const body = async (tool: string, args: Json = {}): Promise<Json> =>
    bodyOf(await call(tool, args));
  for (const { name: module, waterings = [], calls = [] } of situations) {
    for (const { daysBefore, minutes } of waterings)
      await body('log_watering', {
        module,
        startedAt: new Date(Date.parse(now) - daysBefore * DAY_MS).toISOString(),
        durationMin: minutes,
        inputMode: 'duration',
      });
    for (const [tool, args] of calls) await body(tool, { module, ...args });
  }

  return {
    db,
    call,
    body,
    advise: (module, args = {}) => body('advise_watering', { module, ...args }),
  };
}

async function importWeather(folder: string, csv: string, options: string[]): Promise<void> {
  const path = join(folder, 'weather.csv');
  await writeFile(path, csv);
  const { code, stderr } = await runInProcess(['import', path, ...options]);
  if (code !== 0) throw new Error(`acequia import ended with ${code}: ${stderr}`);
}

function farmFile(
  situations: readonly Situation[],
  parcels: readonly Json[],
  company: Json = {},
): Json {
  const ownParcels = situations.filter(({ parcel }) => parcel?.name === undefined);
  return {
    company: { name: 'Mas Rouge', timezone: 'Europe/Paris', ...company },
    users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
    parcels: parcels.concat(
      ownParcels.map(({ name, parcel, usdaClass = 'Loam', installation }) => ({
        name: `${name} block`,
        type: 'olive',
        soilProfile: [{ usdaClass, depthTopCm: 0, depthBottomCm: 100 }],
        ...(installation === null
          ? {}
          : {
              installation: {
                system: 'drip',
                flowMmPerH: 1.25,
                irrigatedAreaM2: 10_000,
                fractionWetted: 0.35,
                ...installation,
              },
            }),
        ...parcel,
      })),
    ),
    modules: situations.map((situation) => ({
      uid: situation.name,
      name: situation.name,
      category: situation.tension ? 'TENSIOMETER' : 'SOIL_PROBE',
      parcel: situation.parcel?.name ?? `${situation.name} block`,
      commissionedAt: '2025-01-11T09:00:00Z',
      sensors: coursesOf(situation).flatMap(([type]) =>
        depthsOf(situation).map((depth) => ({ type, depth })),
      ),
      settings: { rootDepthCm: 60 },
      ...situation.module,
    })),
  };
}

const depthsOf = ({ depthsCm = DEFAULT_DEPTHS_CM }: Situation): readonly number[] => depthsCm;

const coursesOf = ({ moisture, temperature, tension }: Situation): (readonly [string, Course])[] =>
  Object.entries({ humidity: moisture, temperature, tensio: tension }).flatMap(([type, course]) =>
    course === undefined ? [] : [[type, course] as const],
  );

/** Lines of a CSV: hourly, the newest half an hour before now. */
function readingsOf(situations: readonly Situation[], now: number): string[] {
  const rows = situations.flatMap((situation) =>
    coursesOf(situation).flatMap(([type, course]) =>
      depthsOf(situation).flatMap((depthCm) =>
        Array.from({ length: 24 * (situation.days ?? 30) }, (_, index) => {
          const at = now - (index + 0.5) * HOUR_MS;
          const value = course(depthCm, (now - at) / DAY_MS);
          const time = new Date(at).toISOString();
          return value === null ? [] : [`${situation.name},${type},${depthCm},${time},${value}`];
        }).flat(),
      ),
    ),
  );
  return rows.length === 0 ? [] : ['module,type,depth,time,value', ...rows];
}
