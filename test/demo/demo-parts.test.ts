import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  firingsByHand,
  hoursBelowByHand,
  remindersByHand,
  weightedReadings,
} from '../../demo/hand-calculations/alert-firings.ts';
import { doseByHand, flowByHand } from '../../demo/hand-calculations/doses-and-needs.ts';
import {
  calendarRows,
  nextClockChange,
  wallClockTime,
} from '../../demo/hand-calculations/wall-clock-calendar.ts';
import { mailboxPath, openMailbox } from '../../demo/servers/mailbox.ts';
import { clientSnippets } from '../../src/cli/connect/client-snippets.ts';
import type { WateringBody } from '../../src/schema/irrigation/watering.ts';

/** 45 min of drip at 3.2 mm/h: 3.2 x 45 / 60 = 2.4 mm, / 0.35 = 6.857 mm. */
const watering = {
  durationMin: 45,
  waterMm: 2.4,
  waterMmWetted: 6.857,
  configSnapshot: { flowMmPerH: 3.2, fractionWetted: 0.35 },
} as WateringBody;

describe('a calculation by hand in the demo', () => {
  it('derives a dose from its frozen parameters', () => {
    expect(doseByHand(watering)).toEqual({
      lines: [
        '3.2 mm/h x 45 min / 60 = 2.4 mm over the whole area',
        '3.2 mm/h x 45 min / 60 / 0.35 = 6.857 mm in the wetted zone',
      ],
      agrees: true,
    });
  });

  it.each([{ waterMm: 2.5 }, { waterMm: null }, { waterMmWetted: 6.858 }, { waterMmWetted: null }])(
    'disagrees with an answer that says %j',
    (wrong) => {
      expect(doseByHand({ ...watering, ...wrong }).agrees).toBe(false);
    },
  );

  it('disagrees with a dose without parameters', () => {
    expect(doseByHand({ ...watering, configSnapshot: null }).agrees).toBe(false);
  });

  it('disagrees with a flow that its emitters do not give', () => {
    const emitters = { emitterFlowLph: 1.6, emittersPerM2: 2 };
    expect(flowByHand({ ...emitters, flowMmPerH: 3.2 }).agrees).toBe(true);
    expect(flowByHand({ ...emitters, flowMmPerH: 3.3 }).agrees).toBe(false);
  });
});

describe('the clock changes in the demo', () => {
  // The last Sundays of March and October, 01:00 UTC.
  it.each([
    ['2026-01-10T00:00:00Z', '2026-03-29T01:00:00Z', 'forward'],
    ['2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z', 'forward'],
    ['2026-03-29T01:00:01Z', '2026-10-25T01:00:00Z', 'back'],
    ['2026-10-25T02:00:00Z', '2027-03-28T01:00:00Z', 'forward'],
    ['2021-09-01T00:00:00Z', '2021-10-31T01:00:00Z', 'back'],
  ])('are known from the calendar: after %s comes %s', (from, at, direction) => {
    expect(nextClockChange(Date.parse(from))).toEqual({ at: Date.parse(at), direction });
  });

  it('shift local time by an hour', () => {
    const { at } = nextClockChange(Date.UTC(2026, 5, 1));
    expect([at - 60_000, at].map(wallClockTime)).toEqual(['2026-10-25 02:59', '2026-10-25 02:00']);
  });
});

describe('the calendar of the demo', () => {
  const event = (startedAt: string, fields: Partial<WateringBody> = {}) =>
    ({ startedAt, status: 'planned', isDetached: false, ...fields }) as WateringBody;

  it('has a row per week from tomorrow to the last watering, and marks manual changes', () => {
    // Wednesday the 28th of January 2026, 11:00 in Paris.
    const now = Date.UTC(2026, 0, 28, 10);
    const rows = calendarRows(
      [
        event('2026-02-03T04:00:00Z', { status: 'skipped', isDetached: true }),
        event('2026-02-01T04:00:00Z', { isDetached: true }),
        event('2026-01-30T19:00:00Z'),
        event('2026-01-30T04:00:00Z'),
      ],
      now,
    );
    expect(rows).toEqual([
      ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
      ['Jan/Feb', '', '', '', '29', '30 05:00 20:00', '31', ' 1 05:00*'],
      ['', ' 2', ' 3 05:00x', '', '', '', '', ''],
    ]);
  });
});

