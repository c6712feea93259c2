import { roundTo } from '../../domain/decimal.ts';
import {
  FIGURE_UNITS,
  implausibleFigure,
  type SentEquipment,
} from '../../domain/irrigation/plausible-equipment.ts';
import { keysOf } from '../../domain/records.ts';
import { emitters, exact, precise, roundedTo } from '../../domain/text/figures.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Figures } from '../../domain/text/text.ts';
import { invalidInputError } from '../../schema/error.ts';

const CODES = {
  emitterFlowLph: 'INVALID_EMITTER_FLOW',
  emittersPerM2: 'INVALID_EMITTER_DENSITY',
  emitterSpacingM: 'INVALID_EMITTER_DENSITY',
  lineSpacingM: 'INVALID_EMITTER_DENSITY',
  flowMmPerH: 'INVALID_FLOW_RATE',
  irrigatedAreaM2: 'INVALID_IRRIGATED_AREA',
};

const RATE_DECIMALS = 3;
const rateText = (rate: number): Figures => roundedTo(roundTo(rate, RATE_DECIMALS), rate, 'mm/h');

/** As below, for a change of `whole` equipment, unless it has no such figure. */
export function assertPlausibleChange(sent: SentEquipment, whole: SentEquipment): void {
  if (keysOf(CODES).some((figure) => sent[figure] != null)) assertPlausibleEquipment(whole);
}

/** Throws with both readings of a figure that no equipment has. */
export function assertPlausibleEquipment(sent: SentEquipment): void {
  const found = implausibleFigure(sent);
  if (found === null) return;

  const { figure, value, rateMmPerH, meant } = found;
  const unit = FIGURE_UNITS[figure];
  const shown = unit === null ? emitters(value, 'exact') : exact(value, unit);
  const gives =
    rateMmPerH === null || figure === 'flowMmPerH'
      ? null
      : say`, which gives ${rateText(rateMmPerH)}`;
  const meantRate = meant?.rateMmPerH == null ? null : say` (${rateText(meant.rateMmPerH)})`;
  const otherReading = meant === null ? null : say` or ${precise(value, meant.unit)}${meantRate}`;

  throw invalidInputError(
    CODES[figure],
    say`${argument(figure)} is ${shown}${gives}; no equipment has that.`,
    {
      hint: say`Ask whether ${shown}${otherReading} is meant, and give it with its unit.`,
      field: figure,
    },
  );
}
