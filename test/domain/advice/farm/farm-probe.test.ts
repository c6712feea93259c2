import { describe, expect, it } from 'vitest';
import { farmProbe, isUnjudged } from '../../../../src/domain/advice/farm/farm-probe.ts';
import {
  mostCommonMissingDoseReason,
  reasonByCount,
} from '../../../../src/domain/advice/farm/missing-dose-reasons.ts';
import {
  SPARKLINE_STEP_MS,
  sparklinePeriod,
  sparklineValues,
} from '../../../../src/domain/advice/farm/sparkline.ts';
import type { ProbeFacts } from '../../../../src/domain/facts/probe-facts.ts';
import { DAY, FARM_NOW, HOUR } from '../../../farm.ts';
import { farmWith, probeFacts } from '../probe/probe-facts.ts';
import { setupOf, stateOf, wateringOf } from './farm-probes.ts';

const FARM = farmWith();

const factsOf = (category: string, fields: Partial<ProbeFacts> = {}): ProbeFacts =>
  probeFacts({ ...fields, module: { ...probeFacts().module, category } });

const probeWith = (facts: ProbeFacts) => farmProbe(facts.module, facts, FARM);

describe('a module of the farm', () => {
  it('that was never in service is silent, without advice', () => {
    const { module } = factsOf('SOIL_PROBE');
    expect(farmProbe(module, undefined, FARM)).toMatchObject({
      advice: null,
      state: null,
      setup: null,
      lastAt: null,
      isSilent: true,
    });
  });

  it('that is a station gets no advice, although it has a humidity sensor', () => {
    const station = probeWith(factsOf('WEATHER_STATION'));
    expect(station).toMatchObject({ advice: null, state: null, lastAt: FARM_NOW - HOUR });
    expect(station.isSilent).toBe(false);
  });

  it('that is silent names what a balance lacks, where a service tells no crop', () => {
    const freshness = { newestAt: FARM_NOW - 3 * DAY, isFresh: false };
    const { advice } = probeWith(factsOf('SOIL_PROBE', { freshness }));
    expect(setupOf('module', null).cropSeason).toBeNull();
    expect(advice?.deficitMm).toBeNull();
    expect(advice?.reasons).toContainEqual({
      kind: 'STALE_DATA',
      balanceNeeds: expect.arrayContaining(['crop', 'soil', 'weather']),
    });
  });

  it('that is a tensiometer gets advice by its tension alone', () => {
    expect(probeWith(factsOf('TENSIOMETER')).advice).toBeNull();
    const tension = { value: 60, wetLevel: 10, dryLevel: 40, isDry: true };
    const state = stateOf({ tension, at: FARM_NOW - 2 * HOUR });
    expect(probeWith(factsOf('TENSIOMETER', { state }))).toMatchObject({
      daysToStress: 0,
      lastAt: FARM_NOW - 2 * HOUR,
      advice: { tension },
    });
  });

  it('is silent when its newest moisture is more than 25 hours old', () => {
    const silentSince = (newestAt: number) => ({ freshness: { newestAt, isFresh: false } });
    const [fresh, stale] = [
      probeWith(factsOf('SOIL_PROBE')),
      probeWith(factsOf('SOIL_PROBE', silentSince(FARM_NOW - 25 * HOUR - 1))),
    ];
    expect([fresh.isSilent, stale.isSilent]).toEqual([false, true]);
    // Without a stress point, and no reading to judge by.
    expect([isUnjudged(fresh), isUnjudged(stale)]).toEqual([true, false]);
  });
});

describe('the reason of missing doses', () => {
  it('needs no waterings where half of them lack equipment', () => {
    expect(reasonByCount({ count: 4, withoutInstallation: 2 })).toBe('NO_INSTALLATION');
    expect(reasonByCount({ count: 4, withoutInstallation: 1 })).toBeNull();
  });

  it('is the most common one, by the equipment of their time', () => {
    const installed = { ...setupOf('module', null).installation!, validFrom: FARM_NOW - 5 * DAY };
    const daysAgo = (days: number, inputMode: 'duration' | 'volume_m3') =>
      wateringOf({ startedAt: FARM_NOW - days * DAY, inputMode });
    expect(
      mostCommonMissingDoseReason({ versions: [installed] }, [
        daysAgo(9, 'duration'),
        daysAgo(2, 'volume_m3'),
        daysAgo(3, 'volume_m3'),
        daysAgo(4, 'duration'),
      ]),
    ).toBe('MISSING_IRRIGATED_AREA');
  });
});

describe('a sparkline', () => {
  const period = sparklinePeriod(FARM_NOW);
  const at = (step: number) => period.start + step * SPARKLINE_STEP_MS;

  it('has a value for each three hours of a week, with gaps, as the page shows them', () => {
    const curve = [
      { at: at(1), value: 21.349 },
      { at: at(56), value: 20 },
    ];
    const values = sparklineValues({ type: 'humidity', curve }, period)!;
    expect(values).toHaveLength(57);
    expect([values[1], values[56]]).toEqual([21.3, 20]);
    expect(values.filter((value) => value !== null)).toHaveLength(2);
  });

  it('shows a water potential as tension, and nothing without values', () => {
    const curve = [{ at: at(0), value: -35.25 }];
    expect(sparklineValues({ type: 'tensio', curve }, period)![0]).toBe(35.3);
    expect(sparklineValues({ type: 'tensio', curve: [] }, period)).toBeNull();
  });
});
