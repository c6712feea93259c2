import { describe, expect, it } from 'vitest';
import type { UnreadCode, UnreadReason } from '../../../src/domain/ingest/unread-reason.ts';
import {
  clockReasons,
  outcomeOfMessage,
  positionsReadInPart,
  unreadReasons,
} from '../../../src/language/ingest/unread-reasons.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';

const LORIOT = { name: 'loriot', title: 'LORIOT' };
const HELIUM = { name: 'helium', title: 'Helium' };
const PARIS = { zone: 'Europe/Paris', winter: '+01:00', summer: '+02:00' };
const numbered = (count: number) =>
  new Map(Array.from({ length: count }, (_, index) => [`x${index + 1}`, index] as const));
const TWELVE = 'x1 0, x2 1, x3 2, x4 3, x5 4, x6 5, x7 6, x8 7, x9 8, x10 9, x11 10, x12 11';

describe('why a message is not read', () => {
  it.each<[UnreadCode, string, UnreadReason]>([
    ['ignored', 'it was retained', unreadReasons.ignored('it was retained')],
    ['unreadable', 'the payload is not JSON', unreadReasons.unreadable('the payload is not JSON')],
    [
      'unreadable',
      'the message has no time (readings[0].time)',
      unreadReasons.unreadable('the message has no time', 'readings[0].time'),
    ],
    [
      'no_value',
      'no path of the map has a value; readings[0].values[0].path, "soil", is the first',
      unreadReasons.noValue('readings[0].values[0].path, "soil"'),
    ],
    [
      'not_decoded',
      'the network does not decode the message, which has no decoded.data: add a decoder in ChirpStack',
      unreadReasons.notDecoded('decoded.data', 'in ChirpStack'),
    ],
    [
      'unknown_envelope',
      'the message is in the form of no network that is known, which are LORIOT (loriot), Helium (helium)',
      unreadReasons.unknownEnvelope([LORIOT, HELIUM]),
    ],
    [
      'other_network',
      'the message is in the form of LORIOT: use a preset of loriot, such as loriot/dragino-lse01',
      unreadReasons.otherNetwork(LORIOT),
    ],
    [
      'other_preset',
      'these fields are not of the preset that was named, but of ttn/any: name that one',
      unreadReasons.otherPreset('ttn/any'),
    ],
    [
      'read_by_preset',
      'the device is read by the preset ttn/any: assign it again to let another one read it',
      unreadReasons.readByPreset('ttn/any'),
    ],
    [
      'unread_topic',
      'no rule reads this topic; these are read: a, b, c, d',
      unreadReasons.unreadTopic(['a', 'b', 'c', 'd', 'e']),
    ],
    [
      'failed_measurement',
      'the device reports a failed measurement (moisture -9999): check its sensor and the cable',
      unreadReasons.failed('moisture', -9999),
    ],
    [
      'failed_measurement',
      `the device reports a failed measurement ("${'x'.repeat(39)}): check its sensor and the cable`,
      unreadReasons.failed('', 'x'.repeat(50)),
    ],
    [
      'unset_clock',
      'its time, 1970-01-01, is more than a year before it arrived: set the clock of the device or its gateway, which usually fetches the time from an NTP server',
      unreadReasons.unsetClock('1970-01-01T00:00:40Z'),
    ],
    [
      'fraction',
      'moisture 0.287 may be a fraction (m³/m³), and % is expected: send 28.7, or give the map the unit m3/m3',
      unreadReasons.fraction(0.287),
    ],
    [
      'fraction',
      'moisture may be a fraction (m³/m³), and % is expected: choose the unit m3/m3 for its field',
      unreadReasons.fractionInField,
    ],
    ['unknown_unit', 'the unit of moisture is missing', unreadReasons.unknownUnit('', 'humidity')],
    [
      'unknown_unit',
      'the unit "mV" of radiation is unknown',
      unreadReasons.unknownUnit('mV', 'radiation'),
    ],
    ['value_refused', 'a value was refused: no time', unreadReasons.valueRefused('no time')],
    ['no_valid_value', 'no value is valid: no time', unreadReasons.noValidValue('no time')],
    ['no_field', 'the message has no field with a value', unreadReasons.noKnownField(new Map())],
    [
      'no_known_field',
      'no field is known; these are there: soil_wetness 24.5, note',
      unreadReasons.noKnownField(
        new Map<string, unknown>([
          ['soil_wetness', 24.5],
          ['note', 'ok'],
        ]),
      ),
    ],
    [
      'no_known_field',
      `no field is known; these are there: ${TWELVE} and 3 others`,
      unreadReasons.noKnownField(numbered(15)),
    ],
    [
      'no_known_field',
      `no field is known; these are there: ${TWELVE} and many others`,
      unreadReasons.noKnownField(numbered(1_013)),
    ],
    [
      'skipped_hour',
      'its clock may not follow Europe/Paris, which has no 2026-03-29T02:30 (clocks go forward): send times with an offset, +01:00 if it shows winter time all year, +02:00 if summer time',
      clockReasons.skippedHour('2026-03-29T02:30', PARIS),
    ],
    [
      'hour_not_repeated',
      'its clock may not follow Europe/Paris: it does not repeat the hour that clocks repeat on 2025-10-26; send times with an offset, +01:00 if it shows winter time all year, +02:00 if summer time, or name timezone Europe/Paris',
      clockReasons.hourNotRepeated('2025-10-26', PARIS),
    ],
  ])('is %s: %s', (code, text, reason) => expect(reason).toEqual({ code, text }));
});

it('says of a message whether other values of it were read', () => {
  expect([true, false].map(outcomeOfMessage)).toEqual(['was not read in full', 'gave nothing']);
  const total = { kind: 'total', count: 3 } as const;
  const readInPart: Advisory = { kind: 'messages_read_in_part', positions: [0, 2] };
  expect([...positionsReadInPart([total, readInPart])]).toEqual([0, 2]);
  expect(positionsReadInPart([total]).size).toBe(0);
});
