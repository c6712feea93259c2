import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import PostalMime from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';
import { startDemoClient } from '../../../demo/servers/mcp-client.ts';
import { formatAdvisedMinutes } from '../../../src/language/number-format.ts';
import { openStore } from '../../../src/store/store.ts';
import { startMailServer } from '../../mail-server.ts';
import { rowsOf } from '../../stores/stores.ts';
import { copyOfStore, folderForFile, newFolder } from '../../temporary-places.ts';
import { DAY } from '../../time.ts';
import { expectSmallAnswers } from '../mcp/answers/answer-size.ts';
import { connectStdio } from '../mcp-session.ts';
import {
  CLEAN_EXIT,
  type CommandResult,
  type Json,
  type RunningCommand,
  startCommand,
  waitWhileRunning,
} from '../program.ts';

/** 11:15 in the zone of the farm. */
const NOW = Date.parse('2026-07-14T09:15:00.000Z');

const LONG_TIMEOUT_MS = 300_000;

interface DemoOptions {
  readonly env?: Record<string, string>;
  readonly options?: readonly string[];
}

const start = (db: string, { env, options = [] }: DemoOptions = {}): RunningCommand =>
  startCommand(['demo', '--full', '--db', db, ...options], { env });

const demo = (db: string, options?: DemoOptions): Promise<CommandResult> =>
  start(db, options).ended;

let folder: string;
let db: string;
let transcript: CommandResult;
/** Connections to the mail server of the user. */
let connections: number;
beforeAll(async () => {
  folder = await folderForFile();
  db = join(folder, 'demo.db');
  const server = await startMailServer();
  const env = {
    ACEQUIA_SMTP_URL: server.url,
    ACEQUIA_MAIL_FROM: 'me@example.net',
    ACEQUIA_LANG: 'fr',
  };
  transcript = await demo(db, { env });
  connections = server.connections;
}, LONG_TIMEOUT_MS);

const stem = (file: string): string => file.replace(/\.db$/, '');

const withoutIds = (text: string): string => text.replace(/<[0-9a-f-]{36}@/g, '<id@');

const section = (title: string): string =>
  transcript.stdout.split(`\n${title}\n`)[1]!.split(/\n[^\n]+\n-{5,}\n/)[0]!;

