import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { withFarm } from '../../farm.ts';
import { addManyProbes } from '../../service/advice/brief-farm.ts';
import { firstText, startStdioServer } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { createTestKey } from '../rest-service.ts';

it('farm_overview lists 20 probes within 1,500 tokens, and says how to get the others', async () => {
  await withFarm(async (farm) => {
    await addManyProbes(farm, 60, 3);
    const { key } = await createTestKey(farm.db, '--company', 'Mas Rouge', '--surface', 'mcp');
    const { call } = await startStdioServer(['--db', farm.db], { ACEQUIA_API_KEY: key });
    const { content, structuredContent } = await call('farm_overview');
    const { data, leftOut, summary } = structuredContent as Json;
    expect(data).toHaveLength(20);
    expect(encode(JSON.stringify(structuredContent)).length).toBeLessThan(1_500);
    expect(leftOut).toBeGreaterThan(30);
    expect(summary).toContain(`${leftOut} less urgent ones are not listed here.`);
    expect(firstText({ content })).toBe(summary);
  });
});
