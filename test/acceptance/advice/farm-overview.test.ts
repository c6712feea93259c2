import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { FARM_NOW, iso, type TestFarm, withFarm } from '../../farm.ts';
import { addManyProbes } from '../../service/advice/brief-farm.ts';
import { bodyOf, connectServer, firstText, type McpSession } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { createTestKey } from '../rest-service.ts';

const PROBES = 60;

/** The built program on a farm of many probes, its clock at the instant of the farm. */
async function sessionOn(farm: TestFarm, lang = 'en'): Promise<McpSession> {
  const { key } = await createTestKey(farm.db, '--company', 'Mas Rouge', '--surface', 'mcp');
  return connectServer(['--db', farm.db, '--clock', iso(FARM_NOW), '--lang', lang], { env: { ACEQUIA_API_KEY: key } });
}

async function allRows({ call }: McpSession, tool: string, args: Record<string, unknown> = {}): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = bodyOf(await call(tool, { ...args, limit: 50, ...(cursor && { cursor }) }));
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

describe('farm_overview of a farm with many probes', () => {
  it('has the figures of the tools for one probe, and those that the brief says need water', async () => {
    await withFarm(async (farm) => {
      await addManyProbes(farm, PROBES, 2);
      const session = await sessionOn(farm);
      const watched = await allRows(session, 'list_modules', { category: 'SOIL_PROBE' });
      for (const { id } of watched.slice(0, 12))
        await session.call('create_alert', { module: `#${id}`, threshold: 20 });
      const rows = await allRows(session, 'farm_overview');
      const probes = (await allRows(session, 'list_modules')).filter(({ category }) => category !== 'WEATHER_STATION');
      expect(rows.map(({ moduleId }) => moduleId).sort()).toEqual(probes.map(({ id }) => id).sort());
      const alerts = await allRows(session, 'list_alerts', { isActive: true });
      let compared = 0;
      for (const row of rows) {
        const module = `#${row.moduleId}`;
        const state = await session.call('get_agronomic_state', { module });
        if (state.isError) {
          expect(firstText(state)).toContain('not_found');
          expect(row).not.toHaveProperty('state');
          continue;
        }
        const { state: name, value_vwc: moisture } = bodyOf(state);
        const { daysToStress, time } = bodyOf(await session.call('advise_watering', { module }));
        const [newest] = bodyOf(await session.call('list_waterings', { module, status: 'done', limit: 1 })).data;
        const firing = alerts.some((alert) => alert.moduleId === row.moduleId && alert.state.firing);
        expect(row.state ?? null).toBe(name);
        expect(row.value_vwc ?? null).toBe(moisture);
        expect(row.daysToStress ?? null).toBe(daysToStress);
        expect(row.ageMin ?? null).toBe(time && Math.floor((FARM_NOW - Date.parse(time)) / 60_000));
        expect(row.alert === 'firing').toBe(firing);
        // Paris is two hours ahead of UTC.
        expect(row.lastWateredAt).toBe(newest && iso(Date.parse(newest.startedAt) + 7_200_000).slice(0, 10));
        compared += 1;
      }
      expect(compared).toBeGreaterThan(PROBES / 2);
      const brief = bodyOf(await session.call('morning_brief'));
      const inBrief = brief.needsWater.reduce((sum: number, each: Json) => sum + each.dryProbes, 0);
      const needy = rows.filter(({ needsWater }) => needsWater);
      expect(brief.leftOut?.needsWater).toBeUndefined();
      expect(needy).toHaveLength(inBrief);
      expect(needy.map(({ moduleId }) => moduleId)).toEqual(
        expect.arrayContaining(brief.needsWater.map(({ moduleId }: Json) => moduleId)),
      );
    });
  });

  it('lists 20 probes within 1,500 tokens, and says how to get the others', async () => {
    await withFarm(async (farm) => {
      await addManyProbes(farm, PROBES, 3);
      const { call } = await sessionOn(farm);
      const { content, structuredContent } = await call('farm_overview');
      const { data, leftOut, summary } = structuredContent as Json;
      expect(data).toHaveLength(20);
      expect(encode(JSON.stringify(structuredContent)).length).toBeLessThan(1_500);
      expect(leftOut).toBeGreaterThan(30);
      expect(summary).toContain(`${leftOut} less urgent ones are not listed here. There are more: pass next_cursor`);
      expect(firstText({ content })).toBe(summary);
    });
  });
});
