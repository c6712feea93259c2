import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoClient } from '../../../demo/servers/mcp-client.ts';
import { openStore } from '../../../src/store/store.ts';
import { startMailServer } from '../../mail-server.ts';

const BINARY = process.env.ACEQUIA_BINARY ?? fileURLToPath(new URL('../../../dist/acequia.js', import.meta.url));
const DAY = 86_400_000;
/** 11:20 in the zone of the farm. The demo starts at the last full quarter of an hour. */
const CLOCK = '2026-07-14T09:20:00.000Z';
const NOW = Date.parse('2026-07-14T09:15:00.000Z');

const LONG_TIMEOUT_MS = 300_000;

interface DemoExit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(db: string, clock = CLOCK, extraEnv: Record<string, string> = {}): ChildProcess {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('ACEQUIA_'));
  const env = { ...Object.fromEntries(others), ...extraEnv };
  return spawn(process.execPath, [BINARY, 'demo', '--full', '--db', db, '--clock', clock], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function demo(db: string, clock?: string, env?: Record<string, string>): Promise<DemoExit> {
  const child = start(db, clock, env);
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr!.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

let folder: string;
let db: string;
let told: DemoExit;
let connections: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acequia-demo-'));
  db = join(folder, 'demo.db');
  const server = await startMailServer();
  const said = { ACEQUIA_SMTP_URL: server.url, ACEQUIA_MAIL_FROM: 'me@example.net', ACEQUIA_LANG: 'fr' };
  told = await demo(db, CLOCK, said);
  connections = server.connections;
}, LONG_TIMEOUT_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

const stem = (file: string): string => file.replace(/\.db$/, '');

const withoutIds = (text: string): string => text.replace(/<[0-9a-f-]{36}@/g, '<id@');

const section = (title: string): string => told.stdout.split(`\n${title}\n`)[1]!.split(/\n[^\n]+\n-{5,}\n/)[0]!;

describe('acequia demo', () => {
  it('goes as it tells, and writes nothing but its transcript', () => {
    expect({ code: told.code, stderr: told.stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('is readable on 100 columns without colours, but for what is to be pasted', () => {
    const [talk] = told.stdout.split('Connect your assistant');
    expect(Math.max(...talk!.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(100 + db.length);
    expect(
      Math.max(
        ...section('The conversation')
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(100);
    expect(told.stdout).not.toContain('\u001b');
  });

  it('prints calculations that are right, for every dose it shows', () => {
    const written = [...told.stdout.matchAll(/([\d.]+) mm\/h x (\d+) min \/ 60( \/ ([\d.]+))? = ([\d.]+) mm/g)];
    for (const [, flow, minutes, , fraction = '1', dose] of written)
      expect(((Number(flow) * Number(minutes)) / 60 / Number(fraction)).toFixed(3)).toBe(Number(dose).toFixed(3));
    // Two lines for each of eight doses: logged, corrected, before and after the change, mistaken, lengthened, the
    // one that ends the dry spell, and the one of the morning.
    expect(written.length).toBe(16);
    const shown = [...told.stdout.matchAll(/waterMm ([\d.]+), waterMmWetted ([\d.]+)/g)].flatMap(
      ([, ...doses]) => doses,
    );
    expect(shown).toEqual(written.map(([, , , , , dose]) => dose));
  });

  it('prints tables in which every row can be checked', () => {
    const rows = [
      ...told.stdout.matchAll(/\d{2}:\d{2} +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +(?:done|skipped|planned)/g),
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

  it('walks through a repeated call, a refusal, a watering without equipment and its completion', () => {
    const talk = section('The conversation').replace(/\s+/g, ' ');
    expect(talk).toContain('one watering on North 1 today, not two.');
    expect(talk).toContain('AMBIGUOUS_NAME: "north" can mean several modules: "North 1" (#1), "North 2" (#2).');
    expect(talk).toContain('warnings ["NO_INSTALLATION"]');
    expect(talk).toMatch(/\d+ missing doses were completed/);
    expect(talk).toContain('6 done, 1 skipped');
  });

  it('plans every other day at five, and says what a change of the plan moved and what it left', () => {
    const talk = section('The conversation').replace(/\s+/g, ' ');
    // Every second day from 15 July: the 45th is 11 October, 88 days later.
    expect(talk).toContain('45 in all, every second day from 2026-07-15 to 2026-10-11');
    expect(talk).toContain('isDetached true, status skipped');
    expect(talk).toContain('43 future waterings moved from 05:00 to 04:30, 2 corrected by hand were left.');
  });

  it('shows the ninety days ahead as the calendar has them', () => {
    const lines = section('The conversation').split('\n');
    const heading = lines.findIndex((line) => /Mon +Tue +Wed +Thu +Fri +Sat +Sun/.test(line));
    const columns = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => lines[heading]!.indexOf(day));
    const weeks = lines.slice(
      heading + 1,
      lines.findIndex((line) => line.includes('figures  each planned')),
    );
    const shown = weeks.flatMap((line) => columns.map((from, index) => line.slice(from, columns[index + 1]).trim()));
    // 13 July is a Monday; the table starts on Wednesday the 15th.
    const expected = Array.from({ length: 7 * weeks.length }, (_, index) => {
      const day = new Date(Date.UTC(2026, 6, 13) + index * DAY);
      const since = index - 2;
      if (since < 0) return '';
      const time = since % 2 === 1 ? '' : since === 2 ? ' 05:00*' : since === 4 ? ' 05:00x' : ' 04:30';
      return `${day.getUTCDate()}${time}`;
    });
    expect(shown).toEqual(expected);
    expect(weeks).toHaveLength(13);
    // Half an hour at 5 mm/h.
    expect(told.stdout).toContain('each planned: 30 min at 5 mm/h = 2.5 mm;');
  });

  it('shows local and UTC times across a change of the clocks, with what is over as done', () => {
    const rows = [...told.stdout.matchAll(/\w{3} {2}(\S+ \S+) {2}(\S+ \S+)Z +(\d*) +(done|planned)\n/g)];
    // Summer time (+2 h) ends in the night to Sunday the 25th.
    expect(rows.map(([, local, utc, hours, status]) => [local, utc, hours, status])).toEqual([
      ['2026-10-21 04:30', '2026-10-21 02:30', '', 'done'],
      ['2026-10-23 04:30', '2026-10-23 02:30', '48', 'done'],
      ['2026-10-25 04:30', '2026-10-25 03:30', '49', 'done'],
      ['2026-10-27 04:30', '2026-10-27 03:30', '48', 'done'],
      ['2026-10-29 04:30', '2026-10-29 03:30', '48', 'planned'],
    ]);
  });

  it('leaves a farm with what it tells of: parcels, probes, gateways, books and readings', async () => {
    const store = await openStore({ db });
    try {
      const count = (table: 'parcels' | 'gateways' | 'modules' | 'sensors' | 'waterings' | 'readings') =>
        store.read(1, async (own) => {
          const { found } = await own
            .selectFrom(table)
            .select((select) => select.fn.countAll<number>().as('found'))
            .executeTakeFirstOrThrow();
          return Number(found);
        });
      const planned = await store.read(1, (own) =>
        own.selectFrom('waterings').select('status').where('schedule_id', 'is not', null).execute(),
      );
      expect([await count('parcels'), await count('gateways'), await count('modules'), await count('sensors')]).toEqual(
        [2, 2, 5, 34],
      );
      const [, waterings, readings] = /It holds (\d+) waterings of 120 days, and ([\d,]+) readings/.exec(told.stdout)!;
      // The demo logs five more and plans every other day of ninety.
      expect(await count('waterings')).toBe(Number(waterings) + 5 + 45);
      expect(planned.map(({ status }) => status).sort()).toEqual([...Array(44).fill('planned'), 'skipped']);
      // 120 days and the last instant of 34 sensors, without two days of the 12 sensors on the silent gateway.
      expect(await count('readings')).toBe(34 * (120 * 96 + 1) - 12 * 2 * 96);
      expect(await count('readings')).toBe(Number(readings!.replaceAll(',', '')));
      const latest = await store.read(1, (own) =>
        own
          .selectFrom('readings')
          .select((select) => [select.fn.min('at').as('first'), select.fn.max('at').as('last')])
          .executeTakeFirstOrThrow(),
      );
      expect(latest).toEqual({ first: NOW - 120 * DAY, last: NOW });
    } finally {
      await store.close();
    }
  });

  it('books the past as of its days: doses of the north, none yet in the south, entered when they ended', async () => {
    const store = await openStore({ db });
    try {
      const rows = await store.read(1, (own) =>
        own
          .selectFrom('waterings')
          .select(['module_id', 'started_at', 'duration_min', 'water_mm', 'source', 'created_at'])
          .where('schedule_id', 'is', null)
          .orderBy('id')
          .execute(),
      );
      for (const row of rows.slice(0, -5)) {
        expect(row.created_at).toBe(row.started_at + (row.duration_min! + 10) * 60_000);
        expect(row.source).toBe('mcp');
        // North: 1.6 L/h x 2 per m2 = 3.2 mm/h. South: 30 L/h x 0.1 per m2 = 3 mm/h.
        expect(row.water_mm).toBeCloseTo(((row.module_id === 3 ? 3 : 3.2) * row.duration_min!) / 60, 9);
      }
    } finally {
      await store.close();
    }
  });

  it('ends with a configuration by which a client finds the farm', async () => {
    const json = /Claude Desktop[^\n]*\n\n([\s\S]*?\n {2}\})\n/.exec(told.stdout)![1]!;
    const { command, args } = JSON.parse(json).mcpServers.acequia;
    // On a copy, because the server runs its background jobs by the real clock.
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

  it('is chosen from two thresholds with what they would have done', () => {
    const rows = [...section('A threshold to watch').matchAll(/(\d+) % +(\d+) % +(\d+) +([\d.]+) +(\d+)\n/g)];
    const [higher, lower] = rows.map(([, ...figures]) => figures.map(Number));
    expect([higher!.slice(0, 2), lower!.slice(0, 2)]).toEqual([
      [24, 26],
      [23, 25],
    ]);
    for (const figure of [2, 3]) expect(higher![figure]!).toBeGreaterThan(lower![figure]!);
  });

  it('fires at the first reading below its threshold, and resolves at the first that reaches 2 points more', () => {
    const [, before, below] = /([\d.]+) %, not below 23 % \S+ \S+ ([\d.]+) %, below 23 %/.exec(spell())!.map(Number);
    expect(before!).toBeGreaterThanOrEqual(23);
    expect(below!).toBeLessThan(23);
    const [, notYet, reached] = /([\d.]+) %, not yet 25 % \S+ \S+ ([\d.]+) %, 25 % or above: resolved/
      .exec(spell())!
      .map(Number);
    expect(notYet!).toBeLessThan(25);
    expect(reached!).toBeGreaterThanOrEqual(25);
  });

  it('leaves the mail in a mailbox beside the farm: fired, a reminder and resolved, each once', async () => {
    const messages = (await readFile(`${db}.mbox`, 'latin1')).split(/^From .*\n/m).slice(1);
    const mails = await Promise.all(messages.map((message) => PostalMime.parse(message)));
    expect(mails.map(({ subject }) => subject!.replace(/[\d.]+ %/g, 'x'))).toEqual([
      'Dry soil: North 1 at x, threshold x',
      'Still dry, day 2: North 1 at x, threshold x',
      'Resolved: North 1 at x',
    ]);
    for (const { from, to } of mails)
      expect([from?.address, to?.[0]?.address]).toEqual(['farm@example.org', 'ana@example.org']);
    const ids = mails.map(({ messageId }) => messageId!);
    expect(new Set(ids).size).toBe(3);
    expect([...told.stdout.matchAll(/Message-ID: (\S+)/g)].map(([, id]) => id)).toEqual(ids);
  });

  it('is told of when a watering is logged, and stands in the books of the farm as quiet, with no mail', async () => {
    expect(spell()).toMatch(/Its alert has been firing since yesterday \d\d:\d\d: [\d.]+ % is below 23 %\./);
    const store = await openStore({ db });
    try {
      const [alerts, messages] = await store.read(1, async (own) => [
        await own.selectFrom('alerts').select(['threshold', 'hysteresis', 'is_active']).execute(),
        await own.selectFrom('outbox').select('kind').execute(),
      ]);
      expect(alerts).toEqual([{ threshold: '23', hysteresis: '2', is_active: 1 }]);
      expect(messages).toEqual([]);
    } finally {
      await store.close();
    }
  });

  it('mails nothing through the mail server that the person has set', () => {
    expect(connections).toBe(0);
  });
});

describe('the morning of the demo', () => {
  const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));
  const written = (): Promise<string> => readFile(join(folder, 'demo-morning.md'), 'utf8');

  it('is written down beside the farm as it stands in docs/', async () => {
    expect((await written()).replace('demo-morning.png', 'a-morning.png')).toBe(
      await readFile(join(DOCS, 'a-morning.md'), 'utf8'),
    );
  });

  it('has its picture beside it, small enough to be kept', async () => {
    expect(await written()).toContain('](demo-morning.png)');
    for (const file of [join(folder, 'demo-morning.png'), join(DOCS, 'a-morning.png')]) {
      const picture = await readFile(file);
      expect(PNG.sync.read(picture).width).toBe(1600);
      expect(picture.length).toBeLessThan(120_000);
    }
  });

  it('reckons the water that it gives as anyone can', async () => {
    const text = await written();
    const slices = [...text.matchAll(/(\d+) mm x \(([\d.]+) % - ([\d.]+) %\) = ([\d.]+) mm/g)];
    expect(slices).toHaveLength(5);
    for (const [, thickness, capacity, value, mm] of slices)
      expect((Number(thickness) * (Number(capacity) - Number(value))) / 100).toBeCloseTo(Number(mm), 1);
    const [, water, flow, minutes] = /([\d.]+) mm \/ ([\d.]+) mm\/h x 60 = ([\d.]+) min/.exec(text)!.map(Number);
    expect(Math.abs((water! / flow!) * 60 - minutes!)).toBeLessThan(0.2);
    expect(text).toContain(`give ${minutes} min`);
  });

  it('gets no file of somebody else in its place', async () => {
    const file = join(folder, 'own.db');
    await writeFile(join(folder, 'own-morning.md'), '# My mornings\n');
    const { code, stderr } = await demo(file);
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(stderr).toContain('own-morning.md, which holds something else');
  });
});

describe('acequia demo on a file that stands', () => {
  it('refuses to keep its mail where another file lies, and leaves that as it was', async () => {
    const file = join(folder, 'letters.db');
    await writeFile(`${file}.mbox`, 'From ana@example.org Tue Jul 14 09:20:00 2026\nSubject: The pump\n\nIs mended.\n');
    const before = await readFile(`${file}.mbox`);
    const { code, stderr } = await demo(file);
    expect(code).toBe(1);
    expect(stderr).toContain('holds something else');
    expect(before.equals(await readFile(`${file}.mbox`))).toBe(true);
    expect(existsSync(file)).toBe(false);
  });

  it(
    'makes its own farm anew, also after it was cut off in the middle, whatever mail the person has set',
    async () => {
      const file = join(folder, 'cut-off.db');
      const child = start(file);
      while (!existsSync(file)) await pause(5);
      await pause(150);
      child.kill('SIGKILL');
      await once(child, 'close');
      const again = await demo(file);
      expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
      expect(withoutIds(again.stdout.replaceAll(stem(file), stem(db)))).toBe(withoutIds(told.stdout));
    },
    LONG_TIMEOUT_MS,
  );

  it('refuses the store of another farm and leaves it as it was', async () => {
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
    expect(stderr).toContain('another farm');
    expect(before.equals(await readFile(file))).toBe(true);
  });

  it('refuses a file that is no store and leaves it as it was', async () => {
    const file = join(folder, 'letter.txt');
    await writeFile(file, 'Dear Ana, the pump is mended.');
    const { code, stderr } = await demo(file);
    expect(code).toBe(1);
    expect(stderr).toContain('not an Acequia store');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(await readFile(file, 'utf8')).toBe('Dear Ana, the pump is mended.');
  });
});

describe('acequia demo at any hour', () => {
  it.each([
    [
      'just after midnight, in winter, on the last day of a year',
      '2026-12-30T23:05:00Z',
      'forward on 2027-03-28; the waterings begin',
    ],
    ['in the night when the clocks go back', '2026-10-25T01:30:00Z', 'forward on 2027-03-28, which lies beyond'],
    [
      'while it waters, two days before the clocks go forward',
      '2026-03-27T03:50:00Z',
      'back on 2026-10-25, which lies beyond',
    ],
  ])(
    'goes as it tells %s',
    async (_, clock, change) => {
      const file = join(folder, `${Date.parse(clock)}.db`);
      const { code, stdout, stderr } = await demo(file, clock);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('I watered North 1 for 45 minutes yesterday morning at six.');
      expect(stdout.replace(/\s+/g, ' ')).toContain(`The clocks go ${change}`);
    },
    LONG_TIMEOUT_MS,
  );
});
