import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tools as operations } from '../../../../tools/index.ts';
import type { JsonSchemaNode } from '../../../policy/schema-subset.ts';
import { newStorePlace } from '../../../temporary-places.ts';
import { bodyOf, connectStdio, firstText, type McpSession } from '../../mcp-session.ts';
import { callsOf, type GeneratedCall } from './generated-calls.ts';
import { importRandomFarm, randomFarms } from './random-farms.ts';

const FARMS = 3;
const CALLS_PER_FARM = 456;

const pictureTools = new Set(operations.filter(({ render }) => render).map(({ name }) => name));

function expectRefusal({ content, _meta, ...rest }: CallToolResult): void {
  const { code, message, hint } = _meta!['acequia/error'] as Record<string, string>;
  expect(content).toEqual([{ type: 'text', text: [`${code}: ${message}`, ...(hint ? [hint] : [])].join(' ') }]);
  expect(rest).toEqual({ isError: true });
}

function expectTwoWholeRenderings({ content, structuredContent }: CallToolResult): void {
  expect(content.map(({ type }) => type)).toEqual(['text', 'text']);
  const [said, written] = content.map((block) => (block as { text: string }).text);
  expect(said).toBe(structuredContent!.summary);
  expect(said).toMatch(/\S/);
  expect(JSON.parse(written!)).toEqual(structuredContent);
  expect(written).toBe(JSON.stringify(structuredContent));
}

async function expectTextOfPicture(call: McpSession['call'], args: GeneratedCall['args'], result: CallToolResult) {
  expect([Object.keys(result), result.content.map(({ type }) => type)]).toEqual([['content'], ['text', 'image']]);
  const text = firstText(result);
  const { module, start, end } = args;
  const period = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  const series = bodyOf(await call('get_moisture_series', { module, ...period, maxPoints: 500 }));
  const state = bodyOf(await call('get_agronomic_state', { module }));
  const { data: alerts } = bodyOf(await call('list_alerts', { module, isActive: true, limit: 200 }));
  const levels = [
    state.stressPoint,
    state.fieldCapacity,
    ...alerts.map(({ threshold }: { threshold: string }) => threshold),
  ];
  const { last, min, max } = series.statistics ?? {};
  const figures = [last, min, max].flatMap((each) => (each === undefined ? [] : [each.value]));
  for (const figure of [...figures, ...(series.type === 'humidity' ? levels : [])])
    if (figure !== null) expect(text).toContain(String(figure));
  const asked = { module, from: series.start, to: series.end, limit: 200 };
  const { data: waterings } = bodyOf(await call('list_waterings', asked)) as { data: { status: string }[] };
  for (const status of ['done', 'planned']) {
    const count = waterings.filter((each) => each.status === status).length;
    if (count > 0) expect(text).toMatch(new RegExp(`\\b${count} waterings? ${status}`));
  }
}

describe('the two renderings of an answer', () => {
  it('each alone carry every fact of the other, whatever is asked of whatever farm', async () => {
    const answered = new Set<string>();
    await fc.assert(
      fc.asyncProperty(randomFarms, fc.infiniteStream(fc.nat()), async (farm, seeds) => {
        const db = await newStorePlace();
        await importRandomFarm(db, farm);
        const { client, call } = await connectStdio(db, { lang: 'en' });
        const { tools } = await client.listTools();
        const made: Record<string, string[]> = { alertId: [], annotationId: [] };
        for (let count = 0; count < CALLS_PER_FARM; count++) {
          const { name, inputSchema } = tools[count % tools.length]!;
          const [drawn] = fc.sample(callsOf(name, inputSchema as JsonSchemaNode, farm), {
            numRuns: 1,
            seed: seeds.next().value,
          });
          const args = withIds(drawn!.args, made);
          const result = await call(name, args);
          if (result.isError) expectRefusal(result);
          else if (pictureTools.has(name)) await expectTextOfPicture(call, args, result);
          else expectTwoWholeRenderings(result);
          if (result.isError) continue;
          answered.add(name);
          if (name === 'create_alert') made.alertId!.push(bodyOf(result).id);
          if (name === 'create_annotation') made.annotationId!.push(bodyOf(result).id);
        }
        await client.close();
      }),
      { numRuns: FARMS, endOnFailure: true },
    );
    // A tool that was always refused has not been tested.
    expect(operations.map(({ name }) => name).filter((name) => !answered.has(name))).toEqual([]);
  }, 240_000);
});

const withIds = (args: GeneratedCall['args'], made: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const known = made[name];
      return [name, known && known.length > 0 ? known[Number(value) % known.length] : value];
    }),
  );
