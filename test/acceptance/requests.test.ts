import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Ajv, type ValidateFunction } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { bringReadings } from './brought.ts';
import { type OwnFarm, ownFarm } from './own-farm.ts';
import { ALERT_REQUESTS } from './requests-alerts.ts';
import { DECLARATIONS, QUESTIONS, WATERINGS } from './requests-answered.ts';
import { OPEN_REQUESTS } from './requests-asked.ts';
import { type Answered, BOOKED, dryingWeek, REQUESTS_FARM, SCHEDULED } from './requests-farm.ts';

/** The farm with its readings, its book and its plans. */
function farmToAsk(): OwnFarm {
  const farm = ownFarm(REQUESTS_FARM);
  beforeAll(async () => {
    await bringReadings(farm.db, dryingWeek(), { module: 'North 1' });
    for (const each of BOOKED) await farm.body('log_watering', each);
    for (const each of SCHEDULED) await farm.body('create_schedule', each);
  });
  return farm;
}

/** The input schemas that a server lists, by tool; filled before its first test. */
function listedBy(farm: OwnFarm): Map<string, ValidateFunction> {
  const listed = new Map<string, ValidateFunction>();
  beforeAll(async () => {
    const ajv = new Ajv({ strict: true });
    for (const { name, inputSchema } of (await farm.client.listTools()).tools)
      listed.set(name, ajv.compile(inputSchema));
  });
  return listed;
}

function isListed(listed: Map<string, ValidateFunction>, tool: string, args: Record<string, unknown>): void {
  const valid = listed.get(tool);
  expect([...listed.keys()]).toContain(tool);
  expect(valid!(args), JSON.stringify(valid!.errors)).toBe(true);
}

const called = async (farm: OwnFarm, tool: string, args: Record<string, unknown>) =>
  (await farm.client.callTool({ name: tool, arguments: args })) as CallToolResult;

async function holds(farm: OwnFarm, { tool, args, answers, shows }: Answered): Promise<void> {
  const result = await called(farm, tool, args);
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
  expect(result.structuredContent).toMatchObject(answers);
  if (shows) expect(await farm.body(shows.tool, shows.args)).toMatchObject(shows.answers);
}

describe('a person who asks', () => {
  const farm = farmToAsk();
  const listed = listedBy(farm);

  it.each(QUESTIONS)('is answered: $said', async (request) => {
    isListed(listed, request.tool, request.args);
    await holds(farm, request);
  });

  it.each(OPEN_REQUESTS)('is asked back: $said', async ({ tool, args, code, field, asks }) => {
    isListed(listed, tool, args);
    const refusal = await farm.refusal(tool, args);
    expect([refusal.code, refusal.field]).toEqual([code, field]);
    expect(`${refusal.message} ${refusal.hint}`).toMatch(asks);
    expect((await farm.body('list_waterings', { status: 'done' })).data).toHaveLength(BOOKED.length);
  });

  it('sees the curve: "Montre-moi la courbe de North 1 depuis lundi."', async () => {
    const args = { module: 'North 1', start: 'lundi' };
    isListed(listed, 'chart_moisture', args);
    const { content, isError } = await called(farm, 'chart_moisture', args);
    expect(isError).not.toBe(true);
    expect(content.map(({ type }) => type).sort()).toEqual(['image', 'text']);
  });
});

describe('a person who tells', () => {
  const farm = farmToAsk();
  const listed = listedBy(farm);

  it.each([...WATERINGS, ...DECLARATIONS])('has it in the books: $said', async (request) => {
    isListed(listed, request.tool, request.args);
    await holds(farm, request);
  });

  it.for(ALERT_REQUESTS)('is warned: $said', async (request, { skip }) => {
    if (!listed.has('list_alerts')) {
      expect([...listed.keys()].filter((tool) => /_alerts?$/.test(tool))).toEqual([]);
      skip('no tool for alerts is listed');
    }
    isListed(listed, request.tool, request.args);
    await holds(farm, request);
  });
});

describe('the requests', () => {
  it('are forty or more, and those that need a question are among them', () => {
    const answered = [...WATERINGS, ...DECLARATIONS, ...QUESTIONS];
    expect(answered.length).toBeGreaterThanOrEqual(40);
    expect(OPEN_REQUESTS.length).toBeGreaterThanOrEqual(15);
    expect(new Set(ALERT_REQUESTS.map(({ tool }) => tool)).size).toBe(4);
    expect(new Set([...answered, ...OPEN_REQUESTS].map(({ said }) => said)).size).toBe(
      answered.length + OPEN_REQUESTS.length,
    );
  });
});
