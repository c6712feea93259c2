import { beforeAll, describe, expect, it } from 'vitest';
import { toolName } from '../../src/operation/tool-names.ts';
import { tools as operations, operationsByName } from '../../tools/index.ts';
import { bringReadings } from './brought.ts';
import { bringIn, CLOCK } from './program.ts';
import { madeKey } from './served.ts';
import {
  type Ask,
  dbForAll,
  type Fields,
  type Heard,
  postedWay,
  restWay,
  serving,
  type ToolWay,
  toolWay,
  WAYS,
  type Way,
} from './three-ways.ts';
import { CALLS, type Call, type Known } from './three-ways-calls.ts';

const WEEK_MS = 7 * 86_400_000;
const HORIZON_MS = 90 * 86_400_000;
/** No run of this file takes as long, in ms. */
const LONGEST_RUN_MS = 600_000;

const nameOf = ({ operation, what }: Call): string => `${operation}, ${what}`;

/** What each way answered to each call. */
const heard = new Map<string, Record<Way, Heard>>();

/** Two days of readings of "North 1", by the hour; none is a whole number of minutes old. */
const READINGS = [
  'module,type,depth,time,value',
  ...Array.from({ length: 48 }, (_, hour) => {
    const time = new Date(Date.parse(CLOCK) - hour * 3_600_000 - 1_000).toISOString();
    return [10, 20, 30].map((depth) => `North 1,humidity,${depth},${time},${20 + depth / 10 + hour / 24}`).join('\n');
  }),
].join('\n');

async function begun(way: ToolWay, name: string, wire: Fields): Promise<Heard['body']> {
  const { body, refusal } = await way.ask(operationsByName.get(name)!, wire);
  if (refusal) throw new Error(`${name}: ${refusal.message}`);
  return body;
}

type Drawn = Pick<Known, 'line' | 'note' | 'alert'>;

/** The books that all ways begin with: a watering, a schedule, and two drawings, one of which has an alert. */
async function firstBooks(db: string): Promise<Drawn> {
  const way = await toolWay(['--db', db]);
  try {
    const startedAt = '2026-06-28T06:00';
    await begun(way, 'log_watering', {
      moduleId: 1,
      startedAt,
      inputMode: 'duration',
      durationMin: 40,
      note: 'Valve 3',
    });
    await begun(way, 'create_schedule', {
      ...{ targetModuleId: 2, freq: 'weekly', weekdays: [1], startTimes: ['05:30'], timezone: 'Europe/Paris' },
      ...{ startsOn: '2026-07-01', inputMode: 'duration', durationMin: 30 },
    });
    const at = Date.parse('2026-06-15T00:00:00Z');
    const style = { fill: 'threshold2' };
    const line = await begun(way, 'create_annotation', { moduleId: 1, type: 'h-line', p1: [at, 14], style });
    const note = await begun(way, 'create_annotation', { moduleId: 1, type: 'text', p1: [at, 30], text: 'Pluie' });
    const [alert] = (await begun(way, 'list_alerts', {})).data;
    return { line: line.id, note: note.id, alert: alert.id };
  } finally {
    await way.close();
  }
}

beforeAll(async () => {
  const first = await dbForAll();
  await bringIn(first);
  await bringReadings(first, READINGS);
  const drawn = await firstBooks(first);
  const { key } = await madeKey(first);
  const { key: assistantsKey } = await madeKey(first, '--surface', 'mcp');
  const copies = new Map<Way, string>();
  for (const way of WAYS) copies.set(way, await dbForAll(first));
  const dbOf = (way: Way) => copies.get(way)!;

  const [rest, far, posting, near] = await Promise.all([
    serving(dbOf('REST')),
    serving(dbOf('remote')),
    serving(dbOf('posted')),
    toolWay(['--db', dbOf('stdio')]),
  ]);
  const remote = await toolWay(['--remote', far], { ACEQUIA_API_KEY: assistantsKey });
  const posted = await postedWay(posting, key);
  const asks: Record<Way, Ask> = { stdio: near.ask, REST: restWay(rest, key), remote: remote.ask, posted: posted.ask };

  for (const each of CALLS) {
    const described = operationsByName.get(each.operation)!;
    const answers = await Promise.all(
      WAYS.map(async (way) => [way, await asks[way](described, each.given(knownTo(way, drawn)))] as const),
    );
    heard.set(nameOf(each), Object.fromEntries(answers) as Record<Way, Heard>);
  }
});

