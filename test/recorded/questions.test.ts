import { describe, expect, it } from 'vitest';
import { ANNOTATION_SHAPES } from '../../src/domain/alerts/annotation.ts';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import type { UnitSystem } from '../../src/domain/units.ts';
import { questionForm } from '../../src/mcp/questions/elicitation.ts';
import { localHandlers } from '../../src/mcp/store-handlers.ts';
import { DECLINED, type PersonAnswer, type Question } from '../../src/operation/question.ts';
import { NO_TOOL_FILTER } from '../../src/operation/tool-filter.ts';
import type { Store } from '../../src/store/store.ts';
import { createTestKey } from '../acceptance/rest-service.ts';
import { baseFarmForFile, usBaseFarmForFile, WATERING } from '../base-farm.ts';
import { NOW } from '../mcp/local-tools.ts';
import { itInDeepRuns } from '../property-runs.ts';
import { withSecondStore } from '../stores/stores.ts';
import { bodyOf, type Json } from '../tool-results.ts';
import { recordedAnswer } from './recorded-answer.ts';
import { expectRecorded } from './recording.ts';

interface Answer {
  /** The forms that a person was shown, and what the tool said after the answers to them. */
  readonly questions: readonly Json[];
  readonly result: Json;
}

type Ask = (tool: string, args: object, ...answers: PersonAnswer[]) => Promise<Answer>;

interface Session {
  readonly ask: Ask;
  close(): Promise<void>;
}

const NORTH_1 = { module: 'North 1' };
const SOUTH_BLOCK = { parcel: 'South block' };

/** Opens the session of a client with forms. */
function sessionOn(store: Store, lang: Lang, apiKey: string | null = null): Session {
  const handlers = localHandlers({
    store,
    lang,
    apiKey,
    clock: () => NOW,
    onReadings: undefined,
    toolFilter: NO_TOOL_FILTER,
    report: async (error) => {
      throw error;
    },
    close: async () => undefined,
  });
  const ask: Ask = async (tool, args, ...answers) => {
    const questions: Question[] = [];
    const result = await handlers.callTool(tool, args, {
      askPerson: async (question) => {
        questions.push(question);
        return answers[questions.length - 1] ?? DECLINED;
      },
    });
    return { questions: questions.map(questionForm), result };
  };
  return { ask, close: () => handlers.close() };
}

const horizontal = (value: number, fill: string) => ({
  ...NORTH_1,
  type: 'h-line',
  value,
  style: { fill },
});

/** One of each shape, and the lines that count. */
const DRAWINGS: readonly object[] = [
  ...ANNOTATION_SHAPES.filter((shape) => shape !== 'line').map((type) => ({
    ...NORTH_1,
    type,
    p1: [NOW - 86_400_000, 20.25],
    p2: [NOW - 7_200_000, 18],
    text: '12 mm of rain',
  })),
  horizontal(18, 'threshold2'),
  horizontal(31.5, 'threshold1'),
  ...['vwc_max', 'mm'].map((unit) => ({ ...NORTH_1, type: 'h-line', value: 40.5, unit })),
  ...['temperature', 'tensio', 'humidity-detail'].map((chartType) => ({
    ...NORTH_1,
    type: 'h-line',
    value: 14.5,
    chartType,
  })),
];

const DAILY = {
  ...NORTH_1,
  freq: 'daily',
  startTimes: ['05:00'],
  timezone: 'Europe/Paris',
  startsOn: '2026-07-02',
  inputMode: 'depth_mm',
  inputDepthMm: 4.5,
};

/** Each kind of row that another caller's write adds or changes. */
const WRITES: readonly (readonly [tool: string, args: object])[] = [
  ['log_watering', WATERING],
  ['log_watering', { ...WATERING, module: undefined, parcel: 'North block' }],
  ['log_rain', { mm: 12.5, when: 'yesterday' }],
  ['create_schedule', DAILY],
  ['set_module_installation', { ...NORTH_1, system: 'drip', flowMmPerH: 2.5 }],
  ['set_module_placement', { ...NORTH_1, emitterDistanceCm: 12 }],
  ['set_probe_settings', { ...NORTH_1, rootDepthCm: 62.5 }],
  ['set_parcel', { name: 'North block', type: 'tomato', plantedOn: '2026-05-01' }],
  [
    'set_soil_profile',
    { ...SOUTH_BLOCK, layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }] },
  ],
  ['create_alert', { ...NORTH_1, threshold: 16 }],
  ['create_annotation', { ...NORTH_1, type: 'text', at: 'yesterday 6:00', text: 'Pump' }],
  ['set_parcel', { name: 'East block' }],
  ['set_module', { name: 'East 1', parcel: 'South block', sensors: ['humidity 20'] }],
  ['set_company', { city: 'Nîmes' }],
];

