import { beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../../src/domain/records.ts';
import type { JsonSchema } from '../../../src/operation/schemas/json-schema.ts';
import { toolInputSchema } from '../../../src/operation/schemas/tool-input-schema.ts';
import { toolsByName } from '../../../tools/index.ts';
import { importFarmFile, importReadingsCsv } from '../../imported-data.ts';
import { emptyStoreForFile } from '../../stores/template-stores.ts';
import { bodyOf, refusalOf } from '../../tool-results.ts';
import { type CallTool, inputCheckOf, sharedTools } from '../local-tools.ts';
import {
  ALERT_REQUESTS,
  DECLARATION_REQUESTS,
  QUESTION_REQUESTS,
  WATERING_REQUESTS,
} from './answered-requests.ts';
import { INCOMPLETE_REQUESTS } from './incomplete-requests.ts';
import {
  type AnsweredRequest,
  dryingWeek,
  LOGGED_WATERINGS,
  PLANNED_SCHEDULES,
  REQUESTS_FARM,
} from './request-farm.ts';

async function requestStore(): Promise<string> {
  const db = await emptyStoreForFile();
  await importFarmFile(db, REQUESTS_FARM);
  await importReadingsCsv(db, dryingWeek(), { module: 'North 1' });
  return db;
}

function requestTools(): CallTool {
  const call = sharedTools({ store: requestStore });
  beforeAll(async () => {
    for (const each of LOGGED_WATERINGS) bodyOf(await call('log_watering', each));
    for (const each of PLANNED_SCHEDULES) bodyOf(await call('create_schedule', each));
  });
  return (tool, { detail, ...args } = {}) => {
    const isValid = inputCheckOf(tool);
    const listed = asListed(args, toolInputSchema(toolsByName.get(tool)!));
    expect(isValid(listed), JSON.stringify(isValid.errors)).toBe(true);
    // Not every tool lists it.
    const detailArgument = detail === undefined ? {} : { detail };
    return call(tool, { ...(listed as Record<string, unknown>), ...detailArgument });
  };
}

/** A model sends quantities as texts, as the tool lists them; the requests have them as numbers. */
function asListed(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value === 'number' && schema?.type === 'string') return String(value);
  if (Array.isArray(value)) return value.map((item) => asListed(item, schema?.items));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, asListed(each, schema?.properties?.[name])]),
  );
}

async function expectAnswer(call: CallTool, request: AnsweredRequest): Promise<void> {
  const { tool, args, expected, followUp } = request;
  const detail = /^(log|correct)_watering$/.test(tool) && { detail: 'full' };
  expect(bodyOf(await call(tool, { ...args, ...detail }))).toMatchObject(expected);
  if (followUp)
    expect(bodyOf(await call(followUp.tool, followUp.args))).toMatchObject(followUp.answers);
}

describe('a question of a person', () => {
  const call = requestTools();

  it.each(QUESTION_REQUESTS)('is answered: $text', (request) => expectAnswer(call, request));

  it.each(INCOMPLETE_REQUESTS)(
    'is answered with a question: $text',
    async ({ tool, args, code, field, asks }) => {
      const refusal = refusalOf(await call(tool, args));
      expect([refusal.code, refusal.field]).toEqual([code, field]);
      expect(`${refusal.message} ${refusal.hint}`).toMatch(asks);
      const { data } = bodyOf(await call('list_waterings', { status: 'done' }));
      expect(data).toHaveLength(LOGGED_WATERINGS.length);
    },
  );

  it('is answered with a picture: Montre-moi la courbe de North 1 depuis lundi.', async () => {
    const { content, isError } = await call('chart_moisture', {
      module: 'North 1',
      start: 'lundi',
    });
    expect(isError).not.toBe(true);
    expect([content[0]?.type, content.at(-1)?.type]).toEqual(['text', 'image']);
  });
});

describe('a statement of a person', () => {
  const call = requestTools();

  it.each([...WATERING_REQUESTS, ...DECLARATION_REQUESTS, ...ALERT_REQUESTS])(
    'is stored: $text',
    (request) => expectAnswer(call, request),
  );
});

it('there are at least forty requests, and fifteen that need a question', () => {
  const answered = [...WATERING_REQUESTS, ...DECLARATION_REQUESTS, ...QUESTION_REQUESTS];
  expect(answered.length).toBeGreaterThanOrEqual(40);
  expect(INCOMPLETE_REQUESTS.length).toBeGreaterThanOrEqual(15);
  expect(new Set(ALERT_REQUESTS.map(({ tool }) => tool)).size).toBe(4);
  const texts = [...answered, ...INCOMPLETE_REQUESTS].map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
});
