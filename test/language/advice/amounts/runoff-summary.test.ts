import { expect, it } from 'vitest';
import {
  describeRunoff,
  describeRuns,
} from '../../../../src/language/advice/amounts/runoff-summary.ts';
import { renderText } from '../../render-text.ts';

const RUNOFF = {
  rateMmPerH: 18.46,
  intakeMmPerH: 8,
  parts: 3,
  minutesPerPart: 22,
  pauseMin: 62,
};

it('divides a watering that is faster than the soil takes it in', () => {
  expect(renderText(describeRunoff(RUNOFF))).toBe(
    'The equipment applies 18.5 mm/h, and the soil takes in some 8 mm/h: give it in 3 parts of 22 min with pauses of 1 h, or part of it runs off.',
  );
  // 18.46 mm/h are 0.7268 in/h, some 8 mm/h are 0.315 in/h.
  expect(renderText(describeRunoff(RUNOFF), 'us')).toMatch(
    /^The equipment applies 0\.73 in\/h \(18\.5 mm\/h\), and the soil takes in some 0\.3 in\/h \(8 mm\/h\): /,
  );
});

it('divides a watering that is longer than the longest run', () => {
  const runs = { parts: 3, minutesPerPart: 100, pauseMin: 30 };
  expect(renderText(describeRuns(runs))).toBe(
    'Give it in 3 parts of 1 h 40 min with pauses of 30 min, since its runs are limited.',
  );
  expect(renderText(describeRuns({ ...runs, pauseMin: 0 }))).toMatch(
    / of 1 h 40 min, since its runs are limited\.$/,
  );
});

it('names other equipment where the parts are too many', () =>
  expect(renderText(describeRunoff({ ...RUNOFF, parts: 7 }))).toBe(
    'The equipment applies 18.5 mm/h, and the soil takes in some 8 mm/h, so most of it would run off: sprinklers or nozzles with a lower rate suit this soil. Until then, give it in runs of 22 min with pauses of 1 h.',
  ));