const knownTo = (way: Way, drawn: Drawn): Known => ({
  ...drawn,
  cursorOf: (list) => heard.get(`${list}, a first page`)![way].body.next_cursor,
  idFrom: (call) => heard.get(call)![way].body.id,
});

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Drawings and alerts that a way made, in the order in which it told of them. */
const madeBy: Record<Way, Map<string, string>> = Object.fromEntries(
  WAYS.map((way) => [way, new Map<string, string>()]),
) as Record<Way, Map<string, string>>;

/** A body without what no two runs share: the source, instants of writing, and ids that are drawn by lot. */
function comparable(body: unknown, way: Way): unknown {
  const made = madeBy[way];
  return JSON.parse(JSON.stringify(body ?? null), (key, value) => {
    if (typeof value !== 'string') return value;
    if (key === 'source' && (value === 'api' || value === 'mcp')) return '(by its way)';
    if (INSTANT.test(value)) return steady(value);
    if (UUID.test(value) && !made.has(value)) made.set(value, `(${made.size}. id)`);
    return made.get(value) ?? value;
  });
}

function steady(instant: string): string {
  const since = Date.parse(instant) - Date.parse(CLOCK);
  const isRunningOn = (fromMs: number) => since >= fromMs && since < fromMs + LONGEST_RUN_MS;
  if (isRunningOn(0)) return '(now)';
  if (isRunningOn(WEEK_MS)) return '(in a week)';
  return isRunningOn(HORIZON_MS) ? '(the horizon)' : instant;
}

/** A refusal as any way tells it: REST calls a probe moduleId, a tool module. */
const told = ({ refusal }: Heard) =>
  refusal && {
    code: refusal.code,
    status: refusal.status,
    field: refusal.field === undefined ? undefined : toolName(refusal.field),
  };

describe('the same call on the store, over HTTP, through a remote service and as a tool over HTTP', () => {
  it('is made for every operation there is, answered and refused', () => {
    const lacking = operations.flatMap(({ name }) => {
      const own = CALLS.filter(({ operation }) => operation === name);
      const succeeds = own.some(({ refused }) => !refused);
      return succeeds && own.some(({ refused }) => refused) ? [] : [name];
    });
    expect(lacking, 'operations that want a success and a refusal in three-ways-calls.ts').toEqual([]);
  });

  it.each(CALLS.map((each) => [nameOf(each), each] as const))('is answered alike: %s', (name, { refused }) => {
    const { stdio, ...others } = heard.get(name)!;
    expect(stdio.refusal?.code, stdio.text).toBe(refused);
    const body = comparable(stdio.body, 'stdio');
    for (const [way, other] of Object.entries(others)) {
      expect(told(other), other.text).toEqual(told(stdio));
      expect(comparable(other.body, way as Way), way).toEqual(body);
    }
  });

  it('names in a refusal the argument as its way calls it', () => {
    for (const each of CALLS) {
      const { REST, ...tools } = heard.get(nameOf(each))!;
      const field = REST.refusal?.field;
      if (field === undefined) continue;
      const fields = Object.keys(operationsByName.get(each.operation)!.input.shape);
      expect(
        fields.filter((name) => name !== field && toolName(name) === field),
        nameOf(each),
      ).toEqual([]);
      expect(
        Object.values(tools).map(({ refusal }) => refusal!.field),
        nameOf(each),
      ).toEqual(Array(3).fill(toolName(field)));
    }
  });

  it('carries the source of the way it came by', () => {
    const logged = heard.get('log_watering, with minutes, by the company’s clock')!;
    expect(WAYS.map((way) => logged[way].body.event.source)).toEqual(['mcp', 'api', 'mcp', 'mcp']);
  });
});
