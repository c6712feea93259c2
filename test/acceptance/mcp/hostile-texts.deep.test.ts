import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../../tools/index.ts';
import {
  expectHarmless,
  expectVisible,
  HOSTILE_TEXTS,
  MARKER,
  SOME_HOSTILE,
} from '../../hostile-texts.ts';
import { importFarmFile, importReadingsCsv } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { startMailServer } from '../../mail-server.ts';
import { rowsOf } from '../../stores/stores.ts';
import { folderForFile } from '../../temporary-places.ts';
import { HOUR, iso } from '../../time.ts';
import { runTick } from '../mail/outbox-store.ts';
import { bodyOf, connectForFile, type McpSession, serverArguments } from '../mcp-session.ts';
import { CLOCK, type Json } from '../program.ts';

const NOW = Date.parse(CLOCK);
const TEXTS = HOSTILE_TEXTS;
/** A watering, a schedule and an alert on these; the others only have hostile names. */
const WITH_RECORDS = SOME_HOSTILE;

const hostileFarm = () => ({
  company: {
    name: TEXTS[0],
    legalName: TEXTS[1],
    city: TEXTS[2],
    region: TEXTS[3],
    timezone: 'Europe/Paris',
  },
  users: TEXTS.slice(0, 8).map((name, index) => ({
    email: `u${index}@example.org`,
    name,
    role: index === 0 ? 'OWNER' : 'VIEWER',
  })),
  parcels: TEXTS.slice(0, 10).map((name) => ({
    name,
    type: name,
    installation: { system: 'drip', flowMmPerH: 4 },
  })),
  gateways: [{ imei: '356938035643809', firmware: TEXTS[4], assignedAt: '2025-01-10T00:00' }],
  modules: TEXTS.map((name, index) => ({
    uid: `${index} ${name}`.slice(0, 100),
    name,
    category: 'SOIL_PROBE',
    parcel: TEXTS[index % 10]!.trim(),
    gateway: '356938035643809',
    commissionedAt: '2025-01-11T09:00',
    sensors: [10, 20].map((depth) => ({ type: 'humidity', depth, label: name })),
    installation: { system: 'drip', flowMmPerH: 4, notes: name },
  })),
});

/** 26 % two hours ago, 18 % now. */
const readings = (): string => {
  const rows = WITH_RECORDS.flatMap((index) =>
    [10, 20].flatMap((depth) => [
      [`#${index + 1}`, 'humidity', depth, iso(NOW - 2 * HOUR), 26].join(','),
      [`#${index + 1}`, 'humidity', depth, iso(NOW - HOUR / 4), 18].join(','),
    ]),
  );
  return ['module,type,depth,time,value', ...rows, ''].join('\n');
};

let session: McpSession;
let db: string;

async function call(name: string, args: Record<string, unknown> = {}): Promise<Json> {
  const result = await session.call(name, args);
  expectVisible(result);
  const { content, structuredContent } = result;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const sentences = structuredContent === undefined ? texts : texts.slice(0, -1);
  for (const text of sentences) expectHarmless(text);
  if (structuredContent !== undefined)
    expect(JSON.parse(texts.at(-1) ?? '')).toEqual(structuredContent);
  return structuredContent;
}

/** A tool without a probe or parcel is called once, and in full if it can be. */
function inputsOf(shape: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  if ('moduleId' in shape) return WITH_RECORDS.map((index) => ({ module: `#${index + 1}` }));
  if ('parcelId' in shape)
    return TEXTS.slice(0, 10).map((_, index) => ({ parcel: `#${index + 1}` }));
  return 'detail' in shape ? [{}, { detail: 'full' }] : [{}];
}

beforeAll(async () => {
  db = `${await folderForFile()}/farm.db`;
  await importFarmFile(db, hostileFarm(), { clock: CLOCK });
  await importReadingsCsv(db, readings(), { clock: CLOCK });
  session = await connectForFile(serverArguments(db, {}));
});

