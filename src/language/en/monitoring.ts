import type { ThresholdBasis } from '../../domain/moisture/agronomic-state.ts';
import type { DepletionBasis } from '../../domain/soil/allowed-depletion.ts';
import type { GatewayBody } from '../../schema/company.ts';
import { capitalize } from '../text.ts';
import { englishCount } from './grammar.ts';

export type ThresholdKind = 'fieldCapacity' | 'wiltingPoint';

interface ThresholdFacts {
  readonly kind: ThresholdKind;
  readonly value: string;
  readonly basis: ThresholdBasis;
}

interface GatewayHealthFacts {
  readonly name: string;
  readonly imei: string;
  readonly status: GatewayBody['status'];
  readonly lastContact: string;
  readonly soc: number | null;
  readonly level: number | null;
}

const STATE_NAMES = {
  saturated: 'saturated, wetter than field capacity',
  comfort: 'in comfort',
  stress: 'under water stress',
} as const;

const THRESHOLD_NAMES: Readonly<Record<ThresholdKind, string>> = {
  fieldCapacity: 'field capacity',
  wiltingPoint: 'wilting point',
};
const BASIS_NAMES = { annotation: 'line drawn on its curve', soil_profile: 'soil profile' } as const;

export const englishState = {
  noMoisture: (name: string) => `The state of ${name} is unknown: it has no soil moisture readings.`,
  reading: (value: string, at: string) => `${value} % by volume ${at}`,
  state: (name: string, state: 'saturated' | 'comfort' | 'stress', reading: string) =>
    `${name} is ${STATE_NAMES[state]}, ${reading}.`,
  noThresholds: (name: string, reading: string) =>
    `The state of ${name} is unknown because it has no usable thresholds: ${reading}.`,
  staleData: (name: string, age: string, reading: string) =>
    `Old data, so the state of ${name} is unknown: its newest moisture is ${age} old, ${reading}.`,
};

export const englishThresholds = {
  noSoilMoisture: 'It has no soil moisture sensor; get_moisture_series shows what it measures.',
  thresholds: (stressPoint: string | null, thresholds: readonly ThresholdFacts[]) => {
    const rows = thresholds.map(
      ({ kind, value, basis }) => `${THRESHOLD_NAMES[kind]} ${value} % (${BASIS_NAMES[basis]})`,
    );
    return `${capitalize([...(stressPoint === null ? [] : [`stress point ${stressPoint} %`]), ...rows].join(', '))}.`;
  },
  crossedThresholds:
    'The wilting point is not below the field capacity, so there is no stress point: move or delete a line (update_annotation, delete_annotation).',
  allowedDepletion: {
    setting: (percent: string, _crop: string) =>
      `Plants begin to suffer when ${percent} % of the water between field capacity and wilting point is used, as set for this probe.`,
    crop: (percent: string, crop: string) =>
      `Plants begin to suffer when ${percent} % of the water between field capacity and wilting point is used: the figure of FAO-56 for the crop of the parcel (${crop}).`,
    default: (percent: string, _crop: string) =>
      `Plants begin to suffer when about ${percent} % of the water between field capacity and wilting point is used; name the crop with set_parcel for its own figure.`,
  } satisfies Record<DepletionBasis, (percent: string, crop: string) => string>,
  missingThresholds: (missing: readonly ThresholdKind[]) =>
    `No ${missing.map((kind) => THRESHOLD_NAMES[kind]).join(' and no ')}: declare the soil of its parcel with set_soil_profile, or draw a line with create_annotation.`,
};

export const englishGateway = {
  noContact: 'no contact yet',
  lastContact: (at: string) => `last contact ${at}`,
  noMatch: 'No gateway matches.',
  faulty: (imei: string, lastContact: string, modules: readonly string[]) =>
    `${imei}, ${lastContact}, ${modules.length === 0 ? 'no modules' : `with ${modules.join(', ')}`}`,
  list: (names: string, faulty: readonly string[]) =>
    `Gateways: ${names}. ${faulty.length === 0 ? 'None of them is faulty.' : `Faulty: ${faulty.join('; ')}.`}`,
  unplugged: (name: string) => `${name} has no gateway.`,
  health: ({ name, imei, status, lastContact, soc, level }: GatewayHealthFacts) =>
    `The gateway of ${name} (${imei}) is ${status}: ${lastContact}, ${soc === null ? 'battery unknown' : `battery ${soc} %`}, ${level === null ? 'signal unknown' : `signal ${englishCount(level, 'bar')} of 4`}.`,
};

interface CsvCounts {
  readonly written: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly isDryRun: boolean;
}

export const englishCsvImport = {
  dryRun: 'Nothing is stored yet; this is how the file was understood.',
  profile: (provider: string) => `The file is an export of ${provider}.`,
  nothing: 'The file has no reading that can be stored.',
  module: (name: string, sensors: string, period: string) => `${name} (${sensors}), ${period}`,
  stored: ({ written, changed, unchanged, isDryRun }: CsvCounts, modules: readonly string[], more: number) =>
    `${isDryRun ? 'To store' : 'Stored'}: ${englishCount(written, 'new reading')}, ${changed} changed, ${unchanged} already there. ` +
    `${modules.join('; ')}${more > 0 ? `; and ${englishCount(more, 'more module')}` : ''}.`,
  refused: (rows: number, reasons: string) =>
    `${englishCount(rows, 'row was', 'rows were')} rejected, at least in part: ${reasons}.`,
  unread: (names: string) => `Columns not read: ${names}.`,
};
