import { formatPlainDecimal, roundTo } from '../../domain/decimal.ts';
import {
  implausibleFigure,
  type SentEquipment,
} from '../../domain/irrigation/plausible-equipment.ts';
import { invalidInputError } from '../../schema/error.ts';

const FIGURES = {
  emitterFlowLph: { unit: 'L/h', code: 'INVALID_EMITTER_FLOW' },
  emittersPerM2: { unit: 'emitters per m2', code: 'INVALID_EMITTER_DENSITY' },
  emitterSpacingM: { unit: 'm', code: 'INVALID_EMITTER_DENSITY' },
  lineSpacingM: { unit: 'm', code: 'INVALID_EMITTER_DENSITY' },
  flowMmPerH: { unit: 'mm/h', code: 'INVALID_FLOW_RATE' },
  irrigatedAreaM2: { unit: 'm2', code: 'INVALID_IRRIGATED_AREA' },
};

const RATE_DECIMALS = 3;
const rateText = (rate: number): string =>
  `${formatPlainDecimal(roundTo(rate, RATE_DECIMALS))} mm/h`;

/** As below, for a change of `whole` equipment, unless it has no such figure. */
export function assertPlausibleChange(sent: SentEquipment, whole: SentEquipment): void {
  const figures = Object.keys(FIGURES) as (keyof typeof FIGURES)[];
  if (figures.some((figure) => sent[figure] != null)) assertPlausibleEquipment(whole);
}

/** Throws with both readings of a figure that no equipment has. */
export function assertPlausibleEquipment(sent: SentEquipment): void {
  const found = implausibleFigure(sent);
  if (found === null) return;

  const { figure, value, rateMmPerH, meant } = found;
  const { unit, code } = FIGURES[figure];
  const shown = formatPlainDecimal(value);
  const gives = rateMmPerH === null ? '' : `, which gives ${rateText(rateMmPerH)}`;
  const meantRate = meant?.rateMmPerH == null ? '' : ` (${rateText(meant.rateMmPerH)})`;
  const otherReading = meant === null ? '' : ` or ${shown} ${meant.unit}${meantRate}`;

  throw invalidInputError(code, `${figure} is ${shown} ${unit}${gives}; no equipment has that.`, {
    hint: `Ask whether ${shown} ${unit}${otherReading} is meant, and give it with its unit.`,
    field: figure,
  });
}