describe('what to paste into an assistant', () => {
  const server = {
    command: '/opt/my node/bin/node',
    args: ['/home/ana/it\'s "here"/acequia.js', 'mcp', '--db', '/d/demo.db'],
  };
  const textFor = (client: string): string =>
    clientSnippets(server).find((each) => each.client === client)!.text;

  it.each(['Claude Desktop', 'Gemini CLI'])(
    'is JSON with the unchanged command for %s, whatever its paths contain',
    (assistant) => {
      expect(JSON.parse(textFor(assistant))).toEqual({ mcpServers: { acequia: server } });
    },
  );

  it('is TOML whose texts are quoted for Codex', () => {
    expect(textFor('Codex')).toBe(
      '[mcp_servers.acequia]\n' +
        'command = "/opt/my node/bin/node"\n' +
        'args = ["/home/ana/it\'s \\"here\\"/acequia.js", "mcp", "--db", "/d/demo.db"]',
    );
  });

  it.skipIf(process.platform === 'win32')(
    'is a command line that a shell splits correctly for Claude Code',
    async () => {
      const { execFileSync } = await import('node:child_process');
      const line = textFor('Claude Code').replace(/^claude mcp add acequia -- /, '');
      const words = execFileSync(
        '/bin/sh',
        ['-c', `for word in ${line}; do printf '%s\\n' "$word"; done`],
        {
          encoding: 'utf8',
        },
      );
      expect(words.trimEnd().split('\n')).toEqual([server.command, ...server.args]);
    },
  );
});

describe('the alert by hand in the demo', () => {
  const MINUTE = 60_000;
  const limits = { threshold: 20, resolvesAt: 25 };
  const readings = (values: readonly number[]) =>
    values.map((value, index) => ({ at: index * 15 * MINUTE, value }));

  it('fires below the threshold, resolves where the level is reached, and fires again', () => {
    expect(firingsByHand(readings([26, 21, 20, 19.9, 20.5, 24.9, 25, 24, 19.8]), limits)).toEqual([
      { start: 3 * 15 * MINUTE, end: 6 * 15 * MINUTE, lowest: 19.9 },
      { start: 8 * 15 * MINUTE, end: null, lowest: 19.8 },
    ]);
  });

  it('counts the time until the next reading as below, that after the last one not', () => {
    // Two of the three that are below are followed by another: half an hour.
    expect(hoursBelowByHand(readings([21, 19, 18, 20, 19]), limits)).toBe(0.5);
  });

  it('weights the depths by root uptake', () => {
    const values = [20, 26, 30, 33, 36].map((value) => Float64Array.of(value));
    // 0.4 x 20 + 0.2 x 26 + 30 / 6 + 33 / 6 + 36 / 15 = 8 + 5.2 + 5 + 5.5 + 2.4 = 26.1.
    expect(weightedReadings({ instants: Float64Array.of(0), values })).toEqual([
      { at: 0, value: 26.1 },
    ]);
  });

  it('counts mornings at eight local time except the first, also across a clock change', () => {
    // From Saturday 05:00 to Tuesday 08:00 in Paris; in the night to Sunday the clocks go forward.
    const start = Date.parse('2026-03-28T04:00:00Z');
    const tuesday = Date.parse('2026-03-31T06:00:00Z');
    const now = Date.parse('2026-04-02T10:00:00Z');
    const mornings = (end: number | null): number =>
      remindersByHand([{ start, end, lowest: 19 }], now);
    expect([mornings(tuesday), mornings(tuesday + 1), mornings(null)]).toEqual([2, 3, 5]);
  });
});

describe('the mailbox of the demo', () => {
  it('stores each message as received, escaping what looks like the start of another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'acequia-mailbox-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = mailboxPath(join(folder, 'demo.db'));
    const mailbox = await openMailbox(file);
    const transport = createTransport(mailbox.url);
    for (const text of ['From here on it is dry.\n', 'The pump runs.\n'])
      await transport.sendMail({
        from: 'farm@example.org',
        to: 'ana@example.org',
        subject: 'Dry',
        text,
      });
    expect((await mailbox.takeArrived()).map(({ text }) => text)).toEqual([
      'From here on it is dry.\n',
      'The pump runs.\n',
    ]);
    expect(await mailbox.takeArrived()).toEqual([]);
    await mailbox.close();

    const mail = await readFile(file, 'latin1');
    expect(mail.match(/^From .*$/gm)).toHaveLength(2);
    expect(mail).toContain('\n>From here on it is dry.\n');
    expect(mail).not.toContain('\r');
  });
});
