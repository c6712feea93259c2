import { describe, expect, it } from 'vitest';
import { say } from '../../../src/domain/text/say.ts';
import { describeAdvisories } from '../../../src/language/advisories.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import { contextOf } from '../context.ts';
import { renderAnswer } from '../render-text.ts';

const HEIGHT = { height: 14.25 };

describe('what is said about alerts, lines and drawings', () => {
  it.each<[string, string[], Advisory]>([
    [
      'The oldest 3 of 9 episodes are omitted.',
      ['this call again with start, end'],
      { kind: 'older_episodes_omitted', omitted: 3, total: 9 },
    ],
    [
      'It has no soil moisture sensor, so it never fires.',
      ['list_modules(category: SOIL_PROBE)'],
      { kind: 'no_sensor_for_alert', alertKind: 'moisture' },
    ],
    [
      'Once it fires it never resolves, because moisture cannot reach 105 %.',
      [],
      { kind: 'alert_never_resolves', alertKind: 'moisture', resolvesAt: '105', soilMax: null },
    ],
    [
      'Once it fires it never resolves, because moisture cannot reach 55 %: the soil holds at most 46.5 %.',
      [],
      { kind: 'alert_never_resolves', alertKind: 'moisture', resolvesAt: '55', soilMax: 46.52 },
    ],
    [
      'With a hysteresis of 0.5 it may fire and recover again and again while readings vary around the threshold, with a message each time; 2 to 5 avoids that.',
      ['update_alert(hysteresis)'],
      { kind: 'alert_may_flap', hysteresis: '0.5' },
    ],
    [
      'There is already another alert below 20 % here, and each sends its own messages: ask whether one is to be disabled.',
      ['update_alert(isActive)'],
      { kind: 'same_alert_exists', threshold: '20', count: 1 },
    ],
    [
      'There are already 2 other alerts below 20 % here, and each sends its own messages: ask whether one is to be disabled.',
      ['update_alert(isActive)'],
      { kind: 'same_alert_exists', threshold: '20', count: 2 },
    ],
    [
      '1 more of its alerts is firing.',
      ['list_alerts(module)'],
      { kind: 'more_alerts_firing', count: 1 },
    ],
    [
      '3 more of its alerts are firing.',
      ['list_alerts(module)'],
      { kind: 'more_alerts_firing', count: 3 },
    ],
    [
      'An alert is firing on North 1, 12 mm and 2 more.',
      ['list_alerts'],
      { kind: 'probes_with_firing_alert', probes: ['North 1', '12 mm'], others: 2 },
    ],
    [
      'Plants there already begin to suffer at 21.4 %: to be warned in time, have another alert at that level or above.',
      ['create_alert'],
      { kind: 'below_stress_point', stressPoint: 21.43, hasLine: true },
    ],
    [
      'Plants there already begin to suffer at 21.4 %: to be warned in time, raise it to that level or above.',
      ['update_alert(threshold)'],
      { kind: 'below_stress_point', stressPoint: 21.43, hasLine: false },
    ],
    [
      'The field capacity is drawn at 45 %, but its texture class has 28 %: ask whether that is meant, or digits were mistaken. Drawn again at the same height, it counts as confirmed. Until then no amount of water is advised.',
      ['undo'],
      {
        kind: 'line_in_doubt',
        line: 'fieldCapacity',
        height: 45,
        expected: 28,
        basis: 'soil_profile',
      },
    ],
    ['Its wilting-point line moves to 16.5 % too.', [], { kind: 'line_moved', threshold: '16.5' }],
    ['Its alert is disabled.', [], { kind: 'own_alert_disabled' }],
    ['Its alert is enabled at 14.25 %.', [], { kind: 'own_alert_enabled', ...HEIGHT }],
    [
      'The alert of the older line at 14.25 % is disabled.',
      [],
      { kind: 'older_alert_disabled', ...HEIGHT },
    ],
    [
      'The older wilting-point line at 14.25 % counts again, and its alert is enabled.',
      [],
      { kind: 'older_alert_enabled', ...HEIGHT },
    ],
    [
      'A newer wilting-point line at 14.25 % counts in its place.',
      [],
      { kind: 'newer_line_counts', ...HEIGHT },
    ],
    [
      'Its alert moves from 14 to 16.5 %.',
      [],
      { kind: 'line_alert_moved', from: '14', to: 16.5, isActive: true },
    ],
    [
      'Its alert, which is disabled, moves from 14 to 16.5 %.',
      [],
      { kind: 'line_alert_moved', from: '14', to: 16.5, isActive: false },
    ],
    [
      'Older ones omitted: 3.',
      ['this call again with limit'],
      { kind: 'older_drawings_omitted', count: 3 },
    ],
    ['Its text was removed.', [], { kind: 'content_part_removed', part: 'text' }],
    ['Its style was removed.', [], { kind: 'content_part_removed', part: 'style' }],
  ])('is %j', (summary, next, advisory) => {
    const [text = say``] = describeAdvisories([advisory], contextOf());
    expect(renderAnswer(text)).toEqual({ summary, next });
    expect(renderAnswer(text, 'us').summary).toBe(summary);
  });
});
