import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importFarmFile, importReadingsCsv } from '../../imported-data.ts';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { newStorePlace } from '../../temporary-places.ts';
import { DAY, HOUR, iso, MINUTE } from '../../time.ts';
import { connectOverHttp, mcpUrl } from '../mcp/http/mcp-http-client.ts';
import { bodyOf } from '../mcp-session.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';

const MINUTES = Number(process.env.ACEQUIA_ATTACK_MINUTES ?? 10);
const PROBES = 50;
const DEPTHS = [10, 20, 30, 40, 60, 80];

const farm = (name: string, probes: number) => ({
  company: { name, timezone: 'Europe/Paris' },
  users: [{ email: `${name.toLowerCase()}@example.org`, name: 'Ana', role: 'OWNER' }],
  parcels: [
    { name: `${name} block`, type: 'olive', installation: { system: 'sprinkler', flowMmPerH: 6 } },
  ],
  modules: Array.from({ length: probes }, (_, index) => ({
    uid: `${name} ${index}`,
    name: `${name} ${index}`,
    category: 'SOIL_PROBE',
    parcel: `${name} block`,
    commissionedAt: iso(Date.now() - 3_650 * DAY),
    sensors: (index === 0 ? DEPTHS : [10]).map((depth) => ({ type: 'humidity', depth })),
  })),
});

/** Ten years of hourly readings at six depths. */
function tenYearsCsv(): string {
  const until = Math.floor(Date.now() / HOUR) * HOUR;
  const rows = ['module,type,depth,time,value'];
  for (let at = until - 3_650 * DAY; at < until; at += HOUR)
    for (const depth of DEPTHS)
      rows.push(`Attacker 0,humidity,${depth},${iso(at)},${10 + ((at / HOUR) % 200) / 10}`);
  return rows.join('\n');
}

function startAttackers(plan: object): { stop(): Promise<Record<string, Record<string, number>>> } {
  const program = fileURLToPath(new URL('./attackers.mjs', import.meta.url));
  let finish: (output: string) => void;
  const output = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const child = execFile(process.execPath, [program, JSON.stringify(plan)], (_error, stdout) =>
    finish(stdout),
  );
  return {
    stop: async () => {
      child.kill('SIGTERM');
      return JSON.parse(await output);
    },
  };
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const start = performance.now();
  return [await work(), performance.now() - start];
};

it('records every watering of an assistant while every kind of key attacks the service', {
  timeout: (MINUTES + 15) * MINUTE,
}, async ({ annotate }) => {
  const db = await newStorePlace();
  await importFarmFile(db, farm('Victim', 2));
  await importFarmFile(db, farm('Attacker', PROBES));
  const [module] = await rowsOf<{ id: number; parcel_id: number }>(
    db,
    `select id, parcel_id from modules where uid = 'Attacker 0'`,
  );
  await importReadingsCsv(db, tenYearsCsv(), { company: 'Attacker' });
  const newKey = async (...options: string[]) => (await createTestKey(db, ...options)).key;
  const service = await serveStoreForTest(db);
  const owner = await newKey('--company', 'Attacker');
  const schedule = await service.request('POST', '/irrigation/schedules', {
    key: owner,
    body: {
      targetParcelId: module!.parcel_id,
      freq: 'daily',
      intervalDays: 1,
      startTimes: Array.from(
        { length: 12 },
        (_, index) => `${String(2 * index).padStart(2, '0')}:00`,
      ),
      timezone: 'Europe/Paris',
      startsOn: iso(Date.now() + DAY).slice(0, 10),
      inputMode: 'duration',
      durationMin: 30,
    },
  });
  expect(schedule.status).toBe(201);
  const revoked = await createTestKey(db, '--company', 'Attacker');
  await executeStatements(db, `delete from api_keys where id = ${revoked.id}`);
  const attackers = startAttackers({
    base: service.base,
    parcelId: module!.parcel_id,
    moduleId: module!.id,
    scheduleId: schedule.body.id,
    keys: {
      ingest: await newKey('--company', 'Attacker', '--scopes', 'ingest:write'),
      read: await newKey(
        '--company',
        'Attacker',
        '--scopes',
        'readings:read,alerts:write,agronomy:read,parcels:read',
      ),
      write: await newKey('--company', 'Attacker', '--scopes', 'irrigation:write'),
      mcp: await newKey('--company', 'Attacker', '--surface', 'mcp'),
      revoked: revoked.key,
    },
  });

  const assistant = await connectOverHttp(mcpUrl(service.base), {
    'x-api-key': await newKey('--company', 'Victim', '--surface', 'mcp'),
  });
  const [logMs, healthMs]: [number[], number[]] = [[], []];
  const unhealthy: unknown[] = [];
  const recorded: number[] = [];
  const until = performance.now() + MINUTES * MINUTE;
  const polling = (async () => {
    while (performance.now() < until) {
      const [status, ms] = await timed(() =>
        fetch(new URL('/health', service.base)).then(
          ({ status }) => status,
          (error) => String(error.cause ?? error),
        ),
      );
      if (status !== 200) unhealthy.push(status);
      healthMs.push(ms);
      await pause(250);
    }
  })();
  for (let n = 0; performance.now() < until; n++) {
    const [result, ms] = await timed(() =>
      assistant.call('log_watering', {
        module: `Victim ${n % 2}`,
        startedAt: iso(Date.now() - 400 * DAY + n * MINUTE),
        inputMode: 'duration',
        durationMin: 30,
      }),
    );
    recorded.push(bodyOf(result).event.id);
    logMs.push(ms);
    await pause(Math.max(0, 1_000 - ms));
  }
  await polling;
  const answers = await attackers.stop();
  const figure = (values: readonly number[]) =>
    `p50 ${percentile(values, 0.5).toFixed(0)} ms, p99 ${percentile(values, 0.99).toFixed(0)} ms, most ${Math.max(...values).toFixed(0)} ms`;
  const report = [
    `${MINUTES} min: ${recorded.length} waterings, ${figure(logMs)}`,
    `/health ${healthMs.length} times, ${figure(healthMs)}`,
    ...Object.entries(answers).map(([name, statuses]) => `${name}: ${JSON.stringify(statuses)}`),
  ].join('\n');
  process.stdout.write(`${report}\n`);
  await annotate(report);

  expect(unhealthy).toEqual([]);
  const stored = await rowsOf<{ id: number }>(
    db,
    `select waterings.id from waterings join modules on modules.id = module_id and modules.company_id = waterings.company_id
       where uid like 'Victim%' order by waterings.id`,
  );
  expect(stored.map(({ id }) => id)).toEqual(recorded.toSorted((a, b) => a - b));
  for (const [name, statuses] of Object.entries(answers))
    expect(statuses, name).not.toHaveProperty('500');
});