describe('acequia demo', () => {
  it('succeeds without anything on standard error', () => {
    expect(transcript).toMatchObject(CLEAN_EXIT);
  });

  it('is readable on 100 columns without colours, except what is to be pasted', () => {
    const [text] = transcript.stdout.split('Connect your assistant');
    expect(Math.max(...text!.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(
      100 + db.length,
    );
    expect(
      Math.max(
        ...section('The conversation')
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(100);
    expect(transcript.stdout).not.toContain('\u001b');
  });

  it('prints correct calculations of every dose', () => {
    const calculations = [
      ...transcript.stdout.matchAll(
        /([\d.]+) mm\/h x (\d+) min \/ 60( \/ ([\d.]+))? = ([\d.]+) mm/g,
      ),
    ];
    for (const [, flow, minutes, , fraction = '1', dose] of calculations)
      expect(((Number(flow) * Number(minutes)) / 60 / Number(fraction)).toFixed(3)).toBe(
        Number(dose).toFixed(3),
      );
    // Two lines for each of eight doses: logged, corrected, before and after the change, mistaken,
    // lengthened, the one that ends the dry spell, and the one of the morning.
    expect(calculations.length).toBe(16);
    const shownDoses = [
      ...transcript.stdout.matchAll(/waterMm ([\d.]+), waterMmWetted ([\d.]+)/g),
    ].flatMap(([, ...doses]) => doses);
    expect(shownDoses).toEqual(calculations.map(([, , , , , dose]) => dose));
  });

  it('prints tables with correct doses', () => {
    const rows = [
      ...transcript.stdout.matchAll(
        /\d{2}:\d{2} +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +(?:done|skipped|planned)/g,
      ),
    ];
    for (const [, minutes, flow, fraction, mm, wetted] of rows) {
      const dose = (Number(flow) * Number(minutes)) / 60;
      expect([dose.toFixed(3), (dose / Number(fraction)).toFixed(3)]).toEqual(
        [mm, wetted].map((each) => Number(each).toFixed(3)),
      );
    }
    // Three of South 1, seven of the last days, and four of the week ahead.
    expect(rows.length).toBe(14);
  });

  it('shows a repeated call, a refusal, a watering without equipment and its completion', () => {
    const text = section('The conversation').replace(/\s+/g, ' ');
    expect(text).toContain('one watering on North 1 today, not two.');
    expect(text).toContain('refuses "north" can mean several probes: "North 1", "North 2".');
    expect(text).toContain('warnings ["NO_INSTALLATION"]');
    expect(text).toMatch(/\d+ missing doses were completed/);
    expect(text).toContain('6 done, 1 skipped');
  });

  it('plans every other day at five, and says what a change of the plan moved and what it kept', () => {
    const text = section('The conversation').replace(/\s+/g, ' ');
    // Every second day from 15 July: the 45th is 11 October, 88 days later.
    expect(text).toContain('45 in all, every second day from 2026-07-15 to 2026-10-11');
    expect(text).toContain('isDetached true, status skipped');
    expect(text).toContain(
      '43 future waterings moved from 05:00 to 04:30, 2 corrected by hand were left unchanged.',
    );
  });

  it('shows local and UTC times across a change of the clocks, past waterings as done', () => {
    const rows = [
      ...transcript.stdout.matchAll(/\w{3} {2}(\S+ \S+) {2}(\S+ \S+)Z +(\d*) +(done|planned)\n/g),
    ];
    // Summer time (+2 h) ends in the night to Sunday the 25th.
    expect(rows.map(([, local, utc, hours, status]) => [local, utc, hours, status])).toEqual([
      ['2026-10-21 04:30', '2026-10-21 02:30', '', 'done'],
      ['2026-10-23 04:30', '2026-10-23 02:30', '48', 'done'],
      ['2026-10-25 04:30', '2026-10-25 03:30', '49', 'done'],
      ['2026-10-27 04:30', '2026-10-27 03:30', '48', 'done'],
      ['2026-10-29 04:30', '2026-10-29 03:30', '48', 'planned'],
    ]);
  });

  it('leaves a farm with the parcels, probes, gateways, waterings and readings that it describes', async () => {
    const count = async (table: string) =>
      (await rowsOf<{ n: number }>(db, `select count(*) as n from ${table}`))[0]!.n;
    const counts = ['parcels', 'gateways', 'modules', 'sensors'].map(count);
    expect(await Promise.all(counts)).toEqual([2, 2, 5, 34]);
    const [, waterings, readings] =
      /It holds (\d+) waterings of 120 days, and ([\d,]+) readings/.exec(transcript.stdout)!;
    // The demo logs five more and plans every other day of ninety.
    expect(await count('waterings')).toBe(Number(waterings) + 5 + 45);
    const planned = await rowsOf(
      db,
      'select status from waterings where schedule_id is not null order by status',
    );
    expect(planned.map(({ status }) => status)).toEqual([...Array(44).fill('planned'), 'skipped']);
    // 120 days and the last instant of 34 sensors, without two days of the 12 sensors on the silent
    // gateway.
    expect(await count('readings')).toBe(34 * (120 * 96 + 1) - 12 * 2 * 96);
    expect(await count('readings')).toBe(Number(readings!.replaceAll(',', '')));
    const ends = await rowsOf(db, 'select min(at) as first, max(at) as last from readings');
    expect(ends).toEqual([{ first: NOW - 120 * DAY, last: NOW }]);
  });

  it('stores past waterings as entered on their days, with doses', async () => {
    const rows = await rowsOf<Json>(
      db,
      `select module_id, started_at, duration_min, water_mm, source, created_at from waterings
         where schedule_id is null order by id`,
    );
    for (const row of rows.slice(0, -5)) {
      expect(row.created_at).toBe(row.started_at + (row.duration_min + 10) * 60_000);
      expect(row.source).toBe('mcp');
      // North: 1.6 L/h x 2 per m2 = 3.2 mm/h. South: 30 L/h x 0.1 per m2 = 3 mm/h.
      expect(row.water_mm).toBeCloseTo(
        ((row.module_id === 3 ? 3 : 3.2) * row.duration_min) / 60,
        9,
      );
    }
  });

  it('ends with a configuration that connects a client to the farm', async () => {
    const json = /Claude Desktop[^\n]*\n\n([\s\S]*?\n {2}\})\n/.exec(transcript.stdout)![1]!;
    const { command, args } = JSON.parse(json).mcpServers.acequia;
    expect(args.slice(-2)).toEqual(['--clock', new Date(NOW).toISOString()]);
    // On a copy, because the server runs its background jobs.
    const copy = join(folder, 'connected.db');
    await copyFile(db, copy);
    const onCopy = args.map((arg: string) => (arg === db ? copy : arg));
    expect(onCopy).toContain(copy);
    const client = await startDemoClient(command, onCopy);
    try {
      expect((await client.call('get_company', {})).result?.name).toBe('Mas Rouge (demo)');
    } finally {
      await client.close();
    }
  });
});

describe('the alert of the demo', () => {
  const spell = (): string => section('A dry spell').replace(/\s+/g, ' ');

  it('is chosen from two thresholds by a backtest', () => {
    const rows = [
      ...section('A threshold to watch').matchAll(/(\d+) % +(\d+) % +(\d+) +([\d.]+) +(\d+)\n/g),
    ];
    const [higher, lower] = rows.map(([, ...figures]) => figures.map(Number));
    expect([higher!.slice(0, 2), lower!.slice(0, 2)]).toEqual([
      [24, 26],
      [23, 25],
    ]);
    for (const figure of [2, 3]) expect(higher![figure]!).toBeGreaterThan(lower![figure]!);
  });

  it('fires at the first reading below its threshold, and resolves at the first that reaches 2 points more', () => {
    const [, before, below] = /([\d.]+) %, not below 23 % \S+ \S+ ([\d.]+) %, below 23 %/
      .exec(spell())!
      .map(Number);
    expect(before!).toBeGreaterThanOrEqual(23);
    expect(below!).toBeLessThan(23);
    const [, notYet, reached] =
      /([\d.]+) %, not yet 25 % \S+ \S+ ([\d.]+) %, 25 % or above: resolved/
        .exec(spell())!
        .map(Number);
    expect(notYet!).toBeLessThan(25);
    expect(reached!).toBeGreaterThanOrEqual(25);
  });

  it('writes mail to a mailbox beside the store: fired, a reminder and resolved, each once', async () => {
    const messages = (await readFile(`${db}.mbox`, 'latin1')).split(/^From .*\n/m).slice(1);
    const mails = await Promise.all(messages.map((message) => PostalMime.parse(message)));
    expect(mails.map(({ subject }) => subject!.replace(/[\d,]+ %/g, 'x'))).toEqual([
      'Sol sec : North 1 à x, seuil x',
      'Toujours sec, jour 2 : North 1 à x, seuil x',
      'Alerte terminée : North 1 à x',
    ]);
    for (const { from, to } of mails)
      expect([from?.address, to?.[0]?.address]).toEqual(['farm@example.org', 'ana@example.org']);
    const ids = mails.map(({ messageId }) => messageId!);
    expect(new Set(ids).size).toBe(3);
    expect([...transcript.stdout.matchAll(/Message-ID: (\S+)/g)].map(([, id]) => id)).toEqual(ids);
  });

  it('is mentioned when a watering is logged, and is stored as quiet, without messages', async () => {
    expect(spell()).toMatch(
      /Its alert is firing: [\d.]+ % is below 23 %, low since yesterday \d\d:\d\d\./,
    );
    expect(await rowsOf(db, 'select threshold, hysteresis, is_active from alerts')).toEqual([
      { threshold: '23', hysteresis: '2', is_active: 1 },
    ]);
    expect(await rowsOf(db, 'select kind from outbox')).toEqual([]);
  });

  it('sends nothing through the mail server of the user', () => {
    expect(connections).toBe(0);
  });
});

describe('the morning of the demo', () => {
  const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));
  const readMorning = (): Promise<string> => readFile(join(folder, 'demo-morning.md'), 'utf8');

  it('is written beside the store, equal to the one in docs/', async () => {
    expect((await readMorning()).replace('demo-morning.png', 'a-morning.png')).toBe(
      await readFile(join(DOCS, 'a-morning.md'), 'utf8'),
    );
  });

  it('has a picture of less than 120 kB', async () => {
    expect(await readMorning()).toContain('](demo-morning.png)');
    for (const file of [join(folder, 'demo-morning.png'), join(DOCS, 'a-morning.png')]) {
      const picture = await readFile(file);
      expect(PNG.sync.read(picture).width).toBe(1600);
      expect(picture.length).toBeLessThan(120_000);
    }
  });

  it('calculates the advised watering correctly', async () => {
    const text = await readMorning();
    const slices = [...text.matchAll(/(\d+) mm x \(([\d.]+) % - ([\d.]+) %\) = ([\d.]+) mm/g)];
    expect(slices).toHaveLength(5);
    for (const [, thickness, capacity, value, mm] of slices)
      expect((Number(thickness) * (Number(capacity) - Number(value))) / 100).toBeCloseTo(
        Number(mm),
        1,
      );
    const [, water, flow, minutes] = /([\d.]+) mm \/ ([\d.]+) mm\/h x 60 = ([\d.]+) min/
      .exec(text)!
      .map(Number);
    expect(Math.abs((water! / flow!) * 60 - minutes!)).toBeLessThan(0.2);
    expect(text).toContain(`give ${formatAdvisedMinutes(minutes!)}, `);
  });
});

describe('acequia demo on an existing file', () => {
  it.each([
    [
      'a mailbox',
      'letters.db',
      'letters.db.mbox',
      'From ana@example.org Tue Jul 14 09:20:00 2026\n',
      'holds something else',
    ],
    [
      'a page',
      'own.db',
      'own-morning.md',
      '# My mornings\n',
      'own-morning.md, but that file holds something else',
    ],
    [
      'a text',
      'letter.txt',
      'letter.txt',
      'Dear Ana, the pump is repaired.',
      'not an Acequia store',
    ],
  ])('refuses to overwrite %s, and creates no store', async (_, store, name, content, message) => {
    const file = join(folder, store);
    await writeFile(join(folder, name), content);
    const { code, stderr } = await demo(file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(await readFile(join(folder, name), 'utf8')).toBe(content);
    expect(existsSync(file)).toBe(store === name);
  });

  it(
    'creates its farm again after it was killed in the middle',
    async () => {
      const file = join(folder, 'cut-off.db');
      const firstRun = start(file);
      await waitWhileRunning(firstRun, () => firstRun.stdout().includes('\nThe conversation\n'));
      firstRun.child.kill('SIGKILL');
      expect((await firstRun.ended).signal).toBe('SIGKILL');
      const secondRun = await demo(file);
      expect(secondRun).toMatchObject(CLEAN_EXIT);
      expect(withoutIds(secondRun.stdout.replaceAll(stem(file), stem(db)))).toBe(
        withoutIds(transcript.stdout),
      );
    },
    LONG_TIMEOUT_MS,
  );

  it('refuses the store of another farm and leaves it unchanged', async () => {
    const file = join(folder, 'mine.db');
    const store = await openStore({ db: file });
    await store.writeAll((all) =>
      all
        .insertInto('companies')
        .values({ name: 'Mas Rouge' } as never)
        .execute(),
    );
    await store.close();
    const before = await readFile(file);
    const { code, stderr } = await demo(file);
    expect(code).toBe(1);
    expect(stderr).toContain('a farm that is not the demo');
    expect(before.equals(await readFile(file))).toBe(true);
  });
});

/**
 * Leaves out what differs between the two ways: summaries, which use notes that no REST body
 * carries, and the counts of housekeeping, since every write over REST has an idempotency key; and
 * between two runs: paths and message ids.
 */
function conversation({ stdout }: CommandResult, file: string): string[] {
  const whole = stdout.replaceAll(dirname(file), '.').replace(/(?<=Message-ID: <)[^@]+/g, 'id');
  const text = whole.split('\nThe conversation\n')[1]!.split('\nConnect your assistant')[0]!;
  let isSummary = false;
  return text.split('\n').filter((line) => {
    if (/^ +(answers|prints) /.test(line)) isSummary = true;
    else if (!/^ {9,}\S/.test(line)) isSummary = false;
    return !isSummary;
  });
}

it('the demo through REST is the same conversation, replays included', {
  timeout: LONG_TIMEOUT_MS,
}, async () => {
  const file = join(await newFolder(), 'demo.db');
  const overRest = await demo(file, { options: ['--through-rest'] });
  expect(overRest.stderr).toBe('');
  expect(overRest.stdout).toMatch(/Serving on http:\/\/127\.0\.0\.1:\d+\/v1/);
  expect(overRest.stdout.replace(/\s+/g, ' ')).toContain(
    'once more, marked "acequia/replayed": true',
  );
  expect(conversation(overRest, file)).toEqual(conversation(transcript, db));
  expect(
    conversation(overRest, file).filter((line) => / calls +\w/.test(line)).length,
  ).toBeGreaterThan(10);
  const sources = (of: string) =>
    rowsOf(of, 'select distinct source from waterings order by source');
  expect(await sources(file)).toEqual(await sources(db));
  expect(
    await rowsOf(
      file,
      'select channel as surface, last_used_at is not null as isUsed from api_keys',
    ),
  ).toEqual([{ surface: 'mcp', isUsed: 1 }]);
});

describe('morning_brief', () => {
  it('lists silent probes and gateways, and planned waterings, four days after the last reading', async () => {
    const { call } = await connectStdio(await copyOfStore(db), { clock: '2026-07-18T05:00:00Z' });
    const ask = async (name: string, args = {}): Promise<Json> =>
      (await call(name, args)).structuredContent;
    await call('log_watering', {
      module: 'North 1',
      startedAt: 'tomorrow 6:00',
      inputMode: 'duration',
      durationMin: 40,
    });
    const brief = await ask('morning_brief');
    const modules = (await ask('list_modules')).data;
    const gateways = (await ask('list_gateways')).data;
    const now = '2026-07-18T05:00:00Z';
    const over = await ask('list_waterings', { status: 'planned', to: now });
    const ahead = await ask('list_waterings', {
      status: 'planned',
      from: now,
      to: '2026-07-20T05:00:00Z',
    });
    const idsOf = (rows: Json[], key: string): number[] =>
      rows.map((row) => row[key]).sort((a, b) => a - b);
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

describe('every tool', () => {
  it('answers in less than 4,000 tokens in either rendering on the demo farm', async () => {
    const { call } = await connectStdio(await copyOfStore(db), { clock: '2026-07-14T09:30:00Z' });
    await expectSmallAnswers('the demo farm', call, 'North 1', 'North block');
  });
});
