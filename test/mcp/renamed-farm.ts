import type { UnitSystem } from '../../src/domain/units.ts';
import { importChangedBaseFarm } from '../base-farm.ts';

/**
 * What the farm and its people call things: names that read as quantities, days, arguments, tools
 * and endpoints, and of the same form and length names that read as nothing.
 */
export const NAMES: Readonly<Record<string, readonly [hostile: string, harmless: string]>> = {
  'Mas Rouge': ['5 ha', '5 qa'],
  'North block': ['Row 2 in (50 mm)', 'Row 2 qn (50 qm)'],
  'South block': ['GET /alerts', 'GET /alertq'],
  'Mas 7': ['30 cm', '30 qm'],
  'North 1': ['12 mm', '12 qm'],
  'North 2': ['log_watering', 'log_wateriqq'],
  'South 1': ['startedAt', 'startedQq'],
  Mast: ['2026-07-14', '2026-07-1q'],
  'T 10': ['10 in', '10 qn'],
  A84041FFFF181F0D: ['40 cm', '40 qm'],
  Ana: ['threshold 2 mm', 'threshold 2 qm'],
  'valve 3': ['durationMin 25 mm', 'durationMin 25 qm'],
  'gauge by the gate': ['25 °C', '25 °Q'],
  'left of the tree': ['3 m from (log_rain)', '3 q from (log_raiq)'],
  'wilting point': ['10 L/h', '10 q/h'],
  summer: ['GET /modules', 'GET /moduleq'],
};

export type Rename = (name: string) => string;

export const hostile: Rename = (text) => NAMES[text]?.[0] ?? text;
export const harmless: Rename = (text) => NAMES[text]?.[1] ?? text;

/** Replaces each text that is one of the usual names. */
export const renamed = <T>(value: T, rename: Rename): T =>
  JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? rename(each) : each));

/** Replaces the harmless names of a text by the hostile ones. */
export const withHostileNames = (said: string): string =>
  Object.values(NAMES).reduce((text, [name, twin]) => text.replaceAll(twin, name), said);

export const importRenamedFarm = (db: string, units: UnitSystem, rename: Rename): Promise<void> =>
  importChangedBaseFarm(db, ({ company, ...farm }) =>
    renamed({ company: { ...company, units }, ...farm }, rename),
  );
