import { execFile } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod/v3';
import { HOUR_MS } from '../src/domain/periods.ts';
import { resolveLocal } from '../src/domain/time-zone.ts';
import { callAll } from './mcp-server.ts';
import { environment, FARMS, PROGRAM } from './program.ts';
import { type FarmState, readState } from './state.ts';
import { toolCall } from './story.ts';

const farmFile = z.strictObject({
  clock: z.string(),
  farm: z
    .object({
      company: z.object({ timezone: z.string() }).passthrough(),
      users: z.array(z.object({ email: z.string(), name: z.string() }).passthrough()),
    })
    .passthrough()
    .optional(),
  calls: z.array(z.strictObject({ at: z.string(), calls: z.array(toolCall) })).default([]),
  /** Values at local times, by module and sensor ("humidity 20"). */
  readings: z.record(z.record(z.record(z.number()))).default({}),
});

export interface Farm {
  readonly db: string;
  readonly clock: string;
  readonly zone: string;
  /** Before a story. */
  readonly state: FarmState;
  /** API keys by the name of the member. */
  readonly keys: Readonly<Record<string, string>>;
}

/** Builds each farm once, when a story first needs it. */
export class Farms {
  private readonly folder: string;
  private readonly built = new Map<string, Promise<Farm>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  get(name: string): Promise<Farm> {
    const farm = this.built.get(name) ?? buildFarm(join(FARMS, `${name}.yaml`), this.folder, name);
    this.built.set(name, farm);
    return farm;
  }
}

async function buildFarm(definition: string, folder: string, name: string): Promise<Farm> {
  const { clock, farm, calls, readings } = farmFile.parse(
    parse(await readFile(definition, 'utf8'), { merge: true }),
  );
  const db = join(folder, `${name}.db`);
  if (farm === undefined) return { db, clock, zone: 'UTC', state: {}, keys: {} };
  const run = async (...args: string[]): Promise<string> =>
    (
      await promisify(execFile)(
        process.execPath,
        [PROGRAM, ...args, '--db', db, '--clock', clock],
        {
          env: environment,
        },
      )
    ).stdout;
  const farmJson = join(folder, `${name}.json`);
  const csv = join(folder, `${name}.csv`);
  await writeFile(farmJson, JSON.stringify(farm));
  await writeFile(csv, readingsCsv(readings, farm.company.timezone));
  await run('import', farmJson, csv);
  for (const { at, calls: group } of calls) await callAll({ db, clock: at }, group);
  await run('tick');
  const keys: Record<string, string> = {};
  for (const { email, name: user } of farm.users)
    keys[user] = JSON.parse(
      await run(
        'keys',
        'create',
        '--user',
        email,
        '--preset',
        'everything',
        '--surface',
        'mcp',
        '--json',
      ),
    ).key;
  return { db, clock, zone: farm.company.timezone, state: await readState(db, clock), keys };
}

/** One reading per hour, interpolated linearly between the given values. */
function readingsCsv(readings: z.output<typeof farmFile>['readings'], zone: string): string {
  const lines = ['module,time,type,depth,value'];
  for (const [module, sensors] of Object.entries(readings))
    for (const [sensor, values] of Object.entries(sensors)) {
      const [type, depth] = sensor.split(' ');
      const knots = Object.entries(values).map(([time, value]) => ({
        at: resolveLocal(Date.parse(`${time}:00Z`), zone).at,
        value,
      }));
      for (const [index, { at, value }] of knots.entries()) {
        const next = knots[index + 1];
        const count = next ? Math.round((next.at - at) / HOUR_MS) : 1;
        for (let hour = 0; hour < count; hour++) {
          const reading = value + (next ? ((next.value - value) * hour) / count : 0);
          lines.push(
            `${module},${new Date(at + hour * HOUR_MS).toISOString()},${type},${depth},${reading.toFixed(2)}`,
          );
        }
      }
    }
  return lines.join('\n');
}

export async function copyFarm({ db }: Farm, target: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) {
    await rm(target + suffix, { force: true });
    await copyFile(db + suffix, target + suffix).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
