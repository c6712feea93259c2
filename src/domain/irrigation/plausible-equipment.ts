import type { UnitOfText } from '../text/units-of-text.ts';
import { M2_PER_HA } from '../units.ts';
import type { IrrigationSystem } from './dose.ts';
import { completeEquipment, type EquipmentInput, emittersPerM2OfSpacing } from './equipment.ts';

type Figure =
  | 'emitterFlowLph'
  | 'emittersPerM2'
  | 'emitterSpacingM'
  | 'lineSpacingM'
  | 'flowMmPerH'
  | 'irrigatedAreaM2';
export type SentEquipment = Partial<EquipmentInput>;

/** Null for a count. */
export const FIGURE_UNITS: Readonly<Record<Figure, UnitOfText | null>> = {
  emitterFlowLph: 'L/h',
  emittersPerM2: null,
  emitterSpacingM: 'm',
  lineSpacingM: 'm',
  flowMmPerH: 'mm/h',
  irrigatedAreaM2: 'm2',
};

/** No system gives less over its area; the lowest are pivots, at 0.2 to 0.5 mm/h. */
const MIN_RATE_MM_PER_H = 0.1;
/** Assumptions, far above what each system is built for. */
const MAX_RATE_MM_PER_H: Record<IrrigationSystem, number> = {
  drip: 60,
  micro_sprinkler: 60,
  sprinkler: 100,
  pivot: 150,
  gravity: 500,
  manual: 500,
  other: 1000,
};
const MIN_AREA_M2 = 10;
/** The thinnest drip lines give 0.2 L/h at each outlet, the largest guns 200 m3/h. */
const MIN_EMITTER_FLOW_LPH = 0.1;
const MAX_EMITTER_FLOW_LPH = 250_000;
const MIN_SPACING_M = 0.05;
const MAX_SPACING_M = 30;

/** A figure in another unit than that of its field. */
interface Slip {
  readonly figure: Figure;
  readonly factor: number;
  readonly unit: UnitOfText;
}

const SLIPS: readonly Slip[] = [
  { figure: 'emitterSpacingM', factor: 0.01, unit: 'cm' },
  { figure: 'lineSpacingM', factor: 0.01, unit: 'cm' },
  { figure: 'emitterFlowLph', factor: 1000, unit: 'm3/h' },
  { figure: 'emitterFlowLph', factor: 0.001, unit: 'mL/h' },
  { figure: 'flowMmPerH', factor: 25.4, unit: 'in/h' },
  { figure: 'flowMmPerH', factor: 10, unit: 'cm/h' },
  { figure: 'flowMmPerH', factor: 1 / 24, unit: 'mm/day' },
  { figure: 'irrigatedAreaM2', factor: M2_PER_HA, unit: 'ha' },
];

export interface ImplausibleFigure {
  readonly figure: Figure;
  readonly value: number;
  /** The rate that follows; null where the figure itself is implausible. */
  readonly rateMmPerH: number | null;
  /** The figure that a slip of the unit would explain. */
  readonly meant: { readonly unit: UnitOfText; readonly rateMmPerH: number | null } | null;
}

/**
 * The figure of equipment that none has, if there is one. Figures that were not sent are unknown.
 */
export function implausibleFigure(sent: SentEquipment): ImplausibleFigure | null {
  const area = sent.irrigatedAreaM2 ?? null;
  if (area !== null && area < MIN_AREA_M2) return implausible(sent, 'irrigatedAreaM2', null);

  const rate = rateOf(sent);
  if (rate !== null && !isPlausibleRate(rate, sent.system)) {
    const slip = SLIPS.find((each) => isPlausibleRate(rateOf(corrected(sent, each)), sent.system));
    const figure = slip?.figure ?? figureOfRate(sent);
    return implausible(sent, figure, rate);
  }

  const alone = ALONE.find(({ figure, min, max }) => {
    const value = sent[figure] ?? null;
    return value !== null && (value < min || value > max);
  });
  return alone === undefined ? null : implausible(sent, alone.figure, null);
}

/** Bounds of figures beside which nothing tells the rate. */
const SPACING = { min: MIN_SPACING_M, max: MAX_SPACING_M };
const ALONE = [
  { figure: 'emitterSpacingM', ...SPACING },
  { figure: 'lineSpacingM', ...SPACING },
  { figure: 'emitterFlowLph', min: MIN_EMITTER_FLOW_LPH, max: MAX_EMITTER_FLOW_LPH },
] as const;

const isPlausibleRate = (rate: number | null, system: IrrigationSystem = 'other'): boolean =>
  rate !== null && rate >= MIN_RATE_MM_PER_H && rate <= MAX_RATE_MM_PER_H[system];

function rateOf(sent: SentEquipment): number | null {
  const { emitterSpacingM, lineSpacingM, system = 'other' } = sent;
  const ofSpacing =
    emitterSpacingM != null && lineSpacingM != null
      ? emittersPerM2OfSpacing({ emitterSpacingM, lineSpacingM })
      : null;
  const emittersPerM2 = sent.emittersPerM2 ?? ofSpacing;
  return completeEquipment({ ...sent, system, emittersPerM2 }).flowMmPerH;
}

const corrected = (sent: SentEquipment, { figure, factor }: Slip): SentEquipment => {
  const value = (sent[figure] ?? 0) * factor;
  const isSpacing = figure === 'emitterSpacingM' || figure === 'lineSpacingM';
  return value === 0 || (isSpacing && value < MIN_SPACING_M) ? {} : { ...sent, [figure]: value };
};

const figureOfRate = (sent: SentEquipment): Figure =>
  sent.emitterFlowLph == null ? 'flowMmPerH' : 'emitterFlowLph';

function implausible(
  sent: SentEquipment,
  figure: Figure,
  rateMmPerH: number | null,
): ImplausibleFigure {
  const slip = SLIPS.find((each) => {
    if (each.figure !== figure) return false;
    return rateMmPerH === null || isPlausibleRate(rateOf(corrected(sent, each)), sent.system);
  });
  const meant = slip && { unit: slip.unit, rateMmPerH: rateOf(corrected(sent, slip)) };
  return { figure, value: sent[figure] ?? 0, rateMmPerH, meant: meant ?? null };
}
