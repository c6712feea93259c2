import { exact } from '../../domain/text/figures.ts';
import { call, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';

/** Says whether the application rate of the person was entered, and with an obstacle why not. */
export function describeAnsweredRate(flowMmPerH: number, obstacle: Text | null): Text {
  const flow = exact(flowMmPerH, 'mm/h');
  return obstacle === null
    ? say`The person gave the application rate: ${flow}.`
    : say`The person gave the application rate, ${flow}, but it was not entered: ${obstacle}`;
}

export const describeOtherRate = (mmPerH: number): Text =>
  say`the equipment has ${exact(mmPerH, 'mm/h')} by now.${call('correct_installation', 'flowMmPerH')}`;

export const CHANGED_SINCE_QUESTION = say`the watering or its equipment was changed after the question.`;