/** Stores what is there before anybody is asked. */
async function prepare(write: Ask, other: Ask) {
  const layers = [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }];
  bodyOf((await write('set_soil_profile', { parcel: 'North block', layers })).result);
  const dry = { system: 'drip', effectiveFrom: '2026-06-01 00:00' };
  bodyOf((await write('set_module_installation', { module: 'South 1', ...dry })).result);
  bodyOf((await write('set_parcel', { name: 'West block' })).result);
  for (const name of ['West 1', 'West 2'])
    bodyOf(
      (await write('set_module', { name, parcel: 'West block', sensors: ['humidity 20'] })).result,
    );
  const ofParcel = { parcel: 'West block', ...dry, system: 'pivot' };
  bodyOf((await write('set_parcel_installation', ofParcel)).result);

  const drawings: string[] = [];
  for (const drawing of DRAWINGS) {
    const { result } = await write('create_annotation', drawing, true);
    drawings.push(bodyOf(result).id);
  }
  const changes: number[] = [];
  for (const [tool, args] of WRITES)
    changes.push(bodyOf((await other(tool, args)).result).changeId);
  return { drawings, changes };
}

/** Nothing is chosen, so that each session is asked the same. */
const AMBIGUOUS_CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['get_module', { module: 'North' }],
  ['get_soil_profile', { parcel: 'block' }],
  ['list_waterings', { module: 'North block' }],
  ['log_rain', { module: 'North block', mm: 12, when: 'today' }],
  ['log_watering', { ...WATERING, module: 'North' }],
  ['log_watering', { ...WATERING, module: 'North', durationMin: '1 h 15' }],
  [
    'log_watering',
    { module: 'North', startedAt: 'today 6:00', inputMode: 'depth_mm', inputDepthMm: 9.5 },
  ],
  [
    'log_watering',
    { module: 'North', startedAt: 'today 6:00', inputMode: 'volume_m3', inputVolumeM3: '12.5 m3' },
  ],
];

async function expectQuestions(units: UnitSystem): Promise<void> {
  const said: Record<string, Json> = {};
  const db = units === 'us' ? await usBaseFarmForFile() : await baseFarmForFile();
  const { key } = await createTestKey(db);
  await withSecondStore(db, async (store) => {
    const other = sessionOn(store, 'en', key);
    const { drawings, changes } = await prepare(sessionOn(store, 'en').ask, other.ask);
    await other.close();

    for (const lang of LANGS) {
      const session = sessionOn(store, lang);
      const record = async (name: string, ...call: Parameters<Ask>): Promise<void> => {
        const { questions, result } = await session.ask(...call);
        expect([name, questions.length > 0]).toEqual([name, true]);
        said[`${units}, ${name}, ${lang}`] = { questions, answer: recordedAnswer(result) };
      };

      for (const [tool, args] of AMBIGUOUS_CALLS)
        await record(`${tool} ${JSON.stringify(args)}`, tool, args);
      for (const [index, annotationId] of drawings.entries())
        await record(`delete drawing ${index + 1}`, 'delete_annotation', { annotationId });
      for (const [index, changeId] of changes.entries())
        await record(`undo ${index + 1} ${WRITES[index]![0]}`, 'undo', { changeId });
      for (const line of [horizontal(41, 'threshold1'), horizontal(60, 'threshold1')])
        await record(`draw ${line.value} in doubt`, 'create_annotation', line);
      for (const target of [{ module: 'South 1' }, { parcel: 'West block' }])
        await record(`flow rate of ${Object.keys(target)}`, 'log_watering', {
          startedAt: 'today 6:00',
          inputMode: 'duration',
          durationMin: 45,
          ...target,
        });
    }

    const { ask } = sessionOn(store, 'en');
    // The same in mm and in inches an hour.
    const [rate, rateOfParcel] = units === 'us' ? [0.25, '0.5'] : [6.35, '12.7'];
    const watering = { startedAt: 'today 8:00', inputMode: 'duration', durationMin: 45 };
    for (const [name, tool, args, answer] of [
      ['flow rate, answered', 'log_watering', { ...watering, module: 'South 1' }, rate],
      [
        'flow rate of parcel, answered',
        'log_watering',
        { ...watering, parcel: 'West block' },
        rateOfParcel,
      ],
      ['name, chosen', 'get_module', { module: 'North' }, 'North 2 (#2)'],
      ['deletion, confirmed', 'delete_annotation', { annotationId: drawings[0] }, true],
      ['line, confirmed', 'create_annotation', horizontal(41, 'threshold1'), 'yes'],
      ['undo, confirmed', 'undo', { changeId: changes[0] }, true],
    ] as const) {
      const { questions, result } = await ask(tool, args, answer);
      expect([name, questions.length]).toEqual([name, 1]);
      said[`${units}, ${name}`] = recordedAnswer(result);
    }
  });
  await expectRecorded('questions', said, `${units}, `);
}

describe('a person', () => {
  it('is asked what was recorded', () => expectQuestions('metric'));

  itInDeepRuns('is asked what was recorded, in US units', () => expectQuestions('us'));
});
