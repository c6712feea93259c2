import { roundTo } from '../../domain/decimal.ts';
import {
  FIGURE_UNITS,
  implausibleFigure,
  type SentEquipment,
} from '../../domain/irrigation/plausible-equipment.ts';
import type { Lang } from '../../domain/lang.ts';
import { languageOf } from '../../language/index.ts';

const DECIMALS = 3;

/** Says what is wrong with a figure that no equipment has, with the unit that may be meant. */
export function faultOfEquipment(sent: SentEquipment, lang: Lang): string | null {
  const found = implausibleFigure(sent);
  if (found === null) return null;

  const { interview, format } = languageOf(lang);
  const figureIn = (value: number, unit: string | null): string =>
    `${format.number(roundTo(value, DECIMALS))}${unit === null ? '' : ` ${unit}`}`;
  const { figure, value, rateMmPerH, meant } = found;
  return interview.implausible({
    figure: interview.figures[figure],
    value: figureIn(value, FIGURE_UNITS[figure]),
    rate: rateMmPerH === null || figure === 'flowMmPerH' ? null : figureIn(rateMmPerH, 'mm/h'),
    meant: meant && figureIn(value, meant.unit),
  });
}
