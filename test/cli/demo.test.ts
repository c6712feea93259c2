import { describe, expect, it } from 'vitest';
import { doseByHand, flowByHand } from '../../src/cli/demo/by-hand.ts';
import { connections } from '../../src/cli/demo/connect.ts';
import { nextChange, ninetyDays, onTheWall } from '../../src/cli/demo/ninety-days.ts';
import type { WateringBody } from '../../src/schema/watering.ts';

/** 45 min of drip at 3.2 mm/h: 3.2 x 45 / 60 = 2.4 mm, / 0.35 = 6.857 mm. */
const watering = {
  durationMin: 45,
  waterMm: 2.4,
  waterMmWetted: 6.857,
  configSnapshot: { flowMmPerH: 3.2, fractionWetted: 0.35 },
} as WateringBody;

describe('the calculation by hand in the demo', () => {
  it('writes down how a dose comes about from what was frozen with it', () => {
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
    (said) => {
      expect(doseByHand({ ...watering, ...said }).agrees).toBe(false);
    },
  );

  it('disagrees with a dose that rests on nothing', () => {
    expect(doseByHand({ ...watering, configSnapshot: null }).agrees).toBe(false);
  });

  it('disagrees with a flow that its emitters do not give', () => {
    const emitters = { emitterFlowLph: 1.6, emittersPerM2: 2 };
    expect(flowByHand({ ...emitters, flowMmPerH: 3.2 }).agrees).toBe(true);
    expect(flowByHand({ ...emitters, flowMmPerH: 3.3 }).agrees).toBe(false);
  });
});

describe('the changes of the clocks in the demo', () => {
  // The last Sundays of March and October, 01:00 UTC.
  it.each([
    ['2026-01-10T00:00:00Z', '2026-03-29T01:00:00Z', 'forward'],
    ['2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z', 'forward'],
    ['2026-03-29T01:00:01Z', '2026-10-25T01:00:00Z', 'back'],
    ['2026-10-25T02:00:00Z', '2027-03-28T01:00:00Z', 'forward'],
    ['2021-09-01T00:00:00Z', '2021-10-31T01:00:00Z', 'back'],
  ])('are known from the calendar: after %s comes %s', (from, at, turns) => {
    expect(nextChange(Date.parse(from))).toEqual({ at: Date.parse(at), turns });
  });

  it('turn the clock on the wall by an hour', () => {
    const { at } = nextChange(Date.UTC(2026, 5, 1));
    expect([at - 60_000, at].map(onTheWall)).toEqual(['2026-10-25 02:59', '2026-10-25 02:00']);
  });
});

describe('the calendar of the demo', () => {
  const event = (startedAt: string, fields: Partial<WateringBody> = {}) =>
    ({ startedAt, status: 'planned', isDetached: false, ...fields }) as WateringBody;

  it('has a row a week, from tomorrow to the last watering, with what was changed by hand marked', () => {
    // Wednesday the 28th of January 2026, 11:00 in Paris.
    const now = Date.UTC(2026, 0, 28, 10);
    const rows = ninetyDays(
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
  const textFor = (assistant: string): string => connections(server).find((each) => each.assistant === assistant)!.text;

  it.each(['Claude Desktop', 'Gemini CLI'])(
    'is JSON with the command as it is for %s, whatever its paths hold',
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
    'is a command line that a shell takes apart again for Claude Code',
    async () => {
      const { execFileSync } = await import('node:child_process');
      const line = textFor('Claude Code').replace(/^claude mcp add acequia -- /, '');
      const words = execFileSync('/bin/sh', ['-c', `for word in ${line}; do printf '%s\\n' "$word"; done`], {
        encoding: 'utf8',
      });
      expect(words.trimEnd().split('\n')).toEqual([server.command, ...server.args]);
    },
  );
});
