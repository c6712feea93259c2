import type { ChangeAction, CountedKind } from '../../schema/change.ts';
import type { WateringSource } from '../../schema/watering.ts';
import { englishCount } from './grammar.ts';

const NOUNS: Record<CountedKind, readonly [one: string, many: string]> = {
  watering: ['watering', 'waterings'],
  rain: ['rain record', 'rain records'],
  weather: ['day of weather', 'days of weather'],
  planned_watering: ['planned watering', 'planned waterings'],
  schedule: ['schedule', 'schedules'],
  installation: ['setup', 'setups'],
  placement: ['placement', 'placements'],
  settings: ['version of settings', 'versions of settings'],
  soil_layer: ['soil layer', 'soil layers'],
  alert: ['alert', 'alerts'],
  alert_recipient: ['recipient', 'recipients'],
  annotation: ['drawing', 'drawings'],
  company: ['company', 'companies'],
  user: ['member', 'members'],
  parcel: ['parcel', 'parcels'],
  module: ['probe', 'probes'],
  sensor: ['sensor', 'sensors'],
  device: ['device', 'devices'],
};

export interface ChangeEntryFacts {
  readonly when: string;
  readonly who: string | null;
  readonly surface: WateringSource;
  readonly effects: string;
  readonly fields: readonly string[];
  readonly isUndo: boolean;
  readonly isUndone: boolean;
}

const SURFACES: Record<WateringSource, string> = {
  mcp: 'by chat or command',
  api: 'by the API',
  manual: 'by hand',
  schedule: 'by a schedule',
};

const withNames = (effects: readonly string[], names: readonly string[]): string =>
  `${effects.join(', ')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;

export const englishChanges = {
  effect: (kind: CountedKind, action: ChangeAction | 'restored', count: number) =>
    `${englishCount(count, ...NOUNS[kind])} ${action === 'restored' ? 'put back' : action}`,
  withNames,
  noValue: 'none',
  isOn: (isOn: boolean): string => (isOn ? 'active' : 'stopped'),
  readings: 'readings imported',
  undone: (effects: readonly string[], names: readonly string[], when: string) =>
    `Undone: ${withNames(effects, names)}. It was entered ${when}.`,
  askUndo: ({ when, who, surface, effects }: Pick<ChangeEntryFacts, 'when' | 'who' | 'surface' | 'effects'>) =>
    `Undo what was entered ${when}${who === null ? '' : ` by ${who}`}, ${SURFACES[surface]}? Then: ${effects}.`,
  entry: ({ when, who, surface, effects, fields, isUndo, isUndone }: ChangeEntryFacts) =>
    `${when}${who === null ? '' : ` by ${who}`}, ${SURFACES[surface]}: ${[effects, ...fields].join(', ')}${isUndo ? ', by an undo' : ''}${isUndone ? ', undone since' : ''}`,
  newest: (entries: readonly string[]) => `The newest changes: ${entries.join('; ')}.`,
  undoneSince: (changeId: number) =>
    `This was undone since, by change ${changeId}: nothing of it is stored. To enter it again, repeat it with a new idempotencyKey.`,
  none: 'Nothing was changed yet.',
};
