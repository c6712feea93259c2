import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Problem } from '../../src/schema/error.ts';
import type { ScheduleBody } from '../../src/schema/schedule.ts';
import type { WateringBody } from '../../src/schema/watering.ts';
import { afterTest } from '../cleanup.ts';
import { rowsOf } from '../stores/stores.ts';
import { templateStore } from '../stores/template-stores.ts';
import { importFarmFile } from './imported-data.ts';
import { newMcpClient } from './mcp-client.ts';
import { copyOfStore } from './program.ts';

const BINARY = process.env.ACEQUIA_BINARY ?? fileURLToPath(new URL('../../dist/acequia.js', import.meta.url));

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A Tuesday, 10:00 in Europe/Paris; the clocks go forward nineteen days later, on 2026-03-29. */
export const SCHEDULE_NOW = Date.UTC(2026, 2, 10, 9);

export const iso = (at: number): string => new Date(at).toISOString();

/**
 * "North block" has the probes "North 1" (drip of its own, 3.2 mm/h) and "North 2" (the parcel's sprinklers, 6 mm/h) and
 * the station "Mast"; "South 1" has no equipment and no parcel.
 */
const FARM = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block', installation: { system: 'sprinkler', flowMmPerH: 6 } }],
  modules: [
    {
      uid: 'A1',
      name: 'North 1',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
    },
    { uid: 'A2', name: 'North 2', category: 'SOIL_PROBE', parcel: 'North block' },
    { uid: 'A3', name: 'Mast', category: 'WEATHER_STATION', parcel: 'North block' },
    { uid: 'B1', name: 'South 1', category: 'SOIL_PROBE' },
  ],
};

export async function newScheduleFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-schedules-'));
  afterTest(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface CommandResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<CommandResult>;
}

/** Starts the program, without what the environment may say; a test that fails leaves none behind. */
export function startProgram(...args: string[]): RunningCommand {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ACEQUIA_')));
  const child = spawn(process.execPath, [BINARY, ...args], { env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }));
  afterTest(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, ended };
}

/** Runs the program to its end. */
export function runCommand(...args: string[]): Promise<CommandResult> {
  const { child, ended } = startProgram(...args);
  child.stdin.end();
  return ended;
}

/** What a run that went well ends with. */
export const CLEAN_EXIT = { code: 0, signal: null, stderr: '' };

/** Imported once; each test works on its own copy. */
const importedScheduleFarm = templateStore((db) => importFarmFile(db, FARM));

/** A store that holds the farm, for one test. */
export const newScheduleFarm = async (): Promise<string> => copyOfStore(await importedScheduleFarm());

/** A store that holds the farm and what a server was asked to write there: filled once, and copied for each test. */
export function scheduleFarmWith(fill: (server: ScheduleServer) => Promise<unknown>): () => Promise<string> {
  const filled = templateStore(async (db) => {
    await importFarmFile(db, FARM);
    const server = await startScheduleServer(db);
    await fill(server);
    await server.close();
  });
  return async () => copyOfStore(await filled());
}

/** A server that the SDK's own client speaks with, its clock started at `now`. */
export interface ScheduleServer {
  readonly client: Client;
  /** What a tool answers; throws where it refuses. */
  call<Body>(name: string, args?: Record<string, unknown>): Promise<Body & { summary: string; isReplay: boolean }>;
  /** The refusal of a tool; throws where it answers. */
  refusal(name: string, args?: Record<string, unknown>): Promise<Problem>;
  /** Ends the server. */
  close(): Promise<void>;
}

export async function startScheduleServer(db: string, now = SCHEDULE_NOW): Promise<ScheduleServer> {
  const client = newMcpClient();
  const args = [BINARY, '--db', db, '--clock', iso(now)];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  await client.listTools();
  afterTest(() => client.close());
  const callRaw = async (name: string, given: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: given })) as CallToolResult;
  return {
    client,
    async call<Body>(name: string, given?: Record<string, unknown>) {
      const { isError, content, structuredContent, _meta } = await callRaw(name, given);
      if (isError) throw new Error(`Refused: ${JSON.stringify(content)}`);
      const isReplay = _meta?.['acequia/replayed'] === true;
      return { ...(structuredContent as Body & { summary: string }), isReplay };
    },
    async refusal(name, given) {
      const { isError, structuredContent, _meta } = await callRaw(name, given);
      if (!isError) throw new Error(`Not refused: ${JSON.stringify(structuredContent)}`);
      return _meta?.['acequia/error'] as Problem;
    },
    close: () => client.close(),
  };
}

/** Half an hour on North 1 at six, every day, to be changed as a test needs. */
export const DAILY_SCHEDULE = {
  module: 'North 1',
  freq: 'daily',
  startTimes: ['06:00'],
  timezone: 'Europe/Paris',
  startsOn: '2026-03-11',
  inputMode: 'duration',
  durationMin: 30,
};

export const createDailySchedule = (server: ScheduleServer, fields: Record<string, unknown> = {}) =>
  server.call<ScheduleBody>('create_schedule', { ...DAILY_SCHEDULE, ...fields });

/** Every occurrence of a schedule as list_waterings tells them, oldest first. */
export async function scheduleOccurrences(server: ScheduleServer, scheduleId: number): Promise<WateringBody[]> {
  const found: WateringBody[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { data: WateringBody[]; next_cursor: string | null } = await server.call('list_waterings', {
      scheduleId,
      limit: 200,
      ...(cursor && { cursor }),
    });
    found.push(...page.data);
    cursor = page.next_cursor;
  }
  return found.reverse();
}

/** Every occurrence in the store as one line: what it is, but for its id and when it was written and computed. */
export const occurrenceRows = async (db: string): Promise<string[]> =>
  (
    await rowsOf(
      db,
      `select schedule_id, module_id, slot, started_at, duration_min, input_mode, input_depth_mm, water_mm, water_mm_wetted,
         dose_installation_id, status, is_detached, source, verified_at, note
       from waterings order by schedule_id, module_id, slot, started_at`,
    )
  ).map((row) => JSON.stringify(row));

/** Waits until something is so; the test's own limit ends a wait in vain. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20);
}
