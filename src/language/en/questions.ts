import type { AnnotationShape, AnnotationUnit, ChartType } from '../../domain/alerts/annotation.ts';
import type { LineFill } from '../../domain/alerts/drawn-lines.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { recordOf } from '../../domain/records.ts';
import { counted, type Sayable, say, word } from '../../domain/text/say.ts';
import type { Figures, Name, Text, Time } from '../../domain/text/text.ts';
import type { UnitSystem } from '../../domain/units.ts';
import type { ChangeAction, CountedKind } from '../../schema/changes/change.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import { englishMeasurementTexts } from './measurements.ts';

interface DrawingFacts {
  readonly shape: AnnotationShape;
  readonly threshold: LineFill | null;
  /** False on a curve where a threshold line has no effect. */
  readonly hasEffect: boolean;
  readonly height: Sayable;
  readonly when: Text;
}

/** Heights of lines on a moisture curve: in % of the soil volume, or of saturation. */
const HEIGHTS: Record<Exclude<AnnotationUnit, 'mm'>, (height: Figures) => Text> = {
  vwc: (height) => say`${height} (vwc)`,
  vwc_max: (height) => say`${height} of saturation`,
};

const SHAPES: Record<AnnotationShape, Text> = {
  'h-line': say`a horizontal line`,
  'v-line': say`a vertical line`,
  segment: say`a segment`,
  ray: say`a ray`,
  infinite: say`an infinite line`,
  arrow: say`an arrow`,
  'h-free': say`a free horizontal line`,
  rect: say`a rectangle`,
  text: say`a text`,
  line: say`a line`,
};

const THRESHOLDS: Record<LineFill, Text> = {
  threshold1: say`the field capacity`,
  threshold2: say`the wilting point`,
  wet: say`the wet level`,
  dry: say`the dry level`,
};

interface DeletionFacts {
  readonly chart: ChartType;
  readonly name: Name;
  readonly drawing: Text;
  readonly stopsAlert: boolean;
}

interface DoubtedLineFacts {
  readonly chart: ChartType;
  readonly name: Name;
  readonly drawing: Text;
  readonly expected: Figures;
  /** It can be at most what is expected. */
  readonly isLimit: boolean;
}

const TEXTS = englishMeasurementTexts();

const CURVES: Record<ChartType, Text> = {
  ...recordOf(MEASUREMENT_TYPES.map((type) => [type, TEXTS[type].curve])),
  'humidity-detail': say`the moisture curves by depth`,
  'humidity-heatmap': say`the moisture heatmap`,
};

/** "the moisture curve of North 1" */
export const englishCurve = (chart: ChartType, name: Sayable): Text =>
  say`${CURVES[chart]} of ${name}`;

const COUNTED_NOUNS = {
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
  water_source: ['source of water', 'sources of water'],
  module: ['probe', 'probes'],
  sensor: ['sensor', 'sensors'],
  device: ['device', 'devices'],
} as const satisfies Record<CountedKind, readonly [one: string, many: string]>;

interface UndoFacts {
  readonly when: Time;
  readonly who: Name | Text | null;
  readonly surface: WateringSource;
  readonly effects: Text;
}

export const SURFACES: Record<WateringSource, Text> = {
  mcp: say`by chat or command`,
  api: say`by the API`,
  manual: say`by hand`,
  schedule: say`by a schedule`,
};

interface FlowRateFacts {
  readonly name: Name;
  readonly isOfParcel: boolean;
  /** In which it is asked. */
  readonly units: UnitSystem;
}

export const englishQuestions = {
  flowRate: ({ name, isOfParcel, units }: FlowRateFacts) => {
    const equipment = isOfParcel ? say`equipment of its parcel` : say`equipment`;
    const question =
      units === 'us'
        ? say`How many inches of water per hour does it give, over the whole area? 0.1 in/h is 6.2 gallons per hour on each 100 square feet.`
        : say`How many mm of water per hour does it give, over the whole area? 1 mm/h is 1 litre per hour on each m2.`;
    return say`The watering on ${name} is recorded. Its dose is missing, because the ${equipment} has no application rate. ${question}`;
  },
  yes: 'Yes',
  flowRateTitle: (unit: Name) => say`Application rate, ${unit}`,
  whichOne: (sent: Name) => say`${sent} can mean more than one. Which one is meant?`,
  logOnWhich: (amount: Name) => say`Log ${amount} on which probe?`,
  probe: 'Probe',
  parcel: 'Parcel',
  wholeParcel: (parcel: Name) => say`all of ${parcel}`,
  heights: HEIGHTS,
  drawing: ({ shape, threshold, hasEffect, height, when }: DrawingFacts) => {
    if (threshold)
      return say`${THRESHOLDS[threshold]} as a line at ${height}${hasEffect ? null : say` (which counts on the humidity curve only)`}`;
    return shape === 'h-line' || shape === 'h-free'
      ? say`${SHAPES[shape]} at ${height}`
      : say`${SHAPES[shape]}, ${when}`;
  },
  askDeletion: ({ chart, name, drawing, stopsAlert }: DeletionFacts) =>
    say`Delete this from ${englishCurve(chart, name)}: ${drawing}?${stopsAlert ? say` Its alert stops with it.` : null}`,
  askLine: ({ chart, name, drawing, expected, isLimit }: DoubtedLineFacts) =>
    say`Draw this on ${englishCurve(chart, name)}: ${drawing}? In this soil ${isLimit ? say`at most` : say`about`} ${expected} would be expected.`,
  effect: (kind: CountedKind, action: ChangeAction | 'restored', count: number) => {
    const [one, many] = COUNTED_NOUNS[kind];
    return say`${counted(count, one, many)} ${action === 'restored' ? say`put back` : word(action)}`;
  },
  formerMember: say`a former member`,
  askUndo: ({ when, who, surface, effects }: UndoFacts) =>
    say`Undo what was entered ${when}${who === null ? null : say` by ${who}`}, ${SURFACES[surface]}? Then: ${effects}.`,
};

/** Says in the head of the page what waits for a person. */
export const englishWaiting = {
  devices: (n: number) => counted(n, 'device to assign', 'devices to assign'),
  noCopy: say`no copy of the records could be made`,
  senders: (n: number) => say`messages of ${counted(n, 'sender')} not read`,
  unsent: (n: number, wait: Sayable) =>
    say`${counted(n, 'message')} not sent${wait === null ? null : say` for ${wait}`}`,
};
