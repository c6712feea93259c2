import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../stores/stores.ts';
import { copyOfStore, folderForFile, newFolder } from '../../temporary-places.ts';
import { expectSmallAnswers } from '../mcp/answers/answer-size.ts';
import { connectStdio } from '../mcp-session.ts';
import { BINARY, type Json } from '../program.ts';

/** 11:20 in the demo's zone. */
const CLOCK = '2026-07-14T09:20:00.000Z';
const LATER = '2026-07-14T09:30:00Z';

interface DemoRun {
  readonly db: string;
  readonly stdout: string;
  readonly stderr: string;
}

const LONG_TIMEOUT_MS = 300_000;

async function demo(folder: string, ...options: string[]): Promise<DemoRun> {
  const db = join(folder, 'demo.db');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ACEQUIA_')));
  const args = [BINARY, 'demo', '--full', '--db', db, '--clock', CLOCK, ...options];
  return { db, ...(await promisify(execFile)(process.execPath, args, { env, maxBuffer: 1 << 24 })) };
}

/**
 * Leaves out what differs between the two ways: summaries, which use notes that no REST body carries, and the counts
 * of housekeeping, since every write over REST has an idempotency key; and between two runs: paths and message ids.
 */
function conversation({ db, stdout }: DemoRun): string[] {
  const said = stdout.replaceAll(dirname(db), '.').replace(/(?<=Message-ID: <)[^@]+/g, 'id');
  const talk = said.split('\nThe conversation\n')[1]!.split('\nConnect your assistant')[0]!;
  let isSaid = false;
  return talk.split('\n').filter((line) => {
    if (/^ +(answers|prints) /.test(line)) isSaid = true;
    else if (!/^ {9,}\S/.test(line)) isSaid = false;
    return !isSaid;
  });
}

let near: DemoRun;
beforeAll(async () => {
  near = await demo(await folderForFile());
}, LONG_TIMEOUT_MS);

describe('the demo through REST', () => {
  it('is the same conversation, answer by answer, replays included', { timeout: LONG_TIMEOUT_MS }, async () => {
    const far = await demo(await newFolder(), '--through-rest');
    expect(far.stderr).toBe('');
    expect(far.stdout).toMatch(/Serving on http:\/\/127\.0\.0\.1:\d+\/v1/);
    expect(far.stdout.replace(/\s+/g, ' ')).toContain('once more, marked "acequia/replayed": true');
    expect(conversation(far)).toEqual(conversation(near));
    expect(conversation(far).filter((line) => / calls +\w/.test(line)).length).toBeGreaterThan(10);
    expect(await rowsOf(far.db, 'select distinct source from waterings order by source')).toEqual(
      await rowsOf(near.db, 'select distinct source from waterings order by source'),
    );
    expect(await rowsOf(far.db, 'select surface, last_used_at is not null as isUsed from api_keys')).toEqual([
      { surface: 'mcp', isUsed: 1 },
    ]);
  });
});

describe('morning_brief', () => {
  it('tells of the demo farm, four days after its last reading, who is silent and what the book plans', async () => {
    const { call } = await connectStdio(await copyOfStore(near.db), { clock: '2026-07-18T05:00:00Z' });
    const told = async (name: string, args = {}): Promise<Json> => (await call(name, args)).structuredContent;
    await call('log_watering', {
      module: 'North 1',
      startedAt: 'tomorrow 6:00',
      inputMode: 'duration',
      durationMin: 40,
    });
    const brief = await told('morning_brief');
    const modules = (await told('list_modules')).data;
    const gateways = (await told('list_gateways')).data;
    const now = '2026-07-18T05:00:00Z';
    const over = await told('list_waterings', { status: 'planned', to: now });
    const ahead = await told('list_waterings', { status: 'planned', from: now, to: '2026-07-20T05:00:00Z' });
    const idsOf = (rows: Json[], key: string): number[] => rows.map((row) => row[key]).sort((a, b) => a - b);
    expect(brief.modules).toBe(modules.length);
    expect(idsOf(brief.silent.modules, 'moduleId')).toEqual(idsOf(modules, 'id'));
    expect(idsOf(brief.silent.gateways, 'gatewayId')).toEqual(idsOf(gateways, 'id'));
    expect(brief.needsWater).toEqual([]);
    // The demo schedule confirms automatically what was not changed by hand.
    const waiting = over.data.filter(({ isDetached }: Json) => isDetached);
    expect(waiting.length * ahead.data.length).toBeGreaterThan(0);
    expect(idsOf(brief.toConfirm, 'eventId')).toEqual(idsOf(waiting, 'id'));
    expect(idsOf(brief.schedule, 'eventId')).toEqual(idsOf(ahead.data, 'id'));
  });
});

describe('the default answer of every tool is under 4,000 tokens in either rendering', () => {
  it('on the demo farm', async () => {
    const { call } = await connectStdio(await copyOfStore(near.db), { clock: LATER });
    await expectSmallAnswers('the demo farm', call, 'North 1', 'North block');
  });
});
