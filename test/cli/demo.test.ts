import { describe, expect, it } from 'vitest';
import { doseByHand, flowByHand } from '../../src/cli/demo/by-hand.ts';
import { connections } from '../../src/cli/demo/connect.ts';
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
