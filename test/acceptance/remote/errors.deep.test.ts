import { describe, expect, it } from 'vitest';
import { expectRecorded, withoutRandomness } from '../../recorded/recording.ts';
import { connectOverHttp, mcpUrl } from '../mcp/http/mcp-http-client.ts';
import { startStdioServer } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { type ErrorsFarm, HOSTILE, saidByTools, serveErrorsFarm } from '../rest/errors-farm.ts';

const saidByRemoteTools = (farm: ErrorsFarm, surface: string): Promise<Record<string, Json>> =>
  saidByTools(farm, surface, (key) =>
    startStdioServer(['--remote', farm.base], { ACEQUIA_API_KEY: key }),
  );

/** Tools take a few of the calls that REST refuses, and the second one differs. */
const refusalsOf = (said: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(Object.entries(withoutRandomness(said)).filter(([, { error }]) => error));

describe('errors of tools with --remote', () => {
  it('say what was recorded', async () => {
    const said = await saidByRemoteTools(await serveErrorsFarm(), 'remote');
    await expectRecorded('errors', said, 'remote, ');
  });

  it('say what the tools of the service say, in US units and with names that read as others', async () => {
    const farm = await serveErrorsFarm(HOSTILE);
    const said = await saidByTools(farm, 'tool', (key) =>
      connectOverHttp(mcpUrl(farm.base), { 'x-api-key': key }),
    );
    const byService = refusalsOf(said);
    expect(Object.keys(byService).length).toBeGreaterThan(70);
    expect(JSON.stringify(byService)).toMatch(/ in\/h \(/);
    expect(JSON.stringify(byService)).toContain('Row 2 in (50 mm)');
    expect(refusalsOf(await saidByRemoteTools(farm, 'tool'))).toEqual(byService);
  });
});
