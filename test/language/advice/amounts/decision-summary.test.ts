import { describe, expect, it } from 'vitest';
import { type Reason, reasonWith } from '../../../../src/domain/advice/reason.ts';
import type { WateringDecision } from '../../../../src/domain/advice/watering-decision.ts';
import { name, say } from '../../../../src/domain/text/say.ts';
import { describeDecision } from '../../../../src/language/advice/amounts/decision-summary.ts';
import { renderText } from '../../render-text.ts';

describe('whether to water', () => {
  it.each<[string, WateringDecision, number | null, Reason[]]>([
    ['needs water now: it is already at or below the stress point.', 'water', 0, []],
    ['needs water now: less than a day until the stress point.', 'water', 0.6, []],
    ['does not need water now: about 4 days until the stress point.', 'wait', 3.6, []],
    [
      'does not need water now: about 4 days until the stress point in the expected weather.',
      'wait',
      3.6,
      [reasonWith('EXPECTED_DEMAND', {})],
    ],
    ['needs no more water now.', 'enough', 0.5, []],
    ['is not known to need water now.', 'unknown', null, []],
  ])('%s', (sentence, decision, daysToStress, reasons) =>
    expect(
      renderText(
        describeDecision(decision, say`${name('12 mm')}`, { daysToStress, reasons }),
        'us',
      ),
    ).toBe(`12 mm ${sentence}`),
  );
});
