import type { AnnotationShape, AnnotationUnit, ChartType } from '../../domain/alerts/annotation.ts';
import type { LineFill } from '../../domain/alerts/drawn-lines.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { recordOf } from '../../domain/records.ts';
import type { UnitSystem } from '../../domain/units.ts';
import type { ChangeAction, CountedKind } from '../../schema/changes/change.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import { englishPageChart } from './chart.ts';
import { englishCount } from './grammar.ts';
import { englishMeasurements } from './measurements.ts';

interface DrawingFacts {
  readonly shape: AnnotationShape;
  readonly threshold: LineFill | null;
  /** False on a curve where a threshold line has no effect. */
  readonly hasEffect: boolean;
  readonly height: string;
  readonly unit: AnnotationUnit | null;
  readonly when: string;
}

const UNITS: Record<AnnotationUnit, string> = {
  vwc: ' % (vwc)',
  vwc_max: ' % of saturation',
  mm: ' mm',
};

const SHAPES: Record<AnnotationShape, string> = {
  'h-line': 'a horizontal line',
  'v-line': 'a vertical line',
  segment: 'a segment',
  ray: 'a ray',
  infinite: 'an infinite line',
  arrow: 'an arrow',
  'h-free': 'a free horizontal line',
  rect: 'a rectangle',
  text: 'a text',
  line: 'a line',
};

const THRESHOLDS: Record<LineFill, string> = {
  threshold1: 'the field capacity',
  threshold2: 'the wilting point',
  wet: 'the wet level',
  dry: 'the dry level',
};

interface DeletionFacts {
  readonly chart: ChartType;
  readonly name: string;
  readonly drawing: string;
  readonly stopsAlert: boolean;
}

interface DoubtedLineFacts {
  readonly chart: ChartType;
  readonly name: string;
  readonly drawing: string;
  /** In %. */
  readonly expected: string;
  /** It can be at most what is expected. */
  readonly isLimit: boolean;
}

export const ENGLISH_CURVES: Record<ChartType, string> = {
  ...recordOf(MEASUREMENT_TYPES.map((type) => [type, englishMeasurements[type].curve])),
  'humidity-detail': 'moisture curves by depth',
  'humidity-heatmap': 'moisture heatmap',
};

const englishCurve = (chart: ChartType, name: string): string =>
  `the ${ENGLISH_CURVES[chart]} of ${name}`;

export const COUNTED_NOUNS = {
  watering: ['watering', 'waterings'],
  rain: ['rain record', 'rain records'],
  weather: ['day of weather', 'days of weather'],
  planned_watering: ['planned watering', 'planned waterings'],
  schedule: ['schedule', 'schedules'],
  installation: ['setup', 'setups'],
  placement: ['placement', 'placements'],
  settings: ['version of settings', 'versions of settings'],
  season: ['crop season', 'crop seasons'],
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
} as const satisfies Record<CountedKind, readonly [one: string, many: string]>;

const withNames = (effects: readonly string[], names: readonly string[]): string =>
  `${effects.join(', ')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;

interface UndoFacts {
  readonly when: string;
  readonly who: string | null;
  readonly surface: WateringSource;
  readonly effects: string;
}

export const SURFACES = {
  mcp: 'by chat or command',
  api: 'by the API',
  manual: 'by hand',
  schedule: 'by a schedule',
} as const satisfies Record<WateringSource, string>;

interface FlowRateFacts {
  readonly name: string;
  readonly isOfParcel: boolean;
  /** In which it is asked. */
  readonly units: UnitSystem;
}

export const englishQuestions = {
  flowRate: ({ name, isOfParcel, units }: FlowRateFacts) =>
    `The watering on ${name} is recorded. Its dose is missing, because the ${isOfParcel ? 'equipment of its parcel' : 'equipment'} has no application rate. ` +
    (units === 'us'
      ? 'How many inches of water per hour does it give, over the whole area? 0.1 in/h is 6.2 gallons per hour on each 100 square feet.'
      : 'How many mm of water per hour does it give, over the whole area? 1 mm/h is 1 litre per hour on each m2.'),
  yes: 'Yes',
  flowRateTitle: (unit: string) => `Application rate, ${unit}`,
  whichOne: (text: string) => `${text} can mean more than one. Which one is meant?`,
  logOnWhich: (amount: string) => `Log ${amount} on which probe?`,
  probe: 'Probe',
  parcel: 'Parcel',
  wholeParcel: (parcel: string) => `all of ${parcel}`,
  drawing: ({ shape, threshold, hasEffect, height, unit, when }: DrawingFacts) => {
    const at = `at ${height}${unit === null ? '' : UNITS[unit]}`;
    if (threshold)
      return `${THRESHOLDS[threshold]} as a line ${at}${hasEffect ? '' : ' (which counts on the humidity curve only)'}`;
    return shape === 'h-line' || shape === 'h-free'
      ? `${SHAPES[shape]} ${at}`
      : `${SHAPES[shape]}, ${when}`;
  },
  askDeletion: ({ chart, name, drawing, stopsAlert }: DeletionFacts) =>
    `Delete this from ${englishCurve(chart, name)}: ${drawing}?${stopsAlert ? ' Its alert stops with it.' : ''}`,
  askLine: ({ chart, name, drawing, expected, isLimit }: DoubtedLineFacts) =>
    `Draw this on ${englishCurve(chart, name)}: ${drawing}? ${englishPageChart.expected(`${expected} %`, isLimit)}`,
  effect: (kind: CountedKind, action: ChangeAction | 'restored', count: number) => {
    const [one, many] = COUNTED_NOUNS[kind];
    return `${englishCount(count, one, many)} ${action === 'restored' ? 'put back' : action}`;
  },
  withNames,
  askUndo: ({ when, who, surface, effects }: UndoFacts) =>
    `Undo what was entered ${when}${who === null ? '' : ` by ${who}`}, ${SURFACES[surface]}? Then: ${effects}.`,
};
