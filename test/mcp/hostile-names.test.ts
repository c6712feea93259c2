import { describe, expect, it } from 'vitest';
import { UNIT_SYSTEMS, type UnitSystem } from '../../src/domain/units.ts';
import { openStore } from '../../src/store/store.ts';
import { importChangedBaseFarm } from '../base-farm.ts';
import { recordedAnswer } from '../recorded/recorded-answer.ts';
import { withoutRandomness } from '../recorded/recording.ts';
import { newEmptyStore } from '../stores/template-stores.ts';
import { bodyOf, type Json } from '../tool-results.ts';
import { callEveryTool } from './every-tool-call.ts';
import { toolsOf } from './local-tools.ts';

/**
 * What the farm and its people call things: names that read as quantities, days, arguments, tools
 * and endpoints, and of the same form names that read as nothing.
 */
const NAMES: Readonly<Record<string, readonly [hostile: string, harmless: string]>> = {
  'Mas Rouge': ['5 ha', '5 qa'],
  'North block': ['Row 2 in (50 mm)', 'Row 2 qn (50 qm)'],
  'South block': ['GET /alerts', 'GET /alertq'],
  'Mas 7': ['30 cm', '30 qm'],
  'North 1': ['12 mm', '12 qm'],
  'North 2': ['log_watering', 'log_wateriqq'],
  'South 1': ['startedAt', 'startedQq'],
  Mast: ['2026-07-14', '2026-07-1q'],
  Ana: ['threshold 2 mm', 'threshold 2 qm'],
  'valve 3': ['durationMin 25 mm', 'durationMin 25 qm'],
  'gauge by the gate': ['25 °C', '25 °Q'],
  'left of the tree': ['3 m from (log_rain)', '3 q from (log_raiq)'],
  'wilting point': ['10 L/h', '10 q/h'],
  summer: ['GET /modules', 'GET /moduleq'],
};

type Rename = (name: string) => string;

const hostile: Rename = (text) => NAMES[text]?.[0] ?? text;
const harmless: Rename = (text) => NAMES[text]?.[1] ?? text;

const renamed = <T>(value: T, rename: Rename): T =>
  JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? rename(each) : each));

const withHostileNames = (json: string): string =>
  Object.values(NAMES).reduce((text, [name, twin]) => text.replaceAll(twin, name), json);

/** All that the tools say of a farm; a picture by its texts alone, because its names are drawn. */
async function saidOf(units: UnitSystem, rename: Rename): Promise<readonly string[]> {
  const { db, remove } = await newEmptyStore();
  await importChangedBaseFarm(db, ({ company, ...farm }) =>
    renamed({ company: { ...company, units }, ...farm }, rename),
  );
  const store = await openStore({ db });
  try {
    const call = toolsOf(store);
    const said: string[] = [];
    await callEveryTool(async (name, args = {}): Promise<Json> => {
      const result = await call(name, renamed(args, rename));
      const { picture: _, ...answer } = withoutRandomness(recordedAnswer(result));
      said.push(`${name} ${JSON.stringify(answer)}`);
      return bodyOf(result);
    });
    return said;
  } finally {
    await store.close();
    await remove();
  }
}

describe('names that read as something else', () => {
  it.each(UNIT_SYSTEMS)('are never converted, and are no calls: %s', async (units) => {
    const said = await saidOf(units, hostile);
    const expected = (await saidOf(units, harmless)).map(withHostileNames);
    expect(said.length).toBeGreaterThan(100);
    for (const [name] of Object.values(NAMES)) expect(said.join(' ')).toContain(name);
    expect(said).toEqual(expected);
  });
});
