import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeSettings,
  NO_SETTINGS,
  type ProbeSettings,
  SETTING_NAMES,
  type SettingsVersion,
  settingsVersionAt,
  withSettingsOfParcel,
} from '../../../src/domain/moisture/probe-settings.ts';

const NOW = 100;
const LATEST = NOW + 20;

/** Replaces the version that begins with the new one, as the store does. */
function store(
  versions: readonly SettingsVersion[],
  added: readonly SettingsVersion[],
): SettingsVersion[] {
  const byStart = new Map([...versions, ...added].map((version) => [version.validFrom, version]));
  return [...byStart.values()].sort((a, b) => a.validFrom - b.validFrom);
}

const change = (
  versions: readonly SettingsVersion[],
  changes: Partial<ProbeSettings>,
  from: number | null = null,
) => changeSettings(versions, changes, from, NOW);
const at = (versions: readonly SettingsVersion[], instant: number): ProbeSettings => {
  const { validFrom: _, ...settings } = settingsVersionAt(versions, instant) ?? {
    ...NO_SETTINGS,
    validFrom: 0,
  };
  return settings;
};

const someSettings = fc.record(
  {
    rootDepthCm: fc.option(fc.constantFrom(40, 60)),
    depthWeights: fc.option(
      fc.constantFrom<Record<string, number>>({ 10: 1 }, { 10: 0.5, 20: 0.5 }),
    ),
    hoursPerDay: fc.option(fc.constantFrom(5, 8)),
  },
  { requiredKeys: [] },
);
const someChange = fc.record({
  changes: someSettings,
  from: fc.option(fc.integer({ min: 0, max: LATEST })),
});
const someHistory = fc
  .array(someChange, { maxLength: 5 })
  .map((all) =>
    all.reduce<SettingsVersion[]>(
      (versions, { changes, from }) => store(versions, change(versions, changes, from).versions),
      [],
    ),
  );

describe('settings of a parcel', () => {
  it('hold at a probe wherever it has none of its own, at each instant', () => {
    fc.assert(
      fc.property(
        someHistory,
        someHistory,
        fc.integer({ min: 0, max: NOW + 10 }),
        (own, ofParcel, instant) => {
          const both = at(withSettingsOfParcel(own, ofParcel), instant);
          for (const name of SETTING_NAMES)
            expect(both[name]).toEqual(at(own, instant)[name] ?? at(ofParcel, instant)[name]);
        },
      ),
    );
  });

  it('give a probe both days of a rest or neither', () => {
    const own = [{ ...NO_SETTINGS, restFrom: 'never', validFrom: 0 }];
    const ofParcel = [{ ...NO_SETTINGS, restFrom: '11-15', restUntil: '03-01', validFrom: 0 }];
    expect(at(withSettingsOfParcel(own, ofParcel), 5)).toMatchObject({
      restFrom: 'never',
      restUntil: null,
    });
    expect(at(withSettingsOfParcel([], ofParcel), 5)).toMatchObject({
      restFrom: '11-15',
      restUntil: '03-01',
    });
  });
});

describe('settings of a probe', () => {
  it('apply from the beginning of time when they are the first, later ones from now', () => {
    const first = change([], { rootDepthCm: 60 });
    expect(first).toMatchObject({
      validFrom: 0,
      validTo: null,
      changed: ['rootDepthCm'],
      before: NO_SETTINGS,
    });
    expect(at(first.versions, -5)).toMatchObject({ rootDepthCm: 60 });
    const second = change(first.versions, { rootDepthCm: 80 });
    const versions = store(first.versions, second.versions);
    expect([at(versions, NOW - 1).rootDepthCm, at(versions, NOW).rootDepthCm]).toEqual([60, 80]);
  });

  it('may lie ahead, and leave what holds until then as it is', () => {
    const ahead = change([], { allowedDepletion: 0.7 }, NOW + 10);
    expect(ahead).toMatchObject({ validFrom: NOW + 10, validTo: null });
    const first = change(ahead.versions, { allowedDepletion: 0.4, rootDepthCm: 60 });
    expect(first).toMatchObject({ validFrom: 0, validTo: NOW + 10 });
    const versions = store(ahead.versions, first.versions);
    expect(
      [0, NOW, NOW + 9, NOW + 10].map((instant) => {
        const { allowedDepletion, rootDepthCm } = at(versions, instant);
        return [allowedDepletion, rootDepthCm];
      }),
    ).toEqual([
      [0.4, 60],
      [0.4, 60],
      [0.4, 60],
      [0.7, 60],
    ]);
  });

  it('entered for the past hold until the same setting was changed, whatever else was changed meanwhile', () => {
    const history = [
      { ...NO_SETTINGS, validFrom: 0, rootDepthCm: 40 },
      { ...NO_SETTINGS, validFrom: 20, rootDepthCm: 40, hoursPerDay: 8 },
      { ...NO_SETTINGS, validFrom: 30, rootDepthCm: 90, hoursPerDay: 8 },
    ];
    const late = change(history, { rootDepthCm: 60 }, 10);
    expect(late).toMatchObject({ validFrom: 10, validTo: 30 });
    const versions = store(history, late.versions);
    expect([0, 10, 20, 30].map((instant) => at(versions, instant).rootDepthCm)).toEqual([
      40, 60, 60, 90,
    ]);
    expect([0, 10, 20, 30].map((instant) => at(versions, instant).hoursPerDay)).toEqual([
      null,
      null,
      8,
      8,
    ]);
  });

  it('change nothing before they begin, all that is named from then on, and never another setting', () => {
    fc.assert(
      fc.property(someHistory, someChange, (history, { changes: named, from }) => {
        const changes: Partial<ProbeSettings> = named;
        const {
          versions: added,
          validFrom,
          validTo,
          before,
          changed,
        } = change(history, changes, from);
        const versions = store(history, added);
        expect(before).toEqual(at(history, validFrom));
        expect(at(versions, validFrom)).toEqual({ ...before, ...changes });
        for (let instant = 0; instant <= LATEST; instant++) {
          const [old, current] = [at(history, instant), at(versions, instant)];
          if (instant < validFrom) expect(current).toEqual(old);
          for (const name of SETTING_NAMES) {
            if (!changed.includes(name)) expect(current[name]).toEqual(old[name]);
            else if (instant >= validFrom && instant < (validTo ?? LATEST + 1))
              expect(current[name]).toEqual(changes[name]);
          }
        }
      }),
    );
  });

  it('add no version when nothing changes', () => {
    fc.assert(
      fc.property(someHistory, fc.integer({ min: 0, max: LATEST }), (history, from) => {
        expect(change(history, at(history, from), from)).toMatchObject({
          versions: [],
          changed: [],
          validTo: null,
        });
      }),
    );
  });
});
