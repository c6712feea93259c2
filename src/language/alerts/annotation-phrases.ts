import type { ChartType } from '../../domain/alerts/annotation.ts';
import { englishCount } from '../en/grammar.ts';
import { englishCurve } from '../en/questions.ts';
import { sameCallWith } from '../next-calls.ts';

export const annotationPhrases = {
  created: (chart: ChartType, name: string, drawing: string) =>
    `Drawn on ${englishCurve(chart, name)}: ${drawing}.`,
  ahead: 'Its time is still to come.',
  updated: (chart: ChartType, name: string, drawing: string) =>
    `On ${englishCurve(chart, name)} this drawing is now ${drawing}.`,
  deleted: 'The drawing was deleted.',
  nothingDrawn: (chart: ChartType, name: string) =>
    `Nothing is drawn on ${englishCurve(chart, name)}.`,
  list: (chart: ChartType, name: string, count: number, linesInForce: readonly string[]) =>
    `${englishCount(count, 'drawing')} on ${englishCurve(chart, name)}${linesInForce.length === 0 ? '' : `, among them ${linesInForce.join(' and ')}`}.`,
  olderOmitted: (count: number) => `Older ones omitted: ${count}.${sameCallWith('limit')}`,
  noSoilMoisture:
    'But this module measures no soil moisture, so nothing is compared with the line and no alert fires: was another module meant?',
  noTension:
    'This module measures no tension, so the line has no effect: was another module meant?',
  contentPartRemoved: (part: 'style' | 'text') => `Its ${part} was removed.`,
};
