import { describe, expect, it } from 'vitest';
import {
  isAbbreviatedZone,
  isPlaceZone,
  placeZoneFault,
  zoneOfClock,
} from '../../../src/domain/company/place-zones.ts';
import { programText } from '../../../src/domain/text/program-text.ts';

const faultIn = (zone: string): string => programText(placeZoneFault(zone)!);

describe('the zone of a farm', () => {
  it.each(['Europe/Paris', 'US/Eastern', 'Japan', 'Cuba', 'NZ', 'GB-Eire', 'Etc/GMT-2'])(
    'may be that of a place: %s',
    (zone) => expect(isPlaceZone(zone)).toBe(true),
  );

  it.each([
    ['EST', 'America/New_York'],
    ['est', 'America/New_York'],
    ['BST', 'Europe/London or Asia/Dhaka'],
    ['AST', 'America/Halifax'],
    ['NST', 'America/St_Johns'],
    ['MST', 'America/Denver or America/Phoenix'],
    ['HST', 'Pacific/Honolulu'],
    ['CET', 'Europe/Paris'],
    ['PST8PDT', 'America/Los_Angeles'],
    ['EDT', 'America/New_York'],
    ['SystemV/EST5EDT', 'America/New_York'],
  ])('is no abbreviation, which is refused with the place that is meant: %s', (zone, place) => {
    expect(isPlaceZone(zone)).toBe(false);
    expect(faultIn(zone)).toContain(place);
  });

  it('is neither UTC nor unknown', () => {
    for (const zone of ['UTC', 'GMT', 'Zulu', 'Mars/Olympus', ''])
      expect(faultIn(zone)).toMatch(/of a place such as Europe/);
    expect(isAbbreviatedZone('UTC')).toBe(false);
  });
});

it.each([
  ['+01:00', 'Etc/GMT-1'],
  ['-5', 'Etc/GMT+5'],
  ['UTC+10', 'Etc/GMT-10'],
  ['Europe/Paris', 'Europe/Paris'],
  ['UTC', 'UTC'],
  ['EST', null],
  ['+05:30', 'UTC+05:30'],
  ['gmt-3:30', 'UTC-03:30'],
  ['+05:07', null],
  ['UTC+05:30', 'UTC+05:30'],
  ['+14:15', null],
  ['+25:00', null],
])('the zone of a clock at %s is %s', (text, zone) => expect(zoneOfClock(text)).toBe(zone));
