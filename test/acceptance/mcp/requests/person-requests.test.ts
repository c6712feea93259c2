import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Ajv, type ValidateFunction } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { importReadingsCsv } from '../../../imported-data.ts';
import { type StdioFarm, stdioFarm } from '../../stdio-farm.ts';
import { ALERT_REQUESTS } from './alert-requests.ts';
import { DECLARATION_REQUESTS, QUESTION_REQUESTS, WATERING_REQUESTS } from './answered-requests.ts';
import { INCOMPLETE_REQUESTS } from './incomplete-requests.ts';
import {
  type AnsweredRequest,
  dryingWeek,
  LOGGED_WATERINGS,
  PLANNED_SCHEDULES,
  REQUESTS_FARM,
} from './request-farm.ts';

function requestFarm(): StdioFarm {
  const farm = stdioFarm(REQUESTS_FARM);
  beforeAll(async () => {
    await importReadingsCsv(farm.db, dryingWeek(), { module: 'North 1' });
    for (const each of LOGGED_WATERINGS) await farm.body('log_watering', each);
    for (const each of PLANNED_SCHEDULES) await farm.body('create_schedule', each);
  });
  return farm;
}

function inputValidators(farm: StdioFarm): Map<string, ValidateFunction> {
  const listed = new Map<string, ValidateFunction>();
  beforeAll(async () => {
    const ajv = new Ajv({ strict: true });
    for (const { name, inputSchema } of (await farm.client.listTools()).tools)
      listed.set(name, ajv.compile(inputSchema));
  });
  return listed;
}

function expectValidInput(listed: Map<string, ValidateFunction>, tool: string, args: Record<string, unknown>): void {
  const valid = listed.get(tool);
  expect([...listed.keys()]).toContain(tool);
  expect(valid!(args), JSON.stringify(valid!.errors)).toBe(true);
}

const callByName = async (farm: StdioFarm, tool: string, args: Record<string, unknown>) =>
  (await farm.client.callTool({ name: tool, arguments: args })) as CallToolResult;

async function expectAnswer(farm: StdioFarm, { tool, args, expected, followUp }: AnsweredRequest): Promise<void> {
  const result = await callByName(farm, tool, args);
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
  expect(result.structuredContent).toMatchObject(expected);
  if (followUp) expect(await farm.body(followUp.tool, followUp.args)).toMatchObject(followUp.answers);
}

describe('a person who asks', () => {
  const farm = requestFarm();
  const listed = inputValidators(farm);

  it.each(QUESTION_REQUESTS)('is answered: $said', async (request) => {
    expectValidInput(listed, request.tool, request.args);
    await expectAnswer(farm, request);
  });

  it.each(INCOMPLETE_REQUESTS)('is asked back: $said', async ({ tool, args, code, field, asks }) => {
    expectValidInput(listed, tool, args);
    const refusal = await farm.refusal(tool, args);
    expect([refusal.code, refusal.field]).toEqual([code, field]);
    expect(`${refusal.message} ${refusal.hint}`).toMatch(asks);
    expect((await farm.body('list_waterings', { status: 'done' })).data).toHaveLength(LOGGED_WATERINGS.length);
  });

  it('sees the curve: "Montre-moi la courbe de North 1 depuis lundi."', async () => {
    const args = { module: 'North 1', start: 'lundi' };
    expectValidInput(listed, 'chart_moisture', args);
    const { content, isError } = await callByName(farm, 'chart_moisture', args);
    expect(isError).not.toBe(true);
    expect(content.map(({ type }) => type).sort()).toEqual(['image', 'text']);
  });
});

describe('a person who tells', () => {
  const farm = requestFarm();
  const listed = inputValidators(farm);

  it.each([...WATERING_REQUESTS, ...DECLARATION_REQUESTS])('has it in the books: $said', async (request) => {
    expectValidInput(listed, request.tool, request.args);
    await expectAnswer(farm, request);
  });

  it.for(ALERT_REQUESTS)('is warned: $said', async (request, { skip }) => {
    if (!listed.has('list_alerts')) {
      expect([...listed.keys()].filter((tool) => /_alerts?$/.test(tool))).toEqual([]);
      skip('no tool for alerts is listed');
    }
    expectValidInput(listed, request.tool, request.args);
    await expectAnswer(farm, request);
  });
});

describe('the requests', () => {
  it('are forty or more, and those that need a question are among them', () => {
    const answered = [...WATERING_REQUESTS, ...DECLARATION_REQUESTS, ...QUESTION_REQUESTS];
    expect(answered.length).toBeGreaterThanOrEqual(40);
    expect(INCOMPLETE_REQUESTS.length).toBeGreaterThanOrEqual(15);
    expect(new Set(ALERT_REQUESTS.map(({ tool }) => tool)).size).toBe(4);
    expect(new Set([...answered, ...INCOMPLETE_REQUESTS].map(({ text }) => text)).size).toBe(
      answered.length + INCOMPLETE_REQUESTS.length,
    );
  });
});
