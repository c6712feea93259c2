import { padTwo } from '../calendar.ts';
import { join, say, verbatim } from '../text/say.ts';
import type { Text } from '../text/text.ts';
import { isTimeZone, isUtcZone } from '../time-zone.ts';

/** Every zone of the IANA data that is a place without being written as region/city. */
const COUNTRIES = new Set(
  (
    'cuba egypt eire gb gb-eire hongkong iceland iran israel jamaica japan kwajalein libya ' +
    'navajo nz nz-chat poland portugal prc roc rok singapore turkey w-su'
  ).split(' '),
);

/**
 * The places whose clocks people mean by an abbreviation. The zone data has some of these names
 * too, with fixed offsets or for another continent: there BST is Bangladesh and AST is Alaska.
 */
const PLACES_BY_ABBREVIATION = new Map<string, readonly string[]>(
  Object.entries({
    ACST: ['Australia/Adelaide', 'Australia/Darwin'],
    ACT: ['Australia/Darwin', 'America/Rio_Branco'],
    AEST: ['Australia/Sydney', 'Australia/Brisbane'],
    AET: ['Australia/Sydney', 'Australia/Brisbane'],
    AGT: ['America/Argentina/Buenos_Aires'],
    AKST: ['America/Anchorage'],
    ART: ['America/Argentina/Buenos_Aires', 'Africa/Cairo'],
    AST: ['America/Halifax', 'America/Puerto_Rico', 'America/Anchorage', 'Asia/Riyadh'],
    AWST: ['Australia/Perth'],
    BET: ['America/Sao_Paulo'],
    BRT: ['America/Sao_Paulo'],
    BST: ['Europe/London', 'Asia/Dhaka'],
    CAT: ['Africa/Maputo', 'Africa/Harare'],
    CEST: ['Europe/Paris', 'Europe/Berlin'],
    CET: ['Europe/Paris', 'Europe/Berlin'],
    CNT: ['America/St_Johns'],
    CST: ['America/Chicago', 'America/Regina', 'Asia/Shanghai'],
    CST6CDT: ['America/Chicago'],
    CTT: ['Asia/Shanghai'],
    EAT: ['Africa/Nairobi'],
    ECT: ['America/Guayaquil', 'Europe/Paris'],
    EET: ['Europe/Athens', 'Africa/Cairo'],
    EST: ['America/New_York', 'America/Panama'],
    EST5EDT: ['America/New_York'],
    HST: ['Pacific/Honolulu'],
    IET: ['America/Indiana/Indianapolis'],
    IST: ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem'],
    JST: ['Asia/Tokyo'],
    KST: ['Asia/Seoul'],
    MET: ['Europe/Paris', 'Europe/Berlin'],
    MIT: ['Pacific/Apia'],
    MSK: ['Europe/Moscow'],
    MST: ['America/Denver', 'America/Phoenix'],
    MST7MDT: ['America/Denver'],
    NET: ['Asia/Yerevan'],
    NST: ['America/St_Johns', 'Pacific/Auckland'],
    NZST: ['Pacific/Auckland'],
    PLT: ['Asia/Karachi'],
    PNT: ['America/Phoenix'],
    PRT: ['America/Puerto_Rico'],
    PST: ['America/Los_Angeles', 'Asia/Manila'],
    PST8PDT: ['America/Los_Angeles'],
    SAST: ['Africa/Johannesburg'],
    SST: ['Pacific/Pago_Pago', 'Pacific/Guadalcanal'],
    VST: ['Asia/Ho_Chi_Minh'],
    WAT: ['Africa/Lagos'],
    WEST: ['Europe/Lisbon', 'Atlantic/Canary'],
    WET: ['Europe/Lisbon', 'Atlantic/Canary'],
    ACDT: ['Australia/Adelaide'],
    ADT: ['America/Halifax'],
    AEDT: ['Australia/Sydney'],
    AKDT: ['America/Anchorage'],
    CDT: ['America/Chicago'],
    EDT: ['America/New_York'],
    EEST: ['Europe/Athens'],
    HDT: ['America/Adak'],
    MDT: ['America/Denver'],
    NDT: ['America/St_Johns'],
    NZDT: ['Pacific/Auckland'],
    PDT: ['America/Los_Angeles'],
  }),
);

/** A zone that says where its clock is: neither UTC nor an abbreviation. */
export const isPlaceZone = (name: string): boolean =>
  isTimeZone(name) && !isUtcZone(name) && !isAbbreviatedZone(name);

/** True if this zone names no place, as EST and SystemV/EST5EDT do not. UTC does not count. */
export const isAbbreviatedZone = (name: string): boolean =>
  isTimeZone(name) && !isUtcZone(name) && isNoPlace(name);

const isNoPlace = (name: string): boolean =>
  name.includes('/') ? /^SystemV\//i.test(name) : !COUNTRIES.has(name.toLowerCase());

/** The places that an abbreviation may mean, the likeliest first. */
export function placesOfAbbreviation(name: string): readonly string[] {
  const abbreviation = name.replace(/^SystemV\//i, '').toUpperCase();
  return (
    PLACES_BY_ABBREVIATION.get(abbreviation) ??
    PLACES_BY_ABBREVIATION.get(abbreviation.slice(0, 3)) ??
    []
  );
}

/** "Europe/Lisbon or Atlantic/Canary"; null where no place is known. */
export function describePlaces(abbreviation: string): Text | null {
  const places = placesOfAbbreviation(abbreviation).map(verbatim);
  return places.length === 0 ? null : join(places, say` or `);
}

/**
 * Says which zones are accepted, for one that is refused as that of a farm; null for one that is a
 * place.
 */
export function placeZoneFault(name: string): Text | null {
  if (isPlaceZone(name)) return null;
  const places = describePlaces(name);
  return places === null
    ? say`an IANA time zone of a place such as Europe/Paris, not UTC or an abbreviation`
    : say`an IANA time zone of a place rather than an abbreviation: ${places}`;
}

/** All offsets in use are of quarter hours. */
const OFFSET = /^(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(00|15|30|45))?$/i;
const MAX_OFFSET_MIN = 14 * 60;

/** The zone of the clock of a logger: that of a place, UTC, or an offset. Null for other texts. */
export function zoneOfClock(text: string): string | null {
  const [, sign, hours, minutes = '00'] = OFFSET.exec(text) ?? [];
  if (sign === undefined) return isTimeZone(text) && !isAbbreviatedZone(text) ? text : null;

  const isInUse = Number(hours) * 60 + Number(minutes) <= MAX_OFFSET_MIN;
  if (minutes !== '00') return isInUse ? `UTC${sign}${padTwo(Number(hours))}:${minutes}` : null;

  // The zone data has names of the opposite sign for whole hours.
  const name = `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`;
  return isTimeZone(name) ? name : null;
}
