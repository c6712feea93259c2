import { fieldInSentence } from '../../domain/ingest/field-choices.ts';
import type { Measure } from '../../domain/moisture/measurement.ts';
import { exact } from '../../domain/text/figures.ts';
import { name, quotedName, type Sayable, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { UnitOfText } from '../../domain/text/units-of-text.ts';
import { figureOfMeasure, MEASURES } from '../moisture/moisture-summary.ts';

const isMeasure = (kind: string): kind is Measure => Object.hasOwn(MEASURES, kind);

const WEATHER: ReadonlyMap<string, readonly [measured: Text, unit: UnitOfText]> = new Map([
  ['rain', [say`rain`, 'mm']],
  ['wind', [say`wind`, 'm/s']],
  ['radiation', [say`radiation`, 'W/m2']],
]);

/** "moisture 21.5 %", "rain 2 mm"; a field or a kind that is not known without its unit. */
export function describeDeviceReading(kind: string, value: number): Text {
  if (isMeasure(kind)) return say`${MEASURES[kind]} ${figureOfMeasure(kind, value)}`;
  const [measured, unit] = WEATHER.get(kind) ?? [];
  if (measured !== undefined) return say`${measured} ${exact(value, unit)}`;

  const field = fieldInSentence(kind);
  const called = field === null ? name(kind.replaceAll('_', ' ')) : quotedName(field);
  return say`${called} ${exact(value)}`;
}

/** "76.3 °C at 30 cm of North 1" */
export function describeTemperature(
  probe: Sayable,
  { depth, celsius }: { readonly depth: number | null; readonly celsius: number },
): Text {
  const place = depth === null ? say`in the air` : say`at ${exact(depth, 'cm')}`;
  return say`${exact(celsius, '°C')} ${place} of ${probe}`;
}
