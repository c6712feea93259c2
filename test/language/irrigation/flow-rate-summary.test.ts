import { expect, it } from 'vitest';
import { exact } from '../../../src/domain/text/figures.ts';
import { name, say } from '../../../src/domain/text/say.ts';
import {
  CHANGED_SINCE_QUESTION,
  describeAnsweredRate,
  describeOtherRate,
} from '../../../src/language/irrigation/flow-rate-summary.ts';
import { renderAnswer } from '../render-text.ts';

it.each([
  ['The person gave the application rate: 3.2 mm/h.', [], describeAnsweredRate(3.2, null)],
  [
    'The person gave the application rate, 3.2 mm/h, but it was not entered: the equipment has 3.555 mm/h by now.',
    ['correct_installation(flowMmPerH)'],
    describeAnsweredRate(3.2, describeOtherRate(3.555)),
  ],
  [
    'The person gave the application rate, 3.2 mm/h, but it was not entered: the watering or its equipment was changed after the question.',
    [],
    describeAnsweredRate(3.2, CHANGED_SINCE_QUESTION),
  ],
])('the rate that a person gave: %s', (summary, next, text) =>
  expect(renderAnswer(text)).toEqual({ summary, next }),
);

it('a refusal of it keeps names, and has the units of the farm', () => {
  const refusal = say`${name('12 mm')} takes at most ${exact(254, 'mm/h')}.`;
  expect(renderAnswer(describeAnsweredRate(25.4, refusal), 'us').summary).toBe(
    'The person gave the application rate, 1 in/h (25.4 mm/h), but it was not entered: 12 mm takes at most 10 in/h (254 mm/h).',
  );
});

it('a rate that a person gave in inches is said in inches', () =>
  expect(renderAnswer(describeAnsweredRate(0.15 * 25.4, null), 'us').summary).toBe(
    'The person gave the application rate: 0.15 in/h (3.81 mm/h).',
  ));
