import { beforeAll, describe, expect, it } from 'vitest';
import { afterFile } from '../cleanup.ts';
import { importFarmFile } from '../imported-data.ts';
import { connectOverHttp, mcpUrl } from './mcp/http/mcp-http-client.ts';
import { bodyOf, callerOf, connectServer, firstText, type McpSession, refusalOf } from './mcp-session.ts';
import { CLOCK } from './program.ts';
import { createTestKey } from './rest-service.ts';
import { serveStore, storeForFile } from './test-surfaces.ts';

const probe = (uid: string, name: string, parcel: string) => ({
  ...{ uid, name, parcel },
  category: 'SOIL_PROBE',
  commissionedAt: '2025-01-11T09:00:00Z',
});

const FARM = {
  company: { name: 'Mas Rouge', countryCode: 'FR', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [
    { name: 'North block', type: 'olive' },
    { name: 'Peach block', type: 'Pêchers' },
    { name: 'Hillside', type: 'vineyard' },
    { name: 'Plateau', type: 'cherry' },
  ],
  modules: [
    probe('A1', 'North 1', 'North block'),
    probe('A2', 'North 2', 'North block'),
    probe('B1', 'Peach 1', 'Peach block'),
    probe('B2', 'Peach 2', 'Peach block'),
    probe('C1', 'P7', 'Hillside'),
  ],
};

const SURFACES = ['stdio', 'with a remote service', 'over HTTP'] as const;

type Sessions = Record<(typeof SURFACES)[number], Pick<McpSession, 'call'>>;

describe('names as people say them', () => {
  let sessions: Sessions;

  beforeAll(async () => {
    const db = await storeForFile();
    await importFarmFile(db, FARM);
    const { key } = await createTestKey(db, '--surface', 'mcp');
    const base = await serveStore(db);
    const local = await connectServer(['--db', db, '--clock', CLOCK]);
    const remote = await connectServer(['--remote', base, '--clock', CLOCK], { env: { ACEQUIA_API_KEY: key } });
    const http = await connectOverHttp(mcpUrl(base), { 'x-api-key': key }, afterFile);
    for (const { client } of [local, remote]) afterFile(() => client.close());
    sessions = {
      stdio: local,
      'with a remote service': remote,
      'over HTTP': { call: callerOf(http.client) },
    };
  });

  const water = (surface: keyof Sessions, module: string, startedAt: string) =>
    sessions[surface].call('log_watering', { module, startedAt, inputMode: 'depth_mm', inputDepthMm: 8 });

  describe.each(SURFACES)('%s', (surface) => {
    const day = `June ${10 + SURFACES.indexOf(surface)}`;

    it.each([
      ['peach one', 3, 'Peach 1'],
      ['pêche deux', 4, 'Peach 2'],
      ['norte uno', 1, 'North 1'],
      ['the second north probe', 2, 'North 2'],
      ['la vigne', 5, 'P7'],
    ])('a watering of %s is that of %i, and is read back with its name', async (text, id, name) => {
      const answer = await water(surface, text, `${day} 2026 at 06:00`);
      expect(bodyOf(answer).event.moduleId).toBe(id);
      expect(firstText(answer)).toContain(name);
    });

    it.each([
      ['le bloc du nord', '"North 1" (#1), "North 2" (#2)'],
      ['the peaches', '"Peach 1" (#3), "Peach 2" (#4)'],
    ])('%s is asked for', async (text, candidates) => {
      expect(refusalOf(await water(surface, text, `${day} 2026 at 08:00`))).toMatchObject({
        code: 'AMBIGUOUS_NAME',
        message: expect.stringContaining(candidates),
      });
    });

    it('of a parcel are found too, and the answer tells which one', async () => {
      const answer = await sessions[surface].call('list_modules', { parcel: 'el bloque norte' });
      expect(bodyOf(answer).data.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
      expect(firstText(await sessions[surface].call('get_soil_profile', { parcel: 'les vignes' }))).toContain(
        'Hillside',
      );
    });

    it.each([
      ['Nroth 1', /^Nearest: "North 1" \(#1\)/],
      ['the cherries', /The parcel "Plateau" \(#4, crop "cherry"\) has no probe\./],
    ])('%s is unknown, and answered with what is similar', async (text, hint) => {
      expect(refusalOf(await water(surface, text, `${day} 2026 at 09:00`))).toMatchObject({
        code: 'MODULE_NOT_OWNED',
        message: `No probe is called "${text}".`,
        hint: expect.stringMatching(hint),
      });
    });

    it('of a module with another number are not that module', async () => {
      expect(refusalOf(await water(surface, 'north three', `${day} 2026 at 10:00`))).toMatchObject({
        code: 'MODULE_NOT_OWNED',
      });
    });
  });
});
