import { formatPlainDecimal, roundTo } from '../../domain/decimal.ts';
import {
  FIGURE_UNITS,
  implausibleFigure,
  type SentEquipment,
} from '../../domain/irrigation/plausible-equipment.ts';
import { invalidInputError } from '../../schema/error.ts';

const CODES = {
  emitterFlowLph: 'INVALID_EMITTER_FLOW',
  emittersPerM2: 'INVALID_EMITTER_DENSITY',
  emitterSpacingM: 'INVALID_EMITTER_DENSITY',
  lineSpacingM: 'INVALID_EMITTER_DENSITY',
  flowMmPerH: 'INVALID_FLOW_RATE',
  irrigatedAreaM2: 'INVALID_IRRIGATED_AREA',
};
/** Of emittersPerM2, which has no unit. */
const DENSITY_WORDS = 'emitters per m2';

const RATE_DECIMALS = 3;
const rateText = (rate: number): string =>
  `${formatPlainDecimal(roundTo(rate, RATE_DECIMALS))} mm/h`;

/** As below, for a change of `whole` equipment, unless it has no such figure. */
export function assertPlausibleChange(sent: SentEquipment, whole: SentEquipment): void {
  const figures = Object.keys(CODES) as (keyof typeof CODES)[];
  if (figures.some((figure) => sent[figure] != null)) assertPlausibleEquipment(whole);
}

/** Throws with both readings of a figure that no equipment has. */
export function assertPlausibleEquipment(sent: SentEquipment): void {
  const found = implausibleFigure(sent);
  if (found === null) return;

  const { figure, value, rateMmPerH, meant } = found;
  const unit = FIGURE_UNITS[figure] ?? DENSITY_WORDS;
  const shown = formatPlainDecimal(value);
  const gives = rateMmPerH === null ? '' : `, which gives ${rateText(rateMmPerH)}`;
  const meantRate = meant?.rateMmPerH == null ? '' : ` (${rateText(meant.rateMmPerH)})`;
  const otherReading = meant === null ? '' : ` or ${shown} ${meant.unit}${meantRate}`;

  throw invalidInputError(
    CODES[figure],
    `${figure} is ${shown} ${unit}${gives}; no equipment has that.`,
    {
      hint: `Ask whether ${shown} ${unit}${otherReading} is meant, and give it with its unit.`,
      field: figure,
    },
  );
}