describe('user texts that contain instructions', () => {
  it('are stored as written, and reach a model as visible characters only, in summaries quoted', async () => {
    for (const index of WITH_RECORDS) {
      const text = TEXTS[index]!;
      const module = `#${index + 1}`;
      const amount = { inputMode: 'duration', durationMin: 30 };
      await call('log_watering', { module, startedAt: 'today 6:00', note: text, ...amount });
      await call('set_module_placement', { module, emitterDistanceCm: 10, notes: text });
      await call('create_schedule', {
        module,
        label: text,
        freq: 'daily',
        startTimes: ['06:00'],
        timezone: 'Europe/Paris',
        ...amount,
        startsOn: '2026-07-02',
      });
      await call('create_annotation', {
        module,
        type: 'text',
        p1: [NOW, 20],
        text,
        style: { [text]: text },
      });
      await call('create_alert', { module, threshold: 20 });
    }
    const stored = await rowsOf<{ note: string }>(
      db,
      "select note from waterings where status = 'done' order by id",
    );
    expect(stored.map(({ note }) => note)).toEqual(
      WITH_RECORDS.map((index) => TEXTS[index]!.toWellFormed()),
    );
    const reads = tools.filter(({ effect, rest }) => effect === 'read' && !rest?.isRestOnly);
    expect(reads.length).toBeGreaterThan(15);
    for (const [nth, { name, input }] of reads.entries()) {
      const inputs = inputsOf(input.shape);
      const threshold = 'threshold' in input.shape ? { threshold: 20 } : {};
      // Each tool has every third input, so that several tools have each of them.
      for (const tried of inputs.filter((_, index) => inputs.length < 3 || index % 3 === nth % 3))
        await call(name, { ...tried, ...threshold });
    }
  });

  it('can be found by the name shown to the model', async () => {
    const { data } = await call('list_modules', { limit: 200 });
    expect(data).toHaveLength(TEXTS.length);
    const names = data.map(({ name }: Json) => name);
    for (const { id, name } of data) {
      if (names.filter((each: string) => each === name).length > 1) continue;
      expect(bodyOf(await session.call('get_module', { module: name })).id).toBe(id);
    }
  });

  it('reach errors, resources, completions and prompts likewise', async () => {
    const { client } = session;
    for (const text of TEXTS) {
      for (const [name, args] of [
        ['get_module', { module: `${text} nowhere` }],
        ['log_watering', { module: '#1', startedAt: text, inputMode: 'duration', durationMin: 30 }],
        ['list_modules', { [text]: text }],
      ] as const) {
        const { isError, ...rest } = await session.call(name, args);
        expect(isError).toBe(true);
        expectVisible(rest);
        expectHarmless((rest.content[0] as { text: string }).text);
      }
      const prompt = await client.getPrompt({ name: 'log_watering', arguments: { request: text } });
      expect(JSON.stringify(prompt)).not.toMatch(/[\p{C}\p{DI}]|\\u/u);
    }
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const uris = [
      ...resources.map(({ uri }) => uri),
      ...resourceTemplates.map((each) => each.uriTemplate.replace(/\{\w+\}/, '%231')),
    ];
    for (const uri of uris.filter((each) => each.startsWith('acequia:'))) {
      const [content] = (await client.readResource({ uri })).contents;
      expectVisible(JSON.parse((content as { text: string }).text));
    }
    for (const name of ['module', 'parcel']) {
      const ref = { type: 'ref/prompt', name: 'log_watering' } as const;
      expectVisible(await client.complete({ ref, argument: { name, value: '' } }));
    }
  });

  it('reach a terminal without its control sequences', async () => {
    const options = ['--db', db, '--clock', CLOCK];
    for (const args of [
      ['call', 'list_modules', 'limit=200', '--json'],
      ['call', 'morning_brief'],
      ['doctor', '--json'],
    ]) {
      const { stdout, stderr } = await runInProcess([...args, ...options]);
      expect(`${stdout}${stderr}`.replaceAll('\n', ''), args.join(' ')).not.toMatch(
        /[\p{C}\p{DI}]/u,
      );
    }
    const csv = [
      'module,type,depth,time,value',
      ...TEXTS.map((text) => `"${text.replaceAll('"', '""')}",${text},x,y,z`),
    ];
    const { stdout, stderr } = await runInProcess(['import', '-', ...options], {
      input: csv.join('\n'),
    });
    expect(`${stdout}${stderr}`.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{DI}]/u);
  });

  it('reach a mail on one line', async () => {
    const server = await startMailServer();
    await runTick(db, { ACEQUIA_SMTP_URL: server.url }, '--clock', CLOCK);
    // All alerts of a minute are one mail.
    expect(server.received).toHaveLength(1);
    for (const { to, mail } of server.received) {
      expect(to).toBe('u0@example.org');
      expect(mail.subject).not.toMatch(/[\p{C}\p{DI}]/u);
      for (const text of [mail.text, mail.html])
        expect(String(text).replaceAll('\n', '')).not.toMatch(/[\p{C}\p{DI}]/u);
      const listed = String(mail.text).match(/^- Dry soil: .+ at 18 %, threshold 20 %$/gm);
      expect(new Set(listed).size).toBe(WITH_RECORDS.length);
      expect(mail.text).not.toMatch(new RegExp(`^(${MARKER}|SYSTEM|Bcc)`, 'm'));
    }
  });
});
