import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import * as luxonZones from '../../src/domain/zones.ts';
import * as browserZones from '../../src/page/browser-zones.ts';
import { propertyRuns } from '../property-runs.ts';

const ZONES = [
  'Europe/Paris',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Africa/Monrovia',
  'Pacific/Apia',
  'UTC',
];

const SOURCES: readonly (typeof luxonZones)[] = [browserZones, luxonZones];

function offsetIn(source: typeof luxonZones, zone: string, at: number): number {
  const offset = source.findZoneOffset(zone);
  if (offset === null) throw new Error(`no zone ${zone}`);
  return offset(at);
}

describe('the zones of the page', () => {
  it('have the offsets that luxon gives the server, from the year 1 to 6000', () => {
    const instant = fc.integer({
      min: new Date(0).setUTCFullYear(1, 0, 2),
      max: Date.UTC(6000, 0, 1),
    });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instant, (name, at) => {
        const [browser, luxon] = SOURCES.map((source) => offsetIn(source, name, at));
        expect(browser).toBe(luxon);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('change their offset at the same instant', () => {
    const change = Date.UTC(2025, 9, 26, 1);
    for (const source of SOURCES) {
      const parisAt = (at: number): number => offsetIn(source, 'Europe/Paris', at);
      expect([parisAt(change - 1), parisAt(change)]).toEqual([2 * HOUR_MS, HOUR_MS]);
    }
  });

  it.each([
    ['Europe/Paris', true],
    ['Europe/Nowhere', false],
    ['', false],
  ])('contain %j: %s', (name, isZone) => {
    for (const source of SOURCES) expect(source.findZoneOffset(name) !== null).toBe(isZone);
  });

  it('have no offset beyond the range of a Date', () => {
    for (const source of SOURCES) expect(offsetIn(source, 'Europe/Paris', 9e15)).toBeNaN();
  });

  it('show the same calendar and clock, also in the first century and before it', () => {
    const instants = [0, -1, Date.UTC(2024, 1, 29, 23, 59, 59, 999), Date.UTC(-1, 5, 1)];
    for (let year = -50; year < 150; year += 7)
      instants.push(new Date(0).setUTCFullYear(year, 0, 1) + 5 * DAY_MS + HOUR_MS);

    for (const at of instants)
      expect(browserZones.civilOfUtcMs(at), `at ${at}`).toEqual(luxonZones.civilOfUtcMs(at));
  });
});
