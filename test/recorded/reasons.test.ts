import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CHECK_REASONS,
  isAsked,
  REASON_KINDS,
  type ReasonKind,
} from '../../src/domain/advice/reason-kinds.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { UNIT_SYSTEMS, type UnitSystem } from '../../src/domain/units.ts';
import { languageOf } from '../../src/language/index.ts';
import { renderForAll } from '../../src/language/text/render.ts';
import { readText } from '../../src/language/text/rendered-text.ts';
import { handlersFor, type RequestHandlers } from '../../src/mcp/request-handlers.ts';
import { ADVISORIES_HEADER } from '../../src/operation/rest-conventions.ts';
import { RemoteRunner } from '../../src/remote/remote-runner.ts';
import type { BriefBody } from '../../src/schema/advice/brief.ts';
import { itInDeepRuns } from '../property-runs.ts';
import {
  jsonReaction,
  STUB_COMPANY,
  type StubService,
  startStubService,
} from '../remote/stub-service.ts';
import { iso } from '../time.ts';
import type { Json } from '../tool-results.ts';
import { NOW, SUSPECT_READINGS } from './facts/doubt-facts.ts';
import { adviceWith, CONDITIONS, REASON_CASES } from './facts/reason-facts.ts';
import { recordedAnswer } from './recorded-answer.ts';
import { expectRecorded } from './recording.ts';

// The facts come from a stub of a service, so that the answers depend on no function of this
// program, nor on a farm.
const stubs = {} as Record<UnitSystem, StubService>;
const handlers = {} as Record<UnitSystem, RequestHandlers>;

beforeAll(async () => {
  for (const units of UNIT_SYSTEMS) {
    const stub = await startStubService();
    stub.on('GET /v1/company', jsonReaction({ ...STUB_COMPANY, units }));
    const runner = new RemoteRunner({ url: stub.url, key: 'key', clock: () => NOW, lang: 'en' });
    const report = async (error: unknown): Promise<never> => {
      throw error;
    };
    stubs[units] = stub;
    handlers[units] = handlersFor(runner, { report });
  }
});
afterAll(async () => {
  for (const units of UNIT_SYSTEMS) {
    await handlers[units].close();
    await stubs[units].close();
  }
});

async function answer(units: UnitSystem, tool: string, args: object): Promise<Json> {
  const answer = recordedAnswer(await handlers[units].callTool(tool, args));
  expect(answer.summary).not.toContain('The service answered, but');
  return answer;
}

async function adviceFor(reason: ReasonKind, units: UnitSystem): Promise<Json> {
  const said: Json = {};
  for (const [condition, facts] of Object.entries(CONDITIONS))
    for (const [index, each] of REASON_CASES[reason].entries()) {
      const { advisories = [], request = {} } = each;
      const headers = { [ADVISORIES_HEADER]: encodeURIComponent(JSON.stringify(advisories)) };
      stubs[units].on(
        'GET /v1/modules/1/irrigation/advice',
        jsonReaction(adviceWith(reason, facts, each), 200, headers),
      );
      const { summary, next } = await answer(units, 'advise_watering', {
        module: '#1',
        ...request,
      });
      said[`${condition} ${index + 1}`] = { summary, next };
    }
  return said;
}

const NOTHING = {
  needsWater: [],
  unjudged: [],
  alerts: [],
  silent: { modules: [], gateways: [] },
  toConfirm: [],
  missingDoses: [],
  schedule: [],
  leftOut: { checkFirst: 0 },
  leftOutMin: 0,
  estimatedCapacities: 0,
};

type Check = BriefBody['checkFirst'][number];

/** The brief about one probe, and about one in whose place others give an amount meanwhile. */
async function briefsFor(reason: Check['reason'], units: UnitSystem): Promise<string[]> {
  const probe: Check = {
    moduleId: 1,
    name: 'North 1',
    value_vwc: 18.25,
    daysToStress: 0.6,
    reason,
    doubts: [...((SUSPECT_READINGS as Json)[reason] ?? [])],
  };
  const amount = { moduleId: null, waterMm: 18.25, durationMin: 240, daysToStress: 0.5 };
  const summaries: string[] = [];
  for (const meanwhile of [undefined, { ...amount, basis: 'balance' as const }]) {
    const checkFirst = [{ ...probe, meanwhile }];
    stubs[units].on(
      'GET /v1/brief',
      jsonReaction({ ...NOTHING, time: iso(NOW), modules: 3, checkFirst }),
    );
    const { summary } = await answer(units, 'morning_brief', {});
    summaries.push(summary);
  }
  return summaries;
}

const isCheck = (reason: ReasonKind): reason is Check['reason'] =>
  (CHECK_REASONS as readonly string[]).includes(reason);

async function expectReasons(units: UnitSystem): Promise<void> {
  const said: Record<string, Json> = {};
  for (const reason of REASON_KINDS)
    said[`${units}, ${reason}`] = {
      advice: await adviceFor(reason, units),
      ...(isCheck(reason) ? { brief: await briefsFor(reason, units) } : {}),
    };
  expect(REASON_KINDS.length).toBeGreaterThan(60);
  await expectRecorded('reasons', said, `${units}, `);
}

describe('every reason of an advice', () => {
  it('is said as it was recorded', () => expectReasons('metric'));

  itInDeepRuns('is said as it was recorded, in US units', () => expectReasons('us'));

  it('has its facts, in the order of the reasons', () =>
    expect(Object.keys(REASON_CASES)).toEqual(REASON_KINDS));

  it('that is to be checked has the words of the page that were recorded', async () => {
    const said = LANGS.flatMap((lang) =>
      Object.entries(languageOf(lang).reasons).map(([reason, { check }]) => [
        `page, ${reason}, ${lang}`,
        readText(renderForAll(check, lang).summary),
      ]),
    );
    const asked = REASON_KINDS.filter(isAsked);
    expect(said).toHaveLength(LANGS.length * (CHECK_REASONS.length + asked.length));
    await expectRecorded('reasons', Object.fromEntries(said), 'page, ');
  });
});
