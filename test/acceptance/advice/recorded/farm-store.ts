import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandOptions, Json } from '../../program.ts';
import { openMeteoAnswer } from '../../weather/open-meteo-server.ts';
import { type CallTool, runAt, withTools } from './farm-program.ts';
import type { RandomFarm } from './farms/random-farm.ts';
import type { WriteCall } from './farms/write-calls.ts';

/** Makes the farm in an empty store with the program itself. */
export async function fillStore(
  db: string,
  farm: RandomFarm,
  options: CommandOptions = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-random-farm-'));
  try {
    const { at, calls } = farm.earlier;
    const importFile = async (now: string, name: string, contents: string): Promise<void> => {
      await writeFile(join(folder, name), contents);
      await runAt(now, ['import', join(folder, name), '--db', db], options);
    };
    await importFile(at, 'farm.json', JSON.stringify(farm.file));
    await withTools(at, ['--db', db], options, (call) => writeAll(call, calls));
    // Otherwise a job of the program that writes would plan at any moment, and ids would differ.
    await runAt(farm.now, ['tick', '--db', db], options);
    await withTools(farm.now, ['--db', db], options, (call) => writeAll(call, farm.calls));
    if (farm.weather !== null) await importFile(farm.now, 'weather.csv', farm.weather);
    await runJobs(db, farm, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Does the work of the background jobs first, so that none changes the farm while it is asked. */
async function runJobs(
  db: string,
  { now, forecast }: RandomFarm,
  options: CommandOptions,
): Promise<void> {
  if (forecast === null) return runAt(now, ['tick', '--db', db], options);

  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    const et0 = (ahead: number): number => 3 + ((ahead + 20) % 5) / 2;
    response.end(JSON.stringify(openMeteoAnswer(now.slice(0, 10), { rain: forecast, et0 })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await runAt(now, ['tick', '--db', db], { ...options, env: { ACEQUIA_FORECAST: base } });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function writeAll(callTool: CallTool, calls: readonly WriteCall[]): Promise<void> {
  let last: Json;
  for (const { tool, args, idOfLast } of calls) {
    const { body, refusal } = await callTool(tool, {
      ...args,
      ...(idOfLast ? { [idOfLast]: idIn(last, idOfLast) } : {}),
    });
    if (refusal)
      throw new Error(`${tool} ${JSON.stringify(args).slice(0, 300)}: ${refusal.message}`);
    last = body;
  }
}

function idIn(body: Json, name: NonNullable<WriteCall['idOfLast']>): unknown {
  const ids = {
    eventId: body.event?.id,
    rainId: body.rain?.id,
    annotationId: body.id,
    changeId: body.changeId,
  };
  return ids[name];
}
